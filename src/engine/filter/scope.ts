import type { Catalog, ErpRecord, EvaluationContext, Field, Resource } from '../schema/resource.ts';

/** Where a filter or formula runs: a record of a resource, or one of its lines with the head as `parent`. */
export interface Scope {
  readonly resource: Resource;
  readonly catalog: Catalog;
  readonly record: ErpRecord;
  readonly parent?: ErpRecord;
  /** Name of the lines field when `record` is a line. */
  readonly lines?: string;
  readonly context: EvaluationContext;
}

/**
 * Reads a path: own field, `record.x`, `parent.x`, `items.x` (a list of the lines' values), or a path over
 * references, whose values the server sends as `_paths`. Null when there is nothing.
 */
export function readPath(scope: Scope, path: string): unknown {
  if (path.startsWith('record.')) return readPath(scope, path.slice('record.'.length));
  if (path.startsWith('parent.')) return readParent(scope, path.slice('parent.'.length));
  const dot = path.indexOf('.');
  if (dot < 0) return own(scope.record, path);
  const head = path.slice(0, dot);
  const value = own(scope.record, head);
  if (fieldsOf(scope)[head]?.type === 'lines')
    return Array.isArray(value) ? value.map((line: unknown) => readLine(line, path.slice(dot + 1))) : [];
  return own(pathsOf(scope.record), path);
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
export function fieldAt(
  scope: Pick<Scope, 'resource' | 'catalog' | 'lines'>,
  path: string,
): Field | undefined {
  const parts = path.split('.');
  if (parts[0] === 'record') parts.shift();
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

function readParent(scope: Scope, path: string): unknown {
  if (scope.parent === undefined) return null;
  return readPath(
    { resource: scope.resource, catalog: scope.catalog, context: scope.context, record: scope.parent },
    path,
  );
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
