import { evaluate } from '../expression/evaluate.ts';
import type { BinaryOperator, Expression } from '../expression/expression.ts';
import { callsLinesFunction, expressionReads } from '../expression/parse-expression.ts';
import { typeExpression } from '../expression/type-expression.ts';
import type { ValueType } from '../expression/value-type.ts';
import type { EvaluationContext, Field } from '../schema/resource.ts';
import { isDate, isDatetime } from '../values/dates.ts';
import { isPlainDecimal, QUOTIENT_SCALE } from '../values/decimal.ts';
import { columnSql } from './formula-sql-columns.ts';
import { functionSql } from './formula-sql-functions.ts';
import { FilterSqlFault, pathSql, type SqlPlace } from './path-sql.ts';
import type { Scope } from './scope.ts';
import { sumOfTerms } from './sum-of-terms.ts';

/** Where the SQL of a formula is written; values are pushed and stand as $n in the text. */
export interface FormulaSqlEnv extends SqlPlace {
  readonly context: EvaluationContext;
  readonly values: unknown[];
  /** What `source.x` stands for: it is read now and bound. */
  readonly source?: Scope | undefined;
}

/** What an SQL expression gives; a yes or no is never null. */
export type SqlKind = 'number' | 'text' | 'date' | 'datetime' | 'boolean' | 'id' | 'null';

export interface SqlValue {
  readonly sql: string;
  readonly kind: SqlKind;
}

/**
 * A formula as a PostgreSQL expression over the columns of a record, of what it refers to and of its own lines, with the
 * meaning of `evaluate`: empty operands, half-up rounding, percents as fractions. What reads no field is computed now and
 * bound, everything else that stands in the formula too.
 * @throws FilterSqlFault for what has no SQL form: the line above, the record before, functions over lines, rates and tables
 * that go by a field
 */
export function formulaToSql(expression: Expression, env: FormulaSqlEnv): SqlValue {
  if (isConstant(expression, env))
    return bindValue(constantOf(expression, env), kindOf(expression, env), env);
  switch (expression.kind) {
    case 'literal':
      return bindValue(expression.value, expression.isNumber ? 'number' : null, env);
    case 'path':
      return readSql(expression.path, env);
    case 'unary':
      return expression.operator === '!'
        ? booleanSql(`(not ${asBoolean(formulaToSql(expression.operand, env))})`)
        : numberSql(`(- ${asNumber(formulaToSql(expression.operand, env))})`);
    case 'binary':
      return binary(expression, env);
    case 'choice':
      return choice(expression, env);
    case 'call': {
      const { name, args } = expression;
      return (
        columnSql(expression, env) ??
        functionSql(
          name,
          args.map((argument) => formulaToSql(argument, env)),
          env,
        )
      );
    }
  }
}

/** The kind of what a formula gives, as far as its types tell; null when only its value does. */
export function kindOf(expression: Expression, env: FormulaSqlEnv): SqlKind | null {
  const { resource, catalog, lines, source } = env;
  const { type } = typeExpression(expression, {
    place: { resource, catalog, lines },
    dictionaries: catalog.dictionaries,
    source: source === undefined ? undefined : { resource: source.resource, catalog, lines: source.lines },
    inputs: null,
  });
  return sqlKind(type.kind === 'list' ? type.of : type);
}

export function numberSql(sql: string): SqlValue {
  return { sql, kind: 'number' };
}

export function booleanSql(sql: string): SqlValue {
  return { sql, kind: 'boolean' };
}

/** A value as a number; what is none gives nothing. */
export function asNumber({ sql, kind }: SqlValue): string {
  if (kind === 'number') return sql;
  if (kind === 'null') return `(${sql})::numeric`;
  throw new FilterSqlFault('公式用到的值不是数字，不能用于查询');
}

