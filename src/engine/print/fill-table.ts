import { addDecimals, isPlainDecimal, roundDecimal } from '../values/decimal.ts';
import { groupDigits } from '../values/display.ts';
import type { FilledAmount, FilledRow, FilledTable, FixedRow } from './filled-print.ts';
import { cutText, type Placeholder } from './placeholders.ts';
import type { PrintBlock, PrintTemplate, TableColumn } from './print-template.ts';
import { moneyDigits, partOf, type PrintValue } from './write-value.ts';

/** Reads a path from a row of a table. */
export type RowReader = (path: string) => PrintValue | null;

/** What a table is filled from. */
export interface TableSource {
  readonly rows: readonly RowReader[];
  /** What a number came to before the first row. */
  readonly opening: (path: string) => string;
  readonly language: PrintTemplate['language'];
  /** Fills a text in for a row. */
  readonly text: (text: string, row?: RowReader) => string;
}

type TableBlock = Extract<PrintBlock, { readonly kind: 'table' }>;

/** Fills a table in; null for one without rows that is not kept. */
export function fillTable(block: TableBlock, source: TableSource): FilledTable | null {
  const { rows, language } = source;
  const hasRunning = block.columns.some(({ running }) => running === true);
  if (rows.length === 0 && block.keep !== true && !hasRunning) return null;
  const digits = block.columns.map((column) => digitsOf(column, rows));
  const sums = block.columns.map((column) =>
    column.running === true ? source.opening(placeholderOf(column)?.path ?? '') : '0',
  );
  const fixed = (label: string): FixedRow => ({
    fixed: block.columns.map((column, place) => {
      if (column.running === true) return written(sums[place] ?? '0', digits[place] ?? 2);
      return place === labelPlace(block.columns) ? label : '';
    }),
  });
  const opening = block.opening === undefined ? [] : [fixed(block.opening)];
  const lines = rows.map((row, place) => ({
    group: block.group === undefined ? '' : source.text(block.group, row),
    cells: block.columns.map((column, index) => {
      if (column.running !== true)
        return cellOf(column, { row, place, digits: digits[index] ?? 0, text: source.text });
      sums[index] = addDecimals(sums[index] ?? '0', numberOf(column, row) ?? '0');
      return written(sums[index] ?? '0', digits[index] ?? 2);
    }),
    amounts: block.columns.map((column) => (column.sum === true ? amountOf(column, row, source.text) : null)),
  }));
  const closing = block.closing === undefined ? null : fixed(block.closing);
  return {
    kind: 'table',
    columns: block.columns.map((column, index) => ({
      label: column.label,
      width: column.width,
      align: column.align ?? 'left',
      sum: column.sum === true ? (digits[index] ?? 0) : null,
    })),
    rows: [...opening, ...grouped(lines)],
    closing,
    total: block.total ?? null,
    isCarried: block.carry === true,
    isJoined: block.joined === true,
    carryWords: language === 'en' ? ['CARRIED FORWARD', 'BROUGHT FORWARD'] : ['过次页', '承前页'],
  };
}

/** Where the name of a row of sums stands: in the widest column that has none, before the first that has one. */
export function labelPlace(
  columns: readonly { readonly width: number; readonly sum?: unknown; readonly running?: boolean }[],
): number {
  const isNumber = columns.map(
    ({ sum, running }) => typeof sum === 'number' || sum === true || running === true,
  );
  const first = isNumber.indexOf(true);
  const free = columns
    .map(({ width }, place) => ({ width, place }))
    .filter(({ place }) => isNumber[place] !== true);
  const before = free.filter(({ place }) => place < first);
  const widest = [...(before.length > 0 ? before : free)].sort((one, other) => other.width - one.width)[0];
  return widest?.place ?? -1;
}

function cellOf(
  column: TableColumn,
  at: {
    readonly row: RowReader;
    readonly place: number;
    readonly digits: number;
    readonly text: TableSource['text'];
  },
): string {
  if (column.value === '#') return String(at.place + 1);
  // Numbers of a summed column have the same decimals, so that they stand below each other.
  const number = column.sum === true ? numberOf(column, at.row) : null;
  return number === null ? at.text(column.value, at.row) : written(number, at.digits);
}

function written(number: string, digits: number): string {
  return groupDigits(roundDecimal(number, digits));
}

interface Line {
  readonly group: string;
  readonly cells: readonly string[];
  readonly amounts: readonly (FilledAmount | null)[];
}

/** The lines under the headings of their groups, in the order in which the groups come. */
function grouped(lines: readonly Line[]): readonly FilledRow[] {
  const groups = new Map<string, Omit<Line, 'group'>[]>();
  for (const { group, ...line } of lines) {
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [line]);
    else known.push(line);
  }
  return [...groups].flatMap(([group, of]): readonly FilledRow[] => (group === '' ? of : [{ group }, ...of]));
}

function amountOf(column: TableColumn, row: RowReader, text: TableSource['text']): FilledAmount | null {
  const amount = numberOf(column, row);
  if (amount === null) return null;
  return { amount, unit: column.unit === undefined ? '' : text(column.unit, row) };
}

/** The number behind a column's placeholder. */
function numberOf(column: TableColumn, row: RowReader): string | null {
  const placeholder = placeholderOf(column);
  if (placeholder === null) return null;
  const number = partOf(row(placeholder.path)?.value, placeholder.format);
  return isPlainDecimal(number) ? number : null;
}

/** Money is written to its currency's decimals, quantities and weights to those that the lines have. */
function digitsOf(column: TableColumn, rows: readonly RowReader[]): number {
  const path = placeholderOf(column)?.path ?? '';
  let most = 0;
  for (const row of rows) {
    const found = row(path);
    if (found?.field?.type === 'money') return moneyDigits(found.currency);
    most = Math.max(most, fractionOf(found?.value));
  }
  return rows.length === 0 && column.running === true ? 2 : most;
}

function fractionOf(value: unknown): number {
  return typeof value === 'string' ? (value.split('.')[1] ?? '').replace(/0+$/, '').length : 0;
}

function placeholderOf({ value }: TableColumn): Placeholder | null {
  return cutText(value).find((part): part is Placeholder => typeof part !== 'string') ?? null;
}
