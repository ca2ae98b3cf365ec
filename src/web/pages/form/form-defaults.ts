import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { isFollowing } from '#engine/schema/default-order.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { plainWrites, type FieldWrites } from './field-writes.ts';

/**
 * The fields of a new record whose defaults follow from its other values, because nobody has written them: they are not
 * sent, and follow what the server makes of the form until somebody types into them or empties them.
 */
export class FormDefaults {
  readonly #names: readonly string[];
  #open: ReadonlySet<string> = new Set();
  #isNew = false;

  constructor({ fields }: Resource) {
    this.#names = Object.values(fields).flatMap((field) => (isFollowing(field) ? [field.name] : []));
  }

  /** Begins with what a new record is given; a saved one has no open defaults. */
  begin(isNew: boolean, given: ErpRecord = {}): void {
    this.#isNew = isNew;
    this.#open = new Set(isNew ? this.#names.filter((name) => isEmptyValue(given[name])) : []);
  }

  has(name: string): boolean {
    return this.#open.has(name);
  }

  /** Somebody wrote these. */
  close(names: Iterable<string>): void {
    if (this.#open.size === 0) return;
    const written = new Set(names);
    this.#open = new Set([...this.#open].filter((name) => !written.has(name)));
  }

  /** A rule emptied these: when they are asked for again, they start again. */
  reopen(names: Iterable<string>): void {
    if (!this.#isNew) return;
    const emptied = new Set(names);
    this.#open = new Set([...this.#open, ...this.#names.filter((name) => emptied.has(name))]);
  }

  /** What the server made of them, where it differs from what stands in the head. */
  answered(head: ErpRecord, answer: ErpRecord): FieldWrites {
    const changed = [...this.#open].filter(
      (name) => answer[name] !== undefined && answer[name] !== (head[name] ?? null),
    );
    const labels = labelsOf(answer);
    return {
      ...plainWrites(new Map(changed.map((name) => [name, answer[name]]))),
      labels: Object.fromEntries(changed.map((name) => [name, labels[name] ?? null])),
    };
  }

  /** Without those that say an open default is missing: the server fills it, or says so itself. */
  withoutOpen(problems: readonly FieldProblem[]): readonly FieldProblem[] {
    return problems.filter(({ code, path }) => code !== 'required' || !this.#open.has(path));
  }
}
