import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { isSameCell } from './line-cell.ts';

/**
 * The lines themselves: values by key, their order, and those that were added empty. Values are replaced, never changed,
 * so that whoever holds them may compare.
 */
export class LineValues {
  readonly #values = new Map<string, ErpRecord>();
  /** Lines that were added empty, as they were then. */
  readonly #blank = new Map<string, ErpRecord>();
  #order: readonly string[] = [];

  /** Keys in their order; the same list until the order changes. */
  get order(): readonly string[] {
    return this.#order;
  }

  at(key: string): ErpRecord {
    return this.#values.get(key) ?? {};
  }

  /** True for lines that were ever there: a step back may bring them again. */
  knows(key: string): boolean {
    return this.#values.has(key);
  }

  last(): ErpRecord | undefined {
    const last = this.#order.at(-1);
    return last === undefined ? undefined : this.at(last);
  }

  /** Takes a line in, beside the order; its key. */
  add(values: ErpRecord): string {
    const key = nextKey();
    this.#values.set(key, values);
    return key;
  }

  replace(key: string, values: ErpRecord): void {
    this.#values.set(key, values);
  }

  arrange(order: readonly string[]): void {
    this.#order = order;
  }

  /** Takes other lines in the place of all; those with a known id keep their key. */
  takeAll(lines: readonly ErpRecord[]): void {
    const keyById = new Map(this.#order.map((key) => [this.at(key)['id'], key]));
    this.#order = lines.map((values) => {
      const key = values['id'] === undefined ? undefined : keyById.get(values['id']);
      if (key === undefined) return this.add(values);
      this.replace(key, values);
      return key;
    });
  }

  /** Numbers the lines from one as they stand. @returns the keys of those that got another number */
  renumber(column: string): readonly string[] {
    return this.#order.filter((key, index) => {
      const values = this.at(key);
      if (values[column] === index + 1) return false;
      this.replace(key, { ...values, [column]: index + 1 });
      return true;
    });
  }

  /** Remembers lines as they are now: added, and empty still. */
  noteBlank(keys: readonly string[]): void {
    for (const key of keys) this.#blank.set(key, this.at(key));
  }

  /** True while nothing was typed in a line that was added empty; its number is not typed. */
  isBlank(key: string, columns: readonly Field[], numbered: string | null): boolean {
    const start = this.#blank.get(key);
    const now = this.at(key);
    if (start === undefined || now['id'] !== undefined) return false;
    return columns.every(
      ({ name, computed }) => computed || name === numbered || isSameCell(start[name], now[name]),
    );
  }
}

let lastKey = 0;
function nextKey(): string {
  lastKey += 1;
  return `L${lastKey}`;
}
