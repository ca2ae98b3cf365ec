import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import type { CellProblem, PlacedProblem } from './cell-problems.ts';
import { CellViews } from './cell-views.ts';
import {
  type CellChange,
  type CellSnapshot,
  type CellState,
  cellId,
  holdsCell,
  withCell,
  withComputed,
  withoutIdentity,
} from './line-cell.ts';
import { LineHistory, type Step } from './line-history.ts';
import { LineListeners } from './line-listeners.ts';
import type { LinesChange, LineStoreOptions } from './line-options.ts';
import { LineValues } from './line-values.ts';

/**
 * The lines of a form, a store per cell: a keystroke wakes the cell it is typed in and the formulas of that line,
 * nothing else. Keeps undo and redo, problems and the state of each cell.
 */
export class LineStore {
  readonly columns: readonly Field[];
  readonly #values = new LineValues();
  readonly #listeners = new LineListeners();
  readonly #history = new LineHistory();
  readonly #views = new CellViews(this.#values, this.#listeners);
  #revision = 0;
  #orderRevision = 0;
  readonly #options: LineStoreOptions;

  constructor(options: LineStoreOptions) {
    this.#options = options;
    this.columns = options.columns;
    this.#values.takeAll(options.lines ?? []);
  }

  /** Keys in their order; the same list until the order changes. */
  readonly order = (): readonly string[] => this.#values.order;
  /** Counts up with every change: a cheap snapshot for totals. */
  readonly revision = (): number => this.#revision;

  /** Counts up when a value of the column changes, or lines come and go: what a total of it depends on. */
  columnRevision(column: string): number {
    return this.#orderRevision + this.#views.revision(column);
  }

  readonly line = (key: string): ErpRecord => this.#values.at(key);

  /** All lines in order, as they would be sent. */
  lines(): readonly ErpRecord[] {
    return this.order().map((key) => this.line(key));
  }

  readonly has = (key: string): boolean => this.order().includes(key);

  /** A line that was saved has its id from now on; whoever stands in it stays there. */
  identify(key: string, id: string): void {
    this.#values.replace(key, { ...this.line(key), id });
  }

  readonly keyAt = (index: number): string | undefined => this.order()[index];

  cell(key: string, column: string): CellSnapshot {
    return this.#views.of(key, column);
  }

  subscribeCell(key: string, column: string, listener: () => void): () => void {
    return this.#listeners.onCell(cellId(key, column), listener);
  }

  readonly subscribeOrder = (listener: () => void): (() => void) => this.#listeners.onOrder(listener);
  readonly subscribeAny = (listener: () => void): (() => void) => this.#listeners.onAny(listener);

  /** Writes cells as one undo step; further typing in the same cell joins the step before it. */
  setCells(changes: readonly CellChange[], options: { readonly isTyping?: boolean } = {}): void {
    const [first] = changes;
    if (first === undefined) return;
    const before = new Map(changes.map(({ key }) => [key, this.line(key)]));
    this.#remember(null, before, options.isTyping === true ? cellId(first.key, first.column) : null);
    this.#apply(changes);
  }

  /** Writes what a formula or the server computed: no undo step, and no word to the form. */
  setComputed(changes: readonly CellChange[]): void {
    for (const change of changes) {
      const values = this.line(change.key);
      if (holdsCell(values, change)) continue;
      this.#values.replace(change.key, withCell(values, change));
      this.#views.touch(change.key, change.column);
    }
    this.#announce();
  }

  /** Asks the grid that shows these lines to go to a cell. */
  requestFocus(key: string, column: string): void {
    this.#listeners.tellFocus(key, column);
  }

  onFocusRequest(listener: (key: string, column: string) => void): () => void {
    return this.#listeners.onFocus(listener);
  }

  /** What some work does is taken back in one step. */
  asOneStep<T>(work: () => T): T {
    return this.#history.join(work);
  }

  /** Ends the current typing step: the next keystroke starts a new one. */
  endTyping(): void {
    this.#history.endTyping();
  }

