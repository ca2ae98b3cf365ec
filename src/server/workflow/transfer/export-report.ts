import type { ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type AskedReport, runReport } from '#server/records/report/run-report.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { CellFormat, CellValue, SheetColumn } from './sheet-cell.ts';
import { workbookBytes } from './write-workbook.ts';

/** Lines of a file: more no spreadsheet is read with. */
const MAX_EXPORTED = 50_000;

/** A report as a spreadsheet: parameters above, groups and total as on the page, figures as numbers. */
export async function exportReport(
  services: Services,
  caller: Caller,
  asked: Pick<AskedReport, 'report' | 'values' | 'signal'>,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const result = await runReport(services, caller, { ...asked, limit: MAX_EXPORTED });
  const rows = result.total === null ? result.rows : [...result.rows, result.total];
  const bytes = await workbookBytes([
    {
      name: result.title,
      columns: result.columns.map(sheetColumn),
      above: aboveTable(result),
      rows: rows.map((row) => result.columns.map((column, index) => cellOf(row, column, index))),
    },
  ]);
  await writeAudit(
    services.db,
    { caller, at: services.clock() },
    {
      resource: 'report',
      record_id: null,
      co_code: caller.subject.co_code,
      action: 'export',
      opinion: `导出报表“${result.title}”${rows.length}行；${paramLine(result)}`.slice(0, 4_000),
    },
  );
  return { name: `${result.title}-${caller.context.today}.xlsx`, bytes };
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
