import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import type { Field } from '../schema/resource.ts';
import { isPlainDecimal, multiplyDecimals } from '../values/decimal.ts';
import { readContext } from './read-context.ts';
import { readPath, type Scope } from './scope.ts';

/** Where a value comes from when it is not a literal. */
export function sourceOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null && '$' in value && typeof value.$ === 'string'
    ? value.$
    : null;
}

/** The formula of a value `{ "=": ... }`. */
export function formulaOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null && '=' in value && typeof value['='] === 'string'
    ? value['=']
    : null;
}

/**
 * What a filter's value stands for on a record; a list among the values of a list gives its own values. `field` is what it
 * is compared with: a formula counts in fractions, a percent field holds 13 for 0.13.
 */
export function resolveOperand(value: unknown, scope: Scope, field?: Pick<Field, 'type'>): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => resolveOperand(item, scope, field));
  const source = sourceOf(value);
  if (source !== null) {
    const known = readContext(source, scope.context);
    return known === undefined ? (readPath(scope, source) ?? null) : known;
  }
  const formula = formulaOf(value);
  if (formula === null) return value;
  const result = evaluate(parseExpression(formula), scope);
  return field?.type === 'percent' ? asPercent(result) : result;
}

/** A fraction as a percent field holds it: 0.13 is 13; lists item by item. */
export function asPercent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPercent);
  return isPlainDecimal(value) ? multiplyDecimals(value, '100') : value;
}
