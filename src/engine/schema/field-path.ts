import type { Catalog, Field, Resource } from './resource.ts';

/** Where a path starts: a resource, or the lines of one. */
export interface PathPlace {
  readonly resource: Resource;
  readonly catalog: Pick<Catalog, 'resources'>;
  /** Inside these lines: plain names are columns, `parent.x` is the head's field. */
  readonly lines?: string | undefined;
}

/** The field a path ends at; or the part that is unknown and the names that would have been known there. */
export type ResolvedPath =
  | { readonly kind: 'field'; readonly field: Field }
  /** Beyond a reference whose target only the record knows, or a resource that is not loaded. */
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly known: readonly string[] };

const LINE_COLUMNS = ['id', 'line_order'] as const;

/**
 * Follows a field path: `sign_date`, `items.amount`, `buyer_id.country_id.name`, inside lines also `parent.currency`,
 * `record.x` being the record itself. `known` lists whole paths, ready for a suggestion.
 */
export function resolveFieldPath(place: PathPlace, path: string): ResolvedPath {
  const parts = path.split('.');
  let current: PathPlace = place;
  if (parts[0] === 'record') parts.shift();
  const walked: string[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const name = parts[index] ?? '';
    if (name === 'parent' && current.lines !== undefined && index < parts.length - 1) {
      current = { resource: current.resource, catalog: current.catalog };
      walked.push(name);
      continue;
    }
    const fields = fieldsAt(current);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return { kind: 'unknown', known: knownPaths(current, walked) };
    walked.push(name);
    if (index === parts.length - 1) return { kind: 'field', field };
    const next = stepInto(current, field);
    if (next === 'open') return { kind: 'open' };
    if (next === null) return { kind: 'unknown', known: knownPaths(current, walked.slice(0, -1)) };
    current = next;
  }
  return { kind: 'unknown', known: [] };
}

/** The fields that may stand at a place: columns with id and position inside lines, else the resource's. */
export function fieldsAt(place: PathPlace): Readonly<Record<string, Field>> {
  if (place.lines === undefined) return place.resource.fields;
  const columns = place.resource.fields[place.lines]?.fields ?? NO_COLUMNS;
  const known = withIdentity.get(columns);
  if (known !== undefined) return known;
  const all = { ...LINE_IDENTITY, ...columns };
  withIdentity.set(columns, all);
  return all;
}

/** The place that a reference's target (`buyer`, `export_contract.items`) opens, if it is loaded. */
export function targetPlace(target: string, catalog: Pick<Catalog, 'resources'>): PathPlace | null {
  const ofCatalog = places.get(catalog) ?? new Map<string, PathPlace>();
  places.set(catalog, ofCatalog);
  const known = ofCatalog.get(target);
  // A catalog that is being built gets other resources under the same names.
  if (known !== undefined && catalog.resources[known.resource.resource] === known.resource) return known;
  const place = findPlace(target, catalog);
  if (place !== null) ofCatalog.set(target, place);
  return place;
}

const places = new WeakMap<object, Map<string, PathPlace>>();

function findPlace(target: string, catalog: Pick<Catalog, 'resources'>): PathPlace | null {
  const [name = '', lines] = target.split('.');
  const resource = Object.hasOwn(catalog.resources, name) ? catalog.resources[name] : undefined;
  if (resource === undefined) return null;
  if (lines !== undefined && resource.fields[lines]?.type !== 'lines') return null;
  return lines === undefined ? { resource, catalog } : { resource, catalog, lines };
}

const NO_COLUMNS: Readonly<Record<string, Field>> = {};
/** The columns of lines with their identity, made once: paths ask for them all the time. */
const withIdentity = new WeakMap<object, Readonly<Record<string, Field>>>();

function stepInto(place: PathPlace, field: Field): PathPlace | 'open' | null {
  if (field.type === 'lines') return { resource: place.resource, catalog: place.catalog, lines: field.name };
  if (field.type !== 'reference' || field.to === undefined) return null;
  if (typeof field.to !== 'string') return 'open';
  return targetPlace(field.to, place.catalog) ?? 'open';
}

function knownPaths(place: PathPlace, walked: readonly string[]): readonly string[] {
  const prefix = walked.length === 0 ? '' : `${walked.join('.')}.`;
  return Object.keys(fieldsAt(place)).map((name) => `${prefix}${name}`);
}

const LINE_IDENTITY = Object.fromEntries(
  LINE_COLUMNS.map((name): [string, Field] => [
    name,
    {
      name,
      type: name === 'id' ? 'text' : 'integer',
      title: name === 'id' ? '行编号' : '行号',
      required: false,
      standard: true,
      computed: true,
    },
  ]),
);
