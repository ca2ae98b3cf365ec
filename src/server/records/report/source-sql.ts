import { formulaToSql } from '#engine/filter/formula-sql.ts';
import type { FormulaSqlEnv, SqlValue } from '#engine/filter/formula-sql.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { type PathSql, pathSql, sameCompany } from '#engine/filter/path-sql.ts';
import { columnsOf } from '#engine/report/column-of.ts';
import type { ReportClasses, ReportSource, ReportWith } from '#engine/report/report-definition.ts';
import { plainField, stepKey } from '#engine/report/report-names.ts';
import { bindParams, isNothing } from '#engine/report/report-params.ts';
import type { PlannedMeasure, ReportPlan } from '#engine/report/plan-report.ts';
import type { Window } from '#engine/report/report-period.ts';
import type { Comparison, Filter } from '#engine/schema/definition.ts';
import { fieldsAt, targetPlace } from '#engine/schema/field-path.ts';
import { openAnyCall, type Call } from '#server/records/call/open-call.ts';
import { companyConditions, lineConditions, rowConditions } from '#server/records/call/row-conditions.ts';
import { bind } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { reachOf } from '#server/records/read/reader-eyes.ts';
import { isFoundByIndex } from './found-by-index.ts';
import { PARAM_FIELDS, PARAM_SQL } from './param-types.ts';
import type { OpenSource } from './report-sources.ts';

/** What a row gives to a figure, what that weighs, and what it is counted once for. */
interface MeasureSql {
  readonly value: string;
  readonly weight: string | null;
  readonly per: string | null;
}

/**
 * The rows of one source as SQL: where its figures and names come from is joined as soon as something reads it. All values
 * are bound; the reader's rows hold in the source and, where it is not `whole`, in what is summed beside it.
 */
export class SourceSql {
  readonly env: FormulaSqlEnv;
  private readonly joins: string[] = [];
  private names = 0;
  private readonly plan: ReportPlan;
  private readonly open: OpenSource;
  private readonly values: unknown[];

  constructor(open: OpenSource, plan: ReportPlan, values: unknown[]) {
    this.open = open;
    this.plan = plan;
    this.values = values;
    const { call, lines } = open;
    const given: Record<string, PathSql> = {};
    this.env = {
      ...placeOf(call, 't', lines),
      context: call.caller.context,
      values,
      reach: reachOf(call, values),
      given,
    };
    this.giveParams(given);
    for (const [name, sum] of Object.entries(open.source.with ?? {}))
      once(given, name, () => this.joinSum(name, sum));
    for (const [name, text] of Object.entries(open.source.let ?? {}))
      once(given, name, () =>
        this.joinLet(name, typeof text === 'string' ? this.value(text) : this.classes(text)),
      );
  }

  /** A formula over the row. */
  value(text: string): SqlValue {
    return formulaToSql(parseExpression(text), this.env);
  }

  /** What stands beside figures; what this source does not have takes the kind that the others give it. */
  shown(text: string): SqlValue {
    return this.open.source.let?.[text] === 'null' ? { sql: 'null', kind: 'null' } : this.value(text);
  }

  condition(filter: Filter | undefined): string {
    return filterToSql(bindParams(filter, this.plan.values), this.env);
  }

  /** What a row gives to a figure, and what it weighs. */
  measure({ kind, over, where, window, weight, per }: PlannedMeasure): MeasureSql {
    const conditions = [
      ...(where === undefined ? [] : [this.condition(where)]),
      ...(window === null ? [] : [this.within(window)]),
    ];
    const when = conditions.length === 0 ? '' : conditions.map((condition) => `(${condition})`).join(' and ');
    const only = (sql: string): string => (when === '' ? sql : `case when ${when} then ${sql} end`);
    // As text, since a source of a union may have none of what others count.
    const own = kind === 'count' ? '1' : this.value(over).sql;
    const value = kind === 'distinct' ? `(${own})::text` : own;
    return {
      value: only(value),
      weight: weight === null ? null : only(this.value(weight).sql),
      per: per === null ? null : only(`(${this.value(per).sql})::text`),
    };
  }

  within({ from, to }: Window): string {
    const { period } = this.plan.report.rows;
    if (period === undefined) return 'true';
    return filterToSql({ [period.date]: datesWithin(this.open.source, { from, to }) }, this.env);
  }

