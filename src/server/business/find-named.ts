import { among } from '#server/kernel/db/among.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { pathSql, type SqlPlace } from '#engine/filter/path-sql.ts';
import type { ColumnName, FieldName, LinesName, ResourceName, StateName } from '#trade/names.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { bind, quoteName, statementName } from '#server/records/call/statement.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { jsonValue, travelValue } from '#server/records/read/stored-value.ts';
import type { SystemContext } from '#server/records/write/system-write.ts';

type Literal = string | number | boolean;

/** How a field is compared; the operators of the engine's filters, with plain values. */
interface Comparison<Value extends Literal> {
  readonly eq?: Value;
  readonly ne?: Value;
  readonly in?: readonly Value[];
  readonly nin?: readonly Value[];
  readonly gt?: Value;
  readonly gte?: Value;
  readonly lt?: Value;
  readonly lte?: Value;
  readonly null?: boolean;
}

/** A filter over the fields of a shipped resource: a renamed field or state is an error of the compiler. */
type NamedFilter<Key extends string, State extends string> = {
  readonly [K in Key]?: Comparison<K extends 'status' | 'parent.status' ? State : Literal>;
} & { readonly or?: readonly NamedFilter<Key, State>[]; readonly and?: readonly NamedFilter<Key, State>[] };

type HeadKey<R extends ResourceName> = FieldName<R>;
type LineKey<R extends ResourceName, L extends LinesName<R>> =
  ColumnName<R, L> | 'id' | 'parent_id' | 'line_order' | `parent.${FieldName<R>}`;

/** The values that were asked for, in the form in which they travel: decimals as text. */
type NamedRow<Key extends string> = { readonly [K in Key]: unknown };

interface Asked<Key extends string, State extends string, Wanted extends Key> {
  readonly where?: NamedFilter<Key, State>;
  readonly fields: readonly Wanted[];
  /** Field names, descending with `-`; then by id. */
  readonly order?: readonly (Key | `-${Key}`)[];
  readonly limit?: number;
  /** Default: the caller's own. */
  readonly companies?: readonly string[] | 'all';
}

/**
 * Records of the caller's company (or of all, where the resource is) as the system sees them, deleted ones never.
 * `isLocking` holds them until the transaction ends. None where the definitions leave the resource out.
 */
export async function findNamed<R extends ResourceName, Wanted extends HeadKey<R>>(
  context: SystemContext,
  key: R,
  asked: Asked<HeadKey<R>, StateName<R>, Wanted> & { readonly isLocking?: boolean },
): Promise<readonly NamedRow<Wanted>[]> {
  const place = placeOf(context, key);
  if (place === null) return [];
  const lock = asked.isLocking === true ? ' for update of t' : '';
  return select(context, place, { ...asked, lock });
}

/** Which records of a resource are meant. */
export type WhereOf<R extends ResourceName> = NamedFilter<HeadKey<R>, StateName<R>>;

/** How many of such records there are. */
export async function countNamed<R extends ResourceName>(
  context: SystemContext,
  key: R,
  which: WhereOf<R>,
): Promise<number> {
  const place = placeOf(context, key);
  if (place === null) return 0;
  const values: unknown[] = [];
  const text = `select count(*)::int as count from ${place.from} where ${whereSql(place, which, values)}`;
  const [row] = await context.tx.query<{ count: number }>(text, values, statementName(text));
  return row?.count ?? 0;
}

/** Lines of such records; `parent.x` is the head's. */
export async function findLinesNamed<
  R extends ResourceName,
  L extends LinesName<R>,
  Wanted extends LineKey<R, L>,
>(
  context: SystemContext,
  [key, lines]: readonly [R, L],
  asked: Asked<LineKey<R, L>, StateName<R>, Wanted>,
): Promise<readonly NamedRow<Wanted>[]> {
  const place = placeOf(context, key, lines);
  return place === null ? [] : select(context, place, { ...asked, lock: '' });
}

/** What is summed, and by what. */
interface Sums<Key extends string, State extends string, By extends Key, Summed extends Key> {
  readonly where: NamedFilter<Key, State>;
  readonly by: readonly By[];
  readonly sum: readonly Summed[];
}
type SumRow<By extends string, Summed extends string> = { readonly [K in By]: unknown } & {
  readonly [K in Summed]: string;
};

