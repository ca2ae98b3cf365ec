import type { OverviewDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { daysBetween, isDate } from '#engine/values/dates.ts';
import { addDecimals, compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';

/** Records due in a month: how many, and the money at stake. */
export interface DueMonth {
  /** `2027-04`. */
  readonly month: string;
  readonly count: number;
  readonly amount: string;
}

/** What of a record is there already and what is missing, with the next day by which something is due. */
export interface Completeness {
  readonly record: ErpRecord;
  readonly steps: readonly { readonly title: string; readonly isDone: boolean }[];
  readonly due: string | null;
  /** Negative when the day is past. */
  readonly daysLeft: number | null;
}

/** Months in their order, by the first of the dates. Records without it are not in any. */
export function dueMonths(overview: OverviewDefinition, records: readonly ErpRecord[]): readonly DueMonth[] {
  const months = new Map<string, DueMonth>();
  for (const record of records) {
    const date = record[overview.dates[0] ?? ''];
    if (!isDate(date)) continue;
    const month = date.slice(0, 7);
    const known = months.get(month) ?? { month, count: 0, amount: '0' };
    const amount = record[overview.amount ?? ''];
    months.set(month, {
      month,
      count: known.count + 1,
      amount: isPlainDecimal(amount) ? addDecimals(known.amount, amount) : known.amount,
    });
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** How far each record has come, the most urgent first; those without a date last. */
export function completenessOf(
  overview: OverviewDefinition,
  records: readonly ErpRecord[],
  today: string,
): readonly Completeness[] {
  return records
    .map((record): Completeness => {
      const due = nextDue(overview, record, today);
      return {
        record,
        steps: Object.entries(overview.steps).map(([title, name]) => ({
          title,
          isDone: isThere(record[name]),
        })),
        due,
        daysLeft: due === null ? null : daysBetween(today, due),
      };
    })
    .sort((a, b) => (a.due ?? '9999').localeCompare(b.due ?? '9999'));
}

/** The first date that is still to come, else the last that is past. */
function nextDue(overview: OverviewDefinition, record: ErpRecord, today: string): string | null {
  const dates = overview.dates
    .map((name) => record[name])
    .filter(isDate)
    .sort();
  return dates.find((date) => date >= today) ?? dates.at(-1) ?? null;
}

function isThere(value: unknown): boolean {
  if (typeof value === 'number') return value > 0;
  if (isPlainDecimal(value)) return compareDecimals(value, '0') > 0;
  return value !== null && value !== undefined && value !== false && value !== '';
}
