import { addDays, addMonths, daysBetween } from '../values/dates.ts';
import type { CalendarPart, Comparison, ReportDefinition } from './report-definition.ts';
import { measureOf } from './report-definition.ts';
import type { ParamValues } from './report-params.ts';

/** A stretch of days, both ends included. */
export interface Window {
  readonly from: string;
  readonly to: string;
}

/** The period that a report looks at; null where it has none. An end that was left open is far away. */
export function periodOf({ rows }: Pick<ReportDefinition, 'rows'>, values: ParamValues): Window | null {
  if (rows.period === undefined) return null;
  const [from, to] = [values[rows.period.from], values[rows.period.to]];
  return {
    from: typeof from === 'string' ? from : '1900-01-01',
    to: typeof to === 'string' ? to : '2999-12-31',
  };
}

/** The period that a whole report is compared with. */
export function comparedWindow(comparison: Comparison, { from, to }: Window): Window {
  switch (comparison) {
    case 'previous':
      return before({ from, to });
    case 'year':
      return { from: addMonths(from, -12), to: sameEnd(to, -12) };
    case 'ytd':
      return { from: `${to.slice(0, 4)}-01-01`, to };
    case 'rolling':
      return { from: addDays(addMonths(addDays(to, 1), -12), 0), to };
  }
}

/** How far back the rows of a series must reach, so that its first month can be compared. */
export function seriesWindow(comparisons: Iterable<Comparison>, { from, to }: Window): Window {
  const first = `${from.slice(0, 8)}01`;
  const starts = [from];
  for (const comparison of comparisons) starts.push(SERIES_START[comparison](first));
  return { from: starts.sort()[0] ?? from, to };
}

/** The months (`2026-11`) that a figure of a month is compared with or summed over. */
export function comparedMonths(comparison: Comparison, month: string): readonly string[] {
  switch (comparison) {
    case 'previous':
      return [shiftMonth(month, -1)];
    case 'year':
      return [shiftMonth(month, -12)];
    case 'ytd':
      return Array.from({ length: Number(month.slice(5, 7)) }, (_, index) => shiftMonth(month, -index));
    case 'rolling':
      return Array.from({ length: 12 }, (_, index) => shiftMonth(month, -index));
  }
}

/** @example shiftMonth('2026-01', -1) // '2025-12' */
export function shiftMonth(month: string, count: number): string {
  return addMonths(`${month}-01`, count).slice(0, 7);
}

/** Whether columns compare a series by month: its months stand as rows. */
export function isSeries(definition: ReportDefinition, keys: readonly string[]): string | null {
  return keys.find((key) => dateClasses(definition.rows, key) === 'month') ?? null;
}

/** The parts of the calendar that a group puts the dates of the period into; null for any other group. */
export function dateClasses(
  { period, union, let: own }: ReportDefinition['rows'],
  key: string,
): CalendarPart | null {
  const given = { ...own, ...union?.[0]?.let }[key];
  if (period === undefined || typeof given !== 'object' || given.of !== period.date) return null;
  return given.calendar ?? null;
}

/** The comparisons of figures that a report has. */
export function comparisonsOf({ columns }: Pick<ReportDefinition, 'columns'>): readonly Comparison[] {
  const figures = new Set(columns.filter((column) => measureOf(column) !== null).map(({ key }) => key));
  return columns.flatMap(({ compare, of = '' }) =>
    compare !== undefined && figures.has(of) ? [compare] : [],
  );
}

const SERIES_START = {
  previous: (first) => addMonths(first, -1),
  year: (first) => addMonths(first, -12),
  ytd: (first) => `${first.slice(0, 4)}-01-01`,
  rolling: (first) => addMonths(first, -11),
} as const satisfies Record<Comparison, (first: string) => string>;

/** Whole months have whole months before them, other stretches as many days. */
function before({ from, to }: Window): Window {
  const isWhole = from.endsWith('-01') && addDays(to, 1).endsWith('-01');
  if (!isWhole) return { from: addDays(from, -(daysBetween(from, to) + 1)), to: addDays(from, -1) };
  const months =
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 +
    Number(to.slice(5, 7)) -
    Number(from.slice(5, 7)) +
    1;
  return { from: addMonths(from, -months), to: addDays(from, -1) };
}

/** The end of a month stays one: 28 February is 29 February a leap year before. */
function sameEnd(to: string, months: number): string {
  const next = addDays(to, 1);
  return next.endsWith('-01') ? addDays(addMonths(next, months), -1) : addMonths(to, months);
}
