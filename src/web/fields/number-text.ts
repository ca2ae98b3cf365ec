import { trimZeros } from '#engine/values/shown-number.ts';

import { withoutGroups } from '#engine/values/grouped-digits.ts';

/**
 * What somebody typed or pasted as plain decimal text: full-width digits, thousands separators, currency signs,
 * a percent sign and accounting brackets are understood. Text that is no number (a decimal comma included) comes back as
 * it is, so that the field's own check can refuse it; empty gives null.
 * @example typedDecimal('１,２３４．５') // '1234.5'
 * @example typedDecimal('(12.00)') // '-12.00'
 */
export function typedDecimal(text: string): string | null {
  const written = text
    .normalize('NFKC')
    .replace(/[\s'¥￥$€£%]/g, '')
    .replace(/^[−–—]/, '-');
  if (written === '') return null;
  const plain = withoutGroups(written);
  if (plain === null) return text;
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

/** How a number reads while somebody types in it: the plain digits. */
export function editedNumber(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  return /^-?\d+\.\d+$/.test(value) ? trimZeros(value) : value;
}
