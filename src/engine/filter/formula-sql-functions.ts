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

type Writer = (a: SqlValue, b: SqlValue, args: readonly SqlValue[], env: FormulaSqlEnv) => SqlValue;

const part =
  (name: string): Writer =>
  (a) =>
    numberSql(`extract(${name} from ${asKind(a, 'date')})`);

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['round', (a, b) => numberSql(`round(${asNumber(a)}, ${placesSql(b)})`)],
  ['floor', (a, b) => numberSql(directed('floor', a, b))],
  ['ceil', (a, b) => numberSql(directed('ceil', a, b))],
  ['abs', (a) => numberSql(`abs(${asNumber(a)})`)],
  ['step', (a, b) => numberSql(stepSql(asNumber(a), asNumber(b)))],
  ['decimals', (a, _b, _args, env) => numberSql(decimalsSql(a, env))],
  ['min', (_a, _b, args) => extreme('min', args)],
  ['max', (_a, _b, args) => extreme('max', args)],
  ['coalesce', (_a, _b, args) => first(args)],
  ['contains', (a, b) => booleanSql(`(${text(b)} <> '' and strpos(${text(a)}, ${text(b)}) > 0)`)],
  ['days', (a, b) => numberSql(`(${asKind(b, 'date')} - ${asKind(a, 'date')})::numeric`)],
  ['hours', (a, b) => numberSql(hoursSql(a, b))],
  ['dayOf', (a) => ({ sql: `(${asKind(a, 'datetime')} at time zone 'Asia/Shanghai')::date`, kind: 'date' })],
  ['addDays', (a, b) => shifted(a, b, { most: 36_500, by: (count) => count })],
  ['addMonths', (a, b) => shifted(a, b, { most: 1_200, by: (count) => `make_interval(months => ${count})` })],
  ['year', part('year')],
  ['month', part('month')],
  ['quarter', part('quarter')],
]);

/** Whether the database can be asked a function of values. */
export function hasSqlFunction(name: string): boolean {
  return WRITERS.has(name);
}

/** A call of a function of values. @throws FilterSqlFault for what has no SQL form */
export function functionSql(name: string, args: readonly SqlValue[], env: FormulaSqlEnv): SqlValue {
  const writer = WRITERS.get(name);
  if (writer === undefined) throw new FilterSqlFault(`函数 ${name} 不能用于查询`);
  const [a = NOTHING, b = NOTHING] = args;
  return writer(a, b, args, env);
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

function hoursSql(a: SqlValue, b: SqlValue): string {
  const seconds = `extract(epoch from date_trunc('milliseconds', ${asKind(b, 'datetime')}) - date_trunc('milliseconds', ${asKind(a, 'datetime')}))`;
  return `round(${seconds} / 3600, 1)`;
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
