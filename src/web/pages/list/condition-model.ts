import type { Comparison, Filter, FilterOperator } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';

/** A row of the builder. */
export interface ConditionRow {
  readonly kind: 'row';
  readonly field: string;
  readonly operator: FilterOperator;
  readonly value: unknown;
}

/** Rows and groups joined by and / or. */
export interface ConditionGroup {
  readonly kind: 'group';
  readonly join: 'and' | 'or';
  readonly members: readonly (ConditionRow | ConditionGroup)[];
}

export const EMPTY_GROUP: ConditionGroup = { kind: 'group', join: 'and', members: [] };

export const OPERATOR_TITLES: Readonly<Record<FilterOperator, string>> = {
  eq: '等于',
  ne: '不等于',
  lt: '小于',
  lte: '小于等于',
  gt: '大于',
  gte: '大于等于',
  in: '属于',
  nin: '不属于',
  contains: '包含',
  startswith: '开头是',
  between: '介于',
  null: '为空',
  has: '含有',
  hasAny: '含有任一',
  under: '在其之内（含下级）',
};

const TEXT_OPERATORS: readonly FilterOperator[] = ['contains', 'startswith', 'eq', 'ne', 'null'];
const ORDER_OPERATORS: readonly FilterOperator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'null'];

/** The operators that make sense for a field. */
export function operatorsOf(field: Field): readonly FilterOperator[] {
  if (field.multiple === true) return ['has', 'hasAny', 'null'];
  switch (field.type) {
    case 'text':
      return field.options === undefined ? TEXT_OPERATORS : ['eq', 'ne', 'in', 'nin', 'null'];
    case 'textarea':
    case 'richtext':
      return ['contains', 'null'];
    case 'reference': {
      const plain = ['eq', 'ne', 'in', 'nin', 'null'] as const;
      return field.inTree === true ? [...plain, 'under'] : plain;
    }
    case 'dictionary':
      return ['eq', 'ne', 'in', 'nin', 'null'];
    case 'boolean':
      return ['eq', 'null'];
    default:
      return ORDER_OPERATORS;
  }
}

/** The filter that a group means; rows without a value are passed over. Null when nothing is left. */
export function groupFilter(group: ConditionGroup): Filter | null {
  const parts = group.members.flatMap((member) => {
    const filter = member.kind === 'group' ? groupFilter(member) : rowFilter(member);
    return filter === null ? [] : [filter];
  });
  if (parts.length === 0) return null;
  return group.join === 'or' ? { or: parts } : { and: parts };
}

/** The group that shows a filter; conditions that the builder cannot show are left as they are by the caller. */
export function filterGroup(filter: Filter | null): ConditionGroup {
  if (filter === null) return EMPTY_GROUP;
  if (filter.or !== undefined && Object.keys(filter).length === 1) return joined('or', filter.or);
  if (filter.and !== undefined && Object.keys(filter).length === 1) return joined('and', filter.and);
  return { kind: 'group', join: 'and', members: filterRows(filter) };
}

function joined(join: 'and' | 'or', parts: readonly Filter[]): ConditionGroup {
  const members = parts.map((part) => {
    const rows = filterRows(part);
    const [only] = rows;
    return rows.length === 1 && only !== undefined ? only : filterGroup(part);
  });
  return { kind: 'group', join, members };
}

function filterRows(filter: Filter): readonly (ConditionRow | ConditionGroup)[] {
  return Object.entries(filter).flatMap(([field, comparison]): readonly (ConditionRow | ConditionGroup)[] => {
    if (comparison === undefined) return [];
    if (isFilterList(comparison)) return [joined(field === 'or' ? 'or' : 'and', comparison)];
    return Object.entries(comparison).map(([operator, value]) => ({
      kind: 'row',
      field,
      operator: operator as FilterOperator,
      value,
    }));
  });
}

function rowFilter(row: ConditionRow): Filter | null {
  if (row.field === '') return null;
  if (row.operator === 'null') return { [row.field]: { null: row.value !== false } };
  if (row.value === undefined || row.value === null || row.value === '') return null;
  if (Array.isArray(row.value) && row.value.length === 0) return null;
  return { [row.field]: { [row.operator]: row.value } as Comparison };
}

function isFilterList(value: Comparison | readonly Filter[]): value is readonly Filter[] {
  return Array.isArray(value);
}
