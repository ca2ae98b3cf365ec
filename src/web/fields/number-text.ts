import { decimalsOf } from '#engine/values/currency-decimals.ts';
import { groupDigits } from '#engine/values/display.ts';
import type { Field } from '#engine/schema/resource.ts';

type NumberField = Pick<Field, 'type' | 'scale'>;

/**
 * What somebody typed or pasted as plain decimal text: full-width digits, thousands separators, currency signs,
 * a percent sign and accounting brackets are understood. Text that is no number comes back as it is, so that the
 * field's own check can refuse it; empty gives null.
 * @example typedDecimal('１,２３４．５') // '1234.5'
 * @example typedDecimal('(12.00)') // '-12.00'
 */
export function typedDecimal(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s,，'¥￥$€£%]/g, '')
    .replace(/^[−–—]/, '-');
  if (plain === '') return null;
  const bracketed = /^\((.+)\)$/.exec(plain)?.[1];
  const signed = bracketed === undefined ? plain.replace(/^\+/, '') : `-${bracketed}`;
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(signed);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return text;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign}${digits}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A typed whole number: the JSON number when it is one, else the text for the field's check to refuse. */
export function typedInteger(text: string): number | string | null {
  const plain = typedDecimal(text);
  if (plain === null) return null;
  const number = Number(plain);
  return /^-?\d+$/.test(plain) && Number.isSafeInteger(number) ? number : text;
}

/**
 * How a number reads while nobody types in it: thousands separators, percent with two decimals at least, money with
 * those of its currency at least (two where it is not known).
 * @example shownNumber('4736376.00', money, 'JPY') // '4,736,376'
 */
export function shownNumber(value: unknown, field: NumberField, currency?: string): string {
  if (value === null || value === undefined || value === '') return '';
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  if (field.type === 'integer') return text;
  if (field.type === 'percent') return groupDigits(padFraction(trimZeros(text), 2));
  if (field.type === 'money')
    return groupDigits(padFraction(trimZeros(text), currency === undefined ? 2 : decimalsOf(currency)));
  return groupDigits(trimZeros(text));
}

/** How a number reads while somebody types in it: the plain digits. */
export function editedNumber(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return /^-?\d+\.\d+$/.test(value) ? trimZeros(value) : value;
}

function padFraction(text: string, digits: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const padded = fraction.padEnd(digits, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
