import type { Row } from './database.ts';

/** A column as text; null and what is no plain value give ''. */
export function rowText(row: Row, column: string): string {
  return rowTextOrNull(row, column) ?? '';
}

/** A column as text, null when it is null. */
export function rowTextOrNull(row: Row, column: string): string | null {
  const value = row[column];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
