import { applyDefaults, applyLineDefaults } from '#engine/record/apply-defaults.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { FieldState, FieldStates } from '#engine/record/field-states.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { parseField } from '#engine/fields/field-types.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field, FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { PickedRecord, ValueLabel } from '#web/fields/field-view.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { type CellChange, type CellState, LineStore, type LinesChange } from '#web/fields/grid/line-store.ts';
import { loadPatternEngine } from './pattern-engine.ts';
import { deriveLine, formulaPlan, isConcerned, recompute } from './form-formulas.ts';
import { cellStates, controlState, currentStates, openPaths, ruleReads } from './form-rules.ts';
import { formScope, type FormSurroundings } from './form-scope.ts';
import {
  headOf,
  isOne,
  isSameRecord,
  knownValues,
  lineFieldsOf,
  valueProblems,
  withoutBelow,
} from './form-values.ts';
import { newLineIds, rebaseForm, type SentForm } from './rebase-form.ts';
import { type Changes, changesOf, isSameValue, type MadeSource } from './record-changes.ts';

export interface FormOptions extends FormSurroundings {
  /** The saved record; null for a new one. */
  readonly record: ErpRecord | null;
  /** Values that the page stamps on a new record; they cannot be changed there. */
  readonly stamped?: ErpRecord;
  /** Values that a new record starts with (a copy, a link with values). */
  readonly initial?: ErpRecord;
  /** What a new record is made from. */
  readonly source?: MadeSource;
  /** Runs work after the next paint; tests run it at once. */
  readonly defer?: (work: () => void) => void;
}

/** What one control shows; the same object for as long as nothing of it changes. */
export interface FieldSnapshot extends CellState {
  readonly value: unknown;
  readonly label: ValueLabel;
  readonly problem: string | null;
  /** Why it is required, when a rule says so. */
  readonly requiredReason: string | null;
}

/** A place that may differ from the saved record: a field of the head, or a cell by its line's key. */
interface Difference {
  readonly name: string;
  readonly key?: string;
  readonly column?: string;
}

const DEFER_MS = 16;
const MAX_ROUNDS = 5;

/**
 * The state of one form: a value per field with its own listeners. A keystroke wakes its field; formulas of the head,
 * rules and what they clear follow after the paint, and only when the change concerns them.
 */
export class FormStore {
  readonly resource: Resource;
  readonly #options: FormOptions;
  readonly #plan;
  readonly #ruleReads: readonly string[];
  readonly #lines = new Map<string, LineStore>();
  readonly #fieldListeners = new Map<string, Set<() => void>>();
  readonly #anyListeners = new Set<() => void>();
  readonly #snapshots = new Map<string, FieldSnapshot>();
  readonly #problems = new Map<string, FieldProblem>();
  #head: ErpRecord;
  #base: ErpRecord;
  #open: ReadonlySet<string> | null;
  #states: FieldStates = {};
  #dirtyPaths = new Set<string>();
  #isNew: boolean;
  #isSettling = false;
  #hasTimer = false;
  #revision = 0;
  #problemRevision = 0;
  /** Something that differed from the saved record when it was looked at last: looked at first the next time. */
  #difference: Difference | null = null;
  #record: ErpRecord | null = null;

