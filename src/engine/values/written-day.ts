import { isDate } from './dates.ts';

/**
 * The day that a hand, a spreadsheet or a library wrote: `2026/3/1`, `20260301`, `2026年3月1日`, full-width digits too. Null
 * for what is none: separators stand everywhere or nowhere, since `2026-12` is a month.
 * @example writtenDay('2026.3.1') // '2026-03-01'
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
