import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { readPath, type Scope } from './scope.ts';
import type { EvaluationContext } from '../schema/resource.ts';

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

/** A value of the surroundings that needs no record: `today`, `now`, `user.x`, `input.x`, `param.X`. Undefined for others. */
export function readContext(source: string, context: EvaluationContext): unknown {
  if (source === 'today') return context.today;
  if (source === 'now') return context.now;
  if (source.startsWith('user.')) return member(context.subject, source.slice('user.'.length));
  if (source.startsWith('input.')) return member(context.input, source.slice('input.'.length));
  if (source.startsWith('param.')) return context.params[source.slice('param.'.length)] ?? null;
  return undefined;
}

/** What a filter's value stands for on a record. */
export function resolveOperand(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => resolveOperand(item, scope));
  const source = sourceOf(value);
  if (source !== null) {
    const known = readContext(source, scope.context);
    return known === undefined ? (readPath(scope, source) ?? null) : known;
  }
  const formula = formulaOf(value);
  return formula === null ? value : evaluate(parseExpression(formula), scope);
}

function member(value: object | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? null) : null;
}
