import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
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

/** What a filter's value stands for on a record; a list among the values of a list gives its own values. */
export function resolveOperand(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => resolveOperand(item, scope));
  const source = sourceOf(value);
  if (source !== null) {
    const known = readContext(source, scope.context);
    return known === undefined ? (readPath(scope, source) ?? null) : known;
  }
  const formula = formulaOf(value);
  return formula === null ? value : evaluate(parseExpression(formula), scope);
}
