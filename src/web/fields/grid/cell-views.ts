import { CellProblems } from './cell-problems.ts';
import { CellStates } from './cell-states.ts';
import { type CellSnapshot, type CellState, cellId, labelOf } from './line-cell.ts';
import type { LineListeners } from './line-listeners.ts';
import type { LineValues } from './line-values.ts';

/** What each cell shows: its value with its state and its problem, the same object until something of it changes. */
export class CellViews {
  readonly problems = new CellProblems();
  readonly #states = new CellStates();
  readonly #snapshots = new Map<string, CellSnapshot>();
  readonly #revisions = new Map<string, number>();
  readonly #values: LineValues;
  readonly #listeners: LineListeners;

  constructor(values: LineValues, listeners: LineListeners) {
    this.#values = values;
    this.#listeners = listeners;
  }

  of(key: string, column: string): CellSnapshot {
    const id = cellId(key, column);
    const known = this.#snapshots.get(id);
    if (known !== undefined) return known;
    const values = this.#values.at(key);
    const fault = this.problems.of(id);
    const snapshot: CellSnapshot = {
      ...this.#states.of(key, column),
      value: values[column],
      label: labelOf(values, column),
      problem: fault?.message ?? null,
      isWarning: fault?.isWarning === true,
    };
    this.#snapshots.set(id, snapshot);
    return snapshot;
  }

  columnState(column: string): CellState {
    return this.#states.column(column);
  }

  /** Counts up when a value of the column changes. */
  revision(column: string): number {
    return this.#revisions.get(column) ?? 0;
  }

  /** A value of the cell is another one. */
  touch(key: string, column: string): void {
    this.#revisions.set(column, this.revision(column) + 1);
    this.wake(cellId(key, column));
  }

  /** Something that the cell shows is another. */
  wake(id: string): void {
    this.#snapshots.delete(id);
    this.#listeners.tellCell(id);
  }

  wakeAll(): void {
    this.#snapshots.clear();
    this.#listeners.tellAllCells();
  }

  /** Takes other states; true when all cells were woken. */
  setStates(columns: ReadonlyMap<string, CellState>, cells: ReadonlyMap<string, CellState>): boolean {
    const changed = this.#states.replace(columns, cells);
    if (changed === 'all') this.wakeAll();
    else for (const id of changed) this.wake(id);
    return changed === 'all';
  }
}
