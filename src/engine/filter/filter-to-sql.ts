import { evaluate } from '../expression/evaluate.ts';
import { expressionReads, parseExpression } from '../expression/parse-expression.ts';
import type { Filter } from '../schema/definition.ts';
import type { EvaluationContext, Field } from '../schema/resource.ts';
import { dayBound } from './day-bound.ts';
import { filterParts, type FilterPart } from './filter-paths.ts';
import { FilterSqlFault, pathSql, sameCompany, type SqlPlace, tableName } from './path-sql.ts';
import { formulaOf, readContext, sourceOf } from './resolve-operand.ts';

/** Where the SQL is written; values are pushed and stand as $n in the text. */
export interface SqlEnv extends SqlPlace {
  readonly context: EvaluationContext;
  readonly values: unknown[];
}

/**
 * A filter as a PostgreSQL condition with parameters. Same meaning as `matchesFilter`.
 * @throws FilterSqlFault for what has no SQL form (a value from the record itself, a formula that reads fields)
 */
export function filterToSql(filter: Filter, env: SqlEnv): string {
  const parts = filterParts(filter).map((part) => partToSql(part, env));
  return parts.length === 0 ? 'true' : parts.join(' and ');
}

/** The expression of a path, for select lists. */
export function referencePathToSql(path: string, env: SqlPlace): string {
  return pathSql(path, env).sql;
}

/** `["-sign_date", "buyer_id"]` as an order; references sort by their label. Empty text for no sorters. */
export function sortToSql(sorters: readonly string[], env: SqlPlace): string {
  return sorters
    .map((sorter) => {
      const isDescending = sorter.startsWith('-');
      const sql = sortExpression(isDescending ? sorter.slice(1) : sorter, env);
      return isDescending ? `${sql} desc nulls last` : sql;
    })
    .join(', ');
}

function sortExpression(path: string, env: SqlPlace): string {
  const found = pathSql(path, env);
  const { field } = found;
  if (
    field.type !== 'reference' ||
    typeof field.to !== 'string' ||
    field.to.includes('.') ||
    field.multiple === true
  )
    return found.sql;
  const target = env.catalog.resources[field.to];
  return target === undefined ? found.sql : pathSql(`${path}.${target.label}`, env).sql;
}

function partToSql(part: FilterPart, env: SqlEnv): string {
  if (part.kind === 'condition') return conditionToSql(part.path, part.operator, part.value, env);
  if (part.filters.length === 0) return part.kind === 'or' ? 'false' : 'true';
  return `(${part.filters.map((inner) => `(${filterToSql(inner, env)})`).join(part.kind === 'or' ? ' or ' : ' and ')})`;
}

function conditionToSql(path: string, operator: string, value: unknown, env: SqlEnv): string {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  const dot = own.indexOf('.');
  const lines = dot > 0 && env.lines === undefined ? env.resource.fields[own.slice(0, dot)] : undefined;
  if (lines?.type === 'lines') return anyLineToSql(lines.name, own.slice(dot + 1), operator, value, env);
  const found = pathSql(own, env);
  return compareSql(found.sql, found.field, operator, operandOf(value, env), env);
}

function anyLineToSql(lines: string, path: string, operator: string, value: unknown, env: SqlEnv): string {
  const alias = `${env.alias}_l`;
  const inner = conditionToSql(path, operator, value, { ...env, alias, lines, parentAlias: env.alias });
  const tie = sameCompany(env.resource, alias, env.resource, env.alias);
  return `exists (select 1 from ${tableName(env.resource, lines)} ${alias} where ${alias}.parent_id = ${env.alias}.id${tie} and ${inner})`;
}

/** The value to bind: literals, values of the surroundings, formulas that read no field. */
function operandOf(value: unknown, env: SqlEnv): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => operandOf(item, env));
  const source = sourceOf(value);
  if (source !== null) {
    const known = readContext(source, env.context);
    if (known === undefined) throw new FilterSqlFault(`${source} 不能用于查询条件`);
    return known;
  }
  const formula = formulaOf(value);
  if (formula === null) return value;
  const expression = parseExpression(formula);
  if (expressionReads(expression).length > 0) throw new FilterSqlFault('读取字段的公式不能用于查询条件');
  return evaluate(expression, {
    resource: env.resource,
    catalog: env.catalog,
    record: {},
    context: env.context,
  });
}

function compareSql(sql: string, field: Field, operator: string, operand: unknown, env: SqlEnv): string {
  const type = sqlType(field);
  const bind = (value: unknown, cast = type): string => {
    env.values.push(bindable(value));
    return `$${env.values.length}::${cast}`;
  };
  const own = field.type === 'boolean' ? `coalesce(${sql}, false)` : sql;
  switch (operator) {
    case 'null':
      return nullSql(sql, field, operand !== false);
    case 'eq':
      if (isEmpty(operand)) return nullSql(sql, field, true);
      if (field.type === 'datetime' && isDay(operand)) return rangeSql(own, field, [operand, operand], bind);
      return `${own} = ${bind(operand)}`;
    case 'ne':
      return isEmpty(operand) ? nullSql(sql, field, false) : `${own} is distinct from ${bind(operand)}`;
    case 'in':
      return `${own} = any(${bind(listOf(operand), `${type}[]`)})`;
    case 'nin':
      return `(${own} = any(${bind(listOf(operand), `${type}[]`)})) is not true`;
    case 'has':
      return isEmpty(operand) ? 'false' : `${sql} @> ${bind([operand], `${type}[]`)}`;
    case 'hasAny':
      return `${sql} && ${bind(listOf(operand), `${type}[]`)}`;
    case 'contains':
      return `${sql}::text ilike ${bind(`%${escapeLike(operand)}%`, 'text')}`;
    case 'startswith':
      return `${sql}::text ilike ${bind(`${escapeLike(operand)}%`, 'text')}`;
    case 'between':
      return rangeSql(own, field, listOf(operand), bind);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isEmpty(operand)
        ? 'false'
        : `${own} ${COMPARISONS[operator]} ${bind(dayBound(field, operator, operand))}`;
    default:
      throw new FilterSqlFault(`未知比较方式 ${operator}`);
  }
}

const COMPARISONS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function rangeSql(
  sql: string,
  field: Field,
  range: readonly unknown[],
  bind: (value: unknown) => string,
): string {
  const [from, to] = range;
  const parts = [
    isEmpty(from) ? '' : `${sql} >= ${bind(dayBound(field, 'gte', from))}`,
    isEmpty(to) ? '' : `${sql} <= ${bind(dayBound(field, 'lte', to))}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? `${sql} is not null` : `(${parts.join(' and ')})`;
}

function nullSql(sql: string, field: Field, isNull: boolean): string {
  if (field.multiple === true || field.type === 'attachment')
    return `coalesce(cardinality(${sql}), 0) ${isNull ? '=' : '>'} 0`;
  if (field.type === 'boolean') return isNull ? 'false' : 'true';
  return `${sql} is ${isNull ? '' : 'not '}null`;
}

function sqlType(field: Field): string {
  if (field.name === 'id' || field.name === 'parent_id') return 'uuid';
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

function escapeLike(value: unknown): string {
  return String(value).replace(/[\\%_]/g, (char) => `\\${char}`);
}

function bindable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bindable);
  return typeof value === 'number' ? String(value) : value;
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isEmpty(value) ? [] : [value];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
