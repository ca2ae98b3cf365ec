import { type CellState, cellId, OPEN_STATE, sameState } from './line-cell.ts';

type States = ReadonlyMap<string, CellState>;

/** Which cells are hidden, required and read-only: by column, and by cell where one line differs. */
export class CellStates {
  #columns: States = new Map();
  #cells: States = new Map();

  of(key: string, column: string): CellState {
    return this.#cells.get(cellId(key, column)) ?? this.column(column);
  }

  column(column: string): CellState {
    return this.#columns.get(column) ?? OPEN_STATE;
  }

  /** Takes other states. @returns the cells that look otherwise now; `all` when a whole column does */
  replace(columns: States, cells: States): 'all' | readonly string[] {
    const before = { columns: this.#columns, cells: this.#cells };
    this.#columns = columns;
    this.#cells = cells;
    if (differing(before.columns, columns).length > 0) return 'all';
    return differing(before.cells, cells);
  }
}

function differing(before: States, after: States): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !sameState(before.get(name), after.get(name)));
}
