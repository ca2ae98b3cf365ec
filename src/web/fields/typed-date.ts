import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { isDate } from '#engine/values/dates.ts';

dayjs.extend(customParseFormat);

/**
 * The date that somebody typed, full-width digits too: `2026-12-01`; empty when nothing was typed, null for what is no
 * date or no day of the calendar.
 */
export function typedDate(typed: string, formats: readonly string[]): string | null {
  const text = typed.normalize('NFKC').replaceAll(/\s/g, '');
  if (text === '') return '';
  const read = dayjs(text, [...formats], true);
  return read.isValid() ? read.format('YYYY-MM-DD') : null;
}

/**
 * The day that a cell of a spreadsheet or a hand wrote: `2026/3/1`, `20260301`, `2026年3月1日`, full-width digits too. Null
 * for what is none: separators stand everywhere or nowhere, since `2026-12` is a month.
 */
export function writtenDay(text: string): string | null {
  const plain = text.normalize('NFKC').trim();
  const match =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(plain) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  if (match === null) return null;
  const [, year = '', month = '', day = ''] = match;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
}
