import type { FieldStates } from '#engine/record/field-states.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import type { LinesChange } from '#web/fields/grid/line-options.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { fieldSnapshot } from './field-snapshot.ts';
import { type FieldWrites, fieldWrites, plainWrites, withWrites } from './field-writes.ts';
import { type ChangedForm, FormChanges } from './form-changes.ts';
import { recordProblems } from './form-check.ts';
import { FormDefaults } from './form-defaults.ts';
import type { LinesParts } from './form-lines.ts';
import { FormListeners } from './form-listeners.ts';
import type { FieldSnapshot, FormOptions } from './form-options.ts';
import { FormProblems } from './form-problems.ts';
import { formScope } from './form-scope.ts';
import { FormRecord } from './form-record.ts';
import { FormSettling, type Settled } from './form-settling.ts';
import { newRecord } from './form-start.ts';
import { FormStates } from './form-states.ts';
import { loadPatternEngine } from './pattern-engine.ts';
import { rebaseLines, type SentForm } from './rebase-form.ts';
import type { Changes } from './record-changes.ts';

/**
 * The state of one form: a value per field with its own listeners. A keystroke wakes its field; formulas of the head,
 * rules and what they clear follow after the paint, and only when the change concerns them.
 */
export class FormStore {
  readonly resource: Resource;
  readonly #options: FormOptions;
  readonly #settling: FormSettling;
  readonly #record: FormRecord;
  readonly #listeners = new FormListeners();
  readonly #snapshots = new Map<string, FieldSnapshot>();
  readonly #problems: FormProblems;
  readonly #changes = new FormChanges(() => this.#changed());
  readonly #defaults: FormDefaults;
  #base: ErpRecord;
  readonly #states: FormStates;
  #isNew: boolean;

  constructor(options: FormOptions) {
    this.#options = options;
    this.resource = options.resource;
    loadPatternEngine(options.resource);
    this.#isNew = options.record === null;
    this.#defaults = new FormDefaults(options.resource);
    this.#defaults.begin(this.#isNew, { ...options.initial, ...options.stamped });
    this.#states = new FormStates(options.resource, options.record);
    const start = options.record ?? newRecord(options);
    this.#base = start;
    this.#record = new FormRecord(start, this.#linesParts());
    this.#problems = new FormProblems(this.#record.lines);
    this.#settling = new FormSettling(this.#settled(), options.context);
    this.#refreshStates();
  }

  /** True until the record is saved the first time. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Counts up with every change. */
  readonly revision = (): number => this.#listeners.revision;
  /** Counts up when a problem comes or goes. */
  readonly problemRevision = (): number => this.#problems.revision;
  readonly subscribeAny = (listener: () => void): (() => void) => this.#listeners.onAny(listener);

  subscribe(name: string, listener: () => void): () => void {
    return this.#listeners.onField(name, listener);
  }

