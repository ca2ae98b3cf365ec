import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { sumDecimals } from '#engine/values/decimal.ts';
import { cellText } from './report-text.ts';

/** What a chart draws: the values of each series by point. */
export interface ChartPoints {
  /** The series go from what is as it should be to what is worst, and are coloured so. */
  readonly isRising?: boolean;
  readonly names: readonly string[];
  readonly series: readonly {
    readonly title: string;
    readonly isShare: boolean;
    readonly values: readonly (number | null)[];
  }[];
}

const MOST = 36;
/** Lines and clouds have room for each day of a year. */
const FINE: ReadonlySet<string> = new Set(['line', 'scatter']);
const MOST_FINE = 400;
/** More parts of a ring are slivers, and their names find no place beside it. */
const MOST_PARTS = 9;
const REST = '其余';

/** The points of a report's chart: its outermost groups where the chart names them, else its lines. Drawing needs no cents. */
export function chartPoints(result: ReportResult, chart: NonNullable<ReportResult['chart']>): ChartPoints {
  const x = result.columns.find(({ key }) => key === chart.x);
  if (x === undefined) return { names: [], series: [] };
  const isOuter = x.group !== undefined && x.group < result.groups;
  const rows = result.rows.filter((row) =>
    isOuter ? row.level === (x.group ?? 0) + 1 && !row.isLine : row.isLine,
  );
  const byName = new Map<string, ReportResultRow[]>();
  // Single records are told by their class, inner groups by what they have in common: in the order of that.
  const isOrdered = x.group === undefined ? rows.some(({ id }) => id !== null) : x.group > 0;
  const inOrder = isOrdered
    ? rows.toSorted((a, b) => (rawText(a, x.key) < rawText(b, x.key) ? -1 : 1))
    : rows;
  for (const row of inOrder) {
    const text = cellText(row, x);
    const name =
      text.kind === 'text' || text.kind === 'figure' ? text.text : row.isRest === true ? REST : '（空）';
    byName.set(name, [...(byName.get(name) ?? []), row]);
  }
  const figures = drawnFigures(result, inOrder, chart);
  const named = largest([...byName], { ...chart, figure: figures[0] }, isOrdered);
  const series = figures.map((figure) => {
    const { as } = figure.column;
    // Nothing came in is nothing; a rate or a share of nothing is none.
    const none = as === 'money' || as === 'integer' ? 0 : null;
    const values = named.map(([, own]) => sumOf(own, figure) ?? none);
    return { title: titleOf(figure), isShare: as === 'percent', values };
  });
  return { names: named.map(([name]) => name), series, ...(chart.rising === true ? { isRising: true } : {}) };
}

/** A column that is drawn, of original currency in one of them. */
interface DrawnFigure {
  readonly column: ReportResultColumn;
  readonly currency: string | null;
}

const HOME = 'CNY';
/** Currencies stand beside each other; stacked or as parts of a whole they would be added. */
const BESIDE: ReadonlySet<string> = new Set(['bar', 'line']);

function drawnFigures(
  { columns }: ReportResult,
  rows: readonly ReportResultRow[],
  { kind, y }: NonNullable<ReportResult['chart']>,
): readonly DrawnFigure[] {
  return y.flatMap((key): readonly DrawnFigure[] => {
    const column = columns.find((one) => one.key === key);
    if (column === undefined) return [];
    const currencies = column.byCurrency === true ? currenciesOf(rows, key) : [];
    if (currencies.length === 0) return [{ column, currency: null }];
    const drawn = BESIDE.has(kind) ? currencies : currencies.slice(0, 1);
    return drawn.map((currency) => ({ column, currency }));
  });
}

/** Our own first. */
function currenciesOf(rows: readonly ReportResultRow[], key: string): readonly string[] {
  const all = rows.flatMap(({ cells }) => {
    const cell = cells[key];
    return typeof cell === 'object' && cell !== null ? Object.keys(cell) : [];
  });
  const sorted = [...new Set(all)].toSorted();
  return [...sorted.filter((one) => one === HOME), ...sorted.filter((one) => one !== HOME)];
}

function titleOf({ column, currency }: DrawnFigure): string {
  return currency === null ? column.title : `${column.title} ${currency}`;
}

type Named = readonly [name: string, rows: readonly ReportResultRow[]];

/**
 * The points that have room. Where the order of names says nothing of their size the largest are taken; what a pie leaves
 * out is still a part of it, and a line ends with its last point.
 */
function largest(
  all: readonly Named[],
  { kind, top, figure }: NonNullable<ReportResult['chart']> & { readonly figure: DrawnFigure | undefined },
  isByName: boolean,
): readonly Named[] {
  const size = ([name, rows]: Named): number =>
    name === REST || figure === undefined ? -Infinity : (sumOf(rows, figure) ?? 0);
  const isBySize = kind === 'pie' || (isByName && top !== undefined);
  const sorted = isBySize ? all.toSorted((a, b) => size(b) - size(a)) : all;
  if (FINE.has(kind) && top === undefined) return sorted.slice(-MOST_FINE);
  const most = kind === 'pie' ? Math.min(top ?? MOST_PARTS, MOST_PARTS) : (top ?? MOST);
  if (kind !== 'pie' || all.length <= most) return sorted.slice(0, most);
  return [...sorted.slice(0, most), [REST, sorted.slice(most).flatMap(([, rows]) => rows)]];
}

function sumOf(rows: readonly ReportResultRow[], { column, currency }: DrawnFigure): number | null {
  const figures = rows.flatMap(({ cells }) => plainFigure(cells[column.key], currency));
  return figures.length === 0 ? null : Number(sumDecimals(figures));
}

function rawText(row: ReportResultRow, key: string): string {
  const cell = row.cells[key];
  return typeof cell === 'string' ? cell : '';
}

function plainFigure(cell: unknown, currency: string | null): readonly string[] {
  if (typeof cell === 'string') return [cell];
  const amount: unknown =
    typeof cell === 'object' && cell !== null && currency !== null ? Reflect.get(cell, currency) : undefined;
  return amount === undefined ? [] : [String(amount)];
}