  /** Puts new lines at an index; the keys they got. */
  insert(index: number, lines: readonly ErpRecord[]): readonly string[] {
    this.#remember(this.order());
    const keys = lines.map((values) => this.#values.add(this.#derived(values)));
    this.#reorder(this.order().toSpliced(index, 0, ...keys));
    this.#tell({ cells: [], hasNewOrder: true });
    return keys;
  }

  append(count = 1): readonly string[] {
    return this.insertBlank(this.order().length, count);
  }

  /** Puts empty lines at an index; what nobody types in is not saved. */
  insertBlank(index: number, count = 1): readonly string[] {
    const lines: ErpRecord[] = [];
    while (lines.length < count) lines.push(this.newLine(lines.at(-1)));
    const keys = this.insert(index, lines);
    this.#values.noteBlank(keys);
    return keys;
  }

  /** True while nothing was typed in a line that was added empty. */
  isBlank(key: string): boolean {
    return this.#values.isBlank(key, this.columns, this.#options.numbered?.() ?? null);
  }

  /** Takes away the lines in which nothing was typed; true when there were any. */
  dropBlank(): boolean {
    const blank = this.order().filter((key) => this.isBlank(key));
    this.remove(blank);
    return blank.length > 0;
  }

  /** A line with its defaults, below another that is not in the table yet, or below the last. */
  newLine(above?: ErpRecord): ErpRecord {
    return this.#options.newLine?.(above ?? this.#values.last()) ?? {};
  }

  /** Copies of lines, put behind the last of them; they are new lines to the server. */
  copy(keys: readonly string[]): readonly string[] {
    const at = Math.max(...keys.map((key) => this.order().indexOf(key))) + 1;
    const copies = this.order()
      .filter((key) => keys.includes(key))
      .map((key) => withoutIdentity(this.line(key)));
    return this.insert(at, copies);
  }

  remove(keys: readonly string[]): void {
    const gone = new Set(keys);
    if (gone.size === 0) return;
    this.#remember(this.order());
    this.#reorder(this.order().filter((key) => !gone.has(key)));
    this.#tell({ cells: [], hasNewOrder: true });
  }

  readonly canUndo = (): boolean => this.#history.canUndo();
  readonly canRedo = (): boolean => this.#history.canRedo();

  readonly undo = (): void => this.#restore('undo');
  readonly redo = (): void => this.#restore('redo');

  /** Takes another version of all lines (loaded, a draft, after saving); undo starts anew. Lines keep their keys by id. */
  reset(lines: readonly ErpRecord[]): void {
    this.#history.clear();
    // As it was read: only lines that come, go or move are numbered anew.
    this.#values.takeAll(lines);
    this.#views.problems.clear();
    this.#orderRevision += 1;
    this.#listeners.tellOrder();
    this.#views.wakeAll();
    this.#announce();
  }

  /** Takes the lines that follow from the head; undo starts anew, and the form is told. */
  follow(lines: readonly ErpRecord[]): void {
    this.reset(lines);
    this.#tell({ cells: [], hasNewOrder: true });
  }

  /** Replaces all problems; cells whose problem came or went are woken. */
  setProblems(problems: readonly CellProblem[]): void {
    this.#wake(this.#views.problems.replace(problems));
  }

  setProblem(key: string, column: string, message: string | null): void {
    this.#wake(this.#views.problems.set(cellId(key, column), message));
  }

  /** Marks cells whose pasted text could not be understood: a save is refused until they are seen to, or taken back. */
  addUnread(cells: readonly CellProblem[]): void {
    this.#wake(this.#views.problems.addUnread(cells));
  }

  /** The unread cells of lines that are still there. */
  unread(): readonly PlacedProblem[] {
    return this.#views.problems.unread(this.order());
  }

  /** Problems in the order of the lines. */
  problems(): readonly PlacedProblem[] {
    return this.#views.problems.all(this.order());
  }

  /** Hidden, required and read-only cells from the rules: by column, and by `key:column` where one line differs. */
  setStates(columns: ReadonlyMap<string, CellState>, cells: ReadonlyMap<string, CellState>): void {
    if (this.#views.setStates(columns, cells)) this.#announce();
  }

  readonly columnState = (column: string): CellState => this.#views.columnState(column);

  #apply(changes: readonly CellChange[]): void {
    const columns = new Map<string, string[]>();
    for (const change of changes) {
      if (!this.#values.knows(change.key)) continue;
      this.#values.replace(change.key, withCell(this.line(change.key), change));
      columns.set(change.key, [...(columns.get(change.key) ?? []), change.column]);
    }
    this.#views.problems.forget(changes);
    for (const [key, changed] of columns) this.#derive(key, changed);
    for (const { key, column } of changes) this.#views.touch(key, column);
    this.#tell({ cells: changes.map(({ key, column }) => ({ key, column })), hasNewOrder: false });
  }

  #derive(key: string, changed: readonly string[]): void {
    const values = this.line(key);
    const derived = this.#derived(values, changed);
    if (derived === values) return;
    this.#values.replace(key, derived);
    for (const { name } of this.columns) if (derived[name] !== values[name]) this.#views.touch(key, name);
  }

  #derived(values: ErpRecord, changed: readonly string[] = this.columns.map(({ name }) => name)): ErpRecord {
    return withComputed(this.columns, values, this.#options.derive?.(values, changed) ?? {});
  }

  #remember(order: Step['order'], lines: Step['lines'] = new Map(), cell: Step['cell'] = null): void {
    this.#history.remember({ order, lines, unread: this.#views.problems.marks(), cell });
  }

  #restore(way: 'undo' | 'redo'): void {
    const step = this.#history.take(way, ({ order, lines }) => ({
      order: order === null ? null : this.order(),
      lines: new Map([...lines.keys()].map((key) => [key, this.line(key)])),
      unread: this.#views.problems.marks(),
      cell: null,
    }));
    if (step === null) return;
    const cells = [...step.lines].flatMap(([key, values]) => {
      const now = this.line(key);
      this.#values.replace(key, values);
      const changed = this.columns.filter(({ name }) => now[name] !== values[name]);
      return changed.map(({ name }) => ({ key, column: name }));
    });
    this.#views.problems.forget(cells);
    this.#wake(this.#views.problems.takeMarks(step.unread));
    for (const { key, column } of cells) this.#views.touch(key, column);
    if (step.order !== null) this.#reorder(step.order);
    this.#tell({ cells, hasNewOrder: step.order !== null });
  }

  #reorder(order: readonly string[]): void {
    this.#values.arrange(order);
    const column = this.#options.numbered?.() ?? null;
    if (column !== null) for (const key of this.#values.renumber(column)) this.#views.touch(key, column);
    this.#orderRevision += 1;
    this.#listeners.tellOrder();
  }

  #wake(ids: readonly string[]): void {
    for (const id of ids) this.#views.wake(id);
    if (ids.length > 0) this.#announce();
  }

  #tell(change: LinesChange): void {
    this.#announce();
    this.#options.onChange?.(change);
  }

  #announce(): void {
    this.#revision += 1;
    this.#listeners.tellAny();
  }
}
