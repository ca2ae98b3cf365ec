import type { ErpRecord } from '#engine/schema/resource.ts';
import { type Compared, type Difference, isDifferent, typedKeys, typedRecord } from './form-difference.ts';
import { isSameRecord } from './form-values.ts';
import { type Changes, changesOf, type MadeSource } from './record-changes.ts';

/** The form as it stands, beside what is saved of it. */
export interface ChangedForm extends Compared {
  readonly isNew: boolean;
  readonly record: () => ErpRecord;
  readonly source: MadeSource | null;
}

/** What of a form differs from the saved record. */
export class FormChanges {
  readonly #form: () => ChangedForm;
  /** Something that differed when it was looked at last: looked at first the next time. */
  #known: Difference | null = null;

  constructor(form: () => ChangedForm) {
    this.#form = form;
  }

  /** A place that was written just now. */
  note(place: Difference): void {
    this.#known = place;
  }

  forget(): void {
    this.#known = null;
  }

  /** All of it, as the body of a save. */
  all(): Changes {
    const { resource, isNew, base, lines, isSent, source, record } = this.#form();
    return changesOf(resource, {
      base: isNew ? null : base,
      record: typedRecord(record(), lines),
      keys: (name) => typedKeys(lines.get(name)),
      isSent,
      source,
    });
  }

  isAny(): boolean {
    const form = this.#form();
    if (this.#known !== null && isDifferent(this.#known, form)) return true;
    this.#known = null;
    const { resource, base, lines, record } = form;
    return form.isNew ? !isSameRecord(resource, base, typedRecord(record(), lines)) : !this.all().isEmpty;
  }
}
