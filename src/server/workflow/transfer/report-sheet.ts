import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { CellFormat, CellValue, Sheet, SheetColumn, SheetRow } from './sheet-cell.ts';

/** Lines of a file: more no spreadsheet is read with. */
export const MAX_EXPORTED = 50_000;

/** A report as a sheet: parameters above, groups and total as on the page, figures as numbers; `onRows` is told of every batch. */
export function reportSheet(
  result: ReportResult,
  onRows: (done: number) => Promise<void> = () => Promise.resolve(),
): Sheet {
  return {
    name: result.title,
    columns: sheetColumns(result),
    above: aboveTable(result),
    rows: cellsOf(result, onRows),
    // Below what is filtered.
    below: result.total === null ? [] : byCurrency(result, result.total, currencyPlace(result)),
  };
}

/** How many rows a sheet gets: lines, subtotals and the total. */
export function rowsOf({ rows, total }: ReportResult): readonly ReportResultRow[] {
  return total === null ? rows : [...rows, total];
}

export function reportFileName({ title }: ReportResult, { context }: Caller): string {
  return `${title}-${context.today}.xlsx`;
}

/** Who took which report out of the house, with its parameters. */
export function auditReportExport(
  { clock }: Pick<Services, 'clock'>,
  on: Reader,
  { caller, result }: { readonly caller: Caller; readonly result: ReportResult },
): Promise<void> {
  return writeAudit(
    on,
    { caller, at: clock() },
    {
      resource: 'report',
      record_id: null,
      co_code: caller.subject.co_code,
      action: 'export',
      opinion: `导出报表“${result.title}”${rowsOf(result).length}行；${paramLine(result)}`.slice(0, 4_000),
    },
  );
}

const BATCH = 2_000;

async function* cellsOf(
  result: ReportResult,
  onRows: (done: number) => Promise<void>,
): AsyncGenerator<SheetRow> {
  let done = 0;
  const place = currencyPlace(result);
  for (const row of result.rows) {
    for (const cells of byCurrency(result, row, place)) yield row.isLine ? cells : { sums: cells };
    done += 1;
    if (done % BATCH === 0) await onRows(done);
  }
}

/** Amounts in original currency are numbers, a row for each currency; all else stands on the first. */
function byCurrency(
  result: ReportResult,
  row: ReportResultRow,
  at: CurrencyPlace | null,
): readonly (readonly CellValue[])[] {
  const currencies = currenciesOf(result, row);
  const shown = currencies.length === 0 ? [row.currency] : currencies;
  return shown.map((currency, place) => {
    const cells = result.columns.map((column, index) =>
      place === 0 || column.byCurrency === true || column.group !== undefined || index === 0
        ? cellOf(row, { column, index, currency })
        : null,
    );
    return at === null ? cells : withCurrency(at, cells, { currency, isTotal: row.level === 0 });
  });
}

function currenciesOf({ columns }: ReportResult, { cells }: ReportResultRow): readonly string[] {
  const all = columns.flatMap(({ key }) => {
    const cell = cells[key];
    return typeof cell === 'object' && cell !== null ? Object.keys(cell) : [];
  });
  return [...new Set(all)].sort();
}

interface CurrencyPlace {
  readonly index: number;
  readonly isNew: boolean;
}

/** The currency of a row: where a column says it of lines that also says it of sums, else before the first of its amounts. */
function withCurrency(
  place: CurrencyPlace,
  cells: readonly CellValue[],
  { currency, isTotal }: { readonly currency: string | null; readonly isTotal: boolean },
): readonly CellValue[] {
  if (place.isNew) return [...cells.slice(0, place.index), currency, ...cells.slice(place.index)];
  const said = (cell: CellValue): CellValue =>
    isTotal && cell !== null && currency !== null ? `${cell} ${currency}` : (cell ?? currency);
  return cells.map((cell, index) => (index === place.index ? said(cell) : cell));
}

