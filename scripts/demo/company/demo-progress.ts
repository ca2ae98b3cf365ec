import type { Scale } from './world.ts';

/** Told after every record: how many of a title are done in a company. */
export type OnStep = (company: string, title: string, done: number, of: number) => void;

/** What one record of each title costs beside the others. */
const COSTS: readonly (readonly [title: string, count: (scale: Scale) => number, cost: number])[] = [
  ['委托方', ({ partners }) => partners, 9],
  ['国外客户', ({ buyers }) => buyers, 1],
  ['供应商', ({ suppliers }) => suppliers, 1.5],
  ['商品', ({ goods }) => goods, 1],
  ['关联关系', ({ buyers }) => buyers * 2, 2],
  ['外销合同', ({ contracts }) => contracts, 4],
  ['出运明细单', ({ shipments }) => shipments, 5],
];
const BAR = 24;

/** Tells how far the demo of all companies has come, every whole percent once. */
export function demoProgress(scales: Readonly<Record<string, Scale>>, tell: (step: string) => void): OnStep {
  const weights = new Map<string, number>();
  for (const [company, scale] of Object.entries(scales))
    for (const [title, count, cost] of COSTS) weights.set(`${company} ${title}`, count(scale) * cost);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<string, number>();
  let told = -1;
  return (company, title, done, of) => {
    shares.set(`${company} ${title}`, Math.min(1, done / of));
    const sum = [...shares].reduce((sofar, [key, share]) => sofar + share * (weights.get(key) ?? 0), 0);
    const percent = Math.min(99, Math.floor((sum / total) * 100));
    if (percent <= told) return;
    told = percent;
    const filled = Math.round((percent / 100) * BAR);
    tell(`建立示例数据 ${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent}% ${company} ${title}`);
  };
}
