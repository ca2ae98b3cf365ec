import { canSee, type ResourceAccess } from '#engine/access/resource-access.ts';
import { fieldsAt, type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Dictionary, Field, Resource } from '#engine/schema/resource.ts';
import {
  loadReferences,
  needOf,
  type ReferenceBook,
  type ReferenceNeed,
  type ReferenceRow,
  targetOf,
} from './reference-book.ts';
import { isSpokenOfNames, namedTexts } from './named-choices.ts';
import { eyesOn, isPicker } from './reader-eyes.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { type PathNode, referencePlan } from './reference-plan.ts';
import type { Reader } from '#server/records/call/statement.ts';

/** A record under construction: fields, and the `_labels` and `_paths` that are put beside them. */
export type OpenRecord = Record<string, unknown>;

export interface AttachRequest {
  readonly catalog: Catalog;
  readonly resource: Resource;
  readonly records: readonly OpenRecord[];
  /** Labels only of these head fields; default: all that the records have. */
  readonly access?: Pick<ResourceAccess, 'hidden'>;
  /** Labels for lists need no path values. */
  readonly withPaths: boolean;
  readonly withLabels: boolean;
  readonly company: string;
  /** Values wanted beside those that the resource's rules read. */
  readonly extraPaths?: readonly string[];
  /** Who reads: labels show what this person may read; default: everything, for rules that run on the server. */
  readonly reader?: Call;
}

/** What is closed to the reader, by head or line. */
export interface Attached {
  /** Values in `_paths` that may not be sent: rules of the server read them all the same. */
  readonly closed: ReadonlyMap<OpenRecord, ReadonlySet<string>>;
  /** References to rows that the reader may neither read nor pick, or that do not exist. */
  readonly foreign: ReadonlyMap<OpenRecord, ReadonlySet<string>>;
}

/**
 * Puts `_labels` (texts of references and dictionaries) and `_paths` (values of referenced records that rules read) on
 * records and their lines: one statement for all references at once, one more for every further step of a path. Gives
 * what is closed to the reader.
 */
export async function attachReferences(db: Reader, request: AttachRequest): Promise<Attached> {
  const { catalog, resource } = request;
  const plan = request.withPaths ? referencePlan(resource, request.extraPaths) : null;
  const holders: Holder[] = [];
  for (const record of request.records) {
    holders.push({ record, fields: resource.fields, tree: plan?.head, prefix: '' });
    for (const field of Object.values(resource.fields)) {
      if (field.type !== 'lines') continue;
      for (const line of linesOf(record[field.name]))
        holders.push({
          record: line,
          fields: field.fields ?? {},
          tree: plan?.lines[field.name],
          prefix: `${field.name}.`,
          head: record,
        });
    }
  }
  const asked = {
    companies: companiesOf(request),
    ...(request.reader === undefined ? {} : { reader: request.reader }),
  };
  const needs = new Map<string, ReferenceNeed>();
  const closed = new Map<OpenRecord, Set<string>>();
  let cursors: Cursor[] = [];
  for (const holder of holders) {
    if (request.withPaths) holder.record['_paths'] = {};
    closed.set(holder.record, new Set());
    cursors.push(...openCursors(holder, needs, { request, companies: asked.companies, closed }));
  }
  const book = await loadReferences(db, catalog, { needs: needs.values(), ...asked });
  const gates: LabelGates = new Map();
  const foreign =
    request.reader === undefined ? new Map() : foreignOf(holders, book, { ...asked, reader: request.reader });
  if (request.withLabels) for (const holder of holders) putLabels(holder, book, { request, ...asked, gates });
  let step: ReferenceBook = book;
  while (cursors.length > 0) {
    const next = new Map<string, ReferenceNeed>();
    cursors = cursors.flatMap((cursor) => follow(cursor, step, { request, next }));
    step = next.size === 0 ? step : await loadReferences(db, catalog, { needs: next.values(), ...asked });
  }
  return { closed, foreign };
}

/** Labels of a dictionary's values; empty when the dictionary is filled from a resource. */
export function dictionaryLabels(catalog: Catalog, field: Field): ReadonlyMap<string, string> {
  if (field.options !== undefined) {
    const known = optionLabels.get(field.options);
    if (known !== undefined) return known;
    const labels = new Map(Object.entries(field.options));
    optionLabels.set(field.options, labels);
    return labels;
  }
  const dictionary = field.dictionary === undefined ? undefined : catalog.dictionaries[field.dictionary];
  if (dictionary === undefined) return NO_LABELS;
  const known = dictionaryTexts.get(dictionary);
  if (known !== undefined) return known;
  const labels = new Map(dictionary.items.map((item) => [item.value, item.label]));
  dictionaryTexts.set(dictionary, labels);
  return labels;
}

/** Where a dictionary's texts come from when its file lists none: `currency@code`. */
export function dictionarySource(catalog: Catalog, field: Field): string | null {
  const from = field.dictionary === undefined ? undefined : catalog.dictionaries[field.dictionary]?.from;
  return from === undefined ? null : `${from.resource}@${from.value}`;
}

