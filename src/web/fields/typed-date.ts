import { isDatetime } from '#engine/values/dates.ts';
import { writtenDay } from '#engine/values/written-day.ts';

/**
 * The date that somebody typed, with blanks anywhere: `2026-12-01`; empty when nothing was typed, null for what is no date
 * or no day of the calendar.
 */
export function typedDate(typed: string): string | null {
  const text = typed.replaceAll(/\s/g, '');
  return text === '' ? '' : writtenDay(text);
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
