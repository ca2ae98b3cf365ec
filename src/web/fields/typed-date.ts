import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';
import { isDate, isDatetime } from '#engine/values/dates.ts';

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

/**
 * The moment that was written, by the company's clock: `2026-12-1 9:30` gives `2026-12-01T09:30:00+08:00`, a day alone its
 * beginning. Empty when nothing was, null for what is none.
 */
export function writtenMoment(text: string): string | null {
  const plain = text.normalize('NFKC').trim();
  if (plain === '') return '';
  const [, written = '', hour = '00', minute = '00', second = '00'] =
    /^([^\sT]+)(?:[\sT]+(\d{1,2}):?(\d{2})(?::(\d{2}))?)?$/.exec(plain) ?? [];
  const day = writtenDay(written);
  const moment = `${day ?? ''}T${hour.padStart(2, '0')}:${minute}:${second}+08:00`;
  return day !== null && isDatetime(moment) ? moment : null;
}

/** What stands in the input of a picker that is left; null where it only shows the day under the mouse. */
export function typedInPicker(target: EventTarget): string | null {
  if (!(target instanceof HTMLInputElement)) return null;
  return target.closest('.ant-picker-input-placeholder') === null ? target.value : null;
}
