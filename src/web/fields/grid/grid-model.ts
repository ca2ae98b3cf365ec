import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { parseField } from '#engine/fields/field-types.ts';
import type { Dictionaries } from '../dictionary-context.ts';
import { currencyOf } from '../field-text.ts';
import type { FieldServices } from '../field-services.ts';
import type { FieldPlace, PickedRecord } from '../field-view.ts';
import type { CellChange, CellState } from './line-cell.ts';
import type { LineStore } from './line-store.ts';

/** What the cells of one grid share. It stays the same object while the grid is shown. */
export interface GridModel {
  readonly store: LineStore;
  readonly columns: readonly Field[];
  readonly dictionaries: Dictionaries;
  readonly services: FieldServices | null;
  /** The column whose value stands before each line. */
  readonly numbered: string | null;
  readonly isClosed: (column: Field, cell: CellState) => boolean;
  /** Shows at once what the text of a cell is not allowed to be; false when it is so. */
  readonly checkCell: (key: string, column: Field) => boolean;
  readonly placeOf: (key: string, column: Field) => FieldPlace;
  /** The currency of an amount as line and head have it now; undefined for what is none. */
  readonly currencyAt: (key: string, column: Field) => string | undefined;
}

export interface GridModelParts {
  readonly store: LineStore;
  readonly columns: readonly Field[];
  readonly dictionaries: Dictionaries;
  readonly services: FieldServices | null;
  readonly isDisabled: boolean;
  /** Resource and name of the lines, for lookups. */
  readonly resource: string;
  readonly lines: string;
  readonly readParent: () => ErpRecord;
  readonly numbered?: string | null;
  /** Title of the first of these fields of the head that is still to be chosen. */
  readonly awaitedInHead?: ((names: readonly string[]) => string | null) | undefined;
  /** Columns that may be written now; absent: all. */
  readonly isColumnOpen?: ((column: Field) => boolean) | undefined;
}

export function makeGridModel(parts: GridModelParts): GridModel {
  const { store, columns, dictionaries, services } = parts;
  return {
    store,
    columns,
    dictionaries,
    services,
    numbered: parts.numbered ?? null,
    isClosed: (column, cell) =>
      parts.isDisabled ||
      column.computed ||
      column.readOnly === true ||
      cell.isReadOnly ||
      cell.isHidden ||
      parts.isColumnOpen?.(column) === false,
    checkCell: (key, column) => {
      const parsed = parseField(store.cell(key, column.name).value, column);
      if (!('problem' in parsed)) return true;
      store.setProblem(key, column.name, parsed.problem.message);
      return false;
    },
    currencyAt: (key, column) => {
      if (column.type !== 'money' || column.currency === undefined) return undefined;
      // The head is put together with all its lines: only who needs it asks.
      const parent = column.currency.startsWith('parent.') ? parts.readParent() : undefined;
      return currencyOf(column, store.line(key), parent);
    },
    placeOf: (key, column) => ({
      resource: parts.resource,
      path: `${parts.lines}.${column.name}`,
      readRecord: () => ({ ...store.line(key), parent: parts.readParent() }),
      awaits: () => awaitedOf(parts, key, column),
    }),
  };
}

/** What has to be chosen before a cell: in the line itself, then in the head. */
function awaitedOf(
  { store, columns, awaitedInHead }: GridModelParts,
  key: string,
  column: Field,
): string | null {
  const names = column.chosenAfter ?? [];
  for (const own of columns) {
    if (!names.includes(own.name)) continue;
    const { isHidden, isReadOnly, value } = store.cell(key, own.name);
    if (!isHidden && !isReadOnly && isEmptyValue(value)) return own.title;
  }
  return awaitedInHead?.(names.filter((name) => name.startsWith('parent.'))) ?? null;
}

/** The cells that picking a record writes: its id, and what the column fills beside it. */
export function pickedCells(key: string, column: Field, picked: PickedRecord | null): readonly CellChange[] {
  const own: CellChange = {
    key,
    column: column.name,
    value: picked?.id ?? null,
    label: picked?.label ?? null,
    paths: picked?.paths ?? {},
  };
  const filled = Object.entries(picked?.fill ?? {}).map(([name, value]): CellChange => ({
    key,
    column: name,
    value,
    label: picked?.fillLabels[name],
  }));
  return [own, ...filled];
}