  constructor(options: FormOptions) {
    this.#options = options;
    this.resource = options.resource;
    loadPatternEngine(options.resource);
    this.#isNew = options.record === null;
    this.#plan = formulaPlan(options.resource, options.context);
    this.#ruleReads = ruleReads(options.resource);
    this.#open = openPaths(options.resource, options.record);
    const start = options.record ?? this.#newRecord();
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
  readonly problemRevision = (): number => this.#problemRevision;
  readonly subscribeAny = (listener: () => void): (() => void) => {
    this.#anyListeners.add(listener);
    return () => this.#anyListeners.delete(listener);
  };

  subscribe(name: string, listener: () => void): () => void {
    const listeners = this.#fieldListeners.get(name) ?? new Set();
    listeners.add(listener);
    this.#fieldListeners.set(name, listeners);
    return () => listeners.delete(listener);
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
      problem: this.#problems.get(name)?.message ?? null,
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
      record: this.#typedRecord(),
      keys: (lines) => this.#typedKeys(lines),
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
    if (this.#difference !== null && this.#isDifferent(this.#difference)) return true;
    this.#difference = null;
    if (this.#isNew) return !isSameRecord(this.resource, this.#base, this.#typedRecord());
    return !this.changes().isEmpty;
  }

  /** Everything wrong with what was typed; marks the fields and cells. Values first, rules after. */
  check(complete: boolean): readonly FieldProblem[] {
    for (const lines of this.#lines.values()) lines.dropBlank();
    this.flush();
    const scope = this.scope();
    const broken = [...valueProblems(this.resource, scope.record), ...this.#unreadCells()];
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
    const known = this.#problems.get(name);
    if ('problem' in parsed)
      this.#problems.set(name, { path: name, code: parsed.problem.code, message: parsed.problem.message });
    else if (known === undefined || known.code === 'required') return;
    this.#problemRevision += 1;
    this.#touch(name);
    this.#announce();
  }

  /** Shows problems (of a check or an answer) at their fields and cells. Paths of lines go by the index in the record. */
  showProblems(problems: readonly FieldProblem[]): void {
    const before = [...this.#problems.keys()];
    this.#problems.clear();
    const cells = new Map<string, { key: string; column: string; message: string }[]>();
    for (const problem of problems) {
      const [name = '', index, column] = problem.path.split('.');
      const store = this.#lines.get(name);
      const key = store?.keyAt(Number(index));
      if (store !== undefined && index !== undefined && key !== undefined) {
        const first = column ?? store.columns[0]?.name ?? '';
        cells.set(name, [...(cells.get(name) ?? []), { key, column: first, message: problem.message }]);
      } else if (!this.#problems.has(problem.path)) this.#problems.set(problem.path, problem);
    }
    this.#problemRevision += 1;
    for (const [name, store] of this.#lines) store.setProblems(cells.get(name) ?? []);
    for (const name of new Set([...before, ...this.#problems.keys()])) this.#touch(name);
    this.#announce();
  }

  /** Problems that stand now: of fields, then of cells by their index. */
  problems(): readonly FieldProblem[] {
    const ofCells = [...this.#lines].flatMap(([name, store]) =>
      store.problems().map(({ index, column, message }) => ({
        path: `${name}.${index}.${column}`,
        code: 'cell',
        message,
      })),
    );
    return [...this.#problems.values(), ...ofCells];
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
    const changed = new Map<string, unknown>();
    for (const field of Object.values(this.resource.fields)) {
      if (field.type === 'lines') this.#applyComputedLines(field, computed);
      else if (field.formula !== undefined && computed[field.name] !== undefined)
        if (computed[field.name] !== this.#head[field.name]) changed.set(field.name, computed[field.name]);
    }
    if (changed.size === 0) return;
    this.#head = { ...this.#head, ...Object.fromEntries(changed) };
    this.#record = null;
    for (const name of changed.keys()) this.#touch(name);
  }

  /** Runs now what was put off until after the paint. */
  flush(): void {
    if (this.#dirtyPaths.size > 0) this.#settle();
  }

  #typedKeys(lines: string): readonly string[] {
    const store = this.#lines.get(lines);
    return store?.order().filter((key) => !store.isBlank(key)) ?? [];
  }

  /** The record without the lines that were added and left empty. */
  #typedRecord(): ErpRecord {
    const record = this.record();
    const shortened = [...this.#lines].flatMap(([name, store]) => {
      const keys = this.#typedKeys(name);
      return keys.length === store.order().length ? [] : [[name, keys.map((key) => store.line(key))]];
    });
    return shortened.length === 0 ? record : { ...record, ...Object.fromEntries(shortened) };
  }

  #rebased(answer: ErpRecord, sent: SentForm): ErpRecord {
    const sentRecord: Record<string, unknown> = { ...sent.record };
    const mine: Record<string, unknown> = { ...this.record() };
    for (const [name, store] of this.#lines) {
      const ids = newLineIds(name, { sent, base: this.#base, answer });
      for (const [key, id] of ids) store.identify(key, id);
      const keys = sent.keys[name] ?? [];
      sentRecord[name] = linesOf(sent.record, name).map((line, index) =>
        withId(line, ids.get(keys[index] ?? '')),
      );
      // Lines that were sent are in the answer; only those made since are still without an id.
      mine[name] = store
        .order()
        .filter((key) => store.line(key)['id'] !== undefined || !keys.includes(key))
        .map((key) => store.line(key));
    }
    return rebaseForm(this.resource, { sent: sentRecord, mine, answer });
  }

  #isDifferent({ name, key, column }: Difference): boolean {
    const field = this.resource.fields[name];
    if (field === undefined || field.computed) return false;
    if (column === undefined || key === undefined)
      return this.#isSent(name) && !isSameValue(field, this.#base[name], this.#head[name]);
    const cell = field.fields?.[column];
    const store = this.#lines.get(name);
    if (cell === undefined || cell.computed || store === undefined || !store.has(key)) return false;
    const line = store.line(key);
    const saved = linesOf(this.#base, name).find(({ id }) => id === line['id']);
    if (line['id'] === undefined || saved === undefined) return false;
    return this.#isSent(`${name}.${column}`) && !isSameValue(cell, saved[column], line[column]);
  }

  #isSent(path: string): boolean {
    return this.isOpen(path) || this.#options.stamped?.[path] !== undefined;
  }

  #unreadCells(): readonly FieldProblem[] {
    return [...this.#lines].flatMap(([name, store]) =>
      store.unread().map(({ index, column, message }) => ({
        path: `${name}.${index}.${column}`,
        code: 'unread',
        message,
      })),
    );
  }

  #newRecord(): ErpRecord {
    const { stamped = {}, initial = {} } = this.#options;
    const empty: Record<string, unknown> = { ...initial, ...stamped };
    for (const field of lineFieldsOf(this.resource)) empty[field.name] ??= [];
    const filled = knownValues(applyDefaults(this.resource, empty, formScope(this.#options, empty)));
    const initialState = this.resource.lifecycle?.initial;
    const record =
      initialState === undefined || filled['status'] !== undefined
        ? filled
        : { ...filled, status: initialState };
    return computeRecord(this.resource, record, formScope(this.#options, record));
  }

  #makeLines(field: Field, record: ErpRecord): LineStore {
    const numbered = runningNumber(field);
    return new LineStore({
      numbered: () => (numbered !== null && this.isOpen(`${field.name}.${numbered}`) ? numbered : null),
      columns: Object.values(field.fields ?? {}),
      lines: linesOf(record, field.name),
      derive: (line, changed) =>
        deriveLine(this.#plan, formScope(this.#options, this.record()), { lines: field.name, line, changed }),
      onChange: (change) => this.#linesChanged(field, change),
      newLine: (above) =>
        withoutNameless(field, knownValues(applyLineDefaults(field, {}, this.scope(), above))),
    });
  }

  #linesChanged(field: Field, change: LinesChange): void {
    this.#record = null;
    const [cell] = change.cells;
    if (cell !== undefined) this.#difference = { name: field.name, ...cell };
    const touched = new Set(change.cells.map(({ column }) => column));
    if (change.hasNewOrder) {
      this.#dirtyPaths.add(field.name);
      for (const column of Object.keys(field.fields ?? {})) touched.add(column);
    }
    for (const column of touched) this.#dirtyPaths.add(`${field.name}.${column}`);
    if (this.#problems.delete(field.name)) this.#touch(field.name);
    // A written cell has lost its own problem.
    this.#problemRevision += 1;
    this.#announce();
    this.#settleLater();
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
      if (this.#problems.delete(name)) this.#problemRevision += 1;
      this.#dirtyPaths.add(name);
      this.#touch(name);
    }
    this.#announce();
    this.#settleLater();
  }

  #settleLater(): void {
    if (this.#hasTimer || this.#isSettling) return;
    this.#hasTimer = true;
    const defer = this.#options.defer ?? ((work: () => void) => void setTimeout(work, DEFER_MS));
    defer(() => {
      this.#hasTimer = false;
      this.flush();
    });
  }

  /** Formulas, then rules, then what rules clear; again while clearing changes something. */
  #settle(): void {
    this.#isSettling = true;
    for (let round = 0; round < MAX_ROUNDS && this.#dirtyPaths.size > 0; round += 1) {
      const dirty = this.#dirtyPaths;
      this.#dirtyPaths = new Set();
      const scope = this.scope();
      const { record, changed } = recompute(this.#plan, scope, dirty);
      this.#putComputed(scope.record, record);
      if (!isConcerned(this.#ruleReads, changed) && !this.#hasNewLines(dirty)) continue;
      this.#refreshStates();
      const now = this.scope();
      const cleared = clearHidden(this.resource, now.record, now);
      if (cleared !== now.record) this.#putCleared(now.record, cleared);
    }
    this.#isSettling = false;
    this.#announce();
  }

  #hasNewLines(dirty: ReadonlySet<string>): boolean {
    return [...this.#lines.keys()].some((name) => dirty.has(name));
  }

  #putComputed(before: ErpRecord, after: ErpRecord): void {
    for (const node of this.#plan) {
      if (node.lines !== null || before[node.path] === after[node.path]) continue;
      this.#head = { ...this.#head, [node.path]: after[node.path] };
      this.#touch(node.path);
    }
    for (const name of this.#lines.keys()) this.#putComputedCells(name, linesOf(after, name));
    this.#record = null;
  }

  #putComputedCells(name: string, lines: readonly ErpRecord[]): void {
    const store = this.#lines.get(name);
    const columns = this.#plan.filter((node) => node.lines === name).map((node) => node.field.name);
    if (store === undefined || columns.length === 0) return;
    const changes = lines.flatMap((line, index): CellChange[] => {
      const key = store.keyAt(index);
      if (key === undefined || store.line(key) === line) return [];
      const own = store.line(key);
      return columns
        .filter((column) => own[column] !== line[column])
        .map((column) => ({ key, column, value: line[column] }));
    });
    if (changes.length > 0) store.setComputed(changes);
  }

  #applyComputedLines(field: Field, computed: ErpRecord): void {
    const store = this.#lines.get(field.name);
    const lines = linesOf(computed, field.name);
    const keys = this.#typedKeys(field.name);
    if (store === undefined || lines.length !== keys.length) return;
    const columns = Object.values(field.fields ?? {});
    const changes = lines.flatMap((line, index): CellChange[] => {
      const key = keys[index];
      if (key === undefined) return [];
      const own = store.line(key);
      return columns.flatMap((column): CellChange[] => {
        const value = line[column.name];
        if (value === undefined) return [];
        if (column.formula !== undefined) return [{ key, column: column.name, value }];
        // A record that a default names: only the server knows what it is called.
        const isNamed = isNamelessDefault(column) && isEmptyValue(own[column.name]) && !isEmptyValue(value);
        return isNamed ? [{ key, column: column.name, value, label: labelsOf(line)[column.name] }] : [];
      });
    });
    store.setComputed(changes);
    this.#record = null;
  }

  #putCleared(before: ErpRecord, after: ErpRecord): void {
    const writes = new Map<string, unknown>();
    for (const field of Object.values(this.resource.fields)) {
      if (before[field.name] === after[field.name]) continue;
      if (field.type !== 'lines') writes.set(field.name, after[field.name]);
      else this.#putClearedLines(field, linesOf(before, field.name), linesOf(after, field.name));
    }
    if (writes.size > 0)
      this.#writeHead(writes, Object.fromEntries([...writes.keys()].map((name) => [name, null])), undefined);
  }

  #putClearedLines(field: Field, before: readonly ErpRecord[], after: readonly ErpRecord[]): void {
    const store = this.#lines.get(field.name);
    if (store === undefined) return;
    if (after.length === 0) {
      store.remove(store.order());
      return;
    }
    const changes = after.flatMap((line, index): CellChange[] => {
      const key = store.keyAt(index);
      const old = before[index];
      if (key === undefined || old === undefined || old === line) return [];
      return Object.keys(field.fields ?? {})
        .filter((column) => line[column] !== old[column])
        .map((column) => ({ key, column, value: line[column], label: null }));
    });
    store.setCells(changes);
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
    this.#problemRevision += 1;
    this.#dirtyPaths.clear();
    for (const [name, store] of this.#lines) store.reset(linesOf(record, name));
    this.#record = null;
    this.#refreshStates();
    this.#snapshots.clear();
    for (const listeners of this.#fieldListeners.values()) for (const listener of listeners) listener();
    this.#announce();
  }

  #touch(name: string): void {
    this.#snapshots.delete(name);
    for (const listener of this.#fieldListeners.get(name) ?? []) listener();
  }

  #announce(): void {
    this.#revision += 1;
    for (const listener of this.#anyListeners) listener();
  }
}

/** A default that is a record: its name comes with the server's answer. */
function isNamelessDefault({ type, default: start }: Field): boolean {
  return type === 'reference' && start !== undefined;
}

function withoutNameless(lines: Field, line: ErpRecord): ErpRecord {
  const nameless = Object.values(lines.fields ?? {}).filter(isNamelessDefault);
  return Object.fromEntries(
    Object.entries(line).filter(([name]) => !nameless.some((column) => column.name === name)),
  );
}

function isSameState(a: FieldState | undefined, b: FieldState | undefined): boolean {
  return a?.hidden === b?.hidden && a?.required === b?.required && a?.readOnly === b?.readOnly;
}

function withId(line: ErpRecord, id: string | undefined): ErpRecord {
  return id === undefined ? line : { ...line, id };
}
