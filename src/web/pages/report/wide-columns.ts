import type { ReportResult, ReportResultColumn } from '#contract/reports.ts';
import { cellText } from './report-text.ts';

/** More columns than these do not stand beside each other on a common screen. */
const MOST = 12;

/** Whether a table is set closely, and which of its columns say nothing: those take no room until they are asked for. */
export function wideColumns({ columns, rows, total }: ReportResult): {
  readonly isWide: boolean;
  readonly empty: ReadonlySet<string>;
} {
  if (columns.length <= MOST) return { isWide: false, empty: new Set() };
  const all = total === null ? rows : [...rows, total];
  const isEmpty = (column: ReportResultColumn): boolean =>
    all.every((row) => {
      const text = cellText(row, column);
      return text.kind === 'empty' || (text.kind === 'figure' && text.sign === 'zero');
    });
  const empty = columns.filter(isEmpty).map(({ key }) => key);
  return { isWide: true, empty: new Set(empty) };
}
