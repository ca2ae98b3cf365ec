import type { Scope } from '../filter/scope.ts';
import type { ErpRecord } from '../schema/resource.ts';
import {
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '../values/decimal.ts';
import type { Value } from './evaluate.ts';
import type { Expression } from './expression.ts';

type Evaluate = (expression: Expression, scope: Scope) => Value;

/**
 * A line's share of a total by its weight: every line gets its share rounded to cents but never more than what is left,
 * the last line takes the remainder. Null outside lines, without a total, or when the weights sum to 0.
 * @example 100.00 over 3,333.33 / 3,333.33 / 3,333.34 gives 33.33 / 33.33 / 33.34
 */
export function spreadShare(total: Expression, weight: Expression, scope: Scope, evaluate: Evaluate): Value {
  const { lines, parent } = scope;
  if (lines === undefined || parent === undefined) return null;
  const amount = evaluate(total, scope);
  const list = parent[lines];
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  const rows = all.filter(isRecord);
  const weights = rows.map((record) => decimalOr0(evaluate(weight, { ...scope, record })));
  const place = rows.findIndex((record) => isSameLine(record, scope.record));
  if (!isPlainDecimal(amount) || place < 0) return null;
  return shares(amount, weights)?.[place] ?? null;
}

/** The shares of a total by weights, in cents; null when the weights sum to 0. */
export function shares(total: string, weights: readonly string[]): readonly string[] | null {
  const sum = sumDecimals(weights);
  if (compareDecimals(sum, '0') === 0) return null;
  let left = roundDecimal(total, 2);
  return weights.map((weight, place) => {
    const exact = divideDecimals(multiplyDecimals(total, weight), sum) ?? '0';
    const share = place === weights.length - 1 ? left : capped(roundDecimal(exact, 2), left);
    left = roundDecimal(subtractDecimals(left, share), 2);
    return share;
  });
}

function capped(share: string, left: string): string {
  const isOver = left.startsWith('-') ? compareDecimals(share, left) < 0 : compareDecimals(share, left) > 0;
  return isOver ? left : share;
}

function isSameLine(line: ErpRecord, own: ErpRecord): boolean {
  return line === own || (line['id'] !== undefined && line['id'] === own['id']);
}

function decimalOr0(value: Value): string {
  return isPlainDecimal(value) ? value : '0';
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
