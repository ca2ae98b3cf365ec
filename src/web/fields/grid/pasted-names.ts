import type { Field } from '#engine/schema/resource.ts';
import type { FieldPlace, PickedRecord } from '../field-view.ts';
import type { FieldServices } from '../field-services.ts';
import { plainTitle } from './pasted-block.ts';

/** What a pasted text stands for, or why that cannot be told. */
export type PastedName = { readonly picked: PickedRecord } | { readonly problem: string };

const PER_PAGE = 200;
/** Ambiguous texts are told with so many of the names they may mean. */
const TOLD = 3;

/** True for a column of names of the definitions, which people write as titles. */
export function holdsName({ type, names, multiple }: Field): boolean {
  return type === 'text' && names !== undefined && names !== 'template' && multiple !== true;
}

/** All that a column of names may name. */
export async function nameCandidates(
  services: FieldServices,
  place: FieldPlace,
): Promise<readonly PickedRecord[]> {
  const found: PickedRecord[] = [];
  for (let currentPage = 1; ; currentPage += 1) {
    const { records, total } = await services.lookup(place, { currentPage, pageSize: PER_PAGE });
    found.push(...records);
    if (records.length === 0 || found.length >= total) return found;
  }
}

/**
 * The name that a text means: by its key or whole title, then without stars, spaces, brackets and the width of its colon,
 * then by what stands behind the colon (`数量` for `商品明细：数量`) where only one name ends so.
 */
export function nameByText(candidates: readonly PickedRecord[], text: string): PastedName {
  const written = text.trim();
  const wanted = plainTitle(written);
  const ways: readonly ((name: PickedRecord) => boolean)[] = [
    ({ id, label }) => id === written || label === written,
    ({ label }) => wanted !== '' && plainTitle(label) === wanted,
    ({ label }) => wanted !== '' && plainTitle(label.split('：').at(-1) ?? '') === wanted,
  ];
  for (const isMeant of ways) {
    const found = candidates.filter(isMeant);
    const [only, second] = found;
    if (only === undefined) continue;
    if (second === undefined) return { picked: only };
    const names = found.slice(0, TOLD).map(({ label }) => label);
    const more = found.length > TOLD ? '等' : '';
    return { problem: `「${written}」可以是${names.join('、')}${more}，请写全名称` };
  }
  return notFound(written);
}

/** The record whose label, else whose caption is the text; of several it cannot be told, and they are named by what tells them apart. */
export function recordByText(records: readonly PickedRecord[], text: string): PastedName {
  const wanted = text.toLowerCase();
  const labelled = records.filter(({ label }) => label.toLowerCase() === wanted);
  const found =
    labelled.length > 0
      ? labelled
      : records.filter(({ caption }) => caption.some((one) => one.toLowerCase() === wanted));
  const [only, second] = found;
  if (only === undefined) return notFound(text);
  if (second === undefined) return { picked: only };
  const apart = found.map(({ label, caption }) =>
    [label, ...caption].filter((one) => one.toLowerCase() !== wanted).join(' '),
  );
  const more = apart.length > TOLD ? '等' : '';
  return { problem: `「${text}」有多个：${apart.slice(0, TOLD).join('、')}${more}，请写编号或从列表中选择` };
}

/** The problem of a text that more records are called by than are at hand. */
export function severalCalled(text: string): PastedName & { readonly problem: string } {
  return { problem: `「${text}」有多个，请写编号或从列表中选择` };
}

export function notFound(text: string): PastedName & { readonly problem: string } {
  return { problem: `找不到「${text}」，请从列表中选择` };
}
