import type { Field } from '../schema/resource.ts';
import { isDate } from '../values/dates.ts';
import { isPlainDecimal } from '../values/decimal.ts';
import { isEmpty, listOf, namedValues } from './compare-value.ts';
import { boundOf, dayRange, type OrderOperator } from './instants.ts';
import { FilterSqlFault, type PathSql } from './path-sql.ts';
import { isIdentity, valueFault } from './value-fault.ts';

/**
 * Compares an SQL expression with an operand, which is pushed to `values`. Same meaning as `compareValue`, and never
 * an SQL error for a value: what does not fit the field is a fault before.
 * @throws FilterSqlFault
 */
export function compareSql(
  { sql, field }: PathSql,
  operator: string,
  given: unknown,
  values: unknown[],
): string {
  refuseUnfit(field, operator);
  const operand = namedValues(given, field);
  const own = field.type === 'boolean' ? `coalesce(${sql}, false)` : sql;
  const target: Target = { sql: own, field, values };
  switch (operator) {
    case 'null':
      return nullSql(target, operand !== false);
    case 'eq':
      return isEmpty(operand) ? nullSql(target, true) : amongSql(target, listOf(operand));
    case 'ne':
      return isEmpty(operand) ? nullSql(target, false) : notAmongSql(target, listOf(operand));
    case 'in':
      return amongSql(target, listOf(operand));
    case 'nin':
      return notAmongSql(target, listOf(operand));
    case 'has':
    case 'hasAny':
      return `${own} && ${bindList(target, listOf(operand))}`;
    case 'contains':
      return likeSql(target, operand, '%');
    case 'startswith':
      return likeSql(target, operand, '');
    case 'between':
      return betweenSql(target, listOf(operand));
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return orderSql(target, operator, operand);
    default:
      throw new FilterSqlFault(`未知比较方式 ${operator.slice(0, 30)}`);
  }
}

/** Ids that a comparison by `under` starts from, bound; null when there are none. */
export function bindIds(field: Field, operand: unknown, values: unknown[]): string | null {
  const ids = listOf(operand);
  return ids.length === 0 ? null : bindList({ sql: '', field, values }, ids);
}

interface Target {
  readonly sql: string;
  readonly field: Field;
  readonly values: unknown[];
}

const SYMBOLS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const satisfies Record<OrderOperator, string>;

function refuseUnfit(field: Field, operator: string): void {
  if (operator === 'null') return;
  const isListOperator = operator === 'has' || operator === 'hasAny';
  if (field.type === 'secret' || field.type === 'json' || isListOperator !== isList(field))
    throw new FilterSqlFault(`${field.title}不能用 ${operator.slice(0, 30)} 比较`);
}

function isList(field: Field): boolean {
  return field.multiple === true || field.type === 'attachment';
}

function nullSql({ sql, field }: Target, isNull: boolean): string {
  if (isList(field)) return `coalesce(cardinality(${sql}), 0) ${isNull ? '=' : '>'} 0`;
  if (field.type === 'boolean') return isNull ? 'false' : 'true';
  return `${sql} is ${isNull ? '' : 'not '}null`;
}

/** A day among instants stands for all instants of the day. */
function amongSql(target: Target, operands: readonly unknown[]): string {
  const { sql, field } = target;
  const isDay = (item: unknown): boolean => field.type === 'datetime' && isDate(item);
  const exact = operands.filter((item) => !isEmpty(item) && !isDay(item));
  const days = operands.filter(isDay);
  const [only] = exact;
  const parts = days.map((day) => `(${dayWithinSql(target, String(day))})`);
  if (exact.length === 1) parts.push(`${sql} = ${bindOne(target, only)}`);
  else if (exact.length > 1) parts.push(`${sql} = any(${bindList(target, exact)})`);
  if (parts.length === 0) return 'false';
  return parts.length === 1 ? (parts[0] ?? 'false') : `(${parts.join(' or ')})`;
}

function dayWithinSql(target: Target, day: string): string {
  const { from, until } = dayRange(day);
  return `${target.sql} >= ${bindOne(target, from)} and ${target.sql} < ${bindOne(target, until)}`;
}

function notAmongSql(target: Target, operands: readonly unknown[]): string {
  const among = amongSql(target, operands);
  return among === 'false' ? 'true' : `(${among}) is not true`;
}

function betweenSql(target: Target, [from, to]: readonly unknown[]): string {
  const parts = [
    isEmpty(from) ? '' : orderSql(target, 'gte', from),
    isEmpty(to) ? '' : orderSql(target, 'lte', to),
  ].filter((part) => part !== '');
  return parts.length === 0 ? nullSql(target, false) : `(${parts.join(' and ')})`;
}

function orderSql(target: Target, given: OrderOperator, limit: unknown): string {
  if (isEmpty(limit)) return 'false';
  const { sql, field } = target;
  const { operator, operand } =
    field.type === 'datetime' ? boundOf(given, limit) : { operator: given, operand: limit };
  // The engine orders texts by code point, whatever the database's own collation is.
  const collation = sqlType(field) === 'text' ? ' collate "C"' : '';
  return `${sql}${collation} ${SYMBOLS[operator]} ${bindOne(target, operand)}`;
}

function likeSql({ sql, field, values }: Target, operand: unknown, prefix: '%' | ''): string {
  if (operand === null || operand === undefined) return 'false';
  const text = asText(operand);
  if (text.includes('\u0000')) throw new FilterSqlFault(`${field.title}含有不能使用的字符`);
  values.push(`${prefix}${text.replace(/[\\%_]/g, (char) => `\\${char}`)}%`);
  return `${sqlType(field) === 'text' ? sql : `${sql}::text`} ilike $${values.length}::text`;
}

function bindOne({ field, values }: Target, value: unknown): string {
  values.push(fitting(value, field));
  return `$${values.length}::${castOf(field, [value])}`;
}

function bindList({ field, values }: Target, list: readonly unknown[]): string {
  const items = list.filter((item) => !isEmpty(item));
  values.push(items.map((item) => fitting(item, field)));
  return `$${values.length}::${castOf(field, items)}[]`;
}

/** The text to bind; values that came from the surroundings are checked here for the first time. */
function fitting(value: unknown, field: Field): unknown {
  if (typeof value === 'boolean' && field.type === 'boolean') return value;
  const text = asText(value);
  // A computed number may have more digits than a caller may send.
  const message = isNumeric(field) && isPlainDecimal(text) ? null : valueFault(text, field);
  if (message !== null) throw new FilterSqlFault(message);
  return text;
}

function isNumeric(field: Field): boolean {
  return ['bigint', 'numeric'].includes(sqlType(field));
}

/** A computed 1.5 compares with whole numbers too. */
function castOf(field: Field, values: readonly unknown[]): string {
  const type = sqlType(field);
  return type === 'bigint' && !values.every((value) => /^-?\d{1,18}$/.test(asText(value))) ? 'numeric' : type;
}

function sqlType(field: Field): string {
  if (isIdentity(field)) return 'uuid';
  switch (field.type) {
    case 'integer':
      return 'bigint';
    case 'decimal':
    case 'money':
    case 'percent':
      return 'numeric';
    case 'date':
      return 'date';
    case 'datetime':
      return 'timestamptz';
    case 'boolean':
      return 'boolean';
    case 'reference':
    case 'attachment':
      return 'uuid';
    default:
      return 'text';
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
