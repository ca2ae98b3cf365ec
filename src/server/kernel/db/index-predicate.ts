import type { Comparison, Filter, FilterValue } from '#engine/schema/definition.ts';
import { type Groups, withGroups } from '#engine/schema/state-groups.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { quoteLiteral, quoteName } from './sql-identifiers.ts';

/** Names for lists of a field's values, by field. */
export type FieldGroups = Readonly<Record<string, Groups | undefined>>;

/**
 * The `where` of a unique definition as the predicate of a partial index: comparisons of own columns with constants,
 * joined by and/or; groups are written out. Indexes take no parameters, hence the literals.
 * @throws StartRefusal for anything else.
 */
export function indexPredicate(filter: Filter, place: string, groups: FieldGroups = {}): string {
  const parts = Object.entries(filter).map(([key, condition]) => {
    if (key === 'and' || key === 'or') {
      const branches = Array.isArray(condition) ? condition : [];
      return `(${branches.map((branch: Filter) => indexPredicate(branch, place, groups)).join(` ${key} `)})`;
    }
    if (condition === undefined || Array.isArray(condition) || key.includes('.')) throw refusal(place, key);
    return comparisons(key, condition as Comparison, { place, groups: groups[key] });
  });
  return parts.length === 0 ? 'true' : parts.join(' and ');
}

interface Surroundings {
  readonly place: string;
  readonly groups: Groups | undefined;
}

function comparisons(field: string, comparison: Comparison, around: Surroundings): string {
  const { place } = around;
  const column = quoteName(field);
  return Object.entries(comparison)
    .map(([operator, value]) => {
      switch (operator) {
        case 'eq':
          return `${column} = ${literal(value, place)}`;
        case 'ne':
          return `${column} is distinct from ${literal(value, place)}`;
        case 'in':
          return `${column} in (${literals(value, around)})`;
        case 'nin':
          return `(${column} is null or ${column} not in (${literals(value, around)}))`;
        case 'null':
          return `${column} is ${value === true ? '' : 'not '}null`;
        default:
          throw refusal(place, operator);
      }
    })
    .join(' and ');
}

function literals(value: FilterValue | undefined, { place, groups }: Surroundings): string {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const values = withGroups(list, groups);
  if (values.length === 0) throw refusal(place, JSON.stringify(value));
  return values.map((item) => literal(item, place)).join(', ');
}

function literal(value: unknown, place: string): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' || typeof value === 'number') return quoteLiteral(String(value));
  throw refusal(place, JSON.stringify(value));
}

function refusal(place: string, part: string): StartRefusal {
  return new StartRefusal(
    `${place} 的唯一约束条件 "${part}" 不能用于数据库索引，只支持本表字段与常量的 eq、ne、in、nin、null。`,
  );
}
