import type { Expression } from '../expression/expression.ts';
import type { ColumnFunction } from '../expression/formula-function.ts';
import { functionNamed } from '../expression/function-registry.ts';
import { partsOf } from '../expression/parse-expression.ts';
import { asBoolean, asNumber, formulaToSql, type FormulaSqlEnv, isElsewhere, kindOf, numberSql, quotientSql, type SqlValue } from './formula-sql.ts'; // prettier-ignore
import { extreme } from './formula-sql-functions.ts';
import { FilterSqlFault, givenToLines, pathSql, sameCompany, tableName } from './path-sql.ts';

type Call = Expression & { readonly kind: 'call' };

/** A function over a column of the own lines as a subquery; null for any other call. @throws FilterSqlFault */
export function columnSql(call: Call, env: FormulaSqlEnv): SqlValue | null {
  const definition = functionNamed(call.name);
  if (definition === undefined || !('aggregate' in definition)) return null;
  const name = aggregateName(call.name, definition);
  const { args } = call;
  const last = args.at(-1);
  const condition =
    args.length > 1 && last !== undefined && kindOf(last, env) === 'boolean' ? last : undefined;
  const columns = condition === undefined ? args : args.slice(0, -1);
  const values = columns.map((column) => {
    const lines = linesRead(column, env);
    return lines === null ? formulaToSql(column, env) : subquery({ name, column, condition, lines }, env);
  });
  const [only] = values;
  if (only === undefined) throw new FilterSqlFault(`函数 ${call.name} 没有参数`);
  if (name === 'min' || name === 'max') return values.length === 1 ? only : extreme(name, values);
  return only;
}

type Aggregate = 'sum' | 'count' | 'min' | 'max' | 'avg' | 'first' | 'last';
const AGGREGATES: readonly Aggregate[] = ['sum', 'count', 'min', 'max', 'avg', 'first', 'last'];

function aggregateName(name: string, _: ColumnFunction): Aggregate {
  const known = AGGREGATES.find((aggregate) => aggregate === name);
  if (known === undefined) throw new FilterSqlFault(`函数 ${name} 不能用于查询`);
  return known;
}

/** The own lines whose columns a formula gives, line by line; null when it gives one value: what it sums up itself is one. */
function linesRead(expression: Expression, env: FormulaSqlEnv): string | null {
  const found = new Set(pathsLineByLine(expression).flatMap((path) => linesOfPath(path, env) ?? []));
  if (found.size > 1) throw new FilterSqlFault('不同明细的列不能一起用于查询');
  return [...found][0] ?? null;
}

function pathsLineByLine(expression: Expression): readonly string[] {
  if (expression.kind === 'path') return [expression.path];
  return isAggregate(expression) ? [] : partsOf(expression).flatMap(pathsLineByLine);
}

function isAggregate(expression: Expression): boolean {
  const definition = expression.kind === 'call' ? functionNamed(expression.name) : undefined;
  return definition !== undefined && 'aggregate' in definition;
}

function linesOfPath(path: string, { resource, lines }: FormulaSqlEnv): string | null {
  const prefix = lines === undefined ? '' : 'parent.';
  if (!path.startsWith(prefix)) return null;
  const [head = ''] = path.slice(prefix.length).split('.');
  return Object.hasOwn(resource.fields, head) && resource.fields[head]?.type === 'lines' ? head : null;
}

interface Column {
  readonly name: Aggregate;
  readonly column: Expression;
  readonly condition: Expression | undefined;
  readonly lines: string;
}

function subquery({ name, column, condition, lines }: Column, env: FormulaSqlEnv): SqlValue {
  const alias = `${env.alias}_f`;
  const head = env.lines === undefined ? env.alias : env.parentAlias;
  if (head === undefined) throw new FilterSqlFault(`${lines} 在此处不能用于查询`);
  const { lines: _, given, ...place } = env;
  const inner: FormulaSqlEnv = { ...place, alias, lines, parentAlias: head, ...givenToLines(given) };
  const filter =
    condition === undefined ? '' : asBoolean(formulaToSql(inLines(condition, lines, env), inner));
  const from = `${tableName(env.resource, lines)} ${alias} where ${alias}.parent_id = ${head}.id${sameCompany(env.resource, alias, env.resource, head)}`;
  if (name === 'count') {
    const isEach = column.kind === 'path' && !column.path.replace(/^parent\./, '').includes('.');
    const counted = isEach ? '*' : countedSql(inLines(column, lines, env), inner);
    return numberSql(
      `(select count(${counted})::numeric from ${from}${filter === '' ? '' : ` and ${filter}`})`,
    );
  }
  const value = formulaToSql(inLines(column, lines, env), inner);
  const only = filter === '' ? '' : ` and ${filter}`;
  return { sql: `(select ${aggregateSql(name, value, alias)} from ${from}${only})`, kind: value.kind };
}

function countedSql(column: Expression, env: FormulaSqlEnv): string {
  return column.kind === 'path' ? pathSql(column.path, env).sql : formulaToSql(column, env).sql;
}

function aggregateSql(name: Exclude<Aggregate, 'count'>, value: SqlValue, alias: string): string {
  switch (name) {
    case 'sum':
      return `coalesce(sum(${asNumber(value)}), 0)`;
    case 'avg':
      return quotientSql(`sum(${asNumber(value)})`, `count(${value.sql})`);
    case 'min':
    case 'max':
      return `${name}(${value.sql}${value.kind === 'text' ? ' collate "C"' : ''})`;
    case 'first':
    case 'last': {
      const order = `${alias}.line_order${name === 'last' ? ' desc' : ''}`;
      return `(array_agg(${value.sql} order by ${order}) filter (where ${value.sql} is not null))[1]`;
    }
  }
}

/** A formula of the record as one of its lines: their columns are own, the record is the parent, what it sums up is the parent's. */
function inLines(expression: Expression, lines: string, env: FormulaSqlEnv): Expression {
  return withPaths(expression, (path, isSummed) =>
    isSummed ? pathInLines(path, '', env) : pathInLines(path, lines, env),
  );
}

type Renamed = (path: string, isSummed: boolean) => string;

function withPaths(expression: Expression, renamed: Renamed): Expression {
  const inner: Renamed = isAggregate(expression) ? (path) => renamed(path, true) : renamed;
  const again = (part: Expression): Expression => withPaths(part, inner);
  switch (expression.kind) {
    case 'literal':
      return expression;
    case 'path':
      return { ...expression, path: renamed(expression.path, false) };
    case 'unary':
      return { ...expression, operand: again(expression.operand) };
    case 'binary':
      return { ...expression, left: again(expression.left), right: again(expression.right) };
    case 'choice':
      return {
        ...expression,
        test: again(expression.test),
        consequent: again(expression.consequent),
        otherwise: again(expression.otherwise),
      };
    case 'call':
      return { ...expression, args: expression.args.map(again) };
  }
}

function pathInLines(path: string, lines: string, env: FormulaSqlEnv): string {
  if (isElsewhere(path, env)) return path;
  const ofHead = env.lines === undefined ? path : path.replace(/^parent\./, '');
  if (env.lines !== undefined && ofHead === path)
    throw new FilterSqlFault(`${path} 不能与 parent.${lines} 的列一起用于查询`);
  return lines !== '' && ofHead.startsWith(`${lines}.`) ? ofHead.slice(lines.length + 1) : `parent.${ofHead}`;
}
