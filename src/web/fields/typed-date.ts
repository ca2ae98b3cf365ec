import { isDatetime } from '#engine/values/dates.ts';
import { writtenDay } from '#engine/values/written-day.ts';

/**
 * What the picker takes while somebody types; the first is how a date reads. None may be the beginning of another date: the
 * picker writes what it takes as the first, and `2026-11-2` on the way to `2026-11-25` became `2026-11-025`.
 */
export const WHOLE_FORMATS = ['YYYY-MM-DD', 'YYYYMMDD', 'YYYY/MM/DD', 'YYYY.MM.DD', 'YYYY年M月D日'];

/**
 * The date that somebody typed, with blanks anywhere: `2026-12-01`; empty when nothing was typed, null for what is no date
 * or no day of the calendar.
 */
export function typedDate(typed: string): string | null {
  const text = typed.replaceAll(/\s/g, '');
  return text === '' ? '' : writtenDay(text);
}

/** What is said of a text that is no date. */
export function noDateText(typed: string): string {
  return `“${typed.slice(0, 20)}”不是日期，没有采用，应如 2026-03-31`;
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
