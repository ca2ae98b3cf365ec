import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Unread } from './cell-problems.ts';

/** What a step back brings: an order, or lines as they were. */
export interface Step {
  readonly order: readonly string[] | null;
  readonly lines: ReadonlyMap<string, ErpRecord>;
  /** The cells that were unread then. */
  readonly unread: Unread;
  /** Set while typing goes on in one cell, so that a word is one step and not one a letter. */
  readonly cell: string | null;
}

const MAX_STEPS = 100;

/** The steps that can be taken back, and forward again. */
export class LineHistory {
  #undo: Step[] = [];
  #redo: Step[] = [];
  #isCoalescing = false;
  /** Of all time: some of them have been dropped since. */
  #pushed = 0;

  canUndo(): boolean {
    return this.#undo.length > 0;
  }

  canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** Keeps what was, unless it goes on with the step before it. */
  remember(step: Step): void {
    const last = this.#undo.at(-1);
    const joins = this.#isCoalescing && step.cell !== null && last?.cell === step.cell;
    this.#isCoalescing = step.cell !== null;
    this.#redo = [];
    if (joins) return;
    this.#undo.push(step);
    this.#pushed += 1;
    if (this.#undo.length > MAX_STEPS) this.#undo.shift();
  }

  /** Ends the current typing step: the next keystroke starts a new one. */
  endTyping(): void {
    this.#isCoalescing = false;
  }

  /** What some work does is one step, however many changes it takes. */
  join<T>(work: () => T): T {
    const before = this.#pushed;
    const result = work();
    const count = Math.min(this.#pushed - before, this.#undo.length);
    if (count > 1) this.#undo.push(joinedSteps(this.#undo.splice(-count)));
    return result;
  }

  /** The last step in a direction; `now` gives what stands, to come back to. Null when there is none. */
  take(way: 'undo' | 'redo', now: (step: Step) => Step): Step | null {
    const [from, to] = way === 'undo' ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const step = from.pop();
    if (step === undefined) return null;
    this.#isCoalescing = false;
    to.push(now(step));
    return step;
  }

  clear(): void {
    this.#undo = [];
    this.#redo = [];
  }
}

/** Of several steps what was before the first that touched it. */
function joinedSteps(steps: readonly Step[]): Step {
  return {
    order: steps.find(({ order }) => order !== null)?.order ?? null,
    lines: new Map(steps.toReversed().flatMap(({ lines }) => [...lines])),
    unread: steps[0]?.unread ?? new Map(),
    cell: null,
  };
}
