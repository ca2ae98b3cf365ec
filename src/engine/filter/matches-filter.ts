import type { Filter } from '../schema/definition.ts';
import { compareValue, listOf } from './compare-value.ts';
import { filterParts, type FilterPart, lineagePath } from './filter-paths.ts';
import { resolveOperand } from './resolve-operand.ts';
import { fieldAt, readPath, type Scope } from './scope.ts';

/**
 * Whether a record matches, with the semantics of the SQL form: what is empty matches only `null`, `ne` and `nin`; a
 * path into lines matches when any line does; text compares without case in contains and startswith.
 */
export function matchesFilter(filter: Filter | undefined | null, scope: Scope): boolean {
  if (filter === undefined || filter === null) return true;
  return partsOf(filter).every((part) => {
    if (part.kind === 'condition') return matchesCondition(part, scope);
    return part.kind === 'or'
      ? part.filters.some((inner) => matchesFilter(inner, scope))
      : part.filters.every((inner) => matchesFilter(inner, scope));
  });
}

const known = new WeakMap<Filter, readonly FilterPart[]>();

/** Filters of definitions are asked of every line anew. */
function partsOf(filter: Filter): readonly FilterPart[] {
  const parts = known.get(filter) ?? filterParts(filter);
  if (typeof filter === 'object') known.set(filter, parts);
  return parts;
}

function matchesCondition(
  { path, operator, value: given }: FilterPart & { readonly kind: 'condition' },
  scope: Scope,
): boolean {
  const field = fieldAt(scope, path);
  const operand = resolveOperand(given, scope, field);
  if (operator === 'under') return isUnder(path, operand, scope);
  const value = readPath(scope, path);
  if (endsInLines(path, scope) && Array.isArray(value))
    return value.some((item: unknown) => compareValue(item, operator, operand, field));
  return compareValue(value, operator, operand, field);
}

/** Whether what a reference names (or the record itself) stands in the branch of one of the given records. */
function isUnder(path: string, operand: unknown, scope: Scope): boolean {
  const lineage = readPath(scope, lineagePath(path));
  return listOf(lineage).some((item) => compareValue(item, 'hasAny', operand, undefined));
}

/** `items.x` of a head, and `parent.items.x` of a line: one value for every line. */
function endsInLines(path: string, scope: Scope): boolean {
  if (!path.includes('.')) return false;
  const steps = path.split('.');
  const first = steps.findIndex((step) => step !== 'record' && step !== 'parent');
  const list = steps.slice(0, first + 1).join('.');
  return first < steps.length - 1 && fieldAt(scope, list)?.type === 'lines';
}
