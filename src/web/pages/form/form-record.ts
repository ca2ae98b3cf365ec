import { linesOf } from '#engine/record/record-lines.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { type FieldWrites, withWrites } from './field-writes.ts';
import { formLines, type LinesParts } from './form-lines.ts';
import { headOf } from './form-values.ts';

/** The record of a form as it stands: the values of its head, and a store for each table of lines. */
export class FormRecord {
  readonly lines: ReadonlyMap<string, LineStore>;
  readonly #resource: Resource;
  #head: ErpRecord;
  #whole: ErpRecord | null = null;

  constructor(record: ErpRecord, parts: LinesParts) {
    this.#resource = parts.resource;
    this.#head = headOf(parts.resource, record);
    this.lines = formLines(record, parts);
  }

  get head(): ErpRecord {
    return this.#head;
  }

  /** Head and lines; the same object until something of it changes. */
  whole(): ErpRecord {
    if (this.#whole !== null) return this.#whole;
    const whole: Record<string, unknown> = { ...this.#head };
    for (const [name, store] of this.lines) whole[name] = store.lines();
    this.#whole = whole;
    return whole;
  }

  write(written: FieldWrites): void {
    this.#head = withWrites(this.#head, written);
    this.#whole = null;
  }

  /** Something in a store of lines is another now. */
  noteLines(): void {
    this.#whole = null;
  }

  /** Takes another record in place of this one. */
  take(record: ErpRecord): void {
    this.#head = headOf(this.#resource, record);
    this.#whole = null;
    for (const [name, store] of this.lines) store.reset(linesOf(record, name));
    this.#whole = null;
  }
}
