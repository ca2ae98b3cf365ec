import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import type { ValueLabel } from '../field-view.ts';

/** One line as it is edited. `values` is replaced, never changed, so that whoever holds it may compare. */
export interface Line {
  readonly key: string;
  readonly values: ErpRecord;
}

export interface CellChange {
  readonly key: string;
  readonly column: string;
  readonly value: unknown;
  /** Text of a reference or dictionary value, when it is known. */
  readonly label?: ValueLabel;
  /** What rules and formulas read of a picked record, by path from the line. */
  readonly paths?: ErpRecord;
}

export interface CellState {
  readonly isReadOnly: boolean;
  readonly isRequired: boolean;
  readonly isHidden: boolean;
  readonly reason: string | null;
}

/** All that a cell shows; the same object for as long as nothing of it changes. */
export interface CellSnapshot extends CellState {
  readonly value: unknown;
  readonly label: ValueLabel;
  readonly problem: string | null;
}

/** What changed, for the form around the lines. */
export interface LinesChange {
  readonly cells: readonly { readonly key: string; readonly column: string }[];
  readonly hasNewOrder: boolean;
}

export interface LineStoreOptions {
  readonly columns: readonly Field[];
  readonly lines?: readonly ErpRecord[];
  /** Formula cells of the changed lines, computed before anything is painted. */
  readonly derive?: (line: ErpRecord, changed: readonly string[]) => ErpRecord;
  readonly onChange?: (change: LinesChange) => void;
  /** Values of a new line. */
  readonly newLine?: (above: ErpRecord | undefined) => ErpRecord;
  /** The column that numbers the lines, while it may be written. */
  readonly numbered?: () => string | null;
}

interface Step {
  readonly order: readonly string[] | null;
  readonly lines: ReadonlyMap<string, ErpRecord>;
  /** Set while typing goes on in one cell, so that a word is one step and not one a letter. */
  readonly cell: string | null;
}

const OPEN_STATE: CellState = { isReadOnly: false, isRequired: false, isHidden: false, reason: null };
const MAX_STEPS = 100;

/**
 * The lines of a form, a store per cell: a keystroke wakes the cell it is typed in and the formulas of that line,
 * nothing else. Keeps undo and redo, problems and the state of each cell.
 */
export class LineStore {
  readonly columns: readonly Field[];
  #order: readonly string[];
  readonly #lines = new Map<string, Line>();
  readonly #cellListeners = new Map<string, Set<() => void>>();
  readonly #orderListeners = new Set<() => void>();
  readonly #anyListeners = new Set<() => void>();
  readonly #focusListeners = new Set<(key: string, column: string) => void>();
  readonly #snapshots = new Map<string, CellSnapshot>();
  readonly #problems = new Map<string, string>();
  readonly #columnRevisions = new Map<string, number>();
  /** Pasted texts that no value could be made of; they stand until their cell is written. */
  readonly #unread = new Map<string, string>();
  /** Lines that were added empty, as they were then. */
  readonly #blank = new Map<string, ErpRecord>();
  #states: ReadonlyMap<string, CellState> = new Map();
  #columnStates: ReadonlyMap<string, CellState> = new Map();
  #undo: Step[] = [];
  #redo: Step[] = [];
  #isCoalescing = false;
  #revision = 0;
  #orderRevision = 0;
  readonly #options: LineStoreOptions;

  constructor(options: LineStoreOptions) {
    this.#options = options;
    this.columns = options.columns;
    this.#order = (options.lines ?? []).map((values) => this.#add(values));
  }

  /** Keys in their order; the same list until the order changes. */
  readonly order = (): readonly string[] => this.#order;
  /** Counts up with every change: a cheap snapshot for totals. */
  readonly revision = (): number => this.#revision;

  /** Counts up when a value of the column changes, or lines come and go: what a total of it depends on. */
  columnRevision(column: string): number {
    return this.#orderRevision + (this.#columnRevisions.get(column) ?? 0);
  }

