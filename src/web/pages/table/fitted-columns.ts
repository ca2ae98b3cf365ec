import { useLayoutEffect, useState, type RefObject } from 'react';
import { type ListColumn, SMALLEST_SHARE } from './list-column.ts';

/**
 * The columns with widths at which the last one in view ends where the view does: none stands half behind the actions.
 * Widths that the person set stay. What fits anyway stays as it is.
 * @param roomPx what the columns have for themselves
 * @param ownWidths names of the columns whose width the person set
 */
export function fittedColumns(
  columns: readonly ListColumn[],
  roomPx: number,
  ownWidths: ReadonlySet<string>,
): readonly ListColumn[] {
  if (sumOf(columns) <= roomPx) return columns;
  const fits = countWithin(columns, roomPx);
  const withNext = columns.slice(0, fits + 1);
  const free = (shown: readonly ListColumn[]) => shown.filter(({ name }) => !ownWidths.has(name));
  const missing = sumOf(withNext) - roomPx;
  const shown =
    missing <= sumOf(free(withNext)) * (1 - SMALLEST_SHARE) ? withNext : columns.slice(0, Math.max(1, fits));
  const flexible = sumOf(free(shown));
  const change = roomPx - sumOf(shown);
  // A first column wider than the view is not to be cured by stretching.
  if (flexible === 0 || change < -flexible * (1 - SMALLEST_SHARE)) return columns;
  const share = 1 + change / flexible;
  return columns.map((column, place) =>
    place < shown.length && !ownWidths.has(column.name)
      ? { ...column, width: Math.floor(column.width * share) }
      : column,
  );
}

/** The width of a box, null until it stands; followed while it changes. */
export function useBoxWidth(box: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = () => setWidth(element.clientWidth === 0 ? null : element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

function sumOf(columns: readonly ListColumn[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

function countWithin(columns: readonly ListColumn[], roomPx: number): number {
  let left = roomPx;
  const first = columns.findIndex(({ width }) => (left -= width) < 0);
  return first < 0 ? columns.length : first;
}
