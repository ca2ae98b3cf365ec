import { checkRecord } from '#engine/record/check-record.ts';
import type { FieldState, FieldStates } from '#engine/record/field-states.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import { parseField } from '#engine/fields/field-types.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord, ValueLabel } from '#web/fields/field-view.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import type { LinesChange } from '#web/fields/grid/line-options.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import { type Compared, type Difference, isDifferent, typedKeys, typedRecord } from './form-difference.ts';
import { deriveLine } from './form-formulas.ts';
import { FormListeners } from './form-listeners.ts';
import type { FieldSnapshot, FormOptions } from './form-options.ts';
import { FormProblems } from './form-problems.ts';
import { cellStates, controlState, currentStates, openPaths } from './form-rules.ts';
import { formScope } from './form-scope.ts';
import { FormSettling, type Settled } from './form-settling.ts';
import { newLine, newRecord } from './form-start.ts';
import { headOf, isOne, isSameRecord, lineFieldsOf, valueProblems, withoutBelow } from './form-values.ts';
import { loadPatternEngine } from './pattern-engine.ts';
import { rebaseLines, type SentForm } from './rebase-form.ts';
import { type Changes, changesOf } from './record-changes.ts';

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
  #head: ErpRecord;
  #base: ErpRecord;
  #open: ReadonlySet<string> | null;
  #states: FieldStates = {};
  #isNew: boolean;
  #revision = 0;
  /** Something that differed from the saved record when it was looked at last: looked at first the next time. */
  #difference: Difference | null = null;
  #record: ErpRecord | null = null;

  constructor(options: FormOptions) {
    this.#options = options;
    this.resource = options.resource;
    loadPatternEngine(options.resource);
    this.#isNew = options.record === null;
    this.#settling = new FormSettling(this.#settled(), options.context);
    this.#open = openPaths(options.resource, options.record);
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
  readonly revision = (): number => this.#revision;
  /** Counts up when a problem comes or goes. */
  readonly problemRevision = (): number => this.#problems.revision;
  readonly subscribeAny = (listener: () => void): (() => void) => this.#listeners.onAny(listener);

  subscribe(name: string, listener: () => void): () => void {
    return this.#listeners.onField(name, listener);
  }

  field(name: string): FieldSnapshot {
    const known = this.#snapshots.get(name);
    if (known !== undefined) return known;
    const field = this.resource.fields[name];
    const stamped = this.#isNew && this.#options.stamped?.[name] !== undefined;
    const state =
      field === undefined
        ? { isHidden: true, isRequired: false, isReadOnly: true, reason: null, requiredReason: null }
        : controlState(field, this.#states[name], this.isOpen(name));
    const snapshot: FieldSnapshot = {
      ...state,
      ...(stamped && !state.isHidden ? { isReadOnly: true, reason: '由当前页面决定' } : {}),
      value: this.#head[name],
      label: labelsOf(this.#head)[name],
      problem: this.#problems.of(name)?.message ?? null,
    };
    this.#snapshots.set(name, snapshot);
    return snapshot;
  }

  lines(name: string): LineStore | undefined {
    return this.#lines.get(name);
  }

  /** True when the person may write a path now, rules aside. */
  isOpen(path: string): boolean {
    if (this.#open === null || this.#open.has(path)) return true;
    const [lines = '', column] = path.split('.');
    return column !== undefined && this.#isNew && this.#open.has(lines);
  }

  /** Writes a field; a picked record brings what it fills and what rules read of it. */
  set(name: string, value: unknown, picked?: PickedRecord | readonly PickedRecord[] | null): void {
    const writes = new Map<string, unknown>([[name, value]]);
    const labels: Record<string, ValueLabel> = {};
    let paths = withoutBelow(this.#head['_paths'], name);
    if (isOne(picked)) {
      labels[name] = picked.label;
      paths = { ...paths, ...picked.paths };
      for (const [own, filled] of Object.entries(picked.fill)) {
        writes.set(own, filled);
        labels[own] = picked.fillLabels[own];
      }
    } else if (picked !== undefined)
      labels[name] = picked === null ? null : picked.map((record) => record.label);
    else if (this.resource.fields[name]?.type === 'dictionary') labels[name] = null;
    this.#writeHead(writes, labels, paths);
  }

  /** The record as it stands, lines included. */
  record(): ErpRecord {
    if (this.#record !== null) return this.#record;
    const record: Record<string, unknown> = { ...this.#head };
    for (const [name, store] of this.#lines) record[name] = store.lines();
    this.#record = record;
    return record;
  }

  base(): ErpRecord {
    return this.#base;
  }

  states(): FieldStates {
    return this.#states;
  }

  scope(): Scope {
    return formScope(this.#options, this.record());
  }

  /** What differs from the saved record, as the body of a save. */
  changes(): Changes {
    return changesOf(this.resource, {
      base: this.#isNew ? null : this.#base,
      record: typedRecord(this.record(), this.#lines),
      keys: (lines) => typedKeys(this.#lines.get(lines)),
      isSent: (path) => this.#isSent(path),
      source: this.#options.source ?? null,
    });
  }

  /** The record as it is sent now, to tell later what was typed since. */
  sent(): SentForm {
    const keys = Object.fromEntries([...this.#lines].map(([name, store]) => [name, store.order()]));
    return { record: this.record(), keys };
  }

  isDirty(): boolean {
    if (this.#difference !== null && isDifferent(this.#difference, this.#compared())) return true;
    this.#difference = null;
    if (this.#isNew) return !isSameRecord(this.resource, this.#base, typedRecord(this.record(), this.#lines));
    return !this.changes().isEmpty;
  }

  /** Everything wrong with what was typed; marks the fields and cells. Values first, rules after. */
  check(complete: boolean): readonly FieldProblem[] {
    for (const lines of this.#lines.values()) lines.dropBlank();
    this.flush();
    const scope = this.scope();
    const broken = [...valueProblems(this.resource, scope.record), ...this.#problems.unread()];
    const paths = new Set(broken.map((problem) => problem.path));
    const problems = [
      ...broken,
      ...checkRecord(this.resource, scope.record, scope, { complete }).filter(({ path }) => !paths.has(path)),
    ];
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
    this.#announce();
  }

  /** Shows problems (of a check or an answer) at their fields and cells. Paths of lines go by the index in the record. */
  showProblems(problems: readonly FieldProblem[]): void {
    for (const name of this.#problems.replace(problems)) this.#touch(name);
    this.#announce();
  }

  /** Problems that stand now: of fields, then of cells by their index. */
  problems(): readonly FieldProblem[] {
    return this.#problems.all();
  }

  /** Takes the record as saved: it is the new base. What was typed since it was sent stays, and is all that is dirty. */
  saved(record: ErpRecord, sent?: SentForm): void {
    const kept = sent === undefined || sent.record === this.record() ? record : this.#rebased(record, sent);
    this.#base = record;
    this.#isNew = false;
    this.#open = openPaths(this.resource, record);
    this.#take(kept);
  }

  /** Takes other values over the same base: a draft, a merged version. */
  restore(record: ErpRecord, base?: ErpRecord): void {
    if (base !== undefined) this.#base = base;
    this.#take(record);
  }

  /** What the server computed for the record as it was. Nobody typed anything: the revision stays. */
  applyComputed(computed: ErpRecord): void {
    this.#settling.applyAnswer(computed);
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
      write: (values) =>
        this.#writeHead(
          values,
          Object.fromEntries([...values.keys()].map((name) => [name, null])),
          undefined,
        ),
      refreshStates: () => this.#refreshStates(),
      announce: () => this.#announce(),
      defer: this.#options.defer,
    };
  }

  #putComputed(values: ReadonlyMap<string, unknown>): void {
    this.#record = null;
    if (values.size === 0) return;
    this.#head = { ...this.#head, ...Object.fromEntries(values) };
    for (const name of values.keys()) this.#touch(name);
  }

  #rebased(answer: ErpRecord, sent: SentForm): ErpRecord {
    const { resource } = this;
    return rebaseLines({ resource, lines: this.#lines, sent, base: this.#base, mine: this.record(), answer });
  }

  #compared(): Compared {
    return {
      resource: this.resource,
      base: this.#base,
      head: this.#head,
      lines: this.#lines,
      isSent: (path) => this.#isSent(path),
    };
  }

  #isSent(path: string): boolean {
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
    if (cell !== undefined) this.#difference = { name: field.name, ...cell };
    const touched = new Set(change.cells.map(({ column }) => column));
    if (change.hasNewOrder) {
      this.#settling.note(field.name);
      for (const column of Object.keys(field.fields ?? {})) touched.add(column);
    }
    for (const column of touched) this.#settling.note(`${field.name}.${column}`);
    if (this.#problems.forget(field.name)) this.#touch(field.name);
    this.#problems.noteCells();
    this.#announce();
    this.#settling.later();
  }

  #writeHead(writes: ReadonlyMap<string, unknown>, labels: Record<string, ValueLabel>, paths: unknown): void {
    this.#head = {
      ...this.#head,
      ...Object.fromEntries(writes),
      _labels: { ...labelsOf(this.#head), ...labels },
      ...(paths === undefined ? {} : { _paths: paths }),
    };
    this.#record = null;
    for (const name of writes.keys()) {
      this.#difference = { name };
      this.#problems.forget(name);
      this.#settling.note(name);
      this.#touch(name);
    }
    this.#announce();
    this.#settling.later();
  }

  #refreshStates(): void {
    const before = this.#states;
    const states = currentStates(this.scope());
    const paths = new Set([...Object.keys(before), ...Object.keys(states)]);
    const changed = [...paths].filter((path) => !isSameState(before[path], states[path]));
    // The same object for as long as nothing of it changes: sections of the form look at it.
    if (changed.length > 0) this.#states = states;
    for (const path of changed) if (this.resource.fields[path] !== undefined) this.#touch(path);
    for (const field of lineFieldsOf(this.resource)) {
      const store = this.#lines.get(field.name);
      if (store === undefined) continue;
      const { columns, cells } = cellStates(field, this.#states, {
        order: store.order(),
        isNewLine: (key) => store.line(key)['id'] === undefined,
        isOpen: (column) => this.isOpen(`${field.name}.${column}`),
      });
      store.setStates(columns, cells);
    }
  }

  #take(record: ErpRecord): void {
    this.#head = headOf(this.resource, record);
    this.#record = null;
    this.#difference = null;
    this.#problems.clear();
    this.#settling.forgetAll();
    for (const [name, store] of this.#lines) store.reset(linesOf(record, name));
    this.#record = null;
    this.#refreshStates();
    this.#snapshots.clear();
    this.#listeners.tellAllFields();
    this.#announce();
  }

  #touch(name: string): void {
    this.#snapshots.delete(name);
    this.#listeners.tellField(name);
  }

  #announce(): void {
    this.#revision += 1;
    this.#listeners.tellAny();
  }
}

function isSameState(a: FieldState | undefined, b: FieldState | undefined): boolean {
  return a?.hidden === b?.hidden && a?.required === b?.required && a?.readOnly === b?.readOnly;
}