  /** The same asked of the columns that the day comes from: an index leads there, or other rows are passed by at once. */
  private ownDates(window: Window): readonly string[] {
    const { call, lines, source } = this.open;
    const { date } = this.plan.report.rows.period ?? {};
    const text = date === undefined ? undefined : source.let?.[date];
    if (typeof text !== 'string') return [];
    const given = Object.fromEntries(
      Object.entries(this.plan.values).map(([name, value]) => [`param.${name}`, value]),
    );
    const { resource, catalog } = call;
    const scope = { resource, catalog, record: {}, context: call.caller.context, given };
    const columns = columnsOf(parseExpression(text), scope) ?? [];
    const own = fieldsAt({ resource, catalog, ...(lines === undefined ? {} : { lines }) });
    if (columns.length === 0 || columns.some((column) => own[column]?.type !== 'date')) return [];
    const days = datesWithin(source, window);
    const each = columns.map((column, index): Filter => ({
      and: [
        ...columns.slice(0, index).map((before): Filter => ({ [before]: { null: true } })),
        { [column]: days },
      ],
    }));
    return [`(${filterToSql({ or: each }, this.env)})`];
  }

  /** `from … where …`: written last, when everything that is read is joined. */
  from(): string {
    const { call, lines, source } = this.open;
    const { window } = this.plan;
    const head = lines === undefined ? 't' : 'h';
    const conditions = [
      ...this.openConditions(call, lines, { alias: 't', head }),
      `(${this.condition(source.where)})`,
      ...(window === null ? [] : [`(${this.within(window)})`, ...this.ownDates(window)]),
    ];
    return `from ${tableWithHead(call, 't', lines)} ${this.joins.join(' ')} where ${conditions.join(' and ')}`;
  }

  /** The rows and lines that the reader may see. */
  private openConditions(
    call: Call,
    lines: string | undefined,
    { alias, head }: { readonly alias: string; readonly head: string },
  ): readonly string[] {
    const { values } = this;
    const rows = rowConditions(call, { alias: head, values });
    return lines === undefined
      ? rows
      : [...rows, ...lineConditions(call, lines, { alias, parentAlias: head, values })];
  }

  private giveParams(given: Record<string, PathSql>): void {
    for (const [name, param] of Object.entries(this.plan.report.params ?? {})) {
      const value = this.plan.values[name] ?? null;
      const field = plainField(name, PARAM_FIELDS[param.type], param.title);
      Object.defineProperty(given, `param.${name}`, {
        enumerable: true,
        get: (): PathSql => ({
          sql: isNothing(value)
            ? `null::${PARAM_SQL[param.type]}`
            : `${bind(this.values, value)}::${PARAM_SQL[param.type]}`,
          field,
        }),
      });
    }
  }

  /**
   * A figure over other records. Where an index leads to them they are looked up for each row that is left, so that a
   * report of few rows reads few; else they are summed all at once and joined.
   */
  private joinSum(name: string, sum: ReportWith): PathSql {
    const field = this.field(name);
    const { call } = this.open;
    const place = targetPlace(sum.of, call.catalog);
    if (place === null) return { sql: 'null::numeric', field };
    const at = `w${(this.names += 1)}`;
    const other = openAnyCall(call.services, call.caller, place.resource.resource);
    const { given = {} } = this.env;
    const env: FormulaSqlEnv = {
      ...placeOf(other, at, place.lines),
      context: call.caller.context,
      values: this.values,
      ...(sum.whole === true ? {} : { reach: reachOf(other, this.values) }),
      given: onlyParams(given),
    };
    const keys =
      typeof sum.by === 'string'
        ? [[sum.by, 'id'] as const]
        : Object.entries(sum.by).map(([theirs, own]) => [theirs, own] as const);
    const head = place.lines === undefined ? at : `${at}h`;
    const conditions = [
      ...(sum.whole === true
        ? companyConditions(other, { alias: head, values: this.values })
        : this.openConditions(other, place.lines, { alias: at, head })),
      `(${filterToSql(bindParams(sum.where, this.plan.values), env)})`,
    ];
    const value = aggregateOf(sum, (text) => formulaToSql(parseExpression(text), env).sql);
    const alias = `j${at}`;
    const from = `from ${tableWithHead(other, at, place.lines)} where ${conditions.join(' and ')}`;
    const pairs = keys.map(
      ([theirs, own]) => [pathSql(theirs, env).sql, pathSql(own, this.env).sql] as const,
    );
    if (keys.some(([theirs]) => isFoundByIndex(call.catalog, sum.of, theirs))) {
      const tie = sameCompany(other.resource, at, call.resource, 't');
      const on = pairs.map(([theirs, own]) => ` and ${theirs} = ${own}`).join('');
      this.joins.push(`left join lateral (select ${value} as v ${from}${on}${tie}) ${alias} on true`);
    } else {
      const select = pairs.map(([theirs], index) => `${theirs} as k${index}`).join(', ');
      const on = pairs.map(([, own], index) => `${alias}.k${index} = ${own}`).join(' and ');
      const group = pairs.map((_, index) => index + 1).join(', ');
      this.joins.push(
        `left join (select ${select}, ${value} as v ${from} group by ${group}) ${alias} on ${on}`,
      );
    }
    const isCounted = sum.sum !== undefined || sum.count === true;
    return { sql: isCounted ? `coalesce(${alias}.v, 0)` : `${alias}.v`, field };
  }

