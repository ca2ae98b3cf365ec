import {
  FILTER_OPERATORS,
  type Filter,
  type FilterOperator,
  type FilterValue,
} from '#engine/schema/definition.ts';

/** One line of the builder: a comparison, or a group of lines. */
export type FilterPart =
  | {
      readonly kind: 'comparison';
      readonly field: string;
      readonly operator: FilterOperator;
      readonly value: FilterValue;
    }
  | { readonly kind: 'group'; readonly join: 'and' | 'or'; readonly parts: readonly FilterPart[] };

export interface FilterGroup {
  readonly kind: 'group';
  readonly join: 'and' | 'or';
  readonly parts: readonly FilterPart[];
}

export const OPERATOR_TITLES = {
  eq: '等于', ne: '不等于', lt: '小于', lte: '不大于', gt: '大于', gte: '不小于', in: '属于', nin: '不属于',
  contains: '包含', startswith: '开头是', between: '介于', null: '为空', has: '含有', hasAny: '含有任一', under: '在其之内',
} as const satisfies Record<FilterOperator, string>; // prettier-ignore

/**
 * A filter as a tree that can be edited: a lone `or` becomes an or-group, everything else an and-group.
 * @example filterParts({ a: { eq: 1 }, b: { gt: 2 } }) // and-group of two comparisons
 */
export function filterParts(filter: Filter): FilterGroup {
  const keys = Object.keys(filter);
  if (keys.length === 1 && filter.or !== undefined)
    return { kind: 'group', join: 'or', parts: filter.or.map(simplified) };
  const parts = keys.flatMap((key): readonly FilterPart[] => {
    const member = filter[key];
    if (member === undefined) return [];
    if (key === 'and' && Array.isArray(member)) return member.map((part: Filter) => simplified(part));
    if (key === 'or' && Array.isArray(member))
      return [{ kind: 'group', join: 'or', parts: member.map((part: Filter) => simplified(part)) }];
    return comparisons(key, member);
  });
  return { kind: 'group', join: 'and', parts };
}

/** The filter of a tree; lines without a field are left out. Plain members where keys do not collide, `and` otherwise. */
export function partsFilter(group: FilterGroup): Filter {
  const filters = group.parts.map(partFilter).filter((filter) => filter !== null);
  if (filters.length === 0) return {};
  if (group.join === 'or') return { or: filters };
  const keys = filters.flatMap((filter) => Object.keys(filter));
  return new Set(keys).size === keys.length ? Object.assign({}, ...filters) : { and: filters };
}

function partFilter(part: FilterPart): Filter | null {
  if (part.kind === 'comparison')
    return part.field === '' ? null : { [part.field]: { [part.operator]: part.value } };
  const filter = partsFilter(part);
  return Object.keys(filter).length === 0 ? null : filter;
}

function simplified(filter: Filter): FilterPart {
  const group = filterParts(filter);
  const only = group.parts[0];
  return group.parts.length === 1 && only !== undefined ? only : group;
}

function comparisons(field: string, comparison: unknown): readonly FilterPart[] {
  if (typeof comparison !== 'object' || comparison === null) return [];
  const members: Readonly<Record<string, FilterValue | undefined>> = { ...comparison };
  return FILTER_OPERATORS.filter((operator) => members[operator] !== undefined).map((operator) => ({
    kind: 'comparison',
    field,
    operator,
    value: members[operator] ?? null,
  }));
}
