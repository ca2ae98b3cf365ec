import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat';

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