  /** A name is reckoned once a row, however many columns read it: `offset 0` keeps it from being written out in each. */
  private joinLet(name: string, { sql: written, kind }: SqlValue): PathSql {
    // What a source of a union does not have is a number that is not there.
    const sql = kind === 'null' ? `(${written})::numeric` : written;
    const alias = `l${(this.names += 1)}`;
    this.joins.push(`cross join lateral (select ${sql} as v offset 0) ${alias}`);
    return { sql: `${alias}.v`, field: this.field(name) };
  }

  private classes({ of, calendar, steps, first }: ReportClasses): SqlValue {
    const value = this.value(of);
    if (calendar !== undefined) {
      const day =
        value.kind === 'datetime' ? `((${value.sql}) at time zone 'Asia/Shanghai')` : `(${value.sql})`;
      return { sql: CALENDAR_SQL[calendar](day), kind: 'text' };
    }
    if (first !== undefined) return { sql: `left((${value.sql})::text, ${first})`, kind: 'text' };
    const bounds = (steps ?? []).map(
      (step, index) => `when c.v <= ${bind(this.values, step)}::numeric then '${stepKey(index)}'`,
    );
    const last = stepKey(steps?.length ?? 0);
    return {
      sql: `(select case when c.v is null then null ${bounds.join(' ')} else '${last}' end from (values (${value.sql})) c(v))`,
      kind: 'text',
    };
  }

  private field(name: string): PathSql['field'] {
    const { call, named, lines } = this.open;
    const place = { resource: named, catalog: call.catalog, ...(lines === undefined ? {} : { lines }) };
    return fieldsAt(place)[name] ?? plainField(name, 'decimal');
  }
}

/** The days of a source that belong to a period: what stands at its end has no beginning. */
export function datesWithin({ stock }: Pick<ReportSource, 'stock'>, { from, to }: Window): Comparison {
  return stock === true ? { lte: to } : { gte: from, lte: to };
}

/** A table, with its head where it is one of lines. */
function tableWithHead({ resource }: Call, alias: string, lines: string | undefined): string {
  if (lines === undefined) return `${tableOf(resource)} ${alias}`;
  const head = alias === 't' ? 'h' : `${alias}h`;
  const company = resource.scope === 'company' ? ` and ${head}.co_code = ${alias}.co_code` : '';
  return `${linesTableOf(resource, lines)} ${alias} join ${tableOf(resource)} ${head} on ${head}.id = ${alias}.parent_id${company}`;
}

function placeOf({ resource, catalog }: Call, alias: string, lines: string | undefined) {
  if (lines === undefined) return { resource, catalog, alias };
  return { resource, catalog, alias, lines, parentAlias: alias === 't' ? 'h' : `${alias}h` };
}

function aggregateOf(sum: ReportWith, value: (text: string) => string): string {
  for (const kind of ['sum', 'min', 'max', 'avg'] as const) {
    const text = sum[kind];
    if (text !== undefined) return `${kind}(${value(text)})`;
  }
  return 'count(*)';
}

/** Written at its first use, and known from then on. */
function once(given: Record<string, PathSql>, name: string, write: () => PathSql): void {
  let known: PathSql | undefined;
  Object.defineProperty(given, name, { enumerable: true, get: () => (known ??= write()) });
}

function onlyParams(given: Readonly<Record<string, PathSql>>): Readonly<Record<string, PathSql>> {
  const params = Object.entries(Object.getOwnPropertyDescriptors(given)).filter(([name]) =>
    name.startsWith('param.'),
  );
  return Object.defineProperties({}, Object.fromEntries(params));
}

const CALENDAR_SQL = {
  day: (day) => `to_char(${day}, 'YYYY-MM-DD')`,
  week: (day) => `to_char(date_trunc('week', ${day}), 'YYYY-MM-DD')`,
  month: (day) => `to_char(${day}, 'YYYY-MM')`,
  quarter: (day) => `to_char(${day}, 'YYYY"-Q"Q')`,
  year: (day) => `to_char(${day}, 'YYYY')`,
} as const satisfies Record<NonNullable<ReportClasses['calendar']>, (day: string) => string>;
