import type { Filter } from '../schema/definition.ts';

/** What a report file says: see `REPORT_SCHEMA` for the words. */
export interface ReportDefinition {
  readonly report: number;
  readonly title: string;
  readonly route: string;
  /** Who may open it, beside the right to list its sources. */
  readonly roles: readonly string[];
  readonly params?: Readonly<Record<string, ReportParam>>;
  readonly rows: ReportRows;
  readonly columns: readonly ReportColumn[];
  /** Keys of columns, `-` before descending ones: within a group. */
  readonly sort?: readonly string[];
  readonly totals?: boolean;
  /** At most so many lines, the others put together. */
  readonly top?: number;
  readonly chart?: ReportChart;
  /** An answer is good for so long. */
  readonly cacheMinutes?: number;
}

export const PARAM_TYPES = [
  'date',
  'integer',
  'decimal',
  'text',
  'boolean',
  'reference',
  'dictionary',
] as const;
export type ReportParamType = (typeof PARAM_TYPES)[number];

export interface ReportParam {
  readonly type: ReportParamType;
  readonly title: string;
  readonly required?: boolean;
  /** A value, `{ "$": "today" }` (also `month_start`, `month_end`, `year_start`), or a formula `{ "=": … }`. */
  readonly default?: unknown;
  readonly options?: Readonly<Record<string, string>>;
  readonly to?: string;
  readonly dictionary?: string;
  readonly multiple?: boolean;
}

/** Where the rows come from: one source, or a union of several under common names. */
export interface ReportRows extends Partial<ReportSource> {
  readonly union?: readonly ReportSource[];
  /** Group levels, outer first: paths, names of `let`, or `{param}`. */
  readonly by?: readonly string[];
  /** Every row stands for itself below the group levels. */
  readonly each?: boolean;
  /** The stretch of time that the report looks at: what comparisons move. */
  readonly period?: ReportPeriod;
}

export interface ReportPeriod {
  /** A path or a name of `let` that is a date. */
  readonly date: string;
  /** Parameters. */
  readonly from: string;
  readonly to: string;
  /** Lists the days, weeks, months … without rows too: of the one group, which is of this date. */
  readonly complete?: boolean;
}

export interface ReportSource {
  /** `shipment`, or `shipment.items`. */
  readonly from: string;
  readonly where?: Filter;
  readonly with?: Readonly<Record<string, ReportWith>>;
  readonly let?: Readonly<Record<string, ReportLet>>;
  /** What stands at the end of a period: everything up to it counts, as entries of a ledger make a balance. */
  readonly stock?: boolean;
  /** In a union: left out, and told, for roles that may not list it. */
  readonly optional?: boolean;
}

/** A figure over other records. */
export interface ReportWith {
  readonly of: string;
  /** Their field with the id of this row, or their fields to own ones. */
  readonly by: string | Readonly<Record<string, string>>;
  readonly where?: Filter;
  /** Of all records that belong to the row, also those that are not among the reader's own: as its stored sums are. */
  readonly whole?: boolean;
  readonly sum?: string;
  readonly min?: string;
  readonly max?: string;
  readonly avg?: string;
  readonly count?: true;
}

/** A formula, or a value put into classes. */
export type ReportLet = string | ReportClasses;

export const CALENDAR_PARTS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarPart = (typeof CALENDAR_PARTS)[number];

export interface ReportClasses {
  readonly of: string;
  /** Of a date: the day, week (its Monday), month (2026-11), quarter (2026-Q4) or year. */
  readonly calendar?: CalendarPart;
  /** Of a number: upper bounds, ascending, each belonging to the class it ends. */
  readonly steps?: readonly string[];
  /** Of a text: its first letters. */
  readonly first?: number;
}

export const COMPARISONS = ['previous', 'year', 'ytd', 'rolling'] as const;
/** 环比, 同比, 本年累计, 12 月滚动. */
export type Comparison = (typeof COMPARISONS)[number];

