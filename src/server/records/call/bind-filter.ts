import { resolveOperand } from '#engine/filter/resolve-operand.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { Comparison, Filter, FilterValue } from '#engine/schema/definition.ts';

/**
 * A filter over other records with everything that it takes from this record (`record.x`, `parent.x`, formulas) put in
 * as values. What concerns the person or the day stays for the filter's own compilation.
 */
export function bindFilter(filter: Filter, scope: Scope): Filter {
  const bound: Record<string, Comparison | readonly Filter[]> = {};
  for (const [key, part] of Object.entries(filter)) {
    if (part === undefined) continue;
    bound[key] = isFilterList(part)
      ? part.map((inner) => bindFilter(inner, scope))
      : bindComparison(part, scope);
  }
  return bound;
}

function bindComparison(comparison: Comparison, scope: Scope): Comparison {
  return Object.fromEntries(
    Object.entries(comparison).map(([op, value]): [string, FilterValue] => [op, bindValue(value, scope)]),
  );
}

function bindValue(value: FilterValue, scope: Scope): FilterValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isValueList(value)) return value.map((item) => bindValue(item, scope));
  if ('$' in value && !/^(record|parent|input|source|before)\./.test(value.$)) return value;
  return toFilterValue(resolveOperand(value, scope));
}

function toFilterValue(value: unknown): FilterValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.map(toFilterValue) : null;
}

function isFilterList(part: Comparison | readonly Filter[]): part is readonly Filter[] {
  return Array.isArray(part);
}

function isValueList(value: object): value is readonly FilterValue[] {
  return Array.isArray(value);
}
