import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import type { Comparison, Filter, FilterValue } from './definition.ts';

/**
 * True when two filters can never hold of the same record, as far as their comparisons with plain values (or with one
 * and the same formula) show: `x > 0` and `x <= 0`, `x = a` and `x = b`, `x` empty and `x > 0`. False says nothing.
 */
export function excludeEachOther(left: Filter, right: Filter): boolean {
  return alternatives(left).every((one) => alternatives(right).every((other) => clash([...one, ...other])));
}

/** One comparison of a field. */
interface Claim {
  readonly field: string;
  readonly operator: string;
  readonly value: FilterValue;
}

/** The filter as alternatives, each a list of claims that all hold. */
function alternatives(filter: Filter): readonly (readonly Claim[])[] {
  let found: readonly (readonly Claim[])[] = [[]];
  for (const [key, part] of Object.entries(filter)) {
    const parts = part === undefined ? [[]] : alternativesOf(key, part);
    found = found.flatMap((claims) => parts.map((more) => [...claims, ...more]));
  }
  return found;
}

function alternativesOf(key: string, part: Comparison | readonly Filter[]): readonly (readonly Claim[])[] {
  if (!isList(part))
    return [
      Object.entries(part).map(([operator, value]) => ({ field: key, operator, value: value ?? null })),
    ];
  if (key === 'or') return part.flatMap(alternatives);
  return part.reduce<readonly (readonly Claim[])[]>(
    (found, inner) => found.flatMap((claims) => alternatives(inner).map((more) => [...claims, ...more])),
    [[]],
  );
}

function isList(part: Comparison | readonly Filter[]): part is readonly Filter[] {
  return Array.isArray(part);
}

function clash(claims: readonly Claim[]): boolean {
  return claims.some((one, place) =>
    claims
      .slice(place + 1)
      .some((other) => one.field === other.field && (isNever(one, other) || isNever(other, one))),
  );
}

const BELOW: Readonly<Record<string, readonly string[]>> = {
  lt: ['gt', 'gte', 'eq'],
  lte: ['gt'],
  gt: ['lt', 'lte', 'eq'],
  gte: ['lt'],
  eq: ['ne', 'lt', 'gt'],
};

/** Two claims of one field that no value meets. */
function isNever(one: Claim, other: Claim): boolean {
  if (one.operator === 'null') return isNullClash(one.value === true, other);
  if (one.operator === 'in' || one.operator === 'eq') {
    const values = listOf(one.value);
    if (values.every(isPlain) && values.every((value) => !admits(other, value))) return true;
  }
  const order = compareValues(one.value, other.value);
  if (order === 0 || JSON.stringify(one.value) === JSON.stringify(other.value))
    return BELOW[one.operator]?.includes(other.operator) === true;
  const isUpper = one.operator === 'lt' || one.operator === 'lte';
  const isLower = other.operator === 'gt' || other.operator === 'gte';
  return isUpper && isLower && order !== null && order < 0;
}

/** Emptiness meets no comparison with a value. */
function isNullClash(isEmpty: boolean, other: Claim): boolean {
  if (other.operator === 'null') return (other.value === true) !== isEmpty;
  return isEmpty && ['eq', 'in', 'lt', 'lte', 'gt', 'gte'].includes(other.operator) && other.value !== null;
}

/** Whether a plain value may meet a claim; true where it is not known. */
function admits({ operator, value: bound }: Claim, value: FilterValue): boolean {
  const list = listOf(bound);
  if (!list.every(isPlain)) return true;
  const isAmong = list.some((one) => compareValues(one, value) === 0);
  if (operator === 'eq' || operator === 'in') return isAmong;
  if (operator === 'ne' || operator === 'nin') return !isAmong;
  const order = compareValues(value, bound);
  if (order === null) return true;
  if (operator === 'lt') return order < 0;
  if (operator === 'lte') return order <= 0;
  if (operator === 'gt') return order > 0;
  return operator === 'gte' ? order >= 0 : true;
}

function listOf(value: FilterValue): readonly FilterValue[] {
  return Array.isArray(value) ? value : [value];
}

function isPlain(value: FilterValue): boolean {
  return value !== null && typeof value !== 'object';
}

/** Numbers by size, the rest by their text; null where they do not compare. */
function compareValues(left: FilterValue, right: FilterValue): number | null {
  if (!isPlain(left) || !isPlain(right)) return null;
  const [a, b] = [String(left), String(right)];
  if (isPlainDecimal(a) && isPlainDecimal(b)) return compareDecimals(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