/** The lines of a record in hand. */
export function linesOf(value: unknown): readonly OpenRecord[] {
  return Array.isArray(value) ? value.filter(isOpenRecord) : [];
}

interface Holder {
  readonly record: OpenRecord;
  readonly fields: Readonly<Record<string, Field>>;
  readonly tree: ReadonlyMap<string, PathNode> | undefined;
  readonly prefix: string;
  /** Of a line: what it belongs to. */
  readonly head?: OpenRecord;
}

interface Cursor {
  readonly paths: Record<string, unknown>;
  readonly prefix: string;
  readonly node: PathNode;
  readonly target: string;
  readonly id: string;
  /** Every step until here is open to the reader. */
  readonly isOpen: boolean;
  /** Whether a row is of the companies at hand: others were perhaps loaded for a stamp. */
  readonly isNear: (row: ReferenceRow) => boolean;
  readonly closed: Set<string>;
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();
const optionLabels = new WeakMap<object, ReadonlyMap<string, string>>();
const dictionaryTexts = new WeakMap<Dictionary, ReadonlyMap<string, string>>();
const STAMPS: ReadonlySet<string> = new Set([
  'created_by',
  'updated_by',
  'submitted_by',
  'approved_by',
  'sales_id',
]);

function companiesOf(request: AttachRequest): readonly string[] {
  const companies = new Set([request.company]);
  for (const record of request.records)
    if (typeof record['co_code'] === 'string' && request.resource.scope === 'company')
      companies.add(record['co_code']);
  return [...companies].sort();
}

function openCursors(
  holder: Holder,
  needs: Map<string, ReferenceNeed>,
  at: {
    readonly request: AttachRequest;
    readonly companies: readonly string[];
    readonly closed: ReadonlyMap<OpenRecord, Set<string>>;
  },
): readonly Cursor[] {
  const { request } = at;
  const closed = at.closed.get(holder.record) ?? new Set<string>();
  const cursors: Cursor[] = [];
  const paths = holder.record['_paths'];
  for (const field of Object.values(holder.fields)) {
    const value = holder.record[field.name];
    if (value === null || value === undefined) continue;
    if (field.type === 'dictionary') needDictionary(field, value, needs, request);
    if (field.type !== 'reference') continue;
    const target = targetOf(field, holder.record);
    if (target === null) continue;
    const node = holder.tree?.get(field.name);
    if (!request.withLabels && node === undefined) continue;
    const need = needOf(needs, target);
    if (field.standard && STAMPS.has(field.name)) need.isAnyCompany = true;
    for (const id of Array.isArray(value) ? value : [value]) if (typeof id === 'string') need.ids.add(id);
    if (node === undefined || typeof value !== 'string' || !isOpenRecord(paths)) continue;
    wantColumns(need, node, targetPlace(target, request.catalog));
    cursors.push({
      paths,
      prefix: `${field.name}.`,
      node,
      target,
      id: value,
      isOpen: true,
      isNear: (row) => isNear(row, field, at.companies),
      closed,
    });
  }
  return cursors;
}

/** The columns that a step of a path goes on to; of lines their columns. */
function wantColumns(need: ReferenceNeed, node: PathNode, place: PathPlace | null): void {
  const fields = place === null ? {} : fieldsAt(place);
  for (const child of node.children.values()) {
    if (fields[child.column]?.type !== 'lines') need.columns.add(child.column);
    else for (const cell of child.children.keys()) need.columns.add(`${child.column}.${cell}`);
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

function follow(
  cursor: Cursor,
  book: ReferenceBook,
  { request, next }: { readonly request: AttachRequest; readonly next: Map<string, ReferenceNeed> },
): readonly Cursor[] {
  const row = book.get(cursor.target)?.get(cursor.id);
  if (row === undefined) return [];
  const { catalog, reader } = request;
  const eyes = reader === undefined ? null : eyesOn(reader, cursor.target);
  const place = targetPlace(cursor.target, catalog);
  const fields = place === null ? {} : fieldsAt(place);
  const further: Cursor[] = [];
  for (const child of cursor.node.children.values()) {
    const value = row.values[child.column] ?? null;
    const path = `${cursor.prefix}${child.column}`;
    const isOpen =
      cursor.isOpen &&
      row.isOpen &&
      cursor.isNear(row) &&
      (eyes === null || (eyes.mayRead && eyes.sees(child.column)));
    if (fields[child.column]?.type === 'lines') {
      for (const cell of child.children.values()) {
        const column = `${path}.${cell.column}`;
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
    wantColumns(need, child, targetPlace(target, catalog));
    further.push({
      ...cursor,
      prefix: `${path}.`,
      node: child,
      target,
      id: value,
      isOpen,
      isNear: () => true,
    });
  }
  return further;
}

function stepTarget(field: Field | undefined, values: Readonly<Record<string, unknown>>): string | null {
  return field === undefined || field.type !== 'reference' ? null : targetOf(field, values);
}

function putLabels(
  holder: Holder,
  book: ReferenceBook,
  at: {
    readonly request: AttachRequest;
    readonly companies: readonly string[];
    readonly gates: LabelGates;
  },
): void {
  const { catalog, access } = at.request;
  const labels: Record<string, unknown> = {};
  for (const field of Object.values(holder.fields)) {
    const { reader } = at.request;
    // Names are put into words for people only.
    if (isSpokenOfNames(field) ? reader === undefined : !hasLabel(field)) continue;
    const value = holder.record[field.name];
    if (value === null || value === undefined) continue;
    if (access !== undefined && !canSee(access, `${holder.prefix}${field.name}`)) continue;
    const isShown = labelGate(field, holder, { ...at.request, ...at });
    const text =
      reader !== undefined && isSpokenOfNames(field)
        ? namedTexts(reader, field, holder.head ?? holder.record)
        : labeller(field, holder.record, { book, catalog, isShown });
    labels[field.name] = Array.isArray(value) ? value.map(text) : text(value);
  }
  holder.record['_labels'] = labels;
}

function hasLabel(field: Field): boolean {
  return field.type === 'reference' || field.type === 'dictionary' || field.options !== undefined;
}

/** References whose row is not there for the reader. */
function foreignOf(
  holders: readonly Holder[],
  book: ReferenceBook,
  { reader, companies }: { readonly reader: Call; readonly companies: readonly string[] },
): ReadonlyMap<OpenRecord, ReadonlySet<string>> {
  const foreign = new Map<OpenRecord, Set<string>>();
  for (const { record, fields, prefix } of holders)
    for (const field of Object.values(fields)) {
      if (field.type !== 'reference') continue;
      const ids = [record[field.name]].flat().filter((id) => typeof id === 'string');
      if (ids.length === 0) continue;
      const target = targetOf(field, record) ?? '';
      const rows = book.get(target);
      const isGranted = eyesOn(reader, target).mayRead || isPicker(reader, `${prefix}${field.name}`);
      const isThere = (row: ReferenceRow | undefined): boolean =>
        isGranted && row !== undefined && row.isOpen && isNear(row, field, companies);
      if (ids.every((id) => isThere(rows?.get(id)))) continue;
      foreign.set(record, (foreign.get(record) ?? new Set()).add(field.name));
    }
  return foreign;
}

/** Of the companies at hand; stamps that the server writes may name people of others. */
function isNear({ co_code: company }: ReferenceRow, field: Field, companies: readonly string[]): boolean {
  const isStamp = field.standard && field.computed && STAMPS.has(field.name);
  return isStamp || company === null || companies.includes(company);
}

type LabelGate = (row: ReferenceRow) => boolean;
/** By field and target: they are the same for all records of one statement. */
type LabelGates = Map<string, LabelGate>;

/** Whether the label of a loaded row is shown in a field: to who may read it, or picks such rows into the field. */
function labelGate(
  field: Field,
  holder: Holder,
  at: { readonly reader?: Call; readonly companies: readonly string[]; readonly gates: LabelGates },
): LabelGate {
  const target = targetOf(field, holder.record) ?? '';
  const path = `${holder.prefix}${field.name}`;
  const key = `${path}|${target}`;
  const known = at.gates.get(key);
  if (known !== undefined) return known;
  const { reader, companies } = at;
  const eyes = reader === undefined || field.type !== 'reference' ? null : eyesOn(reader, target);
  const isGranted =
    eyes === null || reader === undefined || eyes.seesLabel || (!eyes.mayRead && isPicker(reader, path));
  const gate: LabelGate = (row) => isGranted && row.isOpen && isNear(row, field, companies);
  at.gates.set(key, gate);
  return gate;
}

function labeller(
  field: Field,
  record: OpenRecord,
  at: {
    readonly book: ReferenceBook;
    readonly catalog: Catalog;
    readonly isShown: (row: ReferenceRow) => boolean;
  },
): (value: unknown) => string {
  const { book, catalog, isShown } = at;
  if (field.type === 'reference') {
    const rows = book.get(targetOf(field, record) ?? '');
    return (value) => {
      const row = rows?.get(String(value));
      return row !== undefined && isShown(row) ? (row.label ?? '') : '';
    };
  }
  const labels = dictionaryLabels(catalog, field);
  const source = dictionarySource(catalog, field);
  const rows = source === null ? undefined : book.get(source);
  const column = catalog.dictionaries[field.dictionary ?? '']?.from?.label;
  return (value) => {
    const row = rows?.get(String(value));
    const loaded = column === undefined ? row?.label : row?.values[column];
    return typeof loaded === 'string' ? loaded : (labels.get(String(value)) ?? String(value));
  };
}

function isOpenRecord(value: unknown): value is OpenRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
