import { knownDecimals } from '../values/currency-decimals.ts';
import {
  asKind,
  asNumber,
  booleanSql,
  commonKind,
  type FormulaSqlEnv,
  numberSql,
  ordered,
  quotientSql,
  type SqlValue,
} from './formula-sql.ts';
import { FilterSqlFault } from './path-sql.ts';

const NOTHING: SqlValue = { sql: 'null', kind: 'null' };

/** The functions of values that the database can be asked: those that `functionSql` writes. */
export const SQL_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['round', 'floor', 'ceil', 'abs', 'step', 'decimals', 'min', 'max', 'coalesce', 'contains'],
  ...['days', 'hours', 'addDays', 'addMonths', 'year', 'month', 'quarter'],
]);

/** A call of a function of values. @throws FilterSqlFault for what has no SQL form */
export function functionSql(name: string, args: readonly SqlValue[], env: FormulaSqlEnv): SqlValue {
  const [a = NOTHING, b = NOTHING] = args;
  switch (name) {
    case 'round':
      return numberSql(`round(${asNumber(a)}, ${placesSql(b)})`);
    case 'floor':
    case 'ceil':
      return numberSql(directed(name, a, b));
    case 'abs':
      return numberSql(`abs(${asNumber(a)})`);
    case 'step':
      return numberSql(stepSql(asNumber(a), asNumber(b)));
    case 'decimals':
      return numberSql(decimalsSql(a, env));
    case 'min':
    case 'max':
      return extreme(name, args);
    case 'coalesce':
      return first(args);
    case 'contains':
      return booleanSql(`(${text(b)} <> '' and strpos(${text(a)}, ${text(b)}) > 0)`);
    case 'days':
      return numberSql(`(${asKind(b, 'date')} - ${asKind(a, 'date')})::numeric`);
    case 'hours': {
      const seconds = `extract(epoch from date_trunc('milliseconds', ${asKind(b, 'datetime')}) - date_trunc('milliseconds', ${asKind(a, 'datetime')}))`;
      return numberSql(`round(${seconds} / 3600, 1)`);
    }
    case 'addDays':
      return shifted(a, b, { most: 36_500, by: (count) => count });
    case 'addMonths':
      return shifted(a, b, { most: 1_200, by: (count) => `make_interval(months => ${count})` });
    case 'year':
    case 'month':
    case 'quarter':
      return numberSql(`extract(${name} from ${asKind(a, 'date')})`);
    default:
      throw new FilterSqlFault(`函数 ${name} 不能用于查询`);
  }
}

/** The smallest or greatest of values, what is empty left out. */
export function extreme(name: 'min' | 'max', args: readonly SqlValue[]): SqlValue {
  const kind = commonKind(args);
  const sides = args.map((value) => ordered(asKind(value, kind), kind)).join(', ');
  return { sql: `${name === 'min' ? 'least' : 'greatest'}(${sides})`, kind };
}

function first(args: readonly SqlValue[]): SqlValue {
  const kind = commonKind(args);
  return { sql: `coalesce(${args.map((value) => asKind(value, kind)).join(', ')})`, kind };
}

function placesSql(places: SqlValue): string {
  if (places.kind === 'null') return '0';
  return `least(10, greatest(0, trunc(${asNumber(places)})))::int`;
}

/** Down or up to a number of decimals. */
function directed(name: 'floor' | 'ceil', value: SqlValue, places: SqlValue): string {
  const scale = placesSql(places);
  const power = `power(10::numeric, ${scale})`;
  return `round(${name}(${asNumber(value)} * ${power}) / ${power}, ${scale})`;
}

function stepSql(value: string, to: string): string {
  return `(select case when p.s > 0 then ceil(${quotientSql('p.v', 'p.s')}) * p.s end from (values (${value}, ${to})) p(v, s))`;
}

/** The decimals of a currency's amounts; null without a currency. */
export function decimalsSql(currency: SqlValue, { context, values }: FormulaSqlEnv): string {
  values.push(JSON.stringify(knownDecimals(context.decimals)));
  const code = text(currency);
  return `(case when ${code} <> '' then coalesce(($${values.length}::jsonb ->> ${code})::numeric, 2) end)`;
}

function text(value: SqlValue): string {
  return `coalesce(${asKind(value, 'text')}, '')`;
}

interface Shift {
  readonly most: number;
  readonly by: (count: string) => string;
}

function shifted(date: SqlValue, count: SqlValue, { most, by }: Shift): SqlValue {
  const sql = `(select case when abs(round(p.n)) <= ${most} then (p.d + ${by('round(p.n)::int')})::date end from (values (${asKind(date, 'date')}, ${asNumber(count)})) p(d, n))`;
  return { sql, kind: 'date' };
}
