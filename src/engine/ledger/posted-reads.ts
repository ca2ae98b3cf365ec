import { linesOf } from '../record/record-lines.ts';
import type { ValueDefinitions } from '../schema/effects-definition.ts';
import type { PostingDefinition } from '../schema/ledger-definition.ts';
import { type PathPlace, resolveFieldPath } from '../schema/field-path.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { Catalog, ErpRecord, Field, FieldProblem, Resource } from '../schema/resource.ts';
import { accountNamed } from './account-name.ts';

/** An entry that lives, as far as it tells what it came from. */
export interface LiveEntry {
  /** Null for the head. */
  readonly line: string | null;
  /** The name of the posting, else its type. */
  readonly name: string;
}

/**
 * What a change of a posted document may not touch: fields that a living entry read, lines that were posted. `current` is
 * the record as it is, `next` as it would be.
 */
export function postedProblems(
  resource: Resource,
  catalog: Catalog,
  change: { readonly current: ErpRecord; readonly next: ErpRecord; readonly live: readonly LiveEntry[] },
): readonly FieldProblem[] {
  const { current, next, live } = change;
  const closed = closedBy(resource, catalog, live);
  const problems: FieldProblem[] = [];
  for (const name of closed.heads)
    if (isOther(current[name], next[name])) problems.push(refused(resource.fields[name], name));
  for (const [list, { cells, all, ids }] of closed.lists)
    problems.push(...lineProblems(resource.fields[list], { current, next, list, cells, all, ids }));
  return problems;
}

interface ClosedList {
  /** Columns of the posted lines. */
  readonly cells: Set<string>;
  /** Columns of every line: something sums them. */
  readonly all: Set<string>;
  readonly ids: Set<string>;
}

interface Closed {
  readonly heads: Set<string>;
  readonly lists: Map<string, ClosedList>;
}

function closedBy(resource: Resource, catalog: Catalog, live: readonly LiveEntry[]): Closed {
  const closed: Closed = { heads: new Set(), lists: new Map() };
  const said = valueReads(resource.everyEntry);
  for (const posting of resource.postings) {
    if (posting.reverse !== undefined) continue;
    const own = live.filter((entry) => isOf(entry, posting));
    if (own.length === 0) continue;
    const { each } = posting;
    if (each !== undefined) for (const { line } of own) listOf(closed, each).ids.add(line ?? '');
    for (const path of readsOf(posting, resource, catalog))
      close(closed, resource, { path, each, seen: new Set() });
    for (const path of said) close(closed, resource, { path, each: undefined, seen: new Set() });
  }
  return closed;
}

function isOf(entry: LiveEntry, posting: PostingDefinition): boolean {
  if ((posting.each === undefined) !== (entry.line === null)) return false;
  if (posting.name !== undefined) return posting.name === entry.name;
  if (typeof posting.type === 'string') return posting.type === entry.name;
  return Object.entries(posting.type ?? {}).some(([key, type]) => key !== 'by' && type === entry.name);
}

/** The paths that an entry of a posting read; names without a dot are of the line, else of its head. */
function readsOf(posting: PostingDefinition, resource: Resource, catalog: Catalog): readonly string[] {
  const { account = '', amount, date, each, set = {}, type, when } = posting;
  const named = accountNamed(account, catalog);
  const on = named?.resource ?? referencedAccount(account, { resource, catalog, lines: each });
  const keys = named?.resource.account?.key ?? [];
  const ledger = on?.account === undefined ? undefined : catalog.resources[on.account.ledger]?.ledger;
  const same = (ledger?.same ?? []).filter((name) => !Object.hasOwn(set, name));
  const formulas = [amount, date, ...Object.values(set), typeof type === 'object' ? type.by : undefined];
  const all = [...formulas, ...(named === null ? [account] : Object.values(named.values))];
  return [
    ...all.filter((value) => typeof value === 'string').flatMap(formulaReads),
    ...filterReads(when).fields,
    ...filterReads(when).values,
    ...keys,
    ...same,
  ];
}

