/** What stands in a cell, as a chart takes it. */
export type CellValue =
  | { readonly kind: 'number'; readonly number: number; readonly isPercent: boolean }
  | { readonly kind: 'empty' }
  | { readonly kind: 'text' };

const EMPTY: CellValue = { kind: 'empty' };
const TEXT: CellValue = { kind: 'text' };
/** Thousands separators stand in threes or not at all. */
const NUMBER = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i;
const CURRENCY = /^([+-]?)(?:[¥$€£]|US\$|(?:CNY|RMB|USD|EUR|GBP|JPY|HKD)(?![a-z]))\s*(?=[\d.+-])/i;

/**
 * Reads a number as offices write it: thousands separators, percent, accounting parentheses, full-width signs, a
 * currency in front, the unit of the chart behind. A dash stands for nothing.
 *
 * @example readCell('（1,234.50）') // -1234.5
 */
export function readCell(text: string, suffix = ''): CellValue {
  const plain = tidy(text);
  if (/^[-/]*$/.test(plain)) return EMPTY;
  const negative = /^\((.+)\)$/.exec(plain)?.[1];
  const body = withoutUnit(negative ?? plain, tidy(suffix)).replace(CURRENCY, '$1');
  const isPercent = body.endsWith('%');
  const digits = (isPercent ? body.slice(0, -1) : body).trim();
  if (!/\d/.test(digits) || !NUMBER.test(digits)) return TEXT;
  const number = Number(digits.replaceAll(',', ''));
  if (!Number.isFinite(number)) return TEXT;
  return { kind: 'number', number: negative === undefined ? number : -number, isPercent };
}

function tidy(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[−–—―]/g, '-')
    .replace(/[\u200B\uFEFF]/g, '')
    .trim();
}

function withoutUnit(text: string, unit: string): string {
  const hasUnit = unit !== '' && unit !== '%' && text.length > unit.length && text.endsWith(unit);
  return hasUnit ? text.slice(0, -unit.length).trim() : text;
}