/** A quotient with the engine's decimals: PostgreSQL by itself stops at sixteen digits. Nothing when dividing by zero. */
export function quotientSql(a: string, b: string): string {
  return `round((${a} + round(0::numeric, ${QUOTIENT_SCALE})) / nullif(${b}, 0), ${QUOTIENT_SCALE})`;
}

/** A value as a condition: nothing and zero are no. */
export function asBoolean({ sql, kind }: SqlValue): string {
  if (kind === 'boolean') return sql;
  if (kind === 'null') return `coalesce((${sql})::boolean, false)`;
  return kind === 'number' ? `coalesce(${sql} <> 0, false)` : `(${sql} is not null)`;
}

/** A value as one of a kind, so that the sides of a choice or comparison agree. */
export function asKind(value: SqlValue, kind: SqlKind): string {
  if (value.kind === kind) return value.sql;
  if (kind === 'boolean') return asBoolean(value);
  if (value.kind === 'null') return `(${value.sql})::${SQL_TYPES[kind]}`;
  if (kind === 'text') return `(${value.sql})::text`;
  throw new FilterSqlFault('公式比较的值不是同一类，不能用于查询');
}

/** The kind that several values share: text where ids and texts meet. */
export function commonKind(values: readonly SqlValue[]): SqlKind {
  const kinds = new Set(values.map(({ kind }) => kind).filter((kind) => kind !== 'null'));
  const [only] = kinds;
  if (only === undefined) return 'null';
  return kinds.size === 1 ? only : 'text';
}

/** Letters order by code point, whatever the database's own collation is. */
export function ordered(sql: string, kind: SqlKind): string {
  return kind === 'text' ? `(${sql}) collate "C"` : sql;
}

/** A value to bind. */
export function bindValue(
  value: unknown,
  known: SqlKind | null,
  { values }: Pick<FormulaSqlEnv, 'values'>,
): SqlValue {
  if (value === null || value === undefined || value === '') return { sql: 'null', kind: 'null' };
  if (Array.isArray(value)) throw new FilterSqlFault('公式中的一列值不能用于查询');
  const kind = known === null || known === 'null' ? guessKind(value) : known;
  values.push(typeof value === 'boolean' ? value : String(value));
  return { sql: `$${values.length}::${SQL_TYPES[kind]}`, kind };
}

/** The type that a value of each kind has in a statement. */
export const SQL_TYPES = {
  number: 'numeric',
  text: 'text',
  date: 'date',
  datetime: 'timestamptz',
  boolean: 'boolean',
  id: 'uuid',
  null: 'text',
} as const satisfies Record<SqlKind, string>;

function guessKind(value: unknown): SqlKind {
  if (typeof value === 'boolean') return 'boolean';
  if (isPlainDecimal(value)) return 'number';
  if (isDate(value)) return 'date';
  return isDatetime(value) ? 'datetime' : 'text';
}

function sqlKind(type: ValueType): SqlKind | null {
  switch (type.kind) {
    case 'number':
    case 'integer':
    case 'percent':
    case 'money':
      return 'number';
    case 'date':
    case 'datetime':
    case 'boolean':
      return type.kind;
    case 'text':
    case 'dictionary':
      return 'text';
    case 'reference':
      return 'id';
    default:
      return null;
  }
}

function isConstant(expression: Expression, env: FormulaSqlEnv): boolean {
  if (callsLinesFunction(expression)) return false;
  return expressionReads(expression).every((path) => isElsewhere(path, env));
}

/** Whether a path is of no field of the record. */
export function isElsewhere(path: string, { source }: Pick<FormulaSqlEnv, 'source'>): boolean {
  return (
    path === 'today' ||
    /^(user|input|company)\./.test(path) ||
    (source !== undefined && path.startsWith('source.'))
  );
}

function constantOf(expression: Expression, { resource, catalog, context, source }: FormulaSqlEnv): unknown {
  return evaluate(expression, { resource, catalog, record: {}, context, source });
}

