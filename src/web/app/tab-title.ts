/** A tab's title until the routes or its record are known. */
export const UNTITLED = '页面';

/**
 * Whether a tab is named by a number of a record: those of one kind begin alike, so that a tab that is cut shows the end.
 * @example isRecordNumber('AAWX202600019') // true
 */
export function isRecordNumber(title: string): boolean {
  return /^[A-Z]{2,}\d{4,}$/.test(title);
}
