import type { Call } from '#server/records/call/open-call.ts';
import { isNear } from './near-rows.ts';
import type { OpenRecord } from './open-record.ts';
import { type ReferenceBook, type ReferenceRow, targetOf } from './reference-book.ts';
import type { Holder } from './reference-holders.ts';
import { type Eyes, isPicker } from './reader-eyes.ts';

/** References whose row is not there for the reader, by head or line. */
export function foreignRows(
  holders: readonly Holder[],
  {
    book,
    companies,
    reader,
    eyesOf,
  }: {
    readonly book: ReferenceBook;
    readonly companies: readonly string[];
    readonly reader: Call;
    readonly eyesOf: (target: string) => Eyes | null;
  },
): ReadonlyMap<OpenRecord, ReadonlySet<string>> {
  const foreign = new Map<OpenRecord, Set<string>>();
  const grants = new Map<string, boolean>();
  const isGranted = (target: string, path: string): boolean => {
    const key = `${path}|${target}`;
    const known = grants.get(key);
    if (known !== undefined) return known;
    const granted = eyesOf(target)?.mayRead !== false || isPicker(reader, path);
    grants.set(key, granted);
    return granted;
  };
  for (const { record, links, prefix } of holders)
    for (const field of links.references) {
      const value = record[field.name];
      if (value === null || value === undefined) continue;
      const ids = [value].flat().filter((id) => typeof id === 'string');
      if (ids.length === 0) continue;
      const target = targetOf(field, record) ?? '';
      const rows = book.get(target);
      const isThere = (row: ReferenceRow | undefined): boolean =>
        row !== undefined && row.isOpen && isNear(row, field, companies);
      if (isGranted(target, `${prefix}${field.name}`) && ids.every((id) => isThere(rows?.get(id)))) continue;
      foreign.set(record, (foreign.get(record) ?? new Set()).add(field.name));
    }
  return foreign;
}
