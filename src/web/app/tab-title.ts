/** A tab's title until the routes or its record are known. */
export const UNTITLED = '页面';

/** The title that whoever opened the page gave it. */
export function givenTitle(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'title' in state && typeof state.title === 'string'
    ? state.title
    : null;
}

/**
 * Whether a tab is named by a number of a record: those of one kind begin alike, so that a tab that is cut shows the end.
 * @example isRecordNumber('AAWX202600019') // true
 */
export function isRecordNumber(title: string): boolean {
  return /^[A-Z]{2,}\d{4,}$/.test(title);
}