/** Where the currency stands, and whether that column is only of the sheet; null for reports without one. */
function currencyPlace(result: ReportResult): CurrencyPlace | null {
  const first = result.columns.findIndex(({ byCurrency: isOriginal }) => isOriginal === true);
  if (first < 0) return null;
  const lines = result.rows.filter(({ isLine }) => isLine);
  const own = result.columns.findIndex(
    ({ key, isFigure }) =>
      !isFigure &&
      lines.every((row) => currenciesOf(result, row).every((currency) => row.cells[key] === currency)),
  );
  return own < 0 || lines.length === 0 ? { index: first, isNew: true } : { index: own, isNew: false };
}

function aboveTable(result: ReportResult): readonly (readonly string[])[] {
  const lines = [[result.title], [paramLine(result)], [`生成时间：${companyTime(result.at)}`]];
  if (result.isCapped) lines.push([`仅含前 ${MAX_EXPORTED} 行，合计为全部`]);
  if (result.hidden.length > 0) lines.push([`无权查看、未列出的列：${result.hidden.join('、')}`]);
  return lines.filter(([text]) => text !== '');
}

function paramLine({ params }: ReportResult): string {
  return params.map(({ title, text }) => `${title}：${text}`).join('；');
}

const CURRENCY: SheetColumn = { title: '币种', format: { kind: 'text' }, width: 8 };

function sheetColumns(result: ReportResult): readonly SheetColumn[] {
  const columns = result.columns.map(sheetColumn);
  const place = currencyPlace(result);
  return place?.isNew === true ? columns.toSpliced(place.index, 0, CURRENCY) : columns;
}

function sheetColumn({ title, as, scale, byCurrency }: ReportResultColumn): SheetColumn {
  return { title, format: formatOf(as, scale), width: WIDTHS[as] ?? (byCurrency === true ? 18 : 16) };
}

const WIDTHS: Readonly<Record<string, number>> = {
  text: 24,
  date: 12,
  datetime: 18,
  integer: 10,
  percent: 10,
};

function formatOf(as: string, scale: number): CellFormat {
  switch (as) {
    case 'money':
    case 'number':
      return { kind: 'number', scale, mark: 'grouped' };
    case 'integer':
      return { kind: 'number', scale: 0, mark: 'grouped' };
    case 'percent':
      return { kind: 'number', scale, mark: 'percent' };
    case 'date':
      return { kind: 'date' };
    case 'datetime':
      return { kind: 'datetime' };
    default:
      return { kind: 'text' };
  }
}

function cellOf(
  row: ReportResultRow,
  {
    column,
    index,
    currency,
  }: { readonly column: ReportResultColumn; readonly index: number; readonly currency: string | null },
): CellValue {
  const value = row.cells[column.key];
  const label = row.labels[column.key];
  if (value === undefined || value === null)
    return (index === 0 ? firstCell(row) : null) ?? emptyGroup(row, label, column);
  if (label !== undefined && !(column.isFigure || NUMBERS.has(column.as)))
    return DAYS.has(column.as) ? String(value) : indented(row, label, column);
  const amount: unknown = typeof value === 'object' ? Reflect.get(value, currency ?? '') : value;
  if (amount === undefined) return null;
  const text = String(amount);
  if (!isPlainDecimal(text)) return text;
  return roundDecimal(column.as === 'percent' ? multiplyDecimals(text, '100') : text, column.scale);
}

const NUMBERS: ReadonlySet<string> = new Set(['money', 'number', 'integer', 'percent']);
const DAYS: ReadonlySet<string> = new Set(['date', 'datetime']);

function firstCell(row: ReportResultRow): CellValue {
  if (row.isRest === true) return '其余';
  return row.level === 0 ? '合计' : null;
}

/** A group without a value has a name as on the page; what a single record lacks stays empty. */
function emptyGroup(row: ReportResultRow, label: string | undefined, column: ReportResultColumn): CellValue {
  if (column.group === undefined || label === undefined || row.isRest === true) return null;
  return indented(row, label, column);
}

/** Subtotals say so. */
function indented(row: ReportResultRow, label: string, column: ReportResultColumn): string {
  return !row.isLine && column.group === row.level - 1 ? `${label} 小计` : label;
}
