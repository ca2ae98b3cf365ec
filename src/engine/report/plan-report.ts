import type { Filter } from '../schema/definition.ts';
import { isNothing, type ParamValues } from './report-params.ts';
import { type Comparison, measureOf, type ReportColumn, type ReportDefinition } from './report-definition.ts';
import { paramNamed } from './report-names.ts';
import {
  comparedWindow,
  comparisonsOf,
  isSeries,
  periodOf,
  seriesWindow,
  type Window,
} from './report-period.ts';

/** A value that stands beside the figures: a group level, or what a row says. */
export interface PlannedValue {
  /** Path, name or formula, parameters put in. */
  readonly text: string;
  /** The columns that show it. */
  readonly columns: readonly string[];
}

/** A figure to be reckoned by the database. */
export interface PlannedMeasure {
  readonly column: string;
  readonly kind: 'sum' | 'avg' | 'min' | 'max' | 'distinct' | 'count';
  readonly over: string;
  readonly weight: string | null;
  /** Each of these counts once. */
  readonly per: string | null;
  readonly where: Filter | undefined;
  readonly currency: boolean;
  /** Only rows of these days; null: of all that were read. */
  readonly window: Window | null;
  /** The figure of a compared period, or of every month of a series. */
  readonly role: 'own' | 'series' | Comparison;
}

/** A report with its parameters put in, ready to be written as a statement. */
export interface ReportPlan {
  readonly report: ReportDefinition;
  readonly values: ParamValues;
  /** Columns with those that ratios need besides. */
  readonly columns: readonly ReportColumn[];
  /** Group levels, outer first. */
  readonly keys: readonly PlannedValue[];
  /** What rows say besides their groups. */
  readonly details: readonly PlannedValue[];
  readonly isEach: boolean;
  readonly measures: readonly PlannedMeasure[];
  readonly currency: string | null;
  /** The days that rows are read of. */
  readonly window: Window | null;
  readonly period: Window | null;
  /** The group level that is a series of months; null where there is none to compare. */
  readonly series: string | null;
}

/** The column that has words for a value. */
export function namingColumn(
  { columns }: Pick<ReportPlan, 'columns'>,
  value: PlannedValue | undefined,
): ReportColumn | undefined {
  return columns.find(({ key, names }) => names !== undefined && value?.columns.includes(key) === true);
}

/** Puts the parameters into a report; `isHidden` tells columns and names that the reader may not see. */
export function planReport(
  report: ReportDefinition,
  values: ParamValues,
  isHidden: (text: string, where?: Filter) => boolean,
): { readonly plan: ReportPlan; readonly hidden: readonly ReportColumn[] } {
  const chosen = chosenValues(report, values);
  const all = withRatioTerms(report.columns).flatMap((column) => {
    const title = titleBy(column.title, report, values);
    if (column.value === undefined) return [{ ...column, title }];
    // What the rows are grouped by now stands there once.
    if (chosen.has(column.value)) return [];
    const value = named(column.value, values);
    return value === null ? [] : [{ ...column, value, title: titleOf({ ...column, title }, report, value) }];
  });
  const hidden = hiddenColumns(all, isHidden);
  const columns = all.filter((column) => !hidden.has(column.key));
  const keys = (report.rows.by ?? [])
    .map((by) => named(by, values))
    .filter((by): by is string => by !== null && !isHidden(by));
  const shown = new Map<string, string[]>();
  for (const { key, value } of columns)
    if (value !== undefined) shown.set(value, [...(shown.get(value) ?? []), key]);
  const planned = (text: string): PlannedValue => ({ text, columns: shown.get(text) ?? [] });
  const period = periodOf(report, values);
  const comparisons = comparisonsOf({ columns });
  const series = comparisons.length === 0 ? null : isSeries(report, keys);
  const plan: ReportPlan = {
    report,
    values,
    columns,
    keys: keys.map(planned),
    details: [...shown.keys()].filter((text) => !keys.includes(text)).map(planned),
    isEach: report.rows.each === true || keys.length === 0,
    measures: measuresOf(columns, { period, series, isCompared: comparisons.length > 0 }),
    currency: columns.find(({ currency }) => currency !== undefined)?.currency ?? null,
    window: period === null ? null : readWindow(period, comparisons, series),
    period,
    series,
  };
  return { plan, hidden: all.filter(({ key, hidden: isInner }) => hidden.has(key) && isInner !== true) };
}