export interface ReportColumn {
  readonly key: string;
  readonly title: string;
  /** What a row is or says: a path, name or formula. */
  readonly value?: string;
  /** What people read instead of its values; groups stand in this order. */
  readonly names?: Readonly<Record<string, string | ReportRowName>>;
  /** What people read where it has no value. */
  readonly none?: string;
  readonly sum?: string;
  readonly avg?: string;
  /** With `avg`: what each value weighs. */
  readonly weight?: string;
  /** With `sum`: each of these counts once, whatever number of rows it has; rows without one count as they are. */
  readonly per?: string;
  readonly min?: string;
  readonly max?: string;
  readonly distinct?: string;
  readonly count?: true;
  /** Only rows that match. */
  readonly where?: Filter;
  /** Columns; `total.x` is of the whole report. */
  readonly ratio?: readonly [string, string];
  /** Over columns of the same line: on totals reckoned anew. */
  readonly formula?: string;
  readonly compare?: Comparison;
  readonly of?: string;
  /** `growth` (of previous and year) or the value itself. */
  readonly show?: 'growth' | 'value';
  /** The running share of a column in its total, in the order of the lines. */
  readonly cumulative?: string;
  /** The running sum of a column, in the order of the lines. */
  readonly running?: string;
  /** A, B or C by such a running share. */
  readonly abc?: string;
  /** Original currency: a path; then totals stand by currency. */
  readonly currency?: string;
  /** How figures are shown; default by what they are. */
  readonly as?: 'money' | 'number' | 'percent' | 'integer';
  readonly scale?: number;
  readonly hidden?: boolean;
}

/** What a row is called, and how its figures are shown where they are not what those of the others are. */
export interface ReportRowName {
  readonly title: string;
  readonly as: 'number' | 'integer';
}

export const CHART_KINDS = [
  'bar',
  'stackedBar',
  'line',
  'pie',
  'pareto',
  'barLine',
  'cards',
  'scatter',
  'map',
  'gantt',
] as const;
export type ReportChartKind = (typeof CHART_KINDS)[number];

export interface ReportChart extends ReportFigure {
  /** A second figure of the same rows, such as the shares beside a map. */
  readonly beside?: ReportFigure;
  readonly trend?: TrendDefinition;
}

/** The report whose chart stands below: how the figures of this one have gone. */
export interface TrendDefinition {
  readonly report: number;
  /** The parameter, a date, from which the other's own days are counted: its 本月 is that day's month. */
  readonly on: string;
}

export interface ReportFigure {
  readonly kind: ReportChartKind;
  /** The column that names the points. */
  readonly x: string;
  readonly y: readonly string[];
  /** The first so many points. */
  readonly top?: number;
  /** The columns go from what is as it should be to what is worst, and are coloured so. */
  readonly rising?: boolean;
}

/** The sources of a report. */
export function sourcesOf({ rows }: Pick<ReportDefinition, 'rows'>): readonly ReportSource[] {
  if (rows.union !== undefined) return rows.union;
  const { from, where, with: sums, let: names, stock } = rows;
  return from === undefined
    ? []
    : [
        {
          from,
          ...(where === undefined ? {} : { where }),
          ...(sums === undefined ? {} : { with: sums }),
          ...(names === undefined ? {} : { let: names }),
          ...(stock === undefined ? {} : { stock }),
        },
      ];
}

/** The words of a column's value; null where it has none. */
export function rowName(
  column: Pick<ReportColumn, 'names'> | undefined,
  value: unknown,
): ReportRowName | string | null {
  const names = column?.names;
  if (names === undefined || typeof value !== 'string' || !Object.hasOwn(names, value)) return null;
  return names[value] ?? null;
}

/** The measure of a column by its kind, with what it is over; null for columns that say or reckon. */
export function measureOf(
  column: ReportColumn,
): { readonly kind: 'sum' | 'avg' | 'min' | 'max' | 'distinct' | 'count'; readonly over: string } | null {
  for (const kind of ['sum', 'avg', 'min', 'max', 'distinct'] as const) {
    const over = column[kind];
    if (over !== undefined) return { kind, over };
  }
  return column.count === true ? { kind: 'count', over: '' } : null;
}
