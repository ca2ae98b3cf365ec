import type { Chapter, Counts } from './world.ts';

/** What a record that has been made is counted under. */
export interface Title {
  readonly company: string;
  readonly chapter: number;
  readonly title: string;
}

/** Told after every record: how many of a title are done in a chapter. */
export type OnStep = (what: Title, done: number, of: number) => void;

/** What one record of each title costs beside the others. */
const COSTS: readonly (readonly [title: string, count: (scale: Counts) => number, cost: number])[] = [
  ['委托方', ({ partners }) => partners, 9],
  ['国外客户', ({ buyers }) => buyers, 1],
  ['供应商', ({ suppliers }) => suppliers, 1.5],
  ['商品', ({ goods }) => goods, 1],
  ['关联关系', ({ buyers }) => buyers * 2, 2],
  ['外销合同', ({ contracts }) => contracts, 4],
  ['出运明细单', ({ shipments }) => shipments, 8],
];

/** Tells how far the chapters of all companies have come, every whole percent once: 0 to 99, and at what. */
export function demoProgress(
  chapters: Readonly<Record<string, readonly Chapter[]>>,
  tell: (percent: number, at: string) => void,
): OnStep {
  const weights = new Map<string, number>();
  for (const [company, list] of Object.entries(chapters))
    for (const [chapter, { scale }] of list.entries())
      for (const [title, count, cost] of COSTS)
        weights.set(keyOf({ company, chapter, title }), count(scale) * cost);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<string, number>();
  let told = -1;
  return (what, done, of) => {
    shares.set(keyOf(what), Math.min(1, done / of));
    const sum = [...shares].reduce((sofar, [key, share]) => sofar + share * (weights.get(key) ?? 0), 0);
    const percent = Math.min(99, Math.floor((sum / total) * 100));
    if (percent <= told) return;
    told = percent;
    tell(percent, `${what.company} ${what.title}`);
  };
}

function keyOf({ company, chapter, title }: Title): string {
  return `${company} ${chapter} ${title}`;
}
