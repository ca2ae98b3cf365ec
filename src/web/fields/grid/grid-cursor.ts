/** A cell by line index and column index. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** The active cell and, when more than it is selected, the opposite corner. */
export interface GridSelection {
  readonly active: GridPlace;
  readonly corner: GridPlace | null;
}

export interface GridRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** The cells of a selection as a rectangle. */
export function rangeOfSelection({ active, corner }: GridSelection): GridRange {
  const other = corner ?? active;
  return {
    top: Math.min(active.row, other.row),
    bottom: Math.max(active.row, other.row),
    left: Math.min(active.column, other.column),
    right: Math.max(active.column, other.column),
  };
}

export function isSingle(range: GridRange): boolean {
  return range.top === range.bottom && range.left === range.right;
}

/** The place a step away, held inside the grid. */
export function stepFrom(place: GridPlace, rows: number, columns: number, size: GridSize): GridPlace {
  return {
    row: clamp(place.row + rows, size.rows),
    column: clamp(place.column + columns, size.columns),
  };
}

/**
 * The next cell in reading order that may be typed in; null at the end of the grid (Tab then leaves it).
 * @param isOpen tells whether a cell takes input
 */
export function nextOpenCell(
  place: GridPlace,
  step: 1 | -1,
  size: GridSize,
  isOpen: (place: GridPlace) => boolean,
): GridPlace | null {
  let index = place.row * size.columns + place.column + step;
  // Two lines are far enough: beyond them every cell of the grid is closed.
  const limit = size.columns * 2;
  for (let tries = 0; tries < limit; tries += 1) {
    if (index < 0 || index >= size.rows * size.columns) return null;
    const next = { row: Math.floor(index / size.columns), column: index % size.columns };
    if (isOpen(next)) return next;
    index += step;
  }
  return null;
}

function clamp(value: number, length: number): number {
  return Math.max(0, Math.min(length - 1, value));
}
