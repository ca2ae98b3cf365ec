import { addDays, companyMidnight, companyToday } from './dates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Days that are not as the week says: a holiday (`rest`) or a working day moved to a weekend (`work`), by date at home
 * and by `DEU|2026-10-03` in another country.
 */
export type Workdays = Readonly<Record<string, 'rest' | 'work'>>;

/** Whether people work on a date: Monday to Friday unless the table says otherwise. `country`: elsewhere than at home. */
export function isWorkday(date: string, workdays: Workdays = NONE, country: string | null = null): boolean {
  const key = workdayKey(date, country);
  const known = Object.hasOwn(workdays, key) ? workdays[key] : undefined;
  if (known !== undefined) return known === 'work';
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day !== 0 && day !== 6;
}

/**
 * The date so many working days later (earlier when negative); 0 gives the date itself, or the next working day after it.
 * @example addWorkdays('2025-04-10', 10) // '2025-04-24', two weekends between
 */
export function addWorkdays(
  date: string,
  count: number,
  workdays: Workdays = NONE,
  country: string | null = null,
): string {
  const step = count < 0 ? -1 : 1;
  let day = date;
  if (count === 0) while (!isWorkday(day, workdays, country)) day = addDays(day, 1);
  for (let left = Math.abs(count); left > 0;) {
    day = addDays(day, step);
    if (isWorkday(day, workdays, country)) left -= 1;
  }
  return day;
}

/**
 * The instant so many hours later by the company's clock, where a day without work does not count: from Friday 15:00,
 * 24 hours later is Monday 15:00; what begins on a Saturday begins with Monday.
 * @example addWorkingHours('2026-11-20T07:00:00Z', 24) // '2026-11-23T07:00:00.000Z'
 */
export function addWorkingHours(instant: string, hours: number, workdays: Workdays = NONE): string {
  const start = new Date(instant);
  const today = companyToday(start);
  const first = addWorkdays(today, 0, workdays);
  const passedMs = first === today ? start.getTime() - companyMidnight(today).getTime() : 0;
  const wholeMs = passedMs + hours * HOUR_MS;
  const day = addWorkdays(first, Math.floor(wholeMs / DAY_MS), workdays);
  return new Date(companyMidnight(day).getTime() + (wholeMs % DAY_MS)).toISOString();
}

/** Under what a day is kept; null is home. */
export function workdayKey(date: string, country: string | null): string {
  return country === null ? date : `${country}|${date}`;
}

const NONE: Workdays = {};
