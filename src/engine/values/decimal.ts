/** Decimal arithmetic on text. Amounts, quantities and rates never become JavaScript numbers. */
import { Decimal } from 'decimal.js';

const Exact = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -1_000,
  toExpPos: 1_000,
});

/** Longer than any quotient of 60 digits with its point, sign and leading zeros. */
const MAX_LENGTH = 200;

/** Plain decimal text: an optional minus, digits, an optional fraction. No exponent, separator, sign +, NaN or 0x. */
export function isPlainDecimal(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_LENGTH && /^-?\d+(\.\d+)?$/.test(text);
}

/** Texts read: the amounts of a document are summed, compared and checked several times in one save. */
const known = new Map<string, Decimal>();
const MOST_KNOWN = 10_000;

/** A text as a number; numbers never change, so the same text gives the same one. */
function read(text: string): Decimal {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const number = new Exact(text);
  known.set(text, number);
  return number;
}

export function addDecimals(a: string, b: string): string {
  return read(a).plus(read(b)).toString();
}

export function subtractDecimals(a: string, b: string): string {
  return read(a).minus(read(b)).toString();
}

export function multiplyDecimals(a: string, b: string): string {
  return read(a).times(read(b)).toString();
}

/** Decimals of a quotient that does not end, here and in SQL. */
export const QUOTIENT_SCALE = 40;

/** The quotient to 40 decimals, half-up; null when dividing by zero. */
export function divideDecimals(a: string, b: string): string | null {
  const divisor = read(b);
  return divisor.isZero() ? null : read(a).dividedBy(divisor).toDecimalPlaces(QUOTIENT_SCALE).toString();
}

/** -1 when a < b, 0 when equal in value (`1.50` and `1.5`), 1 when a > b. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const order = a === b ? 0 : read(a).comparedTo(read(b));
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

/**
 * Rounds half-up (away from zero at the half) to a fixed number of decimals.
 * @example roundDecimal('2.345', 2) // '2.35'
 */
export function roundDecimal(text: string, scale: number): string {
  return fixed(text, scale, Decimal.ROUND_HALF_UP);
}

/** Rounds down, below zero away from it: a limit of 10,499,998.95 yen is 10,499,998. */
export function roundDecimalDown(text: string, scale: number): string {
  return fixed(text, scale, Decimal.ROUND_FLOOR);
}

/** Rounds up, below zero towards it. */
export function roundDecimalUp(text: string, scale: number): string {
  return fixed(text, scale, Decimal.ROUND_CEIL);
}

function fixed(text: string, scale: number, rounding: Decimal.Rounding): string {
  if (isFixed(text, scale)) return text;
  const rounded = read(text).toFixed(scale, rounding);
  return /^-0(\.0*)?$/.test(rounded) ? rounded.slice(1) : rounded;
}

/** True for a text that has just these decimals and nothing to take away: what was read from the database mostly is. */
function isFixed(text: string, scale: number): boolean {
  const pattern =
    fixedTexts[scale] ?? new RegExp(`^(?:-?[1-9]\\d*|0)${scale > 0 ? `\\.\\d{${scale}}` : ''}$`);
  fixedTexts[scale] = pattern;
  return pattern.test(text);
}

const fixedTexts: RegExp[] = [];

/** The sum of the values; what is empty or no decimal counts as nothing. `0` for an empty list. */
export function sumDecimals(list: readonly unknown[]): string {
  return list
    .filter(isPlainDecimal)
    .reduce((sum, value) => sum.plus(read(value)), read('0'))
    .toString();
}

/** The absolute value. */
export function absoluteDecimal(text: string): string {
  return read(text).abs().toString();
}
