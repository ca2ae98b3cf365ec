import { fieldsAt, type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { AttachRequest } from './attach-references.ts';
import { dictionarySource } from './dictionary-labels.ts';
import { isNear, isStampName } from './near-rows.ts';
import { isOpenRecord, linesOf, type OpenRecord } from './open-record.ts';
import {
  needOf,
  type ReferenceBook,
  type ReferenceNeed,
  type ReferenceRow,
  targetOf,
} from './reference-book.ts';
import type { Holder } from './reference-holders.ts';
import type { PathNode } from './reference-plan.ts';
import type { Eyes } from './reader-eyes.ts';

/** A path on its way: the row that it stands before, and what is read of it. */
export interface Cursor {
  readonly paths: Record<string, unknown>;
  readonly node: PathNode;
  readonly target: string;
  readonly id: string;
  /** Every step until here is open to the reader. */
  readonly isOpen: boolean;
  /** Whether a row is of the companies at hand: others were perhaps loaded for a stamp. */
  readonly isNear: (row: ReferenceRow) => boolean;
  readonly closed: Set<string>;
}

/** What a holder refers to, noted in `needs`, and the paths that begin there, added to `cursors`. */
export function openCursors(
  holder: Holder,
  at: {
    readonly needs: Map<string, ReferenceNeed>;
    readonly request: AttachRequest;
    readonly companies: readonly string[];
    readonly closed: ReadonlyMap<OpenRecord, Set<string>>;
  },
  cursors: Cursor[],
): void {
  const { request, needs } = at;
  const closed = at.closed.get(holder.record) ?? NOTHING_CLOSED;
  const paths = holder.record['_paths'];
  for (const field of holder.links.linked) {
    const value = holder.record[field.name];
    if (value === null || value === undefined) continue;
    if (field.type === 'dictionary') needDictionary(field, value, needs, request);
    if (field.type !== 'reference') continue;
    const target = targetOf(field, holder.record);
    if (target === null) continue;
    const node = holder.tree?.get(field.name);
    if (!request.withLabels && node === undefined) continue;
    const need = needOf(needs, target);
    if (field.standard && isStampName(field.name)) need.isAnyCompany = true;
    for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'string') need.ids.add(id);
    if (node === undefined || typeof value !== 'string' || !isOpenRecord(paths)) continue;
    if (!need.noted.has(node)) {
      need.noted.add(node);
      wantSteps(need, node, targetPlace(target, request.catalog));
    }
    cursors.push({
      paths,
      node,
      target,
      id: value,
      isOpen: true,
      isNear: (row) => isNear(row, field, at.companies),
      closed,
    });
  }
}

/** Without values behind references nothing is closed. */
const NOTHING_CLOSED = new Set<string>();

/** Takes a path one step on: values into `_paths`, what comes after into `next`. Null eyes see everything. */
export function follow(
  cursor: Cursor,
  book: ReferenceBook,
  {
    request,
    next,
    eyesOf,
  }: {
    readonly request: AttachRequest;
    readonly next: Map<string, ReferenceNeed>;
    readonly eyesOf: (target: string) => Eyes | null;
  },
): readonly Cursor[] {
  const row = book.get(cursor.target)?.get(cursor.id);
  if (row === undefined) return [];
  const { catalog } = request;
  const eyes = eyesOf(cursor.target);
  const place = targetPlace(cursor.target, catalog);
  const fields = place === null ? {} : fieldsAt(place);
  const further: Cursor[] = [];
  for (const child of cursor.node.children.values()) {
    const value = row.values[child.column] ?? null;
    const { path } = child;
    const isOpen =
      cursor.isOpen &&
      row.isOpen &&
      cursor.isNear(row) &&
      (eyes === null || (eyes.mayRead && eyes.sees(child.column)));
    if (fields[child.column]?.type === 'lines') {
      for (const cell of child.children.values()) {
        const column = cell.path;
        cursor.paths[column] = linesOf(value).map((line) => line[cell.column] ?? null);
        const isSeen = eyes === null || eyes.sees(`${child.column}.${cell.column}`);
        if (!isOpen || !isSeen) cursor.closed.add(column);
      }
      continue;
    }
    if (child.isWanted) cursor.paths[path] = value;
    if (child.isWanted && !isOpen) cursor.closed.add(path);
    if (child.children.size === 0 || typeof value !== 'string') continue;
    const target =
      child.column === 'parent'
        ? (place?.resource.resource ?? null)
        : stepTarget(fields[child.column], row.values);
    if (target === null) continue;
    const need = needOf(next, target);
    need.ids.add(value);
    if (!need.noted.has(child)) {
      need.noted.add(child);
      wantColumns(need, child, targetPlace(target, catalog));
    }
    further.push({
      paths: cursor.paths,
      node: child,
      target,
      id: value,
      isOpen,
      isNear: isAnyRow,
      closed: cursor.closed,
    });
  }
  return further;
}

function isAnyRow(): boolean {
  return true;
}

/** The columns that a step of a path goes on to; of lines their columns. */
function wantColumns(need: ReferenceNeed, node: PathNode, place: PathPlace | null): void {
  const fields = place === null ? {} : fieldsAt(place);
  for (const child of node.children.values()) {
    if (fields[child.column]?.type !== 'lines') need.columns.add(child.column);
    else for (const cell of child.children.keys()) need.columns.add(`${child.column}.${cell}`);
  }
}

/** The columns of a path and of all that comes after it, as far as its targets are known beforehand. */
function wantSteps(need: ReferenceNeed, node: PathNode, place: PathPlace | null): void {
  wantColumns(need, node, place);
  if (place === null) return;
  const fields = fieldsAt(place);
  for (const child of node.children.values()) {
    const field = fields[child.column];
    if (child.children.size === 0 || field?.type !== 'reference') continue;
    if (typeof field.to !== 'string' || field.multiple === true) continue;
    wantSteps(needOf(need.steps, field.to, child.column), child, targetPlace(field.to, place.catalog));
  }
}

function needDictionary(
  field: Field,
  value: unknown,
  needs: Map<string, ReferenceNeed>,
  request: AttachRequest,
): void {
  if (!request.withLabels) return;
  const source = dictionarySource(request.catalog, field);
  if (source === null) return;
  const need = needOf(needs, source);
  const label = request.catalog.dictionaries[field.dictionary ?? '']?.from?.label;
  if (label !== undefined) need.columns.add(label);
  for (const item of Array.isArray(value) ? value : [value]) if (typeof item === 'string') need.ids.add(item);
}

function stepTarget(field: Field | undefined, values: Readonly<Record<string, unknown>>): string | null {
  return field === undefined || field.type !== 'reference' ? null : targetOf(field, values);
}
