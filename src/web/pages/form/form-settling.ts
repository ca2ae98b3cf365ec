import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { followedLines, followedPaths, followingLists } from '#engine/record/followed-lines.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import type { LinesChange } from '#web/fields/grid/line-options.ts';
import type { LineStore } from '#web/fields/grid/line-store.ts';
import { AWAITED, labelsOf, UNSEEN } from '#web/fields/field-text.ts';
import type { ValueLabel } from '#web/fields/field-view.ts';
import { answeredChanges, clearedChanges, computedChanges, isNamedAnew } from './computed-cells.ts';
import type { FieldWrites } from './field-writes.ts';
import { typedKeys } from './form-difference.ts';
import { formulaPlan, isConcerned, recompute } from './form-formulas.ts';
import { ruleReads } from './form-rules.ts';

const DEFER_MS = 16;
const MAX_ROUNDS = 5;

/** The form whose formulas and rules are run. */
export interface Settled {
  readonly resource: Resource;
  readonly lines: ReadonlyMap<string, LineStore>;
  readonly scope: () => Scope;
  readonly head: () => ErpRecord;
  /** Puts values that nobody typed into the head, with what they are called. */
  readonly putComputed: (values: FieldWrites) => void;
  /** Writes values of the head as if somebody had. */
  readonly write: (values: ReadonlyMap<string, unknown>) => void;
  readonly refreshStates: () => void;
  readonly announce: () => void;
  readonly defer?: ((work: () => void) => void) | undefined;
}

/** What follows a change after the paint: formulas, rules, and what rules clear. */
export class FormSettling {
  readonly plan: ReturnType<typeof formulaPlan>;
  readonly #form: Settled;
  readonly #ruleReads: readonly string[];
  #changed = new Set<string>();
  #isSettling = false;
  #hasTimer = false;

  constructor(form: Settled, context: Parameters<typeof formulaPlan>[1]) {
    this.#form = form;
    this.plan = formulaPlan(form.resource, context);
    this.#ruleReads = ruleReads(form.resource);
  }

  /** Notes that the value at a path is another one. */
  note(path: string): void {
    this.#changed.add(path);
  }

  /** Notes what changed in a table; lines that come, go or move concern all its columns. */
  noteLines(field: Field, { cells, hasNewOrder }: LinesChange): void {
    if (hasNewOrder) this.note(field.name);
    const columns = hasNewOrder ? Object.keys(field.fields ?? {}) : cells.map(({ column }) => column);
    for (const column of columns) this.note(`${field.name}.${column}`);
  }

  forgetAll(): void {
    this.#changed.clear();
  }

  later(): void {
    if (this.#hasTimer || this.#isSettling) return;
    this.#hasTimer = true;
    const defer = this.#form.defer ?? ((work: () => void) => void setTimeout(work, DEFER_MS));
    defer(() => {
      this.#hasTimer = false;
      this.flush();
    });
  }

  /** Formulas, then rules, then what rules clear; again while clearing changes something. */
  flush(): void {
    if (this.#changed.size === 0) return;
    const form = this.#form;
    this.#isSettling = true;
    for (let round = 0; round < MAX_ROUNDS && this.#changed.size > 0; round += 1) {
      const before = this.#changed;
      this.#changed = new Set();
      const scope = form.scope();
      const { record, changed } = recompute(this.plan, scope, before);
      this.#putComputed(scope.record, record);
      this.#follow(changed);
      const hasNewLines = [...form.lines.keys()].some((name) => before.has(name));
      if (!isConcerned(this.#ruleReads, changed) && !hasNewLines) continue;
      form.refreshStates();
      const now = form.scope();
      const cleared = clearHidden(form.resource, now.record, now);
      if (cleared !== now.record) this.#putCleared(now.record, cleared);
    }
    this.#isSettling = false;
    form.announce();
  }

  /** Takes what the server computed for the record as it was. */
  applyAnswer(computed: ErpRecord): void {
    const head = this.#form.head();
    const writes = new Map<string, unknown>();
    const labels: Record<string, ValueLabel> = {};
    for (const field of Object.values(this.#form.resource.fields)) {
      const { name } = field;
      if (field.type === 'lines') this.#applyLines(field, linesOf(computed, name));
      else if (computed[name] === undefined) continue;
      else if (field.formula === undefined && !this.#isTaken(field, name)) continue;
      else if (computed[name] !== head[name] || isNamedAnew(field, computed, head)) {
        writes.set(name, computed[name]);
        if (field.type === 'reference')
          labels[name] = labelsOf(computed)[name] ?? (isEmptyValue(computed[name]) ? null : UNSEEN);
      }
    }
    this.#form.putComputed({ writes, labels });
  }

  /** Lists that follow what has changed get the lines that belong to it. */
  #follow(changed: ReadonlySet<string>): void {
    for (const lines of followingLists(this.#form.resource)) {
      if (!isConcerned(followedPaths(lines), changed)) continue;
      const next = followedLines(lines, this.#form.scope());
      if (next !== null) this.#form.lines.get(lines.name)?.follow(next);
    }
  }

  #putComputed(before: ErpRecord, after: ErpRecord): void {
    const ofHead = this.plan.filter(({ lines, path }) => lines === null && before[path] !== after[path]);
    for (const [name, store] of this.#form.lines) {
      const columns = this.plan.filter((node) => node.lines === name).map((node) => node.field.name);
      if (columns.length === 0) continue;
      const changes = computedChanges(store, columns, linesOf(after, name));
      if (changes.length > 0) store.setComputed(changes);
    }
    const references = ofHead.filter(({ field }) => field.type === 'reference');
    this.#form.putComputed({
      writes: new Map(ofHead.map(({ path }) => [path, after[path]])),
      labels: Object.fromEntries(
        references.map(({ path }) => [path, isEmptyValue(after[path]) ? null : AWAITED]),
      ),
    });
  }

  #applyLines(field: Field, computed: readonly ErpRecord[]): void {
    const store = this.#form.lines.get(field.name);
    const keys = typedKeys(store);
    if (store === undefined || computed.length !== keys.length) return;
    const isTaken = (column: Field): boolean => this.#isTaken(column, `${field.name}.${column.name}`);
    store.setComputed(answeredChanges(field, { store, keys, computed, isTaken }));
  }

  /** A record that the server found; not where formulas here read on from it, as they would without what it says. */
  #isTaken({ find }: Field, path: string): boolean {
    return find !== undefined && !this.plan.some(({ reads }) => isConcerned(reads, new Set([path])));
  }

  #putCleared(before: ErpRecord, after: ErpRecord): void {
    const writes = new Map<string, unknown>();
    for (const field of Object.values(this.#form.resource.fields)) {
      if (before[field.name] === after[field.name]) continue;
      if (field.type !== 'lines') writes.set(field.name, after[field.name]);
      else this.#clearLines(field, linesOf(before, field.name), linesOf(after, field.name));
    }
    if (writes.size > 0) this.#form.write(writes);
  }

  #clearLines(field: Field, before: readonly ErpRecord[], after: readonly ErpRecord[]): void {
    const store = this.#form.lines.get(field.name);
    if (store === undefined) return;
    if (after.length === 0) store.remove(store.order());
    else store.setCells(clearedChanges(field, { store, before, after }));
  }
}
