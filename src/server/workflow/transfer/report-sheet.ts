import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { CellFormat, CellValue, Sheet, SheetColumn } from './sheet-cell.ts';

/** Lines of a file: more no spreadsheet is read with. */
export const MAX_EXPORTED = 50_000;

/** A report as a sheet: parameters above, groups and total as on the page, figures as numbers; `onRows` is told of every batch. */
export function reportSheet(
  result: ReportResult,
  onRows: (done: number) => Promise<void> = () => Promise.resolve(),
): Sheet {
  return {
    name: result.title,
    columns: result.columns.map(sheetColumn),
    above: aboveTable(result),
    rows: cellsOf(result, onRows),
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
): AsyncGenerator<readonly CellValue[]> {
  let done = 0;
  for (const row of rowsOf(result)) {
    yield result.columns.map((column, index) => cellOf(row, column, index));
    done += 1;
    if (done % BATCH === 0) await onRows(done);
  }
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

function sheetColumn({ title, as, scale, byCurrency }: ReportResultColumn): SheetColumn {
  return { title, format: formatOf(as, scale), width: byCurrency === true ? 22 : (WIDTHS[as] ?? 16) };
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

function cellOf(row: ReportResultRow, column: ReportResultColumn, index: number): CellValue {
  const value = row.cells[column.key];
  if (value === undefined || value === null) return index === 0 ? firstCell(row) : null;
  const label = row.labels[column.key];
  if (label !== undefined && !(column.isFigure || NUMBERS.has(column.as)))
    return DAYS.has(column.as) ? String(value) : indented(row, label, column);
  if (typeof value === 'object') return amountsOf(value);
  const text = String(value);
  if (!isPlainDecimal(text)) return text;
  return roundDecimal(column.as === 'percent' ? multiplyDecimals(text, '100') : text, column.scale);
}

const NUMBERS: ReadonlySet<string> = new Set(['money', 'number', 'integer', 'percent']);
const DAYS: ReadonlySet<string> = new Set(['date', 'datetime']);

function firstCell(row: ReportResultRow): CellValue {
  if (row.isRest === true) return '其余';
  return row.level === 0 ? '合计' : null;
}

/** Subtotals say so. */
function indented(row: ReportResultRow, label: string, column: ReportResultColumn): string {
  return !row.isLine && column.group === row.level - 1 ? `${label} 小计` : label;
}

/** One currency is a number, several are told. */
function amountsOf(value: object): CellValue {
  const parts = Object.entries(value).map(
    ([currency, amount]) => [currency, roundDecimal(String(amount), 2)] as const,
  );
  if (parts.length === 1) return parts[0]?.[1] ?? null;
  return parts.map(([currency, amount]) => `${currency} ${amount}`).join('；');
}
