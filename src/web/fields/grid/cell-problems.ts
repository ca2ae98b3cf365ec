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

/** What is wrong with cells: by a check, and pasted texts that no value could be made of. */
export class CellProblems {
  readonly #problems = new Map<string, CellFault>();
  /** They stand until their cell is written. */
  readonly #unread = new Map<string, CellFault>();

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

  /** Sets or takes one problem away; false when it stood so already. */
  set(id: string, message: string | null): boolean {
    const fault = message === null ? undefined : { message };
    if (isSame(this.#problems.get(id), fault)) return false;
    if (fault === undefined) this.#problems.delete(id);
    else this.#problems.set(id, fault);
    return true;
  }

  setUnread(id: string, message: string): void {
    this.#unread.set(id, { message });
  }

  /** A written cell has no problem until it is looked at again. */
  forget(id: string): void {
    this.#problems.delete(id);
    this.#unread.delete(id);
  }

  clear(): void {
    this.#problems.clear();
    this.#unread.clear();
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