  field(name: string): FieldSnapshot {
    const known = this.#snapshots.get(name);
    if (known !== undefined) return known;
    const snapshot = fieldSnapshot({
      field: this.resource.fields[name],
      name,
      head: this.#record.head,
      state: this.#states.all()[name],
      isOpen: this.isOpen(name),
      isStamped: this.#isNew && this.#options.stamped?.[name] !== undefined,
      problem: this.#problems.of(name),
    });
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  lines(name: string): LineStore | undefined {
    return this.#record.lines.get(name);
  }

  /** True when the person may write a path now, rules aside. */
  isOpen(path: string): boolean {
    return this.#states.isOpen(path, this.#isNew);
  }

  /** Writes a field; a picked record brings what it fills and what rules read of it. */
  set(name: string, value: unknown, picked?: PickedRecord | readonly PickedRecord[] | null): void {
    const written = fieldWrites(this.resource, this.#record.head, { name, value, picked });
    this.#defaults.close(written.writes.keys());
    this.#writeHead(written);
  }

  /** The record as it stands, lines included. */
  record(): ErpRecord {
    return this.#record.whole();
  }

  readonly base = (): ErpRecord => this.#base;
  readonly states = (): FieldStates => this.#states.all();

  scope(): Scope {
    return formScope(this.#options, this.record());
  }

  /** What differs from the saved record, as the body of a save. */
  changes(): Changes {
    return this.#changes.all();
  }

  /** The record as it is sent now, to tell later what was typed since. */
  sent(): SentForm {
    const keys = Object.fromEntries([...this.#record.lines].map(([name, store]) => [name, store.order()]));
    return { record: this.record(), keys };
  }

  isDirty(): boolean {
    return this.#changes.isAny();
  }

  /** Everything wrong with what was typed; marks the fields and cells. */
  check(complete: boolean): readonly FieldProblem[] {
    for (const lines of this.#record.lines.values()) lines.dropBlank();
    this.flush();
    const found = recordProblems(this.scope(), this.#problems.unread(), {
      complete,
      isNew: this.#isNew,
    });
    const problems = this.#defaults.withoutOpen(found);
    this.showProblems(problems);
    return problems;
  }

  /** Checks one field when it is left. */
  checkField(name: string): void {
    const field = this.resource.fields[name];
    if (field === undefined) return;
    if (!this.#problems.checkValue(field, this.#record.head[name])) return;
    this.#touch(name);
    this.#listeners.tellAny();
  }

  /** Shows problems (of a check or an answer) at their fields and cells. Paths of lines go by the index in the record. */
  showProblems(problems: readonly FieldProblem[]): void {
    for (const name of this.#problems.replace(problems)) this.#touch(name);
    this.#listeners.tellAny();
  }

  /** Problems that stand now: of fields, then of cells by their index. */
  problems(): readonly FieldProblem[] {
    return this.#problems.all();
  }

  /** Takes the record as saved: it is the new base. What was typed since it was sent stays, and is all that is dirty. */
  saved(record: ErpRecord, sent?: SentForm): void {
    const [resource, lines, base, mine] = [this.resource, this.#record.lines, this.#base, this.record()];
    const isSame = sent === undefined || sent.record === mine;
    const kept = isSame ? record : rebaseLines({ resource, lines, sent, base, mine, answer: record });
    this.#base = record;
    this.#isNew = false;
    this.#defaults.begin(false);
    this.#states.takeRights(record);
    this.#take(kept);
  }

  /** Takes other values over the same base, a draft, or over another one with its rights, a merged version. */
  restore(record: ErpRecord, base = this.#base): void {
    if (base !== this.#base && Array.isArray(base['_editable'])) this.#states.takeRights(base);
    this.#base = base;
    this.#defaults.begin(this.#isNew, record);
    this.#take(record);
  }

  /** What the server computed for the record as it was. Nobody typed anything: the revision stays, and so does what is dirty. */
  applyComputed(computed: ErpRecord): void {
    const started = this.#defaults.answered(this.#record.head, computed);
    if (started.writes.size > 0) {
      this.#base = withWrites(this.#base, started);
      this.#record.write(started);
    }
    this.#settling.applyAnswer(computed);
    for (const name of started.writes.keys()) {
      this.#problems.forget(name);
      this.#settling.note(name);
      this.#touch(name);
    }
    this.flush();
  }

  /** Runs now what was put off until after the paint. */
  flush(): void {
    this.#settling.flush();
  }

  #settled(): Settled {
    return {
      resource: this.resource,
      lines: this.#record.lines,
      scope: () => this.scope(),
      head: () => this.#record.head,
      putComputed: (written) => this.#putComputed(written),
      write: (values) => {
        this.#defaults.reopen(values.keys());
        this.#writeHead(plainWrites(values));
      },
      refreshStates: () => this.#refreshStates(),
      announce: () => this.#listeners.tellAny(),
      defer: this.#options.defer,
    };
  }

  #putComputed(written: FieldWrites): void {
    if (written.writes.size > 0) this.#record.write(written);
    else this.#record.noteLines();
    for (const name of written.writes.keys()) this.#touch(name);
  }

  #changed(): ChangedForm {
    return {
      resource: this.resource,
      base: this.#base,
      head: this.#record.head,
      lines: this.#record.lines,
      isSent: (path) => this.#isSent(path),
      isNew: this.#isNew,
      record: () => this.record(),
      source: this.#options.source ?? null,
    };
  }

  #isSent(path: string): boolean {
    if (this.#defaults.has(path)) return false;
    return this.isOpen(path) || this.#options.stamped?.[path] !== undefined;
  }

  #linesParts(): LinesParts {
    return {
      resource: this.resource,
      scope: () => this.scope(),
      isOpen: (path) => this.isOpen(path),
      plan: () => this.#settling.plan,
      onChange: (field, change) => this.#linesChanged(field, change),
    };
  }

  #linesChanged(field: Field, change: LinesChange): void {
    this.#record.noteLines();
    const [cell] = change.cells;
    if (cell !== undefined) this.#changes.note({ name: field.name, ...cell });
    this.#settling.noteLines(field, change);
    if (this.#problems.forget(field.name)) this.#touch(field.name);
    this.#problems.noteCells();
    this.#listeners.tellAny();
    this.#settling.later();
  }

  #writeHead(written: FieldWrites): void {
    this.#record.write(written);
    for (const name of written.writes.keys()) {
      this.#changes.note({ name });
      this.#problems.forget(name);
      this.#settling.note(name);
      this.#touch(name);
    }
    this.#listeners.tellAny();
    this.#settling.later();
  }

  #refreshStates(): void {
    for (const name of this.#states.refresh(this.scope(), this.#record.lines, this.#isNew)) this.#touch(name);
  }

  #take(record: ErpRecord): void {
    this.#changes.forget();
    this.#problems.clear();
    this.#settling.forgetAll();
    this.#record.take(record);
    this.#refreshStates();
    this.#snapshots.clear();
    this.#listeners.tellAllFields();
    this.#listeners.tellAny();
  }

  #touch(name: string): void {
    this.#snapshots.delete(name);
    this.#listeners.tellField(name);
  }
}
