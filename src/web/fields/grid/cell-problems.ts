import { cellId, cellOf } from './line-cell.ts';

/** The words at a cell, and whether they only warn. */
export interface CellFault {
  readonly message: string;
  readonly isWarning?: boolean;
}

export interface CellProblem extends CellFault {
  readonly key: string;
  readonly column: string;
}

/** A problem and the place of its line. */
export interface PlacedProblem extends CellProblem {
  readonly index: number;
}

/** Cells whose pasted text nobody could read, by id. */
export type Unread = ReadonlyMap<string, CellFault>;

/** What is wrong with cells: by a check, and pasted texts that no value could be made of. */
export class CellProblems {
  readonly #problems = new Map<string, CellFault>();
  /** They stand until their cell is written; replaced, never changed, so that a step back may hold them. */
  #unread: Unread = new Map();

  /** What is said at a cell; null when nothing is wrong with it. */
  of(id: string): CellFault | null {
    return this.#unread.get(id) ?? this.#problems.get(id) ?? null;
  }

  /** Replaces all problems. @returns the cells whose problem came or went */
  replace(problems: readonly CellProblem[]): readonly string[] {
    const next = new Map<string, CellFault>();
    for (const { key, column, ...fault } of problems) {
      const id = cellId(key, column);
      next.set(id, worse(next.get(id), fault));
    }
    const changed = [...this.#problems.keys(), ...next.keys()].filter(
      (id) => !isSame(this.#problems.get(id), next.get(id)),
    );
    this.#problems.clear();
    for (const [id, fault] of next) this.#problems.set(id, fault);
    return [...new Set(changed)];
  }

  /** Sets or takes one problem away. @returns the cell where it did not stand so already */
  set(id: string, message: string | null): readonly string[] {
    const fault = message === null ? undefined : { message };
    if (isSame(this.#problems.get(id), fault)) return [];
    if (fault === undefined) this.#problems.delete(id);
    else this.#problems.set(id, fault);
    return [id];
  }

  /** Marks cells as unread, beside those that are. @returns these cells */
  addUnread(cells: readonly CellProblem[]): readonly string[] {
    const marks = new Map(cells.map(({ key, column, message }) => [cellId(key, column), { message }]));
    if (marks.size > 0) this.#unread = new Map([...this.#unread, ...marks]);
    return [...marks.keys()];
  }

  /** All unread cells as they stand. */
  marks(): Unread {
    return this.#unread;
  }

  /** Puts back the unread cells of another moment. @returns the cells that are marked otherwise now */
  takeMarks(marks: Unread): readonly string[] {
    const ids = new Set([...this.#unread.keys(), ...marks.keys()]);
    const changed = [...ids].filter((id) => !isSame(this.#unread.get(id), marks.get(id)));
    this.#unread = marks;
    return changed;
  }

  /** Written cells have no problem until they are looked at again. */
  forget(cells: readonly Pick<CellProblem, 'key' | 'column'>[]): void {
    const written = new Set(cells.map(({ key, column }) => cellId(key, column)));
    for (const id of written) this.#problems.delete(id);
    if (this.#unread.size > 0) this.#unread = new Map([...this.#unread].filter(([id]) => !written.has(id)));
  }

  clear(): void {
    this.#problems.clear();
    this.#unread = new Map();
  }

  /** The unread cells of lines that are still there. */
  unread(order: readonly string[]): readonly PlacedProblem[] {
    return placed(this.#unread, order);
  }

  /** Problems in the order of the lines. */
  all(order: readonly string[]): readonly PlacedProblem[] {
    const both = new Map([...this.#problems, ...this.#unread]);
    return placed(both, order).toSorted((a, b) => a.index - b.index);
  }
}

/** One cell says one thing: what refuses before what warns. */
function worse(before: CellFault | undefined, fault: CellFault): CellFault {
  return before === undefined || (before.isWarning === true && fault.isWarning !== true) ? fault : before;
}

function isSame(a: CellFault | undefined, b: CellFault | undefined): boolean {
  return a?.message === b?.message && a?.isWarning === b?.isWarning;
}

function placed(
  problems: ReadonlyMap<string, CellFault>,
  order: readonly string[],
): readonly PlacedProblem[] {
  if (problems.size === 0) return [];
  const places = new Map(order.map((key, index) => [key, index]));
  return [...problems].flatMap(([id, fault]) => {
    const { key, column } = cellOf(id);
    const index = places.get(key);
    return index === undefined ? [] : [{ key, column, ...fault, index }];
  });
}
