import type { ReportDrill, ReportDrillQuery } from '#contract/reports.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { checkFilter } from '#engine/filter/check-filter.ts';
import type { PlannedMeasure, ReportPlan } from '#engine/report/plan-report.ts';
import { bindParams } from '#engine/report/report-params.ts';
import { shiftMonth, type Window } from '#engine/report/report-period.ts';
import type { ReportClasses } from '#engine/report/report-definition.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import { addDays } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { drilledRecords } from './drilled-records.ts';
import { drillStatement, type ReportCell } from './report-statement.ts';
import type { OpenSource } from './report-sources.ts';
import { datesWithin } from './source-sql.ts';
import { drilledColumn } from './result-columns.ts';
import { type AskedReport, openReport, query } from './run-report.ts';

/** As many ids a list takes in its filter. */
const MAX_IDS = 200;

/** The records behind a figure with what each gives to it, and the list that shows them. */
export async function drillReport(
  services: Services,
  caller: Caller,
  asked: AskedReport & { readonly drill: ReportDrillQuery },
): Promise<ReportDrill> {
  const open = openReport(services, caller, asked);
  const { sources, plan } = open;
  const { column, currentPage = 1, pageSize = 100 } = asked.drill;
  const key = drilledColumn(plan, column);
  if (key === null) throw new AppError('BAD_REQUEST', { message: '报表没有这一列' });
  const measure = plan.measures.find((one) => one.column === key && one.role !== 'series') ?? null;
  const cell: ReportCell = {
    keys: (asked.drill.keys ?? []).slice(0, plan.keys.length),
    id: asked.drill.id ?? null,
    currency: asked.drill.currency ?? null,
  };
  const statement = drillStatement(sources, plan, {
    cell,
    measure,
    limit: pageSize,
    offset: (currentPage - 1) * pageSize,
  });
  const rows = await query(open, statement, asked.signal);
  const total = Number(rows[0]?.['total'] ?? 0);
  const [first] = sources;
  const records = first === undefined ? [] : await drilledRecords(first.call, rows);
  const [only, ...others] = telling(sources, measure);
  const isOne = only !== undefined && others.length === 0;
  const list = isOne ? listFilter(only, plan, { cell, measure }) : null;
  const heads = [...new Set(records.map(({ id }) => id))];
  const isWhole = isOne && total === rows.length && heads.length <= MAX_IDS && total > 0;
  return {
    title: titleOf(plan, column),
    total,
    sum: typeof rows[0]?.['sum'] === 'string' ? rows[0]['sum'] : null,
    records,
    resource: list !== null || isWhole ? (only?.call.resource.resource ?? null) : null,
    filters: list ?? (isWhole ? { id: { in: heads } } : null),
  };
}

/** The sources whose rows can stand behind a figure: those that do not say that they have none. */
function telling(sources: readonly OpenSource[], measure: PlannedMeasure | null): readonly OpenSource[] {
  return measure === null ? sources : sources.filter(({ source }) => source.let?.[measure.over] !== 'null');
}

function titleOf(plan: ReportPlan, column: string): string {
  const title = plan.columns.find(({ key }) => key === column)?.title ?? '';
  return `${plan.report.title} · ${title}`;
}

/** The filter of a list that shows exactly these records; null where the words of lists do not reach. */
function listFilter(
  { source, call, lines }: OpenSource,
  plan: ReportPlan,
  { cell, measure }: { readonly cell: ReportCell; readonly measure: PlannedMeasure | null },
): Filter | null {
  // What counts once is not all that a list would show.
  if (lines !== undefined || cell.id !== null || (measure?.per ?? null) !== null) return null;
  const { period } = plan.report.rows;
  const windows = [plan.window, measure?.window ?? null].filter(
    (window): window is Window => window !== null,
  );
  const parts: (Filter | null)[] = [
    bindParams(source.where, plan.values),
    bindParams(measure?.where, plan.values),
    ...windows.map((window): Filter => ({ [period?.date ?? '']: datesWithin(source, window) })),
    ...cell.keys.map((key, index) => keyFilter(plan.keys[index]?.text ?? '', key, source.let ?? {})),
    ...(cell.currency === null || plan.currency === null ? [] : [{ [plan.currency]: { eq: cell.currency } }]),
    ...(measure === null || measure.kind === 'count' ? [] : [valueFilter(measure.over)]),
  ];
  const known = parts.filter((part): part is Filter => part !== null && Object.keys(part).length > 0);
  if (known.length < parts.filter((part) => part === null || Object.keys(part).length > 0).length)
    return null;
  const filter: Filter = known.length === 1 ? (known[0] ?? {}) : { and: known };
  const names = new Set([...Object.keys(source.let ?? {}), ...Object.keys(source.with ?? {})]);
  const { fields, values } = filterReads(filter);
  const isPlain = !fields.some((path) => names.has(path)) && values.length === 0;
  return isPlain && checkFilter(filter, call).length === 0 ? filter : null;
}

/** Rows that give nothing to a figure are not behind it; of what is reckoned a list cannot tell. */
function valueFilter(over: string): Filter | null {
  const parsed = parseExpression(over);
  return parsed.kind === 'path' ? { [parsed.path]: { null: false } } : null;
}

function keyFilter(
  text: string,
  key: unknown,
  names: Readonly<Record<string, string | ReportClasses>>,
): Filter | null {
  const given = names[text];
  if (typeof given === 'object') return classFilter(given, key);
  const parsed = parseExpression(given ?? text);
  if (parsed.kind !== 'path') return null;
  if (key === null || key === undefined) return { [parsed.path]: { null: true } };
  return typeof key === 'string' || typeof key === 'boolean' ? { [parsed.path]: { eq: key } } : null;
}

function classFilter({ of, calendar, steps, first }: ReportClasses, key: unknown): Filter | null {
  const parsed = parseExpression(of);
  if (parsed.kind !== 'path') return null;
  const { path } = parsed;
  if (key === null || key === undefined) return { [path]: { null: true } };
  if (typeof key !== 'string') return null;
  if (first !== undefined) return { [path]: { startswith: key } };
  if (steps !== undefined) {
    const at = Number(key);
    const [low, high] = [steps[at - 1], steps[at]];
    return {
      [path]: { ...(low === undefined ? {} : { gt: low }), ...(high === undefined ? {} : { lte: high }) },
    };
  }
  const days = daysOf(calendar, key);
  return days === null ? null : { [path]: { gte: days.from, lte: days.to } };
}

/** The days of a month (`2026-11`), quarter (`2026-Q4`), year or day. */
function daysOf(calendar: ReportClasses['calendar'], key: string): Window | null {
  switch (calendar) {
    case 'day':
      return { from: key, to: key };
    case 'week':
      return { from: key, to: addDays(key, 6) };
    case 'month':
      return { from: `${key}-01`, to: addDays(`${shiftMonth(key, 1)}-01`, -1) };
    case 'quarter': {
      const month = String(Number(key.slice(6)) * 3 - 2).padStart(2, '0');
      const start = `${key.slice(0, 4)}-${month}`;
      return { from: `${start}-01`, to: addDays(`${shiftMonth(start, 3)}-01`, -1) };
    }
    case 'year':
      return { from: `${key}-01-01`, to: `${key}-12-31` };
    case undefined:
      return null;
  }
}