/** The accounts that a reference names. */
function referencedAccount(path: string, place: PathPlace): Resource | undefined {
  const found = resolveFieldPath(place, path);
  const to = found.kind === 'field' ? found.field.to : undefined;
  return typeof to === 'string' ? place.catalog.resources[to] : undefined;
}

function valueReads(values: ValueDefinitions | undefined): readonly string[] {
  return Object.values(values ?? {})
    .filter((value) => typeof value === 'string')
    .flatMap(formulaReads);
}

interface ReadPath {
  readonly path: string;
  readonly each: string | undefined;
  readonly seen: Set<string>;
}

/** Closes what a path reads; behind a formula what that reads. */
function close(closed: Closed, resource: Resource, { path, each, seen }: ReadPath): void {
  const [first = '', second] = path.split('.');
  const isParent = first === 'parent' || first === 'record';
  const name = isParent ? (second ?? '') : first;
  const lines = isParent ? undefined : each;
  const cell = lines === undefined ? undefined : resource.fields[lines]?.fields?.[name];
  if (cell !== undefined && lines !== undefined)
    return closeField(closed, resource, { field: cell, lines, seen, into: listOf(closed, lines).cells });
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (field === undefined) return;
  if (field.type !== 'lines')
    return closeField(closed, resource, { field, lines: undefined, seen, into: closed.heads });
  const column = path.split('.')[isParent ? 2 : 1] ?? '';
  const summed = field.fields?.[column];
  if (summed !== undefined)
    closeField(closed, resource, { field: summed, lines: name, seen, into: listOf(closed, name).all });
}

function closeField(
  closed: Closed,
  resource: Resource,
  read: {
    readonly field: Field;
    readonly lines: string | undefined;
    readonly seen: Set<string>;
    readonly into: Set<string>;
  },
): void {
  const { field, lines, seen, into } = read;
  const key = `${lines ?? ''}.${field.name}`;
  if (seen.has(key)) return;
  seen.add(key);
  if (field.formula === undefined) {
    if (!field.computed) into.add(field.name);
    return;
  }
  for (const path of formulaReads(field.formula)) close(closed, resource, { path, each: lines, seen });
}

function listOf(closed: Closed, name: string): ClosedList {
  const known = closed.lists.get(name) ?? { cells: new Set(), all: new Set(), ids: new Set() };
  closed.lists.set(name, known);
  return known;
}

function lineProblems(
  field: Field | undefined,
  change: ClosedList & { readonly current: ErpRecord; readonly next: ErpRecord; readonly list: string },
): readonly FieldProblem[] {
  const { current, next, list, cells, all, ids } = change;
  const before = linesOf(current, list);
  const after = linesOf(next, list);
  const now = new Map(after.map((line) => [line['id'], line]));
  const problems: FieldProblem[] = [];
  for (const [index, line] of before.entries()) {
    const other = now.get(line['id']);
    const isPosted = ids.has(String(line['id']));
    if (other === undefined) {
      if (isPosted || all.size > 0)
        problems.push({ path: list, code: 'posted', message: `第${index + 1}行已过账，不能删除，请先冲销` });
      continue;
    }
    for (const name of new Set([...all, ...(isPosted ? cells : [])]))
      if (isOther(line[name], other[name]))
        problems.push(refused(field?.fields?.[name], `${list}.${after.indexOf(other)}.${name}`));
  }
  const known = new Set(before.map((line) => line['id']));
  const isGrown = after.some((line) => !known.has(line['id']));
  return all.size > 0 && isGrown ? [...problems, refused(field, list)] : problems;
}

function refused(field: Field | undefined, path: string): FieldProblem {
  return { path, code: 'posted', message: `${field?.title ?? '该内容'}已过账，不能修改，请先冲销` };
}

function isOther(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) !== JSON.stringify(b ?? null);
}
