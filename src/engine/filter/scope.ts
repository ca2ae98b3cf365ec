import type { Value } from '../expression/formula-function.ts';
import type { Catalog, ErpRecord, EvaluationContext, Field, Resource } from '../schema/resource.ts';
import { readContext } from './read-context.ts';

/** Where a filter or formula runs: a record of a resource, or one of its lines with the head as `parent`. */
export interface Scope {
  readonly resource: Resource;
  readonly catalog: Catalog;
  readonly record: ErpRecord;
  readonly parent?: ErpRecord;
  /** Name of the lines field when `record` is a line. */
  readonly lines?: string;
  readonly context: EvaluationContext;
  /** `source.x`: the record that declares the construct; its line, under `each`. */
  readonly source?: Scope | undefined;
  /** `before.x`: the head as it was before this write; null at its creation. */
  readonly before?: ErpRecord | null | undefined;
  /** Frozen values are taken anew. */
  readonly isRefresh?: boolean | undefined;
  /** `above.x`: the line before, null for the first; looked up among the parent's lines when it is not given. */
  readonly above?: ErpRecord | null | undefined;
  /** Which of the parent's lines the record is, where it is known. */
  readonly place?: number | undefined;
  /** Further names of the construct: `given`. */
  readonly given?: Readonly<Record<string, unknown>> | undefined;
  /** What functions over all lines gave, while one column of one state of the record is computed. */
  readonly memo?: Map<object, readonly Value[]> | undefined;
}

/** The names before a dot that do not mean a field. */
export const SCOPE_NAMES = [
  'record',
  'parent',
  'source',
  'above',
  'before',
  'input',
  'company',
  'user',
] as const;

/**
 * Reads a path: own field, `record.x`, `parent.x`, `source.x`, `above.x`, `before.x`, `items.x` (a list of the lines'
 * values), a value of the surroundings (`today`, `input.x`, `company.x`, `user.x`), or a path over references, whose values
 * the server sends as `_paths`. Null when there is nothing.
 */
export function readPath(scope: Scope, path: string): unknown {
  const { given } = scope;
  if (given !== undefined && Object.hasOwn(given, path)) return given[path] ?? null;
  const dot = path.indexOf('.');
  if (dot < 0) return path === 'today' || path === 'now' ? scope.context[path] : own(scope.record, path);
  const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)];
  switch (head) {
    case 'record':
      return readPath(scope, rest);
    case 'parent':
      return scope.parent === undefined ? null : readPath(headScope(scope, scope.parent), rest);
    case 'above': {
      const above = scope.lines === undefined ? undefined : lineAbove(scope);
      if (above === undefined) return readOwn(scope, path);
      return above === null
        ? null
        : readPath({ ...scope, record: above, above: undefined, place: undefined }, rest);
    }
    case 'before':
      return scope.before === undefined ? readOwn(scope, path) : readBefore(scope, scope.before, rest);
    case 'source':
      return scope.source === undefined ? readOwn(scope, path) : readPath(scope.source, rest);
    case 'input':
      return readInput(scope.context.input, rest);
    case 'company':
    case 'user':
      return readContext(path, scope.context);
    default:
      return readOwn(scope, path);
  }
}

/** Every record and every line has an id, and a line its place in the list. */
const LINE_COLUMNS: Readonly<Record<string, Field>> = {
  id: { name: 'id', title: '编号', type: 'text', required: true, standard: true, computed: true },
  line_order: {
    name: 'line_order',
    title: '序号',
    type: 'integer',
    required: true,
    standard: true,
    computed: true,
  },
};

/** The field a path ends in, as far as the catalog knows it. */
export function fieldAt(scope: FieldScope, path: string): Field | undefined {
  // These lead where the scope says.
  if (path.startsWith('source.') || path.startsWith('input.')) return findField(scope, path);
  const found = foundIn(scope);
  const known = found.get(path);
  if (known !== undefined) return known;
  // Callers name paths as they like.
  if (found.size >= MAX_PATHS) found.clear();
  const field = findField(scope, path);
  found.set(path, field);
  return field;
}

type FieldScope = Pick<Scope, 'resource' | 'catalog' | 'lines' | 'source'> & {
  readonly context?: EvaluationContext;
};

const MAX_PATHS = 2_000;
type FoundFields = Map<string, Field | undefined>;
const foundFields = new WeakMap<object, WeakMap<Resource, Map<string, FoundFields>>>();

/** What was found from the heads or from the lines of a resource: rules ask for every line anew. */
function foundIn({ catalog, resource, lines = '' }: FieldScope): FoundFields {
  const known = foundFields.get(catalog.resources)?.get(resource)?.get(lines);
  if (known !== undefined) return known;
  const byResource = foundFields.get(catalog.resources) ?? new WeakMap<Resource, Map<string, FoundFields>>();
  foundFields.set(catalog.resources, byResource);
  const byLines = byResource.get(resource) ?? new Map<string, FoundFields>();
  byResource.set(resource, byLines);
  const found: FoundFields = new Map();
  byLines.set(lines, found);
  return found;
}

