/** A column of the form with the gap behind it: list.css. */
const COLUMN_PX = 252;
/** The form's padding on both sides, less the gap that the last column has not. */
const AROUND_PX = 12;
const MOST = 6;

/**
 * How many filters stand in one line before their buttons, which take a column too; the rest opens on demand.
 * @example fieldsInRow(1048) // 3
 */
export function fieldsInRow(formPx: number): number {
  const columns = Math.floor((formPx - AROUND_PX) / COLUMN_PX);
  return Math.min(MOST, Math.max(1, columns - 1));
}
