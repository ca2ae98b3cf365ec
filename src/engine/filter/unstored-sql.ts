import { digitsOf } from '../fields/decimal-value.ts';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import type { Field, Resource } from '../schema/resource.ts';
import { compareDecimals } from '../values/decimal.ts';
import { asKind, type FormulaSqlEnv, formulaToSql, type SqlKind } from './formula-sql.ts';
import { decimalsSql } from './formula-sql-functions.ts';
import { FilterSqlFault, pathSql } from './path-sql.ts';

/**
 * The value of a formula that is not stored, for select lists, filters and orders: rounded and in the unit of the field, as
 * `computeField` gives it.
 * @throws FilterSqlFault for a formula without an SQL form
 */
export function unstoredSql(field: Field, env: FormulaSqlEnv): string {
  const formula = parseExpression(field.formula ?? 'null');
  // What a reader may reach bounds what he asks for, not what a figure is made of.
  const { reach: _reach, ...own } = env;
  const value = formulaToSql(field.type === 'money' ? withoutRounding(formula, field) : formula, own);
  const sql = asKind(value, KINDS[field.type] ?? 'text');
  switch (field.type) {
    case 'integer':
      return `round(${sql})::bigint`;
    case 'decimal':
      return `round(${sql}, ${digitsOf(field).scale})`;
    case 'percent':
      return `round(${sql} * 100, ${digitsOf(field).scale})`;
    case 'money':
      return `round(round(${sql}, ${moneyPlaces(field, own)}), ${digitsOf(field).scale})`;
    default:
      return sql;
  }
}

/** Whether the value of a formula that is not stored can be read, filtered and sorted by the database. */
export function hasSqlForm(
  field: Field,
  {
    resource,
    catalog,
    lines,
  }: Pick<FormulaSqlEnv, 'resource' | 'catalog'> & { readonly lines?: string | undefined },
): boolean {
  const known = forms.get(resource) ?? new WeakMap<Field, boolean>();
  forms.set(resource, known);
  const form = known.get(field) ?? tryForm(field, { resource, catalog, lines });
  known.set(field, form);
  return form;
}

const forms = new WeakMap<Resource, WeakMap<Field, boolean>>();

function tryForm(
  field: Field,
  {
    resource,
    catalog,
    lines,
  }: Pick<FormulaSqlEnv, 'resource' | 'catalog'> & { readonly lines?: string | undefined },
): boolean {
  const place = lines === undefined ? { alias: 't' } : { alias: 'l', lines, parentAlias: 't' };
  try {
    unstoredSql(field, { resource, catalog, ...place, context: NOBODY, values: [] });
    return true;
  } catch (error) {
    if (error instanceof FilterSqlFault) return false;
    throw error;
  }
}

const KINDS: Readonly<Partial<Record<Field['type'], SqlKind>>> = {
  integer: 'number',
  decimal: 'number',
  money: 'number',
  percent: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  reference: 'id',
};

/** Surroundings to try a formula in: only whether it has a form is asked, not what it gives. */
const NOBODY: FormulaSqlEnv['context'] = {
  subject: {
    id: '',
    personid: '',
    name: '',
    kind: 'staff',
    role_code: '',
    role_codes: [],
    co_code: '',
    dept_code: '',
    dept_codes: [],
    sales_ids: [],
    sales_id: null,
    partner_id: null,
    super_permission: false,
    scope_override: null,
  },
  today: '2000-01-01',
  now: '2000-01-01T00:00:00.000Z',
  params: {},
};

/** An amount is rounded once, to the decimals of its currency. */
function withoutRounding(formula: Expression, field: Field): Expression {
  if (formula.kind !== 'call' || formula.name !== 'round') return formula;
  const [inner, places] = formula.args;
  if (inner === undefined || places?.kind !== 'literal' || typeof places.value !== 'string') return formula;
  return compareDecimals(places.value, String(digitsOf(field).scale)) >= 0 ? inner : formula;
}

function moneyPlaces({ currency = '', ...field }: Field, env: FormulaSqlEnv): string {
  const { scale } = digitsOf(field);
  const code = /^[A-Z]{3}$/.test(currency)
    ? `'${currency}'::text`
    : currency === ''
      ? 'null::text'
      : `(${pathSql(currency, env).sql})::text`;
  return `least(${scale}, coalesce(${decimalsSql({ sql: code, kind: 'text' }, env)}, ${scale}))::int`;
}
