import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import type { EvaluationContext, Resource } from '../schema/resource.ts';
import {
  absoluteDecimal,
  divideDecimals,
  isPlainDecimal,
  subtractDecimals,
  sumDecimals,
} from '../values/decimal.ts';
import type { PlannedMeasure, ReportPlan } from './plan-report.ts';
import { columnReads } from './plan-report.ts';
import { accumulate, inOrder } from './order-rows.ts';
import { plainField } from './report-names.ts';
import type { Cells, OpenRow, RawRow, ReportCellValue, ReportRow } from './report-rows.ts';
import { comparedMonths } from './report-period.ts';
import type { ReportColumn } from './report-definition.ts';

/** Puts groups, lines and total into their order, with everything that is reckoned from figures. */
export function finishReport(
  plan: ReportPlan,
  raw: readonly RawRow[],
  at: { readonly context: EvaluationContext; readonly labelOf: (index: number, value: unknown) => string },
): { readonly rows: readonly ReportRow[]; readonly total: ReportRow | null } {
  const lineLevel = plan.isEach ? plan.keys.length + 1 : Math.max(1, plan.keys.length);
  const byCurrency = currencyFigures(plan, raw);
  const series = plan.series === null ? null : seriesFigures(plan, raw, lineLevel);
  const open = raw
    .filter(({ isByCurrency }) => !isByCurrency)
    .map((row) => ({ raw: row, cells: firstCells(plan, row, { byCurrency, series, lineLevel }) }));
  const total = open.find(({ raw: { level } }) => level === 0) ?? null;
  const inPeriod = open.filter(({ raw: row }) => isInPeriod(plan, row));
  const reckoned = inOrderOfNeed(plan.columns);
  for (const row of open)
    reckon(plan, row, { columns: reckoned, total: total?.cells ?? row.cells, context: at.context });
  const ordered = inOrder(plan, inPeriod, { lineLevel, labelOf: at.labelOf });
  accumulate(plan, ordered, { lineLevel, total: total?.cells ?? {} });
  const rows = ordered.map((row) => presented(row, lineLevel));
  return {
    rows: withRest(plan, rows, { total, lineLevel, context: at.context }),
    total: total === null ? null : presented(total, lineLevel),
  };
}

/** The figures of each currency, by the row that they are of. */
function currencyFigures(plan: ReportPlan, raw: readonly RawRow[]): ReadonlyMap<string, readonly RawRow[]> {
  const known = new Map<string, RawRow[]>();
  if (plan.currency === null) return known;
  for (const row of raw) {
    if (!row.isByCurrency || row.currency === null) continue;
    const key = keyOf(row);
    const parts = known.get(key);
    if (parts === undefined) known.set(key, [row]);
    else parts.push(row);
  }
  return known;
}

function keyOf({ level, keys, id }: RawRow): string {
  return JSON.stringify([level, keys, id]);
}

/** Figures of all months read, by the keys beside the month. */
type Series = (row: RawRow, month: string, measure: number) => string | null;

function seriesFigures(plan: ReportPlan, raw: readonly RawRow[], lineLevel: number): Series {
  const at = monthAt(plan);
  const known = new Map<string, RawRow>();
  const beside = (row: RawRow, month: string): string =>
    JSON.stringify(row.keys.map((key, index) => (index === at ? month : key)));
  for (const row of raw)
    if (row.level === lineLevel && !row.isByCurrency) known.set(beside(row, String(row.keys[at])), row);
  return (row, month, measure) => known.get(beside(row, month))?.figures[measure] ?? null;
}

function monthAt(plan: ReportPlan): number {
  return plan.keys.findIndex(({ text }) => text === plan.series);
}

/** Months before the period are read for comparison only, and groups that have no others. */
function isInPeriod(plan: ReportPlan, row: RawRow): boolean {
  const at = monthAt(plan);
  if (plan.series === null || plan.period === null || at < 0) return true;
  if (row.keys.length <= at) return row.count > 0 || row.level === 0;
  const month = row.keys[at];
  return typeof month !== 'string' || month >= plan.period.from.slice(0, 7);
}

function firstCells(
  plan: ReportPlan,
  row: RawRow,
  at: {
    readonly byCurrency: ReadonlyMap<string, readonly RawRow[]>;
    readonly series: Series | null;
    readonly lineLevel: number;
  },
): Record<string, ReportCellValue> {
  const cells: Record<string, ReportCellValue> = {};
  const isLine = row.level === at.lineLevel;
  for (const [index, { columns }] of plan.keys.entries())
    if (index < row.keys.length) for (const key of columns) cells[key] = asCell(row.keys[index]);
  if (isLine)
    for (const [index, { columns }] of plan.details.entries())
      for (const key of columns) cells[key] = asCell(row.shown[plan.keys.length + index]);
  for (const [index, measure] of plan.measures.entries()) {
    if (measure.role === 'own') cells[measure.column] = ownFigure(row, { index, measure, ...at });
    else if (measure.role === 'series')
      cells[measure.column] = comparedFigure(plan, row, { index, measure, ...at });
    else cells[measure.column] = row.figures[index] ?? null;
  }
  return cells;
}

function ownFigure(
  row: RawRow,
  {
    index,
    measure,
    byCurrency,
  }: {
    readonly index: number;
    readonly measure: PlannedMeasure;
    readonly byCurrency: ReadonlyMap<string, readonly RawRow[]>;
  },
): ReportCellValue {
  const figure = row.figures[index] ?? null;
  if (!measure.currency) return figure;
  if (row.currency !== null) return figure === null ? null : { [row.currency]: figure };
  const parts = (byCurrency.get(keyOf(row)) ?? []).flatMap((part): readonly (readonly [string, string])[] => {
    const value = part.figures[index] ?? null;
    return value === null || part.currency === null ? [] : [[part.currency, value]];
  });
  return parts.length === 0 ? null : Object.fromEntries(parts.toSorted(([a], [b]) => a.localeCompare(b)));
}

