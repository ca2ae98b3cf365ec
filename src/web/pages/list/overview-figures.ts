import type { OverviewDefinition } from '#engine/schema/layout-definition.ts';
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

/** The months with money at stake, and how many records have none; where no month has any, all of them. */
export function drawnMonths(months: readonly DueMonth[]): {
  readonly drawn: readonly DueMonth[];
  readonly left: number;
} {
  const drawn = months.filter(({ amount }) => compareDecimals(amount, '0') !== 0);
  if (drawn.length === 0) return { drawn: months, left: 0 };
  const left = months.filter((month) => !drawn.includes(month));
  return { drawn, left: left.reduce((sum, { count }) => sum + count, 0) };
}

/** What of a record is there already and what is missing, with the next day by which something is due. */
export interface Completeness {
  readonly record: ErpRecord;
  readonly steps: readonly { readonly title: string; readonly isDone: boolean }[];
  readonly due: string | null;
  /** Negative when the day is past. */
  readonly daysLeft: number | null;
}

/** A day of the calendar with what is due on it: how many records by which of the dates. */
export interface DueDay {
  readonly date: string;
  readonly marks: readonly { readonly name: string; readonly count: number }[];
}

/** A month as a calendar draws it: weeks from Monday, null where a week begins or ends in another month. */
export interface CalendarMonth {
  readonly month: string;
  readonly weeks: readonly (readonly (DueDay | null)[])[];
}

/** The next months in which anything is due by any of the dates, and the months before today that still have something. */
export function calendarMonths(
  overview: OverviewDefinition,
  records: readonly ErpRecord[],
  { today, most }: { readonly today: string; readonly most: number },
): readonly CalendarMonth[] {
  const due = new Map<string, Map<string, number>>();
  for (const record of records.filter((one) => !isDone(overview, one)))
    for (const name of overview.dates) {
      const date = record[name];
      if (!isDate(date)) continue;
      const marks = due.get(date) ?? new Map<string, number>();
      due.set(date, marks.set(name, (marks.get(name) ?? 0) + 1));
    }
  const months = [...new Set([...due.keys()].map((date) => date.slice(0, 7)))].sort();
  const now = today.slice(0, 7);
  const past = months.filter((month) => month < now).slice(-1);
  const coming = months.filter((month) => month >= now).slice(0, most - past.length);
  return [...past, ...coming].map((month) => ({ month, weeks: weeksOf(month, due) }));
}

function weeksOf(
  month: string,
  due: ReadonlyMap<string, ReadonlyMap<string, number>>,
): CalendarMonth['weeks'] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const lead = (new Date(first).getUTCDay() + 6) % 7;
  const cells: (DueDay | null)[] = Array.from({ length: lead }, () => null);
  for (let day = first; ; day += DAY_MS) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (date.slice(0, 7) !== month) break;
    const marks = [...(due.get(date) ?? [])].map(([name, count]) => ({ name, count }));
    cells.push({ date, marks });
  }
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

const DAY_MS = 86_400_000;

/** Months in their order, by the date that the money goes by. Records without it are not in any. */
export function dueMonths(overview: OverviewDefinition, records: readonly ErpRecord[]): readonly DueMonth[] {
  const months = new Map<string, DueMonth>();
  for (const record of records) {
    const date = record[monthField(overview)];
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

/** The date whose months the money is drawn by. */
export function monthField(overview: OverviewDefinition): string {
  return overview.month ?? overview.dates[0] ?? '';
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

/** Whether nothing is waited for any more. */
function isDone({ done }: OverviewDefinition, record: ErpRecord): boolean {
  return done !== undefined && isThere(record[done]);
}

/** What is not done is due on the first of its dates, past or not; without such a mark the first that is still to come, else the last. */
function nextDue(overview: OverviewDefinition, record: ErpRecord, today: string): string | null {
  if (isDone(overview, record)) return null;
  const dates = overview.dates
    .map((name) => record[name])
    .filter(isDate)
    .sort();
  if (overview.done !== undefined) return dates[0] ?? null;
  return dates.find((date) => date >= today) ?? dates.at(-1) ?? null;
}

function isThere(value: unknown): boolean {
  if (typeof value === 'number') return value > 0;
  if (isPlainDecimal(value)) return compareDecimals(value, '0') > 0;
  return value !== null && value !== undefined && value !== false && value !== '';
}