  line(key: string): ErpRecord {
    return this.#lines.get(key)?.values ?? {};
  }

  /** All lines in order, as they would be sent. */
  lines(): readonly ErpRecord[] {
    return this.#order.map((key) => this.line(key));
  }

  has(key: string): boolean {
    return this.#lines.has(key) && this.#order.includes(key);
  }

  /** A line that was saved has its id from now on; whoever stands in it stays there. */
  identify(key: string, id: string): void {
    this.#replace(key, { ...this.line(key), id });
  }

  keyAt(index: number): string | undefined {
    return this.#order[index];
  }

  cell(key: string, column: string): CellSnapshot {
    const id = cellId(key, column);
    const known = this.#snapshots.get(id);
    if (known !== undefined) return known;
    const values = this.line(key);
    const snapshot: CellSnapshot = {
      ...(this.#states.get(id) ?? this.#columnStates.get(column) ?? OPEN_STATE),
      value: values[column],
      label: labelOf(values, column),
      problem: this.#unread.get(id) ?? this.#problems.get(id) ?? null,
    };
    this.#snapshots.set(id, snapshot);
    return snapshot;
  }

  subscribeCell(key: string, column: string, listener: () => void): () => void {
    const id = cellId(key, column);
    const listeners = this.#cellListeners.get(id) ?? new Set();
    listeners.add(listener);
    this.#cellListeners.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#cellListeners.delete(id);
    };
  }

