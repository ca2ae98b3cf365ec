import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { AWAITED } from '../field-text.ts';
import type { ValueLabel } from '../field-view.ts';

export interface CellChange {
  readonly key: string;
  readonly column: string;
  readonly value: unknown;
  /** Text of a reference or dictionary value, when it is known. */
  readonly label?: ValueLabel;
  /** What rules and formulas read of a picked record, by path from the line. */
  readonly paths?: ErpRecord;
}

export interface CellState {
  readonly isReadOnly: boolean;
  readonly isRequired: boolean;
  readonly isHidden: boolean;
  readonly reason: string | null;
}

/** All that a cell shows; the same object for as long as nothing of it changes. */
export interface CellSnapshot extends CellState {
  readonly value: unknown;
  readonly label: ValueLabel;
  readonly problem: string | null;
  /** The problem refuses nothing. */
  readonly isWarning: boolean;
}

export const OPEN_STATE: CellState = { isReadOnly: false, isRequired: false, isHidden: false, reason: null };

/** The name of a cell in maps of states and problems. */
export function cellId(key: string, column: string): string {
  return `${key}:${column}`;
}

/** The line's key and the column of such a name. */
export function cellOf(id: string): { readonly key: string; readonly column: string } {
  const at = id.indexOf(':');
  return { key: id.slice(0, at), column: id.slice(at + 1) };
}

/** What a value of the line is called. */
export function labelOf(values: ErpRecord, column: string): ValueLabel {
  const labels = values['_labels'];
  if (!isObject(labels)) return undefined;
  const label = labels[column];
  if (typeof label === 'string') return label;
  return Array.isArray(label) ? label.map(String) : undefined;
}

/** The line with one cell written, its label and the paths below it with it. */
export function withCell(values: ErpRecord, { column, value, label, paths }: CellChange): ErpRecord {
  const labels = isObject(values['_labels']) ? values['_labels'] : {};
  const known = isObject(values['_paths']) ? values['_paths'] : {};
  const hasLabel = label !== undefined || labels[column] !== undefined;
  const kept = Object.entries(known).filter(([path]) => !path.startsWith(`${column}.`));
  const hasPaths = paths !== undefined || kept.length < Object.keys(known).length;
  return {
    ...values,
    [column]: value,
    ...(hasLabel ? { _labels: { ...labels, [column]: label ?? null } } : {}),
    ...(hasPaths ? { _paths: { ...Object.fromEntries(kept), ...paths } } : {}),
  };
}

/** What a formula of the form came to in a cell: a record there has no name yet. */
export function computedCell(columns: readonly Field[], change: CellChange): CellChange {
  const isReference = columns.some(({ name, type }) => name === change.column && type === 'reference');
  if (!isReference) return change;
  return { ...change, label: isEmptyValue(change.value) ? null : AWAITED };
}

/** The line with what its formulas came to; the same one where nothing is another. */
export function withComputed(columns: readonly Field[], values: ErpRecord, computed: ErpRecord): ErpRecord {
  return Object.entries(computed)
    .filter(([column, value]) => values[column] !== value)
    .map(([column, value]) => computedCell(columns, { key: '', column, value }))
    .reduce((line, change) => withCell(line, change), values);
}

/** True when a cell holds a value already, under the name that comes with it. */
export function holdsCell(values: ErpRecord, { column, value, label }: CellChange): boolean {
  return values[column] === value && (label === undefined || (labelOf(values, column) ?? null) === label);
}

/** The values of a line for another one. */
export function withoutIdentity(values: ErpRecord): ErpRecord {
  const { id: _id, line_order: _order, ...rest } = values;
  return rest;
}

/** True when a cell looks the same in both states. */
export function sameState(a: CellState | undefined, b: CellState | undefined): boolean {
  const left = a ?? OPEN_STATE;
  const right = b ?? OPEN_STATE;
  return (
    left.isReadOnly === right.isReadOnly &&
    left.isRequired === right.isRequired &&
    left.isHidden === right.isHidden &&
    left.reason === right.reason
  );
}

/** True for equal values; nothing is the same as an empty text. */
export function isSameCell(a: unknown, b: unknown): boolean {
  return (a ?? '') === (b ?? '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