/** The figure that a month is compared with, or the sum over the months; on subtotals there is none. */
function comparedFigure(
  plan: ReportPlan,
  row: RawRow,
  {
    index,
    measure,
    series,
    lineLevel,
  }: {
    readonly index: number;
    readonly measure: PlannedMeasure;
    readonly series: Series | null;
    readonly lineLevel: number;
  },
): ReportCellValue {
  const column = plan.columns.find(({ key }) => key === measure.column);
  const month = row.keys[monthAt(plan)];
  if (
    series === null ||
    column?.compare === undefined ||
    row.level !== lineLevel ||
    typeof month !== 'string'
  )
    return null;
  const months = comparedMonths(column.compare, month);
  const figures = months.map((one) => series(row, one, index)).filter((figure) => figure !== null);
  return figures.length === 0 ? null : sumDecimals(figures);
}

function asCell(value: unknown): ReportCellValue {
  if (value === null || value === undefined) return null;
  return typeof value === 'boolean' ? value : String(value);
}

/** Ratios, growth and formulas of a row; what reads another such column comes after it. */
function reckon(
  plan: ReportPlan,
  { cells }: OpenRow,
  at: {
    readonly columns: readonly ReportColumn[];
    readonly total: Readonly<Record<string, ReportCellValue>>;
    readonly context: EvaluationContext;
  },
): void {
  for (const column of at.columns) {
    if (column.ratio !== undefined) cells[column.key] = ratioOf(column.ratio, cells, at.total);
    if (column.compare !== undefined && isGrowth(column))
      cells[column.key] = growthOf(cells[column.of ?? ''], cells[column.key]);
    if (column.formula !== undefined)
      cells[column.key] = formulaOf(column.formula, cells, { plan, context: at.context });
  }
}

/** Growth is what previous and year show unless they say otherwise. */
export function isGrowth({ compare, show }: ReportColumn): boolean {
  return (compare === 'previous' || compare === 'year') && show !== 'value';
}

/** The columns that are reckoned from others, each after those that it reads. */
function inOrderOfNeed(columns: readonly ReportColumn[]): readonly ReportColumn[] {
  const done: ReportColumn[] = [];
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const visit = (column: ReportColumn, path: readonly string[]): void => {
    if (done.includes(column) || path.includes(column.key)) return;
    for (const key of columnReads(column)) {
      const other = byKey.get(key);
      if (other !== undefined) visit(other, [...path, column.key]);
    }
    done.push(column);
  };
  for (const column of columns) visit(column, []);
  return done;
}

function ratioOf([over, under]: readonly [string, string], cells: Cells, total: Cells): string | null {
  const read = (term: string): ReportCellValue =>
    (term.startsWith('total.') ? total[term.slice('total.'.length)] : cells[term]) ?? null;
  const [a, b] = [read(over), read(under)];
  return isPlainDecimal(a) && isPlainDecimal(b) ? divideDecimals(a, b) : null;
}

/** The change as a share of what was before. It goes up where the figure does, also from a loss: by its size. */
function growthOf(now: ReportCellValue | undefined, before: ReportCellValue | undefined): string | null {
  if (!isPlainDecimal(before)) return null;
  return divideDecimals(subtractDecimals(isPlainDecimal(now) ? now : '0', before), absoluteDecimal(before));
}

function formulaOf(
  formula: string,
  cells: Cells,
  { plan, context }: { readonly plan: ReportPlan; readonly context: EvaluationContext },
): string | null {
  const fields = Object.fromEntries(plan.columns.map(({ key }) => [key, plainField(key, 'decimal')]));
  const value = evaluate(parseExpression(formula), {
    resource: { resource: '', fields } as unknown as Resource,
    catalog: { resources: {}, dictionaries: {}, roles: {}, menu: [] },
    record: cells,
    context,
  });
  return typeof value === 'string' ? value : null;
}

/** The first lines, and one for all others: figures that add up as what is left, others anew from those. */
function withRest(
  plan: ReportPlan,
  rows: readonly ReportRow[],
  {
    total,
    lineLevel,
    context,
  }: { readonly total: OpenRow | null; readonly lineLevel: number; readonly context: EvaluationContext },
): readonly ReportRow[] {
  const { top } = plan.report;
  if (top === undefined || total === null || plan.keys.length > 1 || rows.length <= top) return rows;
  const first = rows.slice(0, top);
  const cells: Record<string, ReportCellValue> = {};
  for (const { column, kind, currency, role } of plan.measures)
    if ((kind === 'sum' || kind === 'count') && !currency && role === 'own')
      cells[column] = first.reduce<string>(
        (left, row) => subtractDecimals(left, decimalOf(row.cells[column])),
        decimalOf(total.cells[column]),
      );
  const row: OpenRow = {
    raw: {
      ...total.raw,
      level: lineLevel,
      count: total.raw.count - first.reduce((n, { count }) => n + count, 0),
    },
    cells,
  };
  reckon(plan, row, { columns: inOrderOfNeed(plan.columns), total: total.cells, context });
  return [...first, { ...presented(row, lineLevel), isRest: true }];
}

function decimalOf(cell: ReportCellValue | undefined): string {
  return isPlainDecimal(cell) ? cell : '0';
}

function presented({ raw, cells }: OpenRow, lineLevel: number): ReportRow {
  const { level, keys, id, source, currency, count } = raw;
  return { level, isLine: level === lineLevel, keys, id, source, currency, count, cells };
}
