import { decimalsOf } from './currency-decimals.ts';
import { groupDigits } from './display.ts';

/**
 * How a number reads while nobody types in it: thousands separators, percent with two decimals at least, money with
 * those of its currency at least (two where it is not known).
 * @example shownNumber('4736376.00', money, 'JPY') // '4,736,376'
 */
export function shownNumber(value: unknown, { type }: { readonly type: string }, currency?: string): string {
  if (value === null || value === undefined || value === '') return '';
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
  if (type === 'integer') return text;
  if (type === 'percent') return groupDigits(padFraction(trimZeros(text), 2));
  if (type === 'money')
    return groupDigits(padFraction(trimZeros(text), currency === undefined ? 2 : decimalsOf(currency)));
  return groupDigits(trimZeros(text));
}

/** A decimal without the zeros at the end of its fraction. */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function padFraction(text: string, digits: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const padded = fraction.padEnd(digits, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}
