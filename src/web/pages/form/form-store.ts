import type { FieldStates } from '#engine/record/field-states.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import { parseField } from '#engine/fields/field-types.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord } from '#web/fields/field-view.ts';
import type { LinesChange } from '#web/fields/grid/line-options.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import { fieldSnapshot } from './field-snapshot.ts';
import { type FieldWrites, fieldWrites, plainWrites, withWrites } from './field-writes.ts';
import { type ChangedForm, FormChanges } from './form-changes.ts';
import { recordProblems } from './form-check.ts';
import { FormDefaults } from './form-defaults.ts';
import { deriveLine } from './form-formulas.ts';
import { FormListeners } from './form-listeners.ts';
import type { FieldSnapshot, FormOptions } from './form-options.ts';
import { FormProblems } from './form-problems.ts';
import { formScope } from './form-scope.ts';
import { FormSettling, type Settled } from './form-settling.ts';
import { newLine, newRecord } from './form-start.ts';
import { FormStates } from './form-states.ts';
import { headOf, lineFieldsOf } from './form-values.ts';
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
  readonly #lines = new Map<string, LineStore>();
  readonly #listeners = new FormListeners();
  readonly #snapshots = new Map<string, FieldSnapshot>();
  readonly #problems = new FormProblems(this.#lines);
  readonly #changes = new FormChanges(() => this.#changed());
  readonly #defaults: FormDefaults;
  #head: ErpRecord;
  #base: ErpRecord;
  readonly #states: FormStates;
  #isNew: boolean;
  #record: ErpRecord | null = null;

  constructor(options: FormOptions) {
    this.#options = options;
    this.resource = options.resource;
    loadPatternEngine(options.resource);
    this.#isNew = options.record === null;
    this.#defaults = new FormDefaults(options.resource);
    this.#defaults.begin(this.#isNew, { ...options.initial, ...options.stamped });
    this.#settling = new FormSettling(this.#settled(), options.context);
    this.#states = new FormStates(options.resource, options.record);
    const start = options.record ?? newRecord(options);
    this.#base = start;
    this.#head = headOf(this.resource, start);
    for (const field of lineFieldsOf(this.resource))
      this.#lines.set(field.name, this.#makeLines(field, start));
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
      head: this.#head,
      state: this.#states.all()[name],
      isOpen: this.isOpen(name),
      isStamped: this.#isNew && this.#options.stamped?.[name] !== undefined,
      problem: this.#problems.of(name)?.message ?? null,
    });
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  lines(name: string): LineStore | undefined {
    return this.#lines.get(name);
  }

  /** True when the person may write a path now, rules aside. */
  isOpen(path: string): boolean {
    return this.#states.isOpen(path, this.#isNew);
  }

  /** Writes a field; a picked record brings what it fills and what rules read of it. */
  set(name: string, value: unknown, picked?: PickedRecord | readonly PickedRecord[] | null): void {
    const written = fieldWrites(this.resource, this.#head, { name, value, picked });
    this.#defaults.close(written.writes.keys());
    this.#writeHead(written);
  }

  /** The record as it stands, lines included. */
  record(): ErpRecord {
    if (this.#record !== null) return this.#record;
    const record: Record<string, unknown> = { ...this.#head };
    for (const [name, store] of this.#lines) record[name] = store.lines();
    this.#record = record;
    return record;
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
    const keys = Object.fromEntries([...this.#lines].map(([name, store]) => [name, store.order()]));
    return { record: this.record(), keys };
  }

  isDirty(): boolean {
    return this.#changes.isAny();
  }

  /** Everything wrong with what was typed; marks the fields and cells. */
  check(complete: boolean): readonly FieldProblem[] {
    for (const lines of this.#lines.values()) lines.dropBlank();
    this.flush();
    const found = recordProblems(this.scope(), this.#problems.unread(), complete);
    const problems = this.#defaults.withoutOpen(found);
    this.showProblems(problems);
    return problems;
  }

  /** Checks one field when it is left. */
  checkField(name: string): void {
    const field = this.resource.fields[name];
    if (field === undefined) return;
    const parsed = parseField(this.#head[name], field);
    const known = this.#problems.of(name);
    if ('problem' in parsed) this.#problems.set(name, { path: name, ...parsed.problem });
    else if (known === undefined || known.code === 'required') return;
    else this.#problems.noteCells();
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
    const [resource, lines, base, mine] = [this.resource, this.#lines, this.#base, this.record()];
    const isSame = sent === undefined || sent.record === mine;
    const kept = isSame ? record : rebaseLines({ resource, lines, sent, base, mine, answer: record });
    this.#base = record;
    this.#isNew = false;
    this.#defaults.begin(false);
    this.#states.takeRights(record);
    this.#take(kept);
  }

  /** Takes other values over the same base: a draft, a merged version. */
  restore(record: ErpRecord, base = this.#base): void {
    this.#base = base;
    this.#defaults.begin(this.#isNew, record);
    this.#take(record);
  }

  /** What the server computed for the record as it was. Nobody typed anything: the revision stays, and so does what is dirty. */
  applyComputed(computed: ErpRecord): void {
    const started = this.#defaults.answered(this.#head, computed);
    if (started.writes.size > 0) {
      this.#base = withWrites(this.#base, started);
      this.#head = withWrites(this.#head, started);
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
      lines: this.#lines,
      scope: () => this.scope(),
      head: () => this.#head,
      putComputed: (values) => this.#putComputed(values),
      write: (values) => {
        this.#defaults.reopen(values.keys());
        this.#writeHead(plainWrites(values));
      },
      refreshStates: () => this.#refreshStates(),
      announce: () => this.#listeners.tellAny(),
      defer: this.#options.defer,
    };
  }

  #putComputed(values: ReadonlyMap<string, unknown>): void {
    this.#record = null;
    if (values.size === 0) return;
    this.#head = { ...this.#head, ...Object.fromEntries(values) };
    for (const name of values.keys()) this.#touch(name);
  }

  #changed(): ChangedForm {
    return {
      resource: this.resource,
      base: this.#base,
      head: this.#head,
      lines: this.#lines,
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

  #makeLines(field: Field, record: ErpRecord): LineStore {
    const numbered = runningNumber(field);
    return new LineStore({
      numbered: () => (numbered !== null && this.isOpen(`${field.name}.${numbered}`) ? numbered : null),
      columns: Object.values(field.fields ?? {}),
      lines: linesOf(record, field.name),
      derive: (line, changed) =>
        deriveLine(this.#settling.plan, formScope(this.#options, this.record()), {
          lines: field.name,
          line,
          changed,
        }),
      onChange: (change) => this.#linesChanged(field, change),
      newLine: (above) => newLine(field, this.scope(), above),
    });
  }

  #linesChanged(field: Field, change: LinesChange): void {
    this.#record = null;
    const [cell] = change.cells;
    if (cell !== undefined) this.#changes.note({ name: field.name, ...cell });
    this.#settling.noteLines(field, change);
    if (this.#problems.forget(field.name)) this.#touch(field.name);
    this.#problems.noteCells();
    this.#listeners.tellAny();
    this.#settling.later();
  }

  #writeHead(written: FieldWrites): void {
    this.#head = withWrites(this.#head, written);
    this.#record = null;
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
    for (const name of this.#states.refresh(this.scope(), this.#lines, this.#isNew)) this.#touch(name);
  }

  #take(record: ErpRecord): void {
    this.#head = headOf(this.resource, record);
    this.#record = null;
    this.#changes.forget();
    this.#problems.clear();
    this.#settling.forgetAll();
    for (const [name, store] of this.#lines) store.reset(linesOf(record, name));
    this.#record = null;
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