/** What the columns that are chosen show now. */
function chosenValues({ columns }: ReportDefinition, values: ParamValues): ReadonlySet<string> {
  const asked = columns.flatMap(({ value }) =>
    value === undefined || paramNamed(value) === null ? [] : [named(value, values)],
  );
  return new Set(asked.filter((value) => value !== null));
}

/** `{by}` by what was chosen; null where nothing was: then there is no such level and no column that names it. */
function named(text: string, values: ParamValues): string | null {
  const param = paramNamed(text);
  if (param === null) return text;
  const value = values[param] ?? null;
  return typeof value === 'string' && !isNothing(value) ? value : null;
}

/** A column that was chosen is called what was chosen. */
function titleOf({ title, value = '' }: ReportColumn, { params }: ReportDefinition, chosen: string): string {
  return params?.[paramNamed(value) ?? '']?.options?.[chosen] ?? title;
}

/** `{metric}` is called what was chosen of that parameter. */
function titleBy(title: string, { params }: ReportDefinition, values: ParamValues): string {
  const param = paramNamed(title);
  const chosen = param === null ? null : values[param];
  return typeof chosen === 'string' ? (params?.[param ?? '']?.options?.[chosen] ?? title) : title;
}

/** What a ratio names that is no column is a sum of its own. */
function withRatioTerms(columns: readonly ReportColumn[]): readonly ReportColumn[] {
  const keys = new Set(columns.map(({ key }) => key));
  const terms = columns.flatMap(({ ratio }) => ratio ?? []).map((term) => term.replace(/^total\./, ''));
  const missing = [...new Set(terms)].filter((term) => !keys.has(term));
  return [...columns, ...missing.map((key) => ({ key, title: key, sum: key, hidden: true }))];
}

/** Columns that read what is hidden, and those that follow from them. */
function hiddenColumns(
  columns: readonly ReportColumn[],
  isHidden: (text: string, where?: Filter) => boolean,
): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (let size = -1; size < hidden.size;) {
    size = hidden.size;
    for (const column of columns) {
      const own = [column.value, measureOf(column)?.over, column.weight, column.per, column.currency].filter(
        (text): text is string => text !== undefined && text !== '',
      );
      const isOwn =
        own.some((text) => isHidden(text)) || (column.where !== undefined && isHidden('', column.where));
      if (isOwn || columnReads(column).some((key) => hidden.has(key))) hidden.add(column.key);
    }
  }
  return hidden;
}

/** The columns that a column is reckoned from. */
export function columnReads({
  ratio,
  formula,
  of,
  cumulative,
  abc,
  running,
}: ReportColumn): readonly string[] {
  const terms = (ratio ?? []).map((term) => term.replace(/^total\./, ''));
  const words = formula?.match(/[a-z][a-z0-9_]*/g) ?? [];
  return [...terms, ...words, ...[of, cumulative, abc, running].filter((key) => key !== undefined)];
}

function measuresOf(
  columns: readonly ReportColumn[],
  { period, series, isCompared }: { period: Window | null; series: string | null; isCompared: boolean },
): readonly PlannedMeasure[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const window = isCompared ? period : null;
  return columns.flatMap((column): readonly PlannedMeasure[] => {
    const own = measured(column, { role: 'own', window });
    if (own !== null) return [own];
    const { compare, of = '' } = column;
    const over = byKey.get(of);
    if (compare === undefined || over === undefined || period === null) return [];
    const role = series === null ? compare : 'series';
    const other = measured(over, { role, window: series === null ? comparedWindow(compare, period) : null });
    return other === null ? [] : [{ ...other, column: column.key }];
  });
}

function measured(
  column: ReportColumn,
  { role, window }: Pick<PlannedMeasure, 'role' | 'window'>,
): PlannedMeasure | null {
  const measure = measureOf(column);
  if (measure === null) return null;
  return {
    column: column.key,
    ...measure,
    weight: column.weight ?? null,
    per: column.per ?? null,
    where: column.where,
    currency: column.currency !== undefined,
    window,
    role,
  };
}

function readWindow(period: Window, comparisons: readonly Comparison[], series: string | null): Window {
  if (series !== null) return seriesWindow(comparisons, period);
  const windows = [period, ...comparisons.map((comparison) => comparedWindow(comparison, period))];
  return {
    from: windows.map(({ from }) => from).sort()[0] ?? period.from,
    to:
      windows
        .map(({ to }) => to)
        .sort()
        .at(-1) ?? period.to,
  };
}
