import type { ChartSettings } from '#engine/fields/chart-settings.ts';
import { type CellValue, readCell } from './cell-number.ts';
import { type GridCell, tableGrid } from './table-grid.ts';

export interface ChartSeries {
  readonly name: string;
  /** A value for each point; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** What of a table is drawn. */
export interface ChartData {
  readonly points: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Unit behind the numbers: that of the settings, or a percent sign when all cells have one. */
  readonly unit: string;
  /** What is not drawn and why, for the reader. */
  readonly hints: readonly string[];
}

const MAX_POINTS = 500;
const MAX_SERIES = 30;
const MAX_EXAMPLES = 3;

/** Reads the numbers of a table. Its first rows and columns name points and series; merged cells count once. */
export function readChartData(table: HTMLTableElement, settings: ChartSettings): ChartData {
  const { rows, columns, cells } = orientedGrid(tableGrid(table), settings.dataFormat);
  const read = cells.map((row) => row.map((cell) => readCell(cell?.text ?? '', settings.suffix)));
  const numbers = read.flat().filter((cell) => cell.kind === 'number');
  const isPercent = numbers.length > 0 && numbers.every((cell) => cell.isPercent);
  const lines = read.map((row, y) => ({
    name: rows[y] ?? '',
    values: row.map((cell) => numberOf(cell, isPercent)),
    unread: row.flatMap((cell, x) => (cell.kind === 'text' ? [cells[y]?.[x]?.text ?? ''] : [])),
  }));
  const isPie = settings.chartType === 'pie';
  const drawn = isPie ? lines.filter(hasNumber).slice(0, 1) : lines.slice(0, MAX_SERIES);
  const series = drawn.map(({ name, values }) => ({
    name,
    values: values.slice(0, MAX_POINTS).map((value) => (isPie && (value ?? 0) <= 0 ? null : value)),
  }));
  const isDrawable = series.some(hasNumber);
  return {
    points: columns.slice(0, MAX_POINTS),
    series: isDrawable ? series : [],
    unit: settings.suffix !== '' || !isPercent ? settings.suffix : '%',
    hints: [
      ...(isDrawable ? [] : ['表格里没有可以画成图的数字']),
      ...unreadHint(drawn.flatMap(({ unread }) => unread)),
      ...(isPie ? pieHints(drawn, lines.length) : manyHints(lines.length, columns.length)),
    ],
  };
}

/** The caption of a table is the title of a chart without one. */
export function captionOf(table: HTMLTableElement): string {
  return table.caption?.textContent.trim() ?? '';
}

function numberOf(cell: CellValue, isAllPercent: boolean): number | null {
  if (cell.kind !== 'number') return null;
  return cell.isPercent && !isAllPercent ? cell.number / 100 : cell.number;
}

function hasNumber({ values }: ChartSeries): boolean {
  return values.some((value) => value !== null);
}

type Grid = readonly (readonly (GridCell | null)[])[];

interface OrientedGrid {
  /** Names of the series. */
  readonly rows: readonly string[];
  /** Names of the points. */
  readonly columns: readonly string[];
  /** A row for each series; null where a merged cell goes on. */
  readonly cells: Grid;
}

function orientedGrid(grid: Grid, format: 'row' | 'column'): OrientedGrid {
  const top = headerCount(grid);
  const left = headerCount(transpose(grid.slice(top)));
  const cells = grid
    .slice(top)
    .map((row, y) =>
      row.slice(left).map((cell, x) => (cell?.x === x + left && cell.y === y + top ? cell : null)),
    );
  const upper = namesOf(transpose(grid.slice(0, top)).slice(left));
  const side = namesOf(grid.slice(top).map((row) => row.slice(0, left)));
  const isByRow = format === 'row';
  return {
    rows: distinct(isByRow ? side : upper, '系列'),
    columns: distinct(isByRow ? upper : side, '第'),
    cells: isByRow ? cells : transpose(cells),
  };
}

/** Lines of header cells only; the first line names the others in any case. */
function headerCount(lines: Grid): number {
  const first = lines.findIndex((line) => line.some((cell) => cell !== null && !cell.isHeader));
  return Math.max(1, first < 0 ? 0 : first);
}

/** A merged name stands in front of each of the names below it. */
function namesOf(lines: Grid): readonly string[] {
  return lines.map((line) =>
    [...new Set(line.map((cell) => cell?.text ?? ''))].filter((text) => text !== '').join(' '),
  );
}

/** Names of which none is empty or stands twice: the chart tells things apart by them. */
function distinct(names: readonly string[], fallback: '系列' | '第'): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((text, index) => {
    const name = text !== '' ? text : fallback === '系列' ? `系列${index + 1}` : `第${index + 1}项`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}（${count}）`;
  });
}

function transpose<T>(lines: readonly (readonly T[])[]): T[][] {
  const width = Math.max(0, ...lines.map((line) => line.length));
  return Array.from({ length: width }, (_line, x) =>
    lines.flatMap((line) => (x < line.length ? line.slice(x, x + 1) : [])),
  );
}

function unreadHint(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const examples = texts.slice(0, MAX_EXAMPLES).map((text) => `“${text.slice(0, 12)}”`);
  const more = texts.length > MAX_EXAMPLES ? '等' : '';
  return [`${texts.length}个单元格不是数字，图中没有画出：${examples.join('、')}${more}`];
}

function pieHints(drawn: readonly ChartSeries[], count: number): readonly string[] {
  const [first] = drawn;
  if (first === undefined) return [];
  const left = first.values.filter((value) => value !== null && value <= 0).length;
  return [
    ...(count > 1 ? [`饼图只画一组数据：“${first.name}”`] : []),
    ...(left > 0 ? [`饼图不画零和负数（${left}个）`] : []),
  ];
}

function manyHints(series: number, points: number): readonly string[] {
  return [
    ...(series > MAX_SERIES ? [`共${series}组数据，只画了前${MAX_SERIES}组`] : []),
    ...(points > MAX_POINTS ? [`共${points}项，只画了前${MAX_POINTS}项`] : []),
  ];
}
