import type { ReportResult, ReportResultColumn } from '#contract/reports.ts';
import { groupDigits } from '#engine/values/display.ts';
import { isPlainDecimal, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';

const MOST_FIGURES = 6;

/** What a report says in a few words: how many lines (of more than were asked for, at least so many), and its totals. */
export function reportSummary(result: ReportResult): string {
  const lines = result.rows.filter(({ isLine }) => isLine).length;
  if (lines === 0) return '期间内没有数据';
  const figures = result.columns.flatMap((column) => {
    const text = figureText(result.total?.cells[column.key], column);
    return column.isFigure && text !== null ? [`${column.title} ${text}`] : [];
  });
  return [`共 ${lines} 行${result.isCapped ? '以上' : ''}`, ...figures.slice(0, MOST_FIGURES)].join('；');
}

function figureText(cell: unknown, column: ReportResultColumn): string | null {
  if (isPlainDecimal(cell)) return amountText(cell, column);
  if (typeof cell !== 'object' || cell === null) return null;
  const parts = Object.entries(cell).map(
    ([currency, amount]) => `${currency} ${amountText(String(amount), column)}`,
  );
  return parts.length === 0 ? null : parts.join('、');
}

function amountText(amount: string, { as, scale }: ReportResultColumn): string {
  if (as === 'percent') return `${roundDecimal(multiplyDecimals(amount, '100'), 2)}%`;
  return groupDigits(roundDecimal(amount, as === 'integer' ? 0 : scale));
}