function readSql(path: string, env: FormulaSqlEnv): SqlValue {
  if (/^(above|before|source)\./.test(path)) throw new FilterSqlFault(`${path} 不能用于查询`);
  const { sql, field } = pathSql(path, env);
  return columnValue(sql, field);
}

/** A column as the engine reads it: percents as fractions, an untouched switch as no, empty text as nothing. */
function columnValue(sql: string, field: Field): SqlValue {
  if (field.multiple === true || field.type === 'attachment')
    throw new FilterSqlFault(`${field.title}有多个值，不能用于查询`);
  switch (field.type) {
    case 'integer':
      return numberSql(`(${sql})::numeric`);
    case 'decimal':
    case 'money':
      return numberSql(sql);
    case 'percent':
      return numberSql(`(${sql} * 0.01)`);
    case 'date':
      return { sql, kind: 'date' };
    case 'datetime':
      return { sql, kind: 'datetime' };
    case 'boolean':
      return booleanSql(`coalesce(${sql}, false)`);
    case 'reference':
      return { sql, kind: 'id' };
    case 'json':
    case 'secret':
    case 'lines':
      throw new FilterSqlFault(`${field.title}不能用于查询`);
    default:
      return field.standard && (field.name === 'id' || field.name === 'parent_id')
        ? { sql, kind: 'id' }
        : { sql: `nullif(${sql}, '')`, kind: 'text' };
  }
}

function binary(expression: Expression & { readonly kind: 'binary' }, env: FormulaSqlEnv): SqlValue {
  const { operator, left, right } = expression;
  if (operator === '+' || operator === '-') return sumSql(expression, env);
  const [a, b] = [formulaToSql(left, env), formulaToSql(right, env)];
  switch (operator) {
    case '*':
      return numberSql(`(${asNumber(a)} * ${asNumber(b)})`);
    case '/':
      return numberSql(quotientSql(asNumber(a), asNumber(b)));
    case '&&':
      return booleanSql(`(${asBoolean(a)} and ${asBoolean(b)})`);
    case '||':
      return booleanSql(`(${asBoolean(a)} or ${asBoolean(b)})`);
    default:
      return comparison(operator, a, b);
  }
}

function sumSql(expression: Expression, env: FormulaSqlEnv): SqlValue {
  const terms = termsOf(expression, false).map(({ part, isNegative }) => ({
    sql: asNumber(formulaToSql(part, env)),
    isNegative,
  }));
  return numberSql(sumOfTerms(terms));
}

interface Term {
  readonly part: Expression;
  readonly isNegative: boolean;
}

function termsOf(expression: Expression, isNegative: boolean): readonly Term[] {
  if (expression.kind !== 'binary' || (expression.operator !== '+' && expression.operator !== '-'))
    return [{ part: expression, isNegative }];
  const isFlipped = expression.operator === '-' ? !isNegative : isNegative;
  return [...termsOf(expression.left, isNegative), ...termsOf(expression.right, isFlipped)];
}

function comparison(operator: BinaryOperator, a: SqlValue, b: SqlValue): SqlValue {
  const kind = commonKind([a, b]);
  const [x, y] = [asKind(a, kind), asKind(b, kind)];
  if (operator === '==') return booleanSql(`(${x} is not distinct from ${y})`);
  if (operator === '!=') return booleanSql(`(${x} is distinct from ${y})`);
  return booleanSql(`coalesce(${ordered(x, kind)} ${operator} ${y}, false)`);
}

function choice(expression: Expression & { readonly kind: 'choice' }, env: FormulaSqlEnv): SqlValue {
  const test = asBoolean(formulaToSql(expression.test, env));
  const [a, b] = [formulaToSql(expression.consequent, env), formulaToSql(expression.otherwise, env)];
  const kind = commonKind([a, b]);
  return { sql: `(case when ${test} then ${asKind(a, kind)} else ${asKind(b, kind)} end)`, kind };
}
