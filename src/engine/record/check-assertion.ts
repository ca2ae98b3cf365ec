import { matchesFilter } from '../filter/matches-filter.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import { fieldsAt, resolveFieldPath } from '../schema/field-path.ts';
import type { Comparison, Filter, FilterValue } from '../schema/definition.ts';
import { resolveOperand } from '../filter/resolve-operand.ts';

/**
 * True unless an assertion is broken. A comparison with an empty side is not broken: whether a field may be empty is
 * the business of `required`. An empty yes/no field counts as no.
 */
export function assertionHolds(filter: Filter, scope: Scope): boolean {
  return Object.entries(filter).every(([key, part]) => {
    if (part === undefined) return true;
    if (isFilterList(part))
      return key === 'or'
        ? part.some((inner) => assertionHolds(inner, scope))
        : part.every((inner) => assertionHolds(inner, scope));
    return isUndecided(key, part, scope) || matchesFilter(conditionOf(key, part), scope);
  });
}

const conditions = new WeakMap<Comparison, readonly [key: string, filter: Filter]>();

/** One comparison as a filter of its own, made once for a definition. */
function conditionOf(key: string, part: Comparison): Filter {
  const known = conditions.get(part);
  if (known?.[0] === key) return known[1];
  const filter = { [key]: part };
  conditions.set(part, [key, filter]);
  return filter;
}

/**
 * The first own field that an assertion compares, or what an action was told (`inputs.amount`): there its message stands
 * unless the rule says otherwise.
 */
export function firstAsserted(filter: Filter, scope: Scope): string | null {
  for (const [key, part] of Object.entries(filter)) {
    if (part === undefined) continue;
    if (!isFilterList(part)) {
      const [head = '', input] = key.split('.');
      if (head === INPUT && input !== undefined) return `${TOLD}${input}`;
      if (Object.hasOwn(fieldsAt(scope), head)) return head;
      continue;
    }
    for (const inner of part) {
      const found = firstAsserted(inner, scope);
      if (found !== null) return found;
    }
  }
  return null;
}

const INPUT = 'input';
/** Paths of what an action was told begin so. */
export const TOLD = 'inputs.';

function isUndecided(path: string, comparison: Comparison, scope: Scope): boolean {
  if (Object.hasOwn(comparison, 'null')) return false;
  if (isEmpty(readPath(scope, path))) {
    const resolved = resolveFieldPath(scope, path);
    return !(resolved.kind === 'field' && resolved.field.type === 'boolean');
  }
  return Object.entries(comparison).some(([operator, value]) =>
    sidesOf(operator, value).some((side) => isSource(side) && isEmpty(resolveOperand(side, scope))),
  );
}

/** What a value is compared with: both ends of a range. A list to choose from is one side, whatever it leaves empty. */
function sidesOf(operator: string, value: FilterValue | undefined): readonly (FilterValue | undefined)[] {
  return operator === 'between' && Array.isArray(value) ? value : [value];
}

function isSource(
  value: FilterValue | undefined,
): value is { readonly $: string } | { readonly '=': string } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