  readonly subscribeOrder = (listener: () => void): (() => void) => subscribe(this.#orderListeners, listener);
  readonly subscribeAny = (listener: () => void): (() => void) => subscribe(this.#anyListeners, listener);

  /** Writes cells as one undo step; further typing in the same cell joins the step before it. */
  setCells(changes: readonly CellChange[], options: { readonly isTyping?: boolean } = {}): void {
    if (changes.length === 0) return;
    const before = new Map<string, ErpRecord>();
    for (const { key } of changes) before.set(key, this.line(key));
    const first = changes[0];
    const cell = options.isTyping === true && first !== undefined ? cellId(first.key, first.column) : null;
    this.#remember({ order: null, lines: before, cell });
    this.#apply(changes);
  }

  /** Writes what a formula or the server computed: no undo step, and no word to the form. */
  setComputed(changes: readonly CellChange[]): void {
    for (const change of changes) {
      const values = this.line(change.key);
      if (values[change.column] === change.value) continue;
      this.#replace(change.key, withCell(values, change));
      this.#touch(change.key, change.column);
    }
    this.#announce();
  }

  /** Asks the grid that shows these lines to go to a cell. */
  requestFocus(key: string, column: string): void {
    for (const listener of this.#focusListeners) listener(key, column);
  }

  onFocusRequest(listener: (key: string, column: string) => void): () => void {
    this.#focusListeners.add(listener);
    return () => this.#focusListeners.delete(listener);
  }

  /** Ends the current typing step: the next keystroke starts a new one. */
  endTyping(): void {
    this.#isCoalescing = false;
  }

  /** Puts new lines at an index; the keys they got. */
  insert(index: number, lines: readonly ErpRecord[]): readonly string[] {
    this.#remember({ order: this.#order, lines: new Map(), cell: null });
    const keys = lines.map((values) => this.#add(this.#derived(values)));
    this.#reorder([...this.#order.slice(0, index), ...keys, ...this.#order.slice(index)]);
    this.#tell({ cells: [], hasNewOrder: true });
    return keys;
  }

  append(count = 1): readonly string[] {
    return this.insertBlank(this.#order.length, count);
  }

  /** Puts empty lines at an index; what nobody types in is not saved. */
  insertBlank(index: number, count = 1): readonly string[] {
    const lines: ErpRecord[] = [];
    while (lines.length < count) lines.push(this.newLine(lines.at(-1)));
    const keys = this.insert(index, lines);
    for (const key of keys) this.#blank.set(key, this.line(key));
    return keys;
  }

  /** True while nothing was typed in a line that was added empty. */
  isBlank(key: string): boolean {
    const start = this.#blank.get(key);
    const now = this.line(key);
    if (start === undefined || now['id'] !== undefined) return false;
    const numbered = this.#options.numbered?.() ?? null;
    return this.columns.every(
      ({ name, computed }) => computed || name === numbered || isSameCell(start[name], now[name]),
    );
  }

  /** Takes away the lines in which nothing was typed; true when there were any. */
  dropBlank(): boolean {
    const blank = this.#order.filter((key) => this.isBlank(key));
    this.remove(blank);
    return blank.length > 0;
  }

  /** A line with its defaults, below another that is not in the table yet, or below the last. */
  newLine(above?: ErpRecord): ErpRecord {
    return this.#options.newLine?.(above ?? this.#lastLine()) ?? {};
  }

  #lastLine(): ErpRecord | undefined {
    const last = this.#order.at(-1);
    return last === undefined ? undefined : this.line(last);
  }

  /** Copies of lines, put behind the last of them; they are new lines to the server. */
  copy(keys: readonly string[]): readonly string[] {
    const at = Math.max(...keys.map((key) => this.#order.indexOf(key))) + 1;
    const copies = this.#order
      .filter((key) => keys.includes(key))
      .map((key) => withoutIdentity(this.line(key)));
    return this.insert(at, copies);
  }

  remove(keys: readonly string[]): void {
    const gone = new Set(keys);
    if (gone.size === 0) return;
    this.#remember({ order: this.#order, lines: new Map(), cell: null });
    this.#reorder(this.#order.filter((key) => !gone.has(key)));
    this.#tell({ cells: [], hasNewOrder: true });
  }

  readonly canUndo = (): boolean => this.#undo.length > 0;
  readonly canRedo = (): boolean => this.#redo.length > 0;

  undo(): void {
    this.#restore(this.#undo, this.#redo);
  }

  redo(): void {
    this.#restore(this.#redo, this.#undo);
  }

  /** Takes another version of all lines (loaded, a draft, after saving); undo starts anew. Lines keep their keys by id. */
  reset(lines: readonly ErpRecord[]): void {
    const keyById = new Map(this.#order.map((key) => [this.line(key)['id'], key]));
    this.#undo = [];
    this.#redo = [];
    const order = lines.map((values) => {
      const key = values['id'] === undefined ? undefined : keyById.get(values['id']);
      if (key === undefined) return this.#add(values);
      this.#replace(key, values);
      return key;
    });
    this.#problems.clear();
    this.#unread.clear();
    this.#snapshots.clear();
    // As it was read: only lines that come, go or move are numbered anew.
    this.#order = order;
    this.#orderRevision += 1;
    for (const listener of this.#orderListeners) listener();
    for (const listeners of this.#cellListeners.values()) for (const listener of listeners) listener();
    this.#announce();
  }

  /** Replaces all problems; cells whose problem came or went are woken. */
  setProblems(
    problems: readonly { readonly key: string; readonly column: string; readonly message: string }[],
  ): void {
    const next = new Map(problems.map(({ key, column, message }) => [cellId(key, column), message]));
    const changed = [...this.#problems.keys(), ...next.keys()].filter(
      (id) => this.#problems.get(id) !== next.get(id),
    );
    this.#problems.clear();
    for (const [id, message] of next) this.#problems.set(id, message);
    for (const id of new Set(changed)) this.#touchId(id);
    if (changed.length > 0) this.#announce();
  }

  setProblem(key: string, column: string, message: string | null): void {
    const id = cellId(key, column);
    if ((this.#problems.get(id) ?? null) === message) return;
    if (message === null) this.#problems.delete(id);
    else this.#problems.set(id, message);
    this.#touchId(id);
    this.#announce();
  }

  /** Marks a cell whose pasted text could not be understood: a save is refused until it is seen to. */
  setUnread(key: string, column: string, message: string): void {
    const id = cellId(key, column);
    this.#unread.set(id, message);
    this.#touchId(id);
    this.#announce();
  }

  /** The unread cells of lines that are still there. */
  unread(): readonly { readonly index: number; readonly column: string; readonly message: string }[] {
    return [...this.#unread]
      .map(([id, message]) => ({ ...cellOf(id), message }))
      .map(({ key, column, message }) => ({ index: this.#order.indexOf(key), column, message }))
      .filter(({ index }) => index >= 0);
  }

  /** Problems in the order of the lines. */
  problems(): readonly {
    readonly key: string;
    readonly index: number;
    readonly column: string;
    readonly message: string;
  }[] {
    return [...new Map([...this.#problems, ...this.#unread])]
      .map(([id, message]) => ({ ...cellOf(id), message }))
      .map((problem) => ({ ...problem, index: this.#order.indexOf(problem.key) }))
      .filter((problem) => problem.index >= 0)
      .sort((a, b) => a.index - b.index);
  }

  /** Hidden, required and read-only cells from the rules: by column, and by `key:column` where one line differs. */
  setStates(columns: ReadonlyMap<string, CellState>, cells: ReadonlyMap<string, CellState>): void {
    const changed = [...new Set([...this.#columnStates.keys(), ...columns.keys()])].filter(
      (column) => !sameState(this.#columnStates.get(column), columns.get(column)),
    );
    const ids = new Set([...this.#states.keys(), ...cells.keys()]);
    const before = this.#states;
    this.#columnStates = columns;
    this.#states = cells;
    if (changed.length > 0) {
      this.#snapshots.clear();
      for (const listeners of this.#cellListeners.values()) for (const listener of listeners) listener();
      this.#announce();
    } else for (const id of ids) if (!sameState(before.get(id), cells.get(id))) this.#touchId(id);
  }

  columnState(column: string): CellState {
    return this.#columnStates.get(column) ?? OPEN_STATE;
  }

  #apply(changes: readonly CellChange[]): void {
    const columns = new Map<string, string[]>();
    for (const change of changes) {
      if (!this.#lines.has(change.key)) continue;
      this.#replace(change.key, withCell(this.line(change.key), change));
      this.#problems.delete(cellId(change.key, change.column));
      this.#unread.delete(cellId(change.key, change.column));
      columns.set(change.key, [...(columns.get(change.key) ?? []), change.column]);
    }
    for (const [key, changed] of columns) this.#derive(key, changed);
    for (const { key, column } of changes) this.#touch(key, column);
    this.#tell({ cells: changes.map(({ key, column }) => ({ key, column })), hasNewOrder: false });
  }

  #derive(key: string, changed: readonly string[]): void {
    const values = this.line(key);
    const computed = this.#options.derive?.(values, changed) ?? {};
    const different = Object.entries(computed).filter(([column, value]) => values[column] !== value);
    if (different.length === 0) return;
    this.#replace(key, { ...values, ...Object.fromEntries(different) });
    for (const [column] of different) this.#touch(key, column);
  }

  #derived(values: ErpRecord): ErpRecord {
    const columns = this.columns.map((column) => column.name);
    return { ...values, ...this.#options.derive?.(values, columns) };
  }

  #remember(step: Step): void {
    const last = this.#undo.at(-1);
    const joins = this.#isCoalescing && step.cell !== null && last?.cell === step.cell;
    this.#isCoalescing = step.cell !== null;
    this.#redo = [];
    if (joins) return;
    this.#undo.push(step);
    if (this.#undo.length > MAX_STEPS) this.#undo.shift();
  }

  #restore(from: Step[], to: Step[]): void {
    const step = from.pop();
    if (step === undefined) return;
    this.#isCoalescing = false;
    const lines = new Map([...step.lines.keys()].map((key) => [key, this.line(key)]));
    to.push({ order: step.order === null ? null : this.#order, lines, cell: null });
    const cells: { key: string; column: string }[] = [];
    for (const [key, values] of step.lines) {
      const now = this.line(key);
      this.#replace(key, values);
      for (const column of this.columns) {
        if (now[column.name] === values[column.name]) continue;
        cells.push({ key, column: column.name });
        this.#touch(key, column.name);
      }
    }
    if (step.order !== null) this.#reorder(step.order);
    this.#tell({ cells, hasNewOrder: step.order !== null });
  }

  #add(values: ErpRecord): string {
    const key = nextKey();
    this.#lines.set(key, { key, values });
    return key;
  }

  #replace(key: string, values: ErpRecord): void {
    this.#lines.set(key, { key, values });
  }

  #reorder(order: readonly string[]): void {
    this.#order = order;
    this.#renumber();
    this.#orderRevision += 1;
    for (const listener of this.#orderListeners) listener();
  }

  /** Lines are numbered from one as they stand. */
  #renumber(): void {
    const column = this.#options.numbered?.() ?? null;
    if (column === null) return;
    for (const [index, key] of this.#order.entries()) {
      const values = this.line(key);
      if (values[column] === index + 1) continue;
      this.#replace(key, { ...values, [column]: index + 1 });
      this.#touch(key, column);
    }
  }

  #touch(key: string, column: string): void {
    this.#columnRevisions.set(column, (this.#columnRevisions.get(column) ?? 0) + 1);
    this.#touchId(cellId(key, column));
  }

  #touchId(id: string): void {
    this.#snapshots.delete(id);
    for (const listener of this.#cellListeners.get(id) ?? []) listener();
  }

  #tell(change: LinesChange): void {
    this.#announce();
    this.#options.onChange?.(change);
  }

  #announce(): void {
    this.#revision += 1;
    for (const listener of this.#anyListeners) listener();
  }
}

/** The name of a cell in maps of states and problems. */
export function cellId(key: string, column: string): string {
  return `${key}:${column}`;
}

function cellOf(id: string): { readonly key: string; readonly column: string } {
  const at = id.indexOf(':');
  return { key: id.slice(0, at), column: id.slice(at + 1) };
}

function subscribe(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let lastKey = 0;
function nextKey(): string {
  lastKey += 1;
  return `L${lastKey}`;
}

function labelOf(values: ErpRecord, column: string): ValueLabel {
  const labels = values['_labels'];
  if (!isObject(labels)) return undefined;
  const label = labels[column];
  if (typeof label === 'string') return label;
  return Array.isArray(label) ? label.map(String) : undefined;
}

/** The line with one cell written, its label and the paths below it with it. */
function withCell(values: ErpRecord, { column, value, label, paths }: CellChange): ErpRecord {
  const labels = isObject(values['_labels']) ? values['_labels'] : {};
  const known = isObject(values['_paths']) ? values['_paths'] : {};
  const hasLabel = label !== undefined || labels[column] !== undefined;
  const kept = Object.entries(known).filter(([path]) => !path.startsWith(`${column}.`));
  const hasPaths = paths !== undefined || kept.length < Object.keys(known).length;
  return {
    ...values,
    [column]: value,
    ...(hasLabel ? { _labels: { ...labels, [column]: label ?? null } } : {}),
    ...(hasPaths ? { _paths: { ...Object.fromEntries(kept), ...paths } } : {}),
  };
}

function withoutIdentity(values: ErpRecord): ErpRecord {
  const { id: _id, line_order: _order, ...rest } = values;
  return rest;
}

function sameState(a: CellState | undefined, b: CellState | undefined): boolean {
  const left = a ?? OPEN_STATE;
  const right = b ?? OPEN_STATE;
  return (
    left.isReadOnly === right.isReadOnly &&
    left.isRequired === right.isRequired &&
    left.isHidden === right.isHidden &&
    left.reason === right.reason
  );
}

function isSameCell(a: unknown, b: unknown): boolean {
  return (a ?? '') === (b ?? '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
