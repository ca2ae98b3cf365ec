import type { Field, Resource } from '#engine/schema/resource.ts';
import { isSameValue } from '#server/records/write/write-rows.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { snapshotOf } from './approval-case.ts';

/**
 * The own values that a submission changes (变更), as they were: what is asked for is in the record while it is judged,
 * and goes when it is taken back. Null when it changes none.
 */
export function valuesBefore(
  resource: Resource,
  { previous, record }: { readonly previous: OpenRecord; readonly record: OpenRecord },
): OpenRecord | null {
  const plain = snapshotOf(previous);
  const kept: OpenRecord = {};
  for (const field of Object.values(resource.fields))
    if (isOwn(field) && !isSameOf(field, previous[field.name], record[field.name]))
      kept[field.name] = plain[field.name] ?? null;
  return Object.keys(kept).length === 0 ? null : kept;
}

/** Puts them back. What was computed of lines meanwhile, or drawn on them, stays; lines that went come again under their ids. */
export function withValuesBefore(resource: Resource, record: OpenRecord, kept: OpenRecord): OpenRecord {
  const back: OpenRecord = { ...record };
  for (const [name, value] of Object.entries(kept)) {
    const field = resource.fields[name];
    if (field === undefined || !isOwn(field)) continue;
    back[name] = field.type === 'lines' ? linesBefore(field, record[name], value) : value;
  }
  return back;
}

function linesBefore(field: Field, now: unknown, before: unknown): readonly OpenRecord[] {
  const standing = new Map(linesOf(now).map((line) => [line['id'], line]));
  const own = cellsOf(field);
  return linesOf(before).map((line) => {
    const kept = standing.get(line['id']);
    if (kept === undefined) return { ...line };
    return { ...kept, ...Object.fromEntries(own.map(({ name }) => [name, line[name] ?? null])) };
  });
}

function isSameOf(field: Field, before: unknown, now: unknown): boolean {
  if (field.type !== 'lines') return isSameValue(before, now);
  const [old, lines] = [linesOf(before), linesOf(now)];
  const own = cellsOf(field);
  return (
    old.length === lines.length &&
    old.every((line, at) => {
      const other = lines[at] ?? {};
      return line['id'] === other['id'] && own.every(({ name }) => isSameValue(line[name], other[name]));
    })
  );
}

function cellsOf(field: Field): readonly Field[] {
  return Object.values(field.fields ?? {}).filter((cell) => isOwn(cell));
}

/** What people write; the state and what is worked out follow by themselves. */
function isOwn({ name, computed, stored, type }: Field): boolean {
  return name !== 'status' && !computed && stored !== false && type !== 'secret';
}
