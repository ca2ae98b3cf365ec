/** A narrow column of the form with the gap behind it: a filter takes several, see list.css. */
const COLUMN_PX = 48;
/** The form's padding on both sides, less the gap that the last column has not. */
const AROUND_PX = 12;
const OF_FILTER = 5;
const OF_SPAN = 6;
const OF_BUTTONS = 5;
const MOST = 6;

/** The filters in one line before their buttons; the rest opens on demand. */
export interface FilterRow {
  readonly count: number;
  /** The columns of the form: those that the line takes when it is full, so that no room is left in it. */
  readonly columns: number;
}

/**
 * How many filters stand in one line, of which those that hold a span of days are wider.
 * @param areSpans for each filter in order whether it is one
 * @example fieldsInRow(1048, [false, false, true, false]) // { count: 3, columns: 21 }
 */
export function fieldsInRow(formPx: number, areSpans: readonly boolean[]): FilterRow {
  const columns = Math.max(OF_SPAN, Math.floor((formPx - AROUND_PX) / COLUMN_PX));
  let taken = 0;
  let count = 0;
  for (const isSpan of areSpans.slice(0, MOST)) {
    const wanted = isSpan ? OF_SPAN : OF_FILTER;
    if (count > 0 && taken + wanted + OF_BUTTONS > columns) break;
    taken += wanted;
    count += 1;
  }
  const isFull = count < areSpans.length;
  return { count, columns: isFull ? Math.max(OF_SPAN, taken + OF_BUTTONS) : columns };
}