/** Sums of such records as decimal text, `0` where nothing is there: a row for all equal values of `by`. */
export async function sumNamed<R extends ResourceName, By extends HeadKey<R>, Summed extends HeadKey<R>>(
  context: SystemContext,
  key: R,
  asked: Sums<HeadKey<R>, StateName<R>, By, Summed>,
): Promise<readonly SumRow<By, Summed>[]> {
  return sums(context, placeOf(context, key), asked);
}

/** The same over lines. */
export async function sumLinesNamed<
  R extends ResourceName,
  L extends LinesName<R>,
  By extends LineKey<R, L>,
  Summed extends LineKey<R, L>,
>(
  context: SystemContext,
  [key, lines]: readonly [R, L],
  asked: Sums<LineKey<R, L>, StateName<R>, By, Summed>,
): Promise<readonly SumRow<By, Summed>[]> {
  return sums(context, placeOf(context, key, lines), asked);
}

async function sums<By extends string, Summed extends string>(
  context: SystemContext,
  place: Place | null,
  asked: { readonly where: object; readonly by: readonly By[]; readonly sum: readonly Summed[] },
): Promise<readonly SumRow<By, Summed>[]> {
  if (place === null) return [];
  const values: unknown[] = [];
  const columns = [
    ...asked.by.map((name) => `${pathSql(name, place.at).sql} as ${quoteName(name)}`),
    ...asked.sum.map(
      (name) => `coalesce(sum(${pathSql(name, place.at).sql}), 0)::text as ${quoteName(name)}`,
    ),
  ];
  const where = whereSql(place, asked.where, values);
  const keys = asked.by.map((_, n) => n + 1).join(', ');
  const text = `select ${columns.join(', ')} from ${place.from} where ${where} group by ${keys} order by ${keys}`;
  return context.tx.query(text, values, statementName(text));
}

interface Place {
  readonly call: Call;
  readonly at: SqlPlace;
  readonly from: string;
}

function placeOf(context: SystemContext, key: ResourceName, lines?: string): Place | null {
  const { services, caller } = context;
  if (services.definitions.catalog().resources[key] === undefined) return null;
  const call = openSystemCall(services, caller, key);
  const { resource, catalog } = call;
  const head = { resource, catalog, alias: 't', context: caller.context };
  if (lines === undefined) return { call, at: head, from: `${tableOf(resource)} t` };
  const company = resource.scope === 'company' ? ' and h.co_code = t.co_code' : '';
  const from = `${linesTableOf(resource, lines)} t join ${tableOf(resource)} h on h.id = t.parent_id${company}`;
  return { call, at: { ...head, lines, parentAlias: 'h' }, from };
}

async function select<Wanted extends string>(
  context: SystemContext,
  place: Place,
  asked: {
    readonly where?: object;
    readonly fields: readonly Wanted[];
    readonly order?: readonly string[];
    readonly limit?: number;
    readonly companies?: readonly string[] | 'all';
    readonly lock: string;
  },
): Promise<readonly NamedRow<Wanted>[]> {
  const values: unknown[] = [];
  const columns = asked.fields.map((name) => ({ name, ...pathSql(name, place.at) }));
  const list = columns.map(({ sql, field }, n) => `${jsonValue(sql, field)} as c${n}`);
  const order = (asked.order ?? []).map((name) =>
    name.startsWith('-')
      ? `${pathSql(name.slice(1), place.at).sql} desc nulls last`
      : pathSql(name, place.at).sql,
  );
  const { companies } = asked;
  const where = whereSql(place, asked.where, values, companies);
  const limit = asked.limit === undefined ? '' : ` limit ${asked.limit}`;
  const text = `select ${list.join(', ')} from ${place.from} where ${where} order by ${[...order, 't.id'].join(', ')}${limit}${asked.lock}`;
  const rows = await context.tx.query(text, values, statementName(text));
  return rows.map((row) => {
    const record: Partial<Record<Wanted, unknown>> = {};
    for (const [n, { name, field }] of columns.entries()) record[name] = travelValue(row[`c${n}`], field);
    return record as NamedRow<Wanted>;
  });
}

function whereSql(
  { call, at }: Place,
  where: object | undefined,
  values: unknown[],
  companies: readonly string[] | 'all' = [call.caller.subject.co_code],
): string {
  const { resource } = call;
  const head = at.lines === undefined ? 't' : 'h';
  const conditions = isStored(resource) ? [`not ${head}.is_deleted`] : [];
  if (resource.scope === 'company' && companies !== 'all')
    conditions.push(`t.co_code = ${among(bind(values, companies), 'text')}`);
  conditions.push(`(${filterToSql({ ...where }, { ...at, context: call.caller.context, values })})`);
  return conditions.join(' and ');
}
