import type { Field } from '#engine/schema/resource.ts';
import { scalarText } from '../field-text.ts';
import { cellText } from './grid-cell.tsx';
import type { GridModel } from './grid-model.ts';
import type { GridRange } from './grid-cursor.ts';
import type { CellChange } from './line-cell.ts';
import type { Block } from './pasted-block.ts';
import type { GridSelectionModel } from './use-grid-selection.ts';

type Selection = Pick<GridSelectionModel, 'range'>;

/**
 * Copies the top line of the range over the lines below it, what picking fills beside a record with it; a single cell takes
 * the one above.
 */
export function fillDown(model: GridModel, { range }: Selection): void {
  if (range === null) return;
  const source = range.top === range.bottom ? range.top - 1 : range.top;
  const from = model.store.keyAt(source);
  if (from === undefined) return;
  const changes: CellChange[] = [];
  eachCell(model, { ...range, top: source + 1 }, (key, column) => {
    for (const name of [column.name, ...Object.keys(column.fill ?? {})]) {
      const { value, label } = model.store.cell(from, name);
      changes.push({ key, column: name, value, label, paths: pathsBelow(model, from, name) });
    }
  });
  model.store.setCells(changes);
}

export function clearRange(model: GridModel, { range }: Selection): void {
  if (range === null) return;
  const changes: CellChange[] = [];
  eachCell(model, range, (key, column) =>
    changes.push({ key, column: column.name, value: null, label: null }),
  );
  model.store.setCells(changes);
}

/** The texts of a range, as they are shown but without thousands separators, which spreadsheets read as text. */
export function copyRange(model: GridModel, range: GridRange): Block {
  const { store, columns, dictionaries } = model;
  return rowsOf(range).map((row) => {
    const key = store.keyAt(row);
    return columns.slice(range.left, range.right + 1).map((column) => {
      if (key === undefined) return '';
      const cell = store.cell(key, column.name);
      const isNumber = ['decimal', 'money', 'percent', 'integer'].includes(column.type);
      return isNumber ? scalarText(cell.value) : cellText(column, cell, dictionaries);
    });
  });
}

/** Keys of the lines that a range touches. */
export function keysOfRange(model: GridModel, range: GridRange | null): readonly string[] {
  if (range === null) return [];
  return rowsOf(range)
    .map((row) => model.store.keyAt(row))
    .filter((key) => key !== undefined);
}

function eachCell(model: GridModel, range: GridRange, visit: (key: string, column: Field) => void): void {
  for (const key of keysOfRange(model, range))
    for (const column of model.columns.slice(range.left, range.right + 1))
      if (!model.isClosed(column, model.store.cell(key, column.name))) visit(key, column);
}

function rowsOf({ top, bottom }: GridRange): readonly number[] {
  return Array.from({ length: bottom - top + 1 }, (_, offset) => top + offset);
}

function pathsBelow(model: GridModel, key: string, column: string): Readonly<Record<string, unknown>> {
  const paths = model.store.line(key)['_paths'];
  if (typeof paths !== 'object' || paths === null) return {};
  return Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(`${column}.`)));
}