function findField(scope: FieldScope, path: string): Field | undefined {
  const parts = path.split('.');
  const [first = ''] = parts;
  if (parts.length > 1) {
    if (first === 'source' && scope.source !== undefined)
      return fieldAt(scope.source, parts.slice(1).join('.'));
    if (first === 'input') return inputField(scope.context?.inputFields, parts.slice(1));
    if (first === 'record' || first === 'before' || first === 'above') parts.shift();
  }
  let place: FieldPlace | undefined = placeOf(scope.resource, scope.lines);
  let field: Field | undefined;
  for (const [index, name] of parts.entries()) {
    if (place === undefined) return undefined;
    if (name === 'parent' && index < parts.length - 1 && (place.isLine || index === 0)) {
      place = placeOf(place.resource);
      continue;
    }
    field = ownField(place.fields, name) ?? ownField(LINE_COLUMNS, name);
    place = field === undefined ? undefined : placeBehind(field, place.resource, scope.catalog);
  }
  return field;
}

/** Where a path has come to: the fields that may follow there. */
interface FieldPlace {
  readonly resource: Resource;
  readonly fields: Readonly<Record<string, Field>>;
  readonly isLine: boolean;
}

/** The fields of the record that the scope stands on: a line's columns inside lines. */
export function fieldsOf(scope: Pick<Scope, 'resource' | 'lines'>): Readonly<Record<string, Field>> {
  return placeOf(scope.resource, scope.lines).fields;
}

function placeOf(resource: Resource, lines?: string): FieldPlace {
  if (lines === undefined) return { resource, fields: resource.fields, isLine: false };
  return { resource, fields: ownField(resource.fields, lines)?.fields ?? {}, isLine: true };
}

function placeBehind(field: Field, resource: Resource, catalog: Catalog): FieldPlace | undefined {
  if (field.type === 'lines') return placeOf(resource, field.name);
  if (field.type !== 'reference' || typeof field.to !== 'string') return undefined;
  const [key = '', lines] = field.to.split('.');
  const target = catalog.resources[key];
  return target === undefined ? undefined : placeOf(target, lines);
}

/** Names come from callers too: `constructor` is no field. */
function ownField(fields: Readonly<Record<string, Field>>, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A field of the record, a column of its lines, or a value that came with it over references. */
function readOwn(scope: Scope, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return own(scope.record, path);
  const head = path.slice(0, dot);
  const value = own(scope.record, head);
  if (fieldsOf(scope)[head]?.type === 'lines')
    return Array.isArray(value) ? value.map((line: unknown) => readLine(line, path.slice(dot + 1))) : [];
  return own(pathsOf(scope.record), path);
}

export function headScope(
  { resource, catalog, context, source, before, given }: Scope,
  record: ErpRecord,
): Scope {
  return { resource, catalog, context, source, before, given, record };
}

/** Null for the first line. */
function lineAbove({ above, parent, lines = '', record, place }: Scope): ErpRecord | null {
  if (above !== undefined) return above;
  const rows = parent?.[lines];
  if (!Array.isArray(rows)) return null;
  const own = place ?? rows.findIndex((line: unknown) => line === record || isSameLine(line, record));
  const found: unknown = rows[own - 1];
  return isRecord(found) ? found : null;
}

/** The record as it was; of a line the line of the same id. Null when it was not there. */
function readBefore(scope: Scope, before: ErpRecord | null, path: string): unknown {
  if (before === null) return null;
  const { lines, record } = scope;
  const head = headScope(scope, before);
  if (lines === undefined) return readPath(head, path);
  if (path.startsWith('parent.')) return readPath(head, path.slice('parent.'.length));
  const rows = before[lines];
  const line: unknown = Array.isArray(rows)
    ? rows.find((row: unknown) => isSameLine(row, record))
    : undefined;
  return isRecord(line) ? readOwn({ ...scope, record: line }, path) : null;
}

function readInput(input: ErpRecord | undefined, path: string): unknown {
  if (input === undefined) return null;
  const [name = '', ...column] = path.split('.');
  const value = own(input, name);
  if (column.length === 0) return value;
  return Array.isArray(value) ? value.map((line: unknown) => readLine(line, column.join('.'))) : null;
}

function inputField(
  fields: EvaluationContext['inputFields'],
  [name = '', column]: readonly string[],
): Field | undefined {
  const input = fields === undefined ? undefined : ownField(fields, name);
  return column === undefined ? input : ownField(input?.fields ?? {}, column);
}

function isSameLine(line: unknown, record: ErpRecord): boolean {
  return isRecord(line) && line['id'] !== undefined && line['id'] === record['id'];
}

function isRecord(value: unknown): value is ErpRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readLine(line: unknown, path: string): unknown {
  if (typeof line !== 'object' || line === null) return null;
  // A parsed line is a plain object of column values.
  const record = line as ErpRecord;
  return path.includes('.') ? own(pathsOf(record), path) : own(record, path);
}

function pathsOf(record: ErpRecord): ErpRecord {
  const paths = record['_paths'];
  return typeof paths === 'object' && paths !== null ? (paths as ErpRecord) : {};
}

function own(record: ErpRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}
