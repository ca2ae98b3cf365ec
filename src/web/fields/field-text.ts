import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { formatField } from '#engine/fields/field-types.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { choicesOf, type Dictionaries } from './dictionary-context.ts';
import type { ValueLabel } from './field-view.ts';
import { shownNumber } from '#engine/values/shown-number.ts';

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'decimal', 'money', 'percent']);

/** Stands for the name of a record that a form has come to by itself: it is on the way from the server. */
export const AWAITED = '…';

/** What a record is called of which the reader may know nothing. */
export const UNSEEN = '（不可见）';

const RECORD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One line of text for a value: its label when the server sent one, else as the field's type reads. Empty gives ''. */
export function fieldText(
  field: Field,
  value: unknown,
  label?: ValueLabel,
  dictionaries?: Dictionaries,
): string {
  if (label !== undefined && label !== null && label !== '') return labelText(label);
  if (value === null || value === undefined || value === '') return '';
  if (value === SYSTEM_ID) return '系统';
  if (field.type === 'percent') return `${shownNumber(value, field)}%`;
  if (NUMBER_TYPES.has(field.type)) return shownNumber(value, field);
  if (field.type === 'dictionary' && dictionaries !== undefined)
    return dictionaryText(field, value, dictionaries);
  // The server labels every record that the reader may know of: an id alone says nothing to anybody.
  if (field.type === 'reference' && RECORD_ID.test(scalarText(value))) return UNSEEN;
  return formatField(value, field);
}

/** True for what is read by comparing digits and therefore stands on the right. */
export function isNumberField(field: Pick<Field, 'type'>): boolean {
  return NUMBER_TYPES.has(field.type);
}

/** The currency code of a money field for a record: `parent.currency` reads the head. Undefined for other types and when it is not chosen yet. */
export function currencyOf(field: Field, record: ErpRecord, parent?: ErpRecord): string | undefined {
  if (field.type !== 'money' || field.currency === undefined) return undefined;
  if (/^[A-Z]{3}$/.test(field.currency)) return field.currency;
  const [source, name] = field.currency.startsWith('parent.')
    ? [parent, field.currency.slice('parent.'.length)]
    : [record, field.currency];
  const code = source?.[name];
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/**
 * An amount of a line with the decimals of its currency. Which one that is, the total below says: in every cell it would
 * only take room.
 * @example lineAmount(amount, { amount: '323000.00' }, { currency: 'JPY' }) // '323,000'
 */
export function lineAmount(field: Field, line: ErpRecord, head?: ErpRecord): string {
  return shownNumber(line[field.name], field, currencyOf(field, line, head));
}

/** True where a reader learns nothing: of what is empty, and of a record that is not for this reader. */
export function saysNothing({ name, type }: Pick<Field, 'name' | 'type'>, record: ErpRecord): boolean {
  const value = record[name];
  if (isEmptyValue(value)) return true;
  return type === 'reference' && value !== SYSTEM_ID && labelText(labelsOf(record)[name]) === '';
}

/** True for what is there but not for this reader: a reference to records of which the reader may know nothing. */
export function isKeptFrom(field: Pick<Field, 'name' | 'type'>, record: ErpRecord): boolean {
  return !isEmptyValue(record[field.name]) && saysNothing(field, record);
}

/** True for a column whose every value is kept from this reader: （不可见） in each row would tell nothing. */
export function isColumnKept(column: Pick<Field, 'name' | 'type'>, lines: readonly ErpRecord[]): boolean {
  return lines.some((line) => isKeptFrom(column, line)) && lines.every((line) => saysNothing(column, line));
}

/** The labels that a record carries in `_labels`. */
export function labelsOf(record: ErpRecord): Readonly<Record<string, ValueLabel>> {
  const labels = record['_labels'];
  return isLabels(labels) ? labels : {};
}

/** A scalar as text; empty and structured values give ''. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function labelText(label: ValueLabel): string {
  if (label === null || label === undefined) return '';
  return typeof label === 'string' ? label : label.join('、');
}

function dictionaryText(field: Field, value: unknown, dictionaries: Dictionaries): string {
  const choices = choicesOf(field, dictionaries);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values
    .map((item) => choices.find((choice) => choice.value === item)?.label ?? scalarText(item))
    .join('、');
}

function isLabels(value: unknown): value is Readonly<Record<string, ValueLabel>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
