import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { withEmptyParts } from '#engine/report/complete-period.ts';
import { finishReport } from '#engine/report/finish-report.ts';
import type { RawRow, ReportRow } from '#engine/report/report-rows.ts';
import { namingColumn, planReport, type ReportPlan } from '#engine/report/plan-report.ts';
import {
  type ReportColumn,
  type ReportDefinition,
  type ReportFigure,
  rowName,
} from '#engine/report/report-definition.ts';
import type { ParamValues } from '#engine/report/report-params.ts';
import { createGate } from '#server/kernel/gate.ts';
import { callersWall } from '#server/records/call/behind-wall.ts';
import { type Overrides, overridesOf } from '#server/records/call/overrides.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type LabelOf, readLabels } from './read-labels.ts';
import { askedTrend } from './asked-trend.ts';
import { paramTexts } from './report-params.ts';
import { closedSources, hiddenReads, openSources, type OpenSource } from './report-sources.ts';
import {
  type GroupedStatement,
  groupedStatement,
  mostRows,
  plannedValues,
  type ReportStatement,
} from './report-statement.ts';
import { resultColumns } from './result-columns.ts';

/** Lines that an answer holds at most: totals are of all. */
export const MAX_LINES = 5_000;
/** How long a report may take. */
const TIMEOUT_MS = 60_000;

/** Reports that run at once in this process: lists and forms go on beside them. */
const REPORTS = createGate({
  atOnce: 4,
  perPerson: 20,
  waiting: 80,
  message: '您有报表正在计算，请等待完成后再试',
});

