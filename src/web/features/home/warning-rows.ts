import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import { cellText } from '#web/pages/report/report-text.ts';
import type { DashboardCard } from './use-dashboard.ts';
import type { Muted } from './use-muted.ts';

/** A line of a report of due dates. */
export interface WarningRow {
  readonly card: string;
  readonly report: number;
  readonly key: string;
  /** The line itself, by which it is put aside. */
  readonly id: string;
  /** The record that it is, or that it is a line of; null where there is none to open. */
  readonly record: { readonly resource: string; readonly id: string } | null;
  readonly name: string;
  readonly party: string;
  readonly days: number;
  readonly isOverdue: boolean;
  /** By currency; '' where the column has but one. */
  readonly amounts: readonly (readonly [string, string])[];
  /** The smaller the more urgent. */
  readonly urgency: number;
}

/** The lines of a report as warnings, those that were put aside left out. */
export function warningRows(
  result: ReportResult | undefined,
  card: DashboardCard,
  muted: Muted,
): readonly WarningRow[] {
  return (result?.rows ?? []).flatMap((row): readonly WarningRow[] => {
    const days = Number(row.cells[card.days ?? '']);
    if (!row.isLine || row.id === null || row.source === null || Number.isNaN(days)) return [];
    const urgency = card.overdue === 'positive' ? -days : days;
    const isOverdue = urgency < 0;
    if (!isOverdue && muted.has(card.report, row.id)) return [];
    const [name, party] = wordsOf(result, row, card);
    return [
      {
        card: card.title,
        report: card.report,
        key: `${row.source} ${row.id}`,
        id: row.id,
        record: recordOf(row),
        name,
        party,
        days,
        isOverdue,
        amounts: amountsIn(row.cells[card.column]),
        urgency,
      },
    ];
  });
}

/** Of a line of a document that document. */
function recordOf({ source, id, head }: ReportResultRow): WarningRow['record'] {
  const [resource = '', lines] = (source ?? '').split('.');
  const own = lines === undefined ? id : (head ?? null);
  return own === null ? null : { resource, id: own };
}

function amountsIn(cell: unknown): WarningRow['amounts'] {
  if (isPlainDecimal(cell)) return [['', cell]];
  if (typeof cell !== 'object' || cell === null) return [];
  return Object.entries(cell).map(([currency, amount]): [string, string] => [currency, String(amount)]);
}

/** What names a line, and whom it concerns: where that column says nothing, the next that does. */
function wordsOf(
  result: ReportResult | undefined,
  row: ReportResultRow,
  card: DashboardCard,
): readonly [name: string, party: string] {
  const words = (result?.columns ?? []).flatMap((column): readonly (readonly [string, string])[] => {
    if (column.isFigure || column.as !== 'text' || column.group !== undefined) return [];
    const text = cellText(row, column);
    // What the reader may not see, or is not there, says nothing.
    return text.kind === 'text' && text.text !== '—' ? [[column.key, text.text]] : [];
  });
  const party = words.find(([key]) => key === card.party) ?? words[1];
  return [words[0]?.[1] ?? '', party?.[1] ?? ''];
}
