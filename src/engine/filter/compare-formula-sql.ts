import type { Field } from '../schema/resource.ts';
import type { OrderOperator } from './instants.ts';
import { asKind, type FormulaSqlEnv, formulaToSql, ordered, type SqlKind } from './formula-sql.ts';
import { FilterSqlFault, type PathSql } from './path-sql.ts';
import type { Expression } from '../expression/expression.ts';

const SYMBOLS = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const satisfies Record<OrderOperator, string>;

/**
 * Compares a field with a formula over the same row, with the meaning of `compareValue`: what is empty equals what is
 * empty and is in no order with anything.
 * @throws FilterSqlFault for another comparison, or a formula without an SQL form
 */
export function compareFormulaSql(
  { sql, field }: PathSql,
  operator: string,
  formula: Expression,
  env: FormulaSqlEnv,
): string {
  const operand = formulaToSql(formula, env);
  if (field.type === 'datetime' && operand.kind === 'date') return daySql(sql, operator, operand.sql);
  const kind = fieldKind(field);
  const own = field.type === 'boolean' ? `coalesce(${sql}, false)` : sql;
  const other = field.type === 'percent' ? `(${asKind(operand, kind)} * 100)` : asKind(operand, kind);
  if (operator === 'eq') return `${own} is not distinct from ${other}`;
  if (operator === 'ne') return `${own} is distinct from ${other}`;
  // Nothing is as good as no, as with a value (`compare-sql.ts`): an index may answer it.
  return `${ordered(own, kind)} ${symbolOf(operator)} ${other}`;
}

function fieldKind(field: Field): SqlKind {
  switch (field.type) {
    case 'integer':
    case 'decimal':
    case 'money':
    case 'percent':
      return 'number';
    case 'date':
    case 'datetime':
    case 'boolean':
      return field.type;
    case 'reference':
      return 'id';
    default:
      return field.name === 'id' && field.standard ? 'id' : 'text';
  }
}

/** A day among instants stands for all of it, by the company's clock. */
function daySql(sql: string, operator: string, day: string): string {
  const from = `(${day})::timestamp at time zone 'Asia/Shanghai'`;
  const until = `((${day}) + 1)::timestamp at time zone 'Asia/Shanghai'`;
  switch (operator) {
    case 'eq':
      return `coalesce(${sql} >= ${from} and ${sql} < ${until}, ${sql} is null and (${day}) is null)`;
    case 'ne':
      return `not coalesce(${sql} >= ${from} and ${sql} < ${until}, ${sql} is null and (${day}) is null)`;
    case 'lt':
    case 'gte':
      return `coalesce(${sql} ${symbolOf(operator)} ${from}, false)`;
    case 'lte':
      return `coalesce(${sql} < ${until}, false)`;
    case 'gt':
      return `coalesce(${sql} >= ${until}, false)`;
    default:
      throw new FilterSqlFault(`公式不能用 ${operator.slice(0, 30)} 比较`);
  }
}

function symbolOf(operator: string): string {
  const known = Object.entries(SYMBOLS).find(([name]) => name === operator);
  if (known === undefined) throw new FilterSqlFault(`公式不能用 ${operator.slice(0, 30)} 比较`);
  return known[1];
}