/** What a report is asked for. */
export interface AskedReport {
  readonly report: ReportDefinition;
  readonly values: ParamValues;
  readonly limit: number;
  /** Aborted when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/** A report opened for its reader, its parameters put in. */
export interface OpenReport {
  readonly sources: readonly OpenSource[];
  readonly plan: ReportPlan;
  readonly hidden: readonly ReportColumn[];
}

/** Opens a report. @throws AppError FORBIDDEN */
export function openReport(
  services: Services,
  caller: Caller,
  asked: Pick<AskedReport, 'report' | 'values'>,
): OpenReport {
  const sources = openSources(services, caller, asked.report);
  return { sources, ...planReport(asked.report, asked.values, hiddenReads(sources)) };
}

/** Runs a report for its reader: rows, subtotals and total of one statement, with what is reckoned from them. */
export async function runReport(
  services: Services,
  caller: Caller,
  asked: AskedReport,
): Promise<ReportResult> {
  const under = overridesOf(services);
  const open = openReport(services, caller, asked);
  const known = cached(services, caller, asked);
  if (known !== undefined) return known;
  const { sources, plan, hidden } = open;
  const statement = groupedStatement(sources, plan, asked.limit);
  const rows = await REPORTS(caller.subject.id, () => query(open, statement, asked.signal));
  const read = rows.map((row) => rawRow(row, plan, statement.levels));
  const kept = firstRecords(plan, read, asked.limit);
  const raw = withEmptyParts(plan, kept);
  const labelOf = await readLabels(sources, plan, raw);
  const finished = finishReport(plan, raw, { context: caller.context, labelOf });
  const heads = headsOf(rows);
  const lines = finished.rows.filter(({ isLine }) => isLine).length;
  const { report } = asked;
  const result: ReportResult = {
    report: report.report,
    title: report.title,
    params: await paramTexts(services, caller, asked),
    columns: resultColumns(sources, plan),
    rows: finished.rows
      .slice(0, asked.limit + (finished.rows.length - lines))
      .map((row) => ({ ...presentRow(row, plan, labelOf), ...headOf(row, heads) })),
    total:
      report.totals === true && finished.total !== null ? presentRow(finished.total, plan, labelOf) : null,
    isCapped: kept.length < read.length || lines > asked.limit || rows.length > mostRows(plan, asked.limit),
    hidden: [...hidden.map(({ title }) => title), ...closedSources(services, report, sources)],
    chart: withTrend(chartOf(plan), askedTrend(services, caller, asked)),
    groups: plan.isEach ? plan.keys.length : Math.max(0, plan.keys.length - 1),
    at: services.clock().toISOString(),
  };
  keep(services, caller, { asked, result, under });
  return result;
}

/** Runs a statement of a report behind its reader's wall. */
export async function query(
  { sources }: Pick<OpenReport, 'sources'>,
  statement: ReportStatement,
  signal: AbortSignal | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [first] = sources;
  if (first === undefined) return [];
  return first.call.services.walled.watched(callersWall(first.call), statement, {
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}

function rawRow(
  row: Readonly<Record<string, unknown>>,
  plan: ReportPlan,
  levels: GroupedStatement['levels'],
): RawRow {
  const g = Number(row['g']);
  const isByCurrency = plan.currency !== null && g % 2 === 0;
  // Without the bit of the currency: by currency it is 0, in all currencies together 1.
  const level = levels.findIndex((known) => (plan.currency === null ? known === g : known >> 1 === g >> 1));
  const isLine = level === levels.length - 1;
  const shown = plannedValues(plan).map((_, index) => row[`d${index}`] ?? null);
  const depth = Math.min(level, plan.keys.length);
  const isOneRecord = isLine && plan.isEach;
  return {
    level: plan.isEach || plan.keys.length > 0 ? level : 0,
    keys: shown.slice(0, isLine ? plan.keys.length : depth),
    shown,
    id: textOrNull(row['id']),
    source: isOneRecord ? textOrNull(row['s']) : null,
    currency: textOrNull(row['cur']),
    isByCurrency: isByCurrency && !isOneRecord,
    figures: plan.measures.map((_, index) => textOrNull(row[`m${index}`])),
    count: Number(row['n']),
  };
}

/**
 * Of records in groups those that come first as the report sorts them, before they are put under their groups: the most
 * urgent one may be in the last group. Where a column adds up from line to line all are needed for it.
 */
function firstRecords(plan: ReportPlan, rows: readonly RawRow[], limit: number): readonly RawRow[] {
  const isRunning = plan.columns.some(
    (column) => (column.cumulative ?? column.abc ?? column.running) !== undefined,
  );
  if (!plan.isEach || plan.keys.length === 0 || isRunning) return rows;
  let left = limit;
  return rows.filter(({ level }) => level <= plan.keys.length || (left -= 1) >= 0);
}

/** The documents that lines stand in, by the line. */
function headsOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, string> {
  const heads = new Map<string, string>();
  for (const { id, h } of rows) if (typeof id === 'string' && typeof h === 'string') heads.set(id, h);
  return heads;
}

function headOf(
  { id, source }: Pick<ReportRow, 'id' | 'source'>,
  heads: ReadonlyMap<string, string>,
): Pick<ReportResultRow, 'head'> {
  const head = id === null || source === null ? undefined : heads.get(id);
  return head === undefined ? {} : { head };
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function presentRow(row: ReportRow, plan: ReportPlan, labelOf: LabelOf): ReportResultRow {
  const visible = new Set(plan.columns.filter(({ hidden }) => hidden !== true).map(({ key }) => key));
  const labels: Record<string, string> = {};
  for (const [index, { columns }] of plannedValues(plan).entries())
    for (const key of columns) {
      const value = row.cells[key];
      if (value === undefined || (value === null && index >= row.keys.length)) continue;
      labels[key] = labelOf(index, value);
    }
  return {
    level: row.level,
    isLine: row.isLine,
    keys: [...row.keys],
    id: row.id,
    source: row.source,
    currency: row.currency,
    count: row.count,
    cells: Object.fromEntries(Object.entries(row.cells).filter(([key]) => visible.has(key))),
    labels,
    ...(row.isRest === true ? { isRest: true } : {}),
    ...shownAs(row, plan),
  };
}

/** How the figures of a row are shown that are none of the column's kind: a number of firms among amounts. */
function shownAs({ keys }: ReportRow, plan: ReportPlan): Pick<ReportResultRow, 'as'> {
  const at = keys.length - 1;
  const name = rowName(namingColumn(plan, plan.keys[at]), keys[at]);
  return name === null || typeof name === 'string' ? {} : { as: name.as };
}

/** The other report below it is named with what it is asked. */
function withTrend(
  chart: DrawnChart | null,
  trend: Pick<AskedReport, 'report' | 'values'> | null,
): ReportResult['chart'] {
  if (chart === null || trend === null) return chart;
  return { ...chart, trend: { report: trend.report.report, params: trend.values } };
}

type DrawnChart = Omit<NonNullable<ReportResult['chart']>, 'trend'>;

/** A chart without the columns that are hidden from the reader. */
function chartOf(plan: ReportPlan): DrawnChart | null {
  const { chart } = plan.report;
  if (chart === undefined) return null;
  const keys = new Set(plan.columns.map(({ key }) => key));
  const { beside, trend: _trend, ...own } = chart;
  const main = shownFigure(own, keys);
  const second = beside === undefined ? null : shownFigure(beside, keys);
  if (main === null) return second;
  return second === null ? main : { ...main, beside: second };
}

function shownFigure({ y, ...figure }: ReportFigure, keys: ReadonlySet<string>) {
  const shown = y.filter((key) => keys.has(key));
  if (!keys.has(figure.x) || shown.length === 0) return null;
  return { ...figure, y: shown };
}

const MAX_KEPT = 200;

/** Results under the overrides of files that they were reckoned by: other rights, other words, other results. */
interface KeptResults {
  readonly under: Overrides;
  readonly byKey: Map<string, { readonly result: ReportResult; readonly until: number }>;
}
const results = new WeakMap<Services['db'], KeptResults>();

function keptResults({ db }: Services): KeptResults['byKey'] {
  const under = overridesOf({ db });
  const known = results.get(db);
  if (known?.under === under) return known.byKey;
  const byKey: KeptResults['byKey'] = new Map();
  results.set(db, { under, byKey });
  return byKey;
}

/** All of the reader: company, department, role and what is opened to the person decide what is seen. */
function cacheKey(services: Services, { subject, context }: Caller, asked: AskedReport): string {
  const { report, values, limit } = asked;
  const revision = services.definitions.revision();
  return JSON.stringify([revision, report.report, subject, context.today, limit, values]);
}

function cached(services: Services, caller: Caller, asked: AskedReport): ReportResult | undefined {
  if (asked.report.cacheMinutes === undefined) return undefined;
  const known = keptResults(services).get(cacheKey(services, caller, asked));
  return known !== undefined && known.until > services.clock().getTime() ? known.result : undefined;
}

function keep(
  services: Services,
  caller: Caller,
  kept: { readonly asked: AskedReport; readonly result: ReportResult; readonly under: Overrides },
): void {
  const { asked, result, under } = kept;
  const { cacheMinutes } = asked.report;
  // What was reckoned while rights changed is nobody's.
  if (cacheMinutes === undefined || overridesOf(services) !== under) return;
  const byKey = keptResults(services);
  if (byKey.size >= MAX_KEPT) byKey.clear();
  byKey.set(cacheKey(services, caller, asked), {
    result,
    until: services.clock().getTime() + cacheMinutes * 60_000,
  });
}
