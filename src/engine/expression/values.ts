import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import type { Value } from './formula-function.ts';

export type Single = Exclude<Value, readonly Value[]>;

/** A value as a condition: what is empty and zero is no. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return value !== null;
  if (value === '') return false;
  return !isPlainDecimal(value) || compareDecimals(value, '0') !== 0;
}

/** What a record holds as a value: empty text is nothing, whole numbers are text, what is neither is nothing. */
export function toValue(value: unknown): Value {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return Array.isArray(value) ? value.map(toValue) : null;
}

/** All single values of a list of values and lists, without what is empty. */
export function flatten(values: readonly Value[]): readonly Exclude<Single, null>[] {
  return values.flatMap((value) => {
    if (isSingle(value)) return value === null ? [] : [value];
    return flatten(value);
  });
}

export function isSingle(value: Value): value is Single {
  return !Array.isArray(value);
}

/** Equal by value: decimals as numbers, an empty yes or no as no. */
export function isSame(a: Value, b: Value): boolean {
  if (isPlainDecimal(a) && isPlainDecimal(b)) return compareDecimals(a, b) === 0;
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTrue(a) === isTrue(b);
  return a === b;
}

/** Whether a is before b and so on: decimals as numbers, other texts letter by letter. False when a side is empty. */
export function isOrdered(operator: '<' | '<=' | '>' | '>=', a: Value, b: Value): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const order = isPlainDecimal(a) && isPlainDecimal(b) ? compareDecimals(a, b) : a < b ? -1 : a > b ? 1 : 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}
