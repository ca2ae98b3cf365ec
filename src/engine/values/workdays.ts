import { addDays } from './dates.ts';

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

/** Under what a day is kept; null is home. */
export function workdayKey(date: string, country: string | null): string {
  return country === null ? date : `${country}|${date}`;
}

const NONE: Workdays = {};
