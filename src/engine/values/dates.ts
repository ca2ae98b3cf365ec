/** Calendar dates as text `2026-11-20`, instants as ISO text. The company's clock is Asia/Shanghai. */

const DAY_MS = 86_400_000;
const SHANGHAI_OFFSET_MS = 8 * 3_600_000;

/** A real calendar date from 1900 to 2999. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19|2\d)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** An instant with a zone: `2026-11-20T06:05:00Z` or with an offset that exists (PostgreSQL refuses others). */
export function isDatetime(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/.test(text) &&
    isDate(text.slice(0, 10)) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** The date `count` days later (earlier when negative). */
export function addDays(date: string, count: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The same day `count` months later (earlier when negative), or the month's last day when it has no such day: a year after 29 February is 28 February. */
export function addMonths(date: string, count: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, last));
  return first.toISOString().slice(0, 10);
}

/** Days from a to b; negative when b is earlier. */
export function daysBetween(a: string, b: string): number {
  return Math.round((Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / DAY_MS);
}

/** The company's date at an instant (Shanghai has no daylight saving time). */
export function companyToday(now: Date): string {
  return new Date(now.getTime() + SHANGHAI_OFFSET_MS).toISOString().slice(0, 10);
}

/** When a date begins by the company's clock. */
export function companyMidnight(date: string): Date {
  return new Date(Date.parse(`${date}T00:00:00Z`) - SHANGHAI_OFFSET_MS);
}

/** An instant as the company's clock shows it: `2026-11-20 14:05`; other text comes back as it is. */
export function companyTime(instant: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  return new Date(time + SHANGHAI_OFFSET_MS).toISOString().slice(0, 16).replace('T', ' ');
}

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

/** 1 to 12. */
export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

/** ISO 8601 week with its year: the week belongs to the year of its Thursday. */
export function isoWeek(date: string): { readonly year: number; readonly week: number } {
  const day = new Date(`${date}T00:00:00Z`);
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY_MS);
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return {
    year: thursday.getUTCFullYear(),
    week: 1 + Math.floor((thursday.getTime() - start) / (7 * DAY_MS)),
  };
}
