import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { AWAITED, labelsOf } from '#web/fields/field-text.ts';
import { type CellChange, computedCell } from '#web/fields/grid/line-cell.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { isNamelessDefault } from './form-start.ts';

/** True where the server's answer tells the name of a record that stands there already. */
export function isNamedAnew({ name, type }: Field, answer: ErpRecord, own: ErpRecord): boolean {
  return type === 'reference' && labelsOf(own)[name] === AWAITED && answer[name] === own[name];
}

/** Cells that differ after formulas ran over the lines. */
export function computedChanges(
  store: LineStore,
  columns: readonly string[],
  lines: readonly ErpRecord[],
): readonly CellChange[] {
  return lines.flatMap((line, index): CellChange[] => {
    const key = store.keyAt(index);
    if (key === undefined || store.line(key) === line) return [];
    const own = store.line(key);
    return columns
      .filter((column) => own[column] !== line[column])
      .map((column) => computedCell(store.columns, { key, column, value: line[column] }));
  });
}

/** Cells that the server computed for the lines of these keys. */
export function answeredChanges(
  lines: Field,
  {
    store,
    keys,
    computed,
    isTaken,
  }: {
    readonly store: LineStore;
    readonly keys: readonly string[];
    readonly computed: readonly ErpRecord[];
    /** Whether what a column finds may be taken from the server. */
    readonly isTaken: (column: Field) => boolean;
  },
): readonly CellChange[] {
  const columns = Object.values(lines.fields ?? {});
  return computed.flatMap((line, index): CellChange[] => {
    const key = keys[index];
    if (key === undefined) return [];
    const own = store.line(key);
    return columns.flatMap((column): CellChange[] => {
      const value = line[column.name];
      if (value === undefined) return [];
      if (column.formula !== undefined && column.type !== 'reference')
        return [{ key, column: column.name, value }];
      if (column.formula !== undefined || isTaken(column))
        return [{ key, column: column.name, value, label: labelsOf(line)[column.name] ?? null }];
      // A record that a default names: only the server knows what it is called.
      const isNamed = isNamelessDefault(column) && isEmptyValue(own[column.name]) && !isEmptyValue(value);
      return isNamed ? [{ key, column: column.name, value, label: labelsOf(line)[column.name] }] : [];
    });
  });
}

/** Cells that rules emptied. */
export function clearedChanges(
  lines: Field,
  {
    store,
    before,
    after,
  }: {
    readonly store: LineStore;
    readonly before: readonly ErpRecord[];
    readonly after: readonly ErpRecord[];
  },
): readonly CellChange[] {
  return after.flatMap((line, index): CellChange[] => {
    const key = store.keyAt(index);
    const old = before[index];
    if (key === undefined || old === undefined || old === line) return [];
    return Object.keys(lines.fields ?? {})
      .filter((column) => line[column] !== old[column])
      .map((column) => ({ key, column, value: line[column], label: null }));
  });
}
