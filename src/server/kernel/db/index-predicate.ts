import type { Comparison, Filter, FilterValue } from '#engine/schema/definition.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { quoteLiteral, quoteName } from './sql-identifiers.ts';

/**
 * The `where` of a unique definition as the predicate of a partial index: comparisons of own columns with constants,
 * joined by and/or. Indexes take no parameters, hence the literals.
 * @throws StartRefusal for anything else.
 */
export function indexPredicate(filter: Filter, place: string): string {
  const parts = Object.entries(filter).map(([key, condition]) => {
    if (key === 'and' || key === 'or') {
      const branches = Array.isArray(condition) ? condition : [];
      return `(${branches.map((branch: Filter) => indexPredicate(branch, place)).join(` ${key} `)})`;
    }
    if (condition === undefined || Array.isArray(condition) || key.includes('.')) throw refusal(place, key);
    return comparisons(key, condition as Comparison, place);
  });
  return parts.length === 0 ? 'true' : parts.join(' and ');
}

function comparisons(field: string, comparison: Comparison, place: string): string {
  const column = quoteName(field);
  return Object.entries(comparison)
    .map(([operator, value]) => {
      switch (operator) {
        case 'eq':
          return `${column} = ${literal(value, place)}`;
        case 'ne':
          return `${column} is distinct from ${literal(value, place)}`;
        case 'in':
          return `${column} in (${literals(value, place)})`;
        case 'nin':
          return `(${column} is null or ${column} not in (${literals(value, place)}))`;
        case 'null':
          return `${column} is ${value === true ? '' : 'not '}null`;
        default:
          throw refusal(place, operator);
      }
    })
    .join(' and ');
}

function literals(value: FilterValue | undefined, place: string): string {
  if (!Array.isArray(value) || value.length === 0) throw refusal(place, JSON.stringify(value));
  return value.map((item: FilterValue) => literal(item, place)).join(', ');
}

function literal(value: FilterValue | undefined, place: string): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string' || typeof value === 'number') return quoteLiteral(String(value));
  throw refusal(place, JSON.stringify(value));
}

function refusal(place: string, part: string): StartRefusal {
  return new StartRefusal(
    `${place} 的唯一约束条件 "${part}" 不能用于数据库索引，只支持本表字段与常量的 eq、ne、in、nin、null。`,
  );
}
