import { createHash } from 'node:crypto';
import { namedValues } from '#engine/filter/compare-value.ts';
import { filterParts } from '#engine/filter/filter-paths.ts';
import { fieldAt } from '#engine/filter/scope.ts';
import type { Filter, RollupDefinition } from '#engine/schema/definition.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { isGroup } from '#engine/schema/state-groups.ts';
import { isAppendOnly } from '#engine/schema/append-only.ts';
import type { Database, Queryable } from '#server/kernel/db/database.ts';
import { SEARCH_VERSION, searchedFields } from './search-index.ts';
import { quoteName, quoteText as quoteLiteral } from '#server/records/call/statement.ts';

/** What the stored columns of a resource that follow from others were derived by. */
export interface DerivedState {
  /** Hash of what its search text is made of. */
  readonly search: string;
  /** Hash of each formula and sum by its name: `paid_amount`, `items.amount`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What has to be derived anew in the rows of a resource. */
export interface DerivedWork {
  readonly resource: Resource;
  readonly isSearchStale: boolean;
  /** Sums that are new or are taken in another way. */
  readonly rollups: readonly string[];
  /** Formulas that are new, and lists that follow something from now on. A formula that is worded otherwise does not rewrite what documents say. */
  readonly formulas: readonly string[];
}

/** The state that the definitions ask for. */
export function derivedState(catalog: Catalog, resource: Resource): DerivedState {
  const searched = searchedFields(catalog, resource).map((field) => [
    field.name,
    typeof field.to === 'string' ? (catalog.resources[field.to]?.label ?? '') : '',
  ]);
  const fields: Record<string, string> = {};
  for (const [name, field] of derivedFields(resource))
    fields[name] = hash(
      field.rollup === undefined ? (field.formula ?? field.follows) : spokenOut(catalog, field.rollup),
    );
  return { search: hash([SEARCH_VERSION, ...searched]), fields };
}

/**
 * A sum as it is written, with what the groups in its `where` stand for and where rows of states that are no more went: it
 * is another sum when these change.
 */
function spokenOut(catalog: Catalog, rollup: RollupDefinition): unknown {
  const [key = '', lines] = rollup.of.split('.');
  const resource = catalog.resources[key];
  if (resource === undefined || rollup.where === undefined) return rollup;
  const asked = askedStates(rollup.where, { resource, catalog, ...(lines === undefined ? {} : { lines }) });
  return asked.length === 0 ? rollup : [rollup, asked];
}

type SummedPlace = Pick<Parameters<typeof fieldAt>[0], 'resource' | 'catalog' | 'lines'>;

function askedStates(where: Filter, place: SummedPlace): readonly unknown[] {
  return filterParts(where).flatMap((part): readonly unknown[] => {
    if (part.kind !== 'condition') return part.filters.flatMap((inner) => askedStates(inner, place));
    const { path, value } = part;
    const groups = [value].flat().some(isGroup) ? [namedValues(value, fieldAt(place, path))] : [];
    const retired = place.resource.lifecycle?.retired ?? {};
    const isOfState = path === 'status' || path === 'parent.status';
    return isOfState && Object.keys(retired).length > 0 ? [...groups, sorted(retired)] : groups;
  });
}

/** Resources whose rows were derived by other definitions than those that serve. */
export async function findDerivedWork(on: Queryable, catalog: Catalog): Promise<readonly DerivedWork[]> {
  const known = await readStates(on);
  return derivedResources(catalog).flatMap((resource): readonly DerivedWork[] => {
    const before = known.get(resource.resource);
    const now = derivedState(catalog, resource);
    const isSearchStale = before?.search !== now.search;
    const rollups: string[] = [];
    const formulas: string[] = [];
    for (const [name, field] of derivedFields(resource)) {
      const was = before?.fields[name];
      // Before groups were kept with it a sum was kept as it is written: it counts as derived.
      const isKept = was === now.fields[name] || was === hash(field.rollup);
      if (field.rollup !== undefined && !isKept) rollups.push(name);
      if (field.rollup === undefined && was === undefined && before !== undefined) formulas.push(name);
    }
    const isStale = isSearchStale || rollups.length > 0 || formulas.length > 0;
    // Also what only fell away is kept, or it would count as known when it comes back.
    if (!isStale && before !== undefined && hash(before.fields) === hash(sorted(now.fields))) return [];
    return [{ resource, isSearchStale, rollups, formulas }];
  });
}

/** Keeps that the rows of a resource are derived as the definitions say. */
export async function keepDerivedState(on: Queryable, catalog: Catalog, resource: Resource): Promise<void> {
  await keepStates(on, catalog, [resource]);
}

/** Resources that have no rows yet are derived as the definitions say: what is written from now on follows them. */
export async function keepStatesOfEmpty(db: Database, catalog: Catalog): Promise<void> {
  const known = await readStates(db);
  const unknown = derivedResources(catalog).filter(({ resource }) => !known.has(resource));
  if (unknown.length === 0) return;
  const asked = unknown.map(
    ({ resource }) =>
      `select ${quoteLiteral(resource)} as resource where not exists (select 1 from ${quoteName(resource)})`,
  );
  const empty = await db.query<{ resource: string }>(asked.join(' union all '));
  const names = new Set(empty.map(({ resource }) => resource));
  await keepStates(
    db,
    catalog,
    unknown.filter(({ resource }) => names.has(resource)),
  );
}

/** All in one statement: a first start keeps some hundred of them. */
async function keepStates(on: Queryable, catalog: Catalog, resources: readonly Resource[]): Promise<void> {
  const states = resources.map((resource) => {
    const { search, fields } = derivedState(catalog, resource);
    return { resource: resource.resource, search, fields: sorted(fields) };
  });
  await on.execute(KEEP, [JSON.stringify(states)]);
}

const KEEP = `insert into sys_derived (resource, search, fields)
  select r.resource, r.search, r.fields from jsonb_to_recordset($1::jsonb) r (resource text, search text, fields jsonb)
  on conflict (resource) do update set search = excluded.search, fields = excluded.fields, at = now()`;

async function readStates(on: Queryable): Promise<ReadonlyMap<string, DerivedState>> {
  const rows = await on.query<{ resource: string; search: string; fields: Record<string, string> }>(
    'select resource, search, fields from sys_derived',
  );
  return new Map(rows.map(({ resource, search, fields }) => [resource, { search, fields: sorted(fields) }]));
}

/** Projections have no rows; those of append-only resources keep what they said. */
export function isDerivable(resource: Resource): boolean {
  return resource.kind !== 'view' && !isAppendOnly(resource);
}

function derivedResources(catalog: Catalog): readonly Resource[] {
  return Object.values(catalog.resources).filter(isDerivable);
}

function derivedFields(resource: Resource): readonly (readonly [string, Field])[] {
  return Object.values(resource.fields).flatMap((field) => [
    ...(isDerived(field) ? [[field.name, field] as const] : []),
    ...Object.values(field.fields ?? {})
      .filter(isDerived)
      .map((cell) => [`${field.name}.${cell.name}`, cell] as const),
  ]);
}

function isDerived({ rollup, formula, follows, stored }: Field): boolean {
  return rollup !== undefined || follows !== undefined || (formula !== undefined && stored !== false);
}

function sorted(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url')
    .slice(0, 16);
}
