import { evaluate } from '../expression/evaluate.ts';
import { expressionReads, parseExpression } from '../expression/parse-expression.ts';
import type { Filter } from '../schema/definition.ts';
import type { Field } from '../schema/resource.ts';
import { compareFormulaSql } from './compare-formula-sql.ts';
import { bindIds, compareSql } from './compare-sql.ts';
import { type FormulaSqlEnv, isElsewhere } from './formula-sql.ts';
import { filterParts, type FilterPart } from './filter-paths.ts';
import {
  branchSql,
  FilterSqlFault,
  givenToLines,
  type PathSql,
  pathSql,
  sameCompany,
  type SqlPlace,
  tableName,
} from './path-sql.ts';
import { readContext } from './read-context.ts';
import { asPercent, formulaOf, sourceOf } from './resolve-operand.ts';
import { treeOf } from './tree-of.ts';

/** Where the SQL is written; values are pushed and stand as $n in the text. */
export type SqlEnv = FormulaSqlEnv;

/**
 * A filter as a PostgreSQL condition with parameters. Same meaning as `matchesFilter`.
 * @throws FilterSqlFault for what has no SQL form (a value from the record itself, some formulas) or a value that the
 * field cannot be compared with
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
  if (part.kind === 'condition') return conditionToSql(part, env);
  if (part.filters.length === 0) return part.kind === 'or' ? 'false' : 'true';
  return `(${part.filters.map((inner) => `(${filterToSql(inner, env)})`).join(part.kind === 'or' ? ' or ' : ' and ')})`;
}

function conditionToSql(
  { path, operator, value }: FilterPart & { readonly kind: 'condition' },
  env: SqlEnv,
  operands: SqlEnv = env,
): string {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  const [head = '', ...rest] = own.split('.');
  if (env.lines === undefined && isLines(head, env)) {
    const inner = { kind: 'condition', path: rest.join('.'), operator, value } as const;
    return rest.length > 0 ? anyLineToSql(head, inner, env) : countLinesToSql(head, inner, env);
  }
  const { sql, field } = pathSql(own, env);
  if (operator === 'under') return underSql({ sql, field }, operandOf(value, operands, field), env);
  const formula = formulaOf(value);
  const expression = formula === null ? null : parseExpression(formula);
  if (expression !== null && !expressionReads(expression).every((read) => isElsewhere(read, operands)))
    return compareFormulaSql({ sql, field }, operator, expression, operands);
  return compareSql({ sql, field }, operator, operandOf(value, operands, field), env.values);
}

/** Whether what a reference names stands in the branches of the given records. */
function underSql({ sql, field }: PathSql, operand: unknown, env: SqlEnv): string {
  const tree = treeOf(field, env);
  if (tree === null) throw new FilterSqlFault(`${field.title}不能用 under 比较`);
  const ids = bindIds(field, operand, env.values);
  return ids === null ? 'false' : `${sql} = any(${branchSql(tree.resource, tree.parent, ids)})`;
}

function isLines(name: string, env: SqlEnv): boolean {
  return Object.hasOwn(env.resource.fields, name) && env.resource.fields[name]?.type === 'lines';
}

type Condition = FilterPart & { readonly kind: 'condition' };

function anyLineToSql(lines: string, condition: Condition, env: SqlEnv): string {
  const alias = `${env.alias}_l`;
  // What the lines are compared with is of the head.
  const { given, ...place } = env;
  const at = { ...place, alias, lines, parentAlias: env.alias, ...givenToLines(given) };
  const inner = conditionToSql(condition, at, env);
  return `exists (select 1 from ${linesOfHead(lines, alias, env)} and ${inner})`;
}

/** `{ "items": { "null": true } }`: there are no lines. */
function countLinesToSql(lines: string, { operator, value }: Condition, env: SqlEnv): string {
  if (operator !== 'null') throw new FilterSqlFault(`${lines} 是明细，只能用 null 比较`);
  const exists = `exists (select 1 from ${linesOfHead(lines, `${env.alias}_l`, env)})`;
  return value === false ? exists : `not ${exists}`;
}

function linesOfHead(lines: string, alias: string, env: SqlEnv): string {
  const tie = sameCompany(env.resource, alias, env.resource, env.alias);
  return `${tableName(env.resource, lines)} ${alias} where ${alias}.parent_id = ${env.alias}.id${tie}`;
}

/** The value to bind: literals, values of the surroundings, formulas that read no field of the row. */
function operandOf(value: unknown, env: SqlEnv, field: Field): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => operandOf(item, env, field));
  const source = sourceOf(value);
  if (source !== null) {
    const known = readContext(source, env.context);
    if (known === undefined) throw new FilterSqlFault(`${source} 不能用于查询条件`);
    return known;
  }
  const formula = formulaOf(value);
  if (formula === null) return value;
  const { resource, catalog, context } = env;
  const result = evaluate(parseExpression(formula), {
    resource,
    catalog,
    record: {},
    context,
    source: env.source,
  });
  return field.type === 'percent' ? asPercent(result) : result;
}
