import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import type { FilterValue } from '../schema/definition.ts';

/** What a value of a definition stands for here: a literal, `{ "$": "today" | "user.x" | "record.x" | "input.x" }`, or a formula. Null when there is nothing. */
export function resolveValue(value: FilterValue | undefined, scope: Scope): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (isList(value)) return value.map((item) => resolveValue(item, scope));
  if ('=' in value) return evaluate(parseExpression(value['=']), scope);
  return resolveSource(value.$, scope);
}

function resolveSource(source: string, scope: Scope): unknown {
  const { context } = scope;
  if (source === 'today') return context.today;
  if (source === 'now') return context.now;
  if (source.startsWith('user.')) return member(context.subject, source.slice('user.'.length));
  if (source.startsWith('input.')) return member(context.input, source.slice('input.'.length));
  return readPath(scope, source) ?? null;
}

function member(value: object | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? (Reflect.get(value, name) ?? null) : null;
}

function isList(value: FilterValue): value is readonly FilterValue[] {
  return Array.isArray(value);
}
