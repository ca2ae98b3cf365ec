import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { isSameValue } from './record-changes.ts';

/** A place that may differ from the saved record: a field of the head, or a cell by its line's key. */
export interface Difference {
  readonly name: string;
  readonly key?: string;
  readonly column?: string;
}

/** What a difference is looked for in. */
export interface Compared {
  readonly resource: Resource;
  readonly base: ErpRecord;
  readonly head: ErpRecord;
  readonly lines: ReadonlyMap<string, LineStore>;
  readonly isSent: (path: string) => boolean;
}

/** True while the place still differs from the saved record. */
export function isDifferent({ name, key, column }: Difference, compared: Compared): boolean {
  const { resource, base, head, lines, isSent } = compared;
  const field = resource.fields[name];
  if (field === undefined || field.computed) return false;
  if (column === undefined || key === undefined)
    return isSent(name) && !isSameValue(field, base[name], head[name]);
  const cell = field.fields?.[column];
  const store = lines.get(name);
  if (cell === undefined || cell.computed || store === undefined || !store.has(key)) return false;
  const line = store.line(key);
  const saved = linesOf(base, name).find(({ id }) => id === line['id']);
  if (line['id'] === undefined || saved === undefined) return false;
  return isSent(`${name}.${column}`) && !isSameValue(cell, saved[column], line[column]);
}

/** Keys of the lines that somebody typed in. */
export function typedKeys(store: LineStore | undefined): readonly string[] {
  return store?.order().filter((key) => !store.isBlank(key)) ?? [];
}

/** The record without the lines that were added and left empty. */
export function typedRecord(record: ErpRecord, lines: ReadonlyMap<string, LineStore>): ErpRecord {
  const shortened = [...lines].flatMap(([name, store]) => {
    const keys = typedKeys(store);
    return keys.length === store.order().length ? [] : [[name, keys.map((key) => store.line(key))]];
  });
  return shortened.length === 0 ? record : { ...record, ...Object.fromEntries(shortened) };
}
