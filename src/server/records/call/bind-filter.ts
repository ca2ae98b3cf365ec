import { resolveOperand } from '#engine/filter/resolve-operand.ts';
import { fieldAt, type Scope } from '#engine/filter/scope.ts';
import type { Comparison, Filter, FilterValue } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';

/**
 * A filter over records of a target (`buyer`, `shipment.items`) with everything that it takes from this record
 * (`record.x`, `parent.x`, formulas) put in as values. What concerns the person or the day stays for the filter's own
 * compilation.
 */
export function bindFilter(filter: Filter, target: string, scope: Scope): Filter {
  const [key = '', lines] = target.split('.');
  const resource = Object.hasOwn(scope.catalog.resources, key) ? scope.catalog.resources[key] : undefined;
  const place = resource === undefined ? undefined : { resource, catalog: scope.catalog };
  return bind(filter, scope, place === undefined || lines === undefined ? place : { ...place, lines });
}

type Place = Pick<Scope, 'resource' | 'catalog' | 'lines'>;

function bind(filter: Filter, scope: Scope, place: Place | undefined): Filter {
  const bound: Record<string, Comparison | readonly Filter[]> = {};
  for (const [key, part] of Object.entries(filter)) {
    if (part === undefined) continue;
    if (isFilterList(part)) {
      bound[key] = part.map((inner) => bind(inner, scope, place));
      continue;
    }
    const field = place === undefined ? undefined : fieldAt(place, key);
    bound[key] = bindComparison(part, scope, field);
  }
  return bound;
}

function bindComparison(comparison: Comparison, scope: Scope, field: Field | undefined): Comparison {
  return Object.fromEntries(
    Object.entries(comparison).map(([op, value]): [string, FilterValue] => [
      op,
      bindValue(value, scope, field),
    ]),
  );
}

function bindValue(value: FilterValue, scope: Scope, field: Field | undefined): FilterValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isValueList(value)) return value.map((item) => bindValue(item, scope, field));
  if ('$' in value && !/^(record|parent|source|above|before|input)\./.test(value.$)) return value;
  return toFilterValue(resolveOperand(value, scope, field));
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
