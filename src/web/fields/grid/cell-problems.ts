import { cellId, cellOf } from './line-cell.ts';

export interface CellProblem {
  readonly key: string;
  readonly column: string;
  readonly message: string;
}

/** A problem and the place of its line. */
export interface PlacedProblem extends CellProblem {
  readonly index: number;
}

/** What is wrong with cells: by a check, and pasted texts that no value could be made of. */
export class CellProblems {
  readonly #problems = new Map<string, string>();
  /** They stand until their cell is written. */
  readonly #unread = new Map<string, string>();

  /** The words at a cell; null when nothing is wrong with it. */
  of(id: string): string | null {
    return this.#unread.get(id) ?? this.#problems.get(id) ?? null;
  }

  /** Replaces all problems. @returns the cells whose problem came or went */
  replace(problems: readonly CellProblem[]): readonly string[] {
    const next = new Map(problems.map(({ key, column, message }) => [cellId(key, column), message]));
    const changed = [...this.#problems.keys(), ...next.keys()].filter(
      (id) => this.#problems.get(id) !== next.get(id),
    );
    this.#problems.clear();
    for (const [id, message] of next) this.#problems.set(id, message);
    return [...new Set(changed)];
  }

  /** Sets or takes one problem away; false when it stood so already. */
  set(id: string, message: string | null): boolean {
    if ((this.#problems.get(id) ?? null) === message) return false;
    if (message === null) this.#problems.delete(id);
    else this.#problems.set(id, message);
    return true;
  }

  setUnread(id: string, message: string): void {
    this.#unread.set(id, message);
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

function placed(problems: ReadonlyMap<string, string>, order: readonly string[]): readonly PlacedProblem[] {
  if (problems.size === 0) return [];
  const places = new Map(order.map((key, index) => [key, index]));
  return [...problems].flatMap(([id, message]) => {
    const { key, column } = cellOf(id);
    const index = places.get(key);
    return index === undefined ? [] : [{ key, column, message, index }];
  });
}
