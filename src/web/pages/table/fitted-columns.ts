import { useLayoutEffect, useState, type RefObject } from 'react';
import { type ListColumn, SMALLEST_SHARE } from './list-column.ts';

/** The arrow, and the space before it. */
const ARROW_PX = 18;

/**
 * The columns with widths at which the last one in view ends where the view does: none stands half behind the actions.
 * Widths that the person set stay, and no column becomes narrower than its title and its states. What fits anyway stays as it is.
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
  const widths = shared(free(shown), change);
  return columns.map((column) => ({ ...column, width: widths.get(column.name) ?? column.width }));
}

/** The widths of columns that share a change by their widths; what would cut a title, the others bear. */
function shared(columns: readonly ListColumn[], change: number): ReadonlyMap<string, number> {
  const share = 1 + change / sumOf(columns);
  const atTitle = columns.filter((column) => Math.floor(column.width * share) < smallest(column));
  if (atTitle.length === 0 || atTitle.length === columns.length)
    return new Map(columns.map(({ name, width }) => [name, Math.floor(width * share)]));
  const kept = atTitle.map((column): readonly [string, number] => [column.name, smallest(column)]);
  const given = atTitle.reduce((sum, column) => sum + smallest(column) - column.width, 0);
  const others = columns.filter((column) => !atTitle.includes(column));
  return new Map([...kept, ...shared(others, change - given)]);
}

function smallest({ leastWidth = 0, width }: ListColumn): number {
  return Math.min(width, leastWidth);
}

/** The columns with room for the arrow of the one that the rows are sorted by first. */
export function withArrow(
  columns: readonly ListColumn[],
  sorters: readonly string[],
  ownWidths: ReadonlySet<string>,
): readonly ListColumn[] {
  const sorted = sorters[0]?.replace(/^-/, '');
  return columns.map((column) => {
    if (column.name !== sorted || ownWidths.has(sorted)) return column;
    const leastWidth = (column.leastWidth ?? 0) + ARROW_PX;
    return { ...column, leastWidth, width: Math.max(column.width, leastWidth) };
  });
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
