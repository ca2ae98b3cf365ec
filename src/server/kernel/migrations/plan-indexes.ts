import type { UniqueDefinition } from '#engine/schema/definition.ts';
import { ownerPartnerPath } from '#engine/access/row-scope.ts';
import { fieldsAt, targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { type FieldGroups, indexPredicate } from '#server/kernel/db/index-predicate.ts';
import { indexName, quoteLiteral, quoteName, tableName } from '#server/kernel/db/sql-identifiers.ts';
import { headColumns, lineColumns, linesOf, RELEASED_STATES } from '#server/kernel/db/table-columns.ts';
import type { IndexPlan } from './schema-plan.ts';

/** The unique definition behind a violated index, and the line list that it stands in. */
export function findUnique(
  resource: Resource,
  constraint: string,
): { readonly unique: UniqueDefinition; readonly lines?: string } | null {
  const head = resource.unique.find((unique) => headUnique(resource, unique).name === constraint);
  if (head !== undefined) return { unique: head };
  for (const lines of linesOf(resource)) {
    const found = ownUniques(lines.unique).find((unique) => lineUnique(resource, lines.name, unique).name === constraint); // prettier-ignore
    if (found !== undefined) return { unique: found, lines: lines.name };
  }
  return null;
}

/** An entry is posted once and mirrored once, whatever writes at the same time; its account reads it in order. */
export function ledgerIndexes(resource: Resource): readonly IndexPlan[] {
  const { ledger } = resource;
  if (ledger === undefined) return [];
  const name = tableName(resource);
  const company = companyKey(resource);
  const once = (...fields: readonly string[]): IndexPlan =>
    makeIndex(name, 'u', `(${[...company, ...fields].map(quoteName).join(', ')})`, fields);
  return [
    once('posted_as'),
    once(ledger.reverses),
    // The chain of an account never forks.
    once(ledger.account, 'posted_seq'),
    plainIndex(name, [...company, ledger.source[1]]),
  ];
}

/** Documents must be complete once they have left their first state; other records always. */
export function completeWhere({ kind, lifecycle }: Resource): string {
  if (kind !== 'document' || lifecycle === undefined) return 'not h.is_deleted';
  const open = [lifecycle.initial, 'rejected', ...RELEASED_STATES].map(quoteLiteral).join(', ');
  return `not h.is_deleted and h.status not in (${open})`;
}

/** The order in which a list opens: without an index the first page of a big table would sort all of it. */
export function listIndexes(resource: Resource): readonly (readonly string[])[] {
  const { sort } = resource.list;
  const columns = new Set(headColumns(resource).map(({ name }) => name));
  // References sort by their label, which is another table's.
  const isOwn = (field: string): boolean =>
    columns.has(bare(field)) && resource.fields[bare(field)]?.type !== 'reference';
  return sort.length > 0 && sort.every(isOwn) ? [sort] : [];
}

/** Lists end their order with the id, in the direction of their first key: with it in the index nothing is left to sort. */
function tieBreaker(fields: readonly string[]): string {
  return fields.at(-1)?.startsWith('-') === true ? '-id' : 'id';
}

/** A rollup looks its rows up by the field that points at the record: without an index every save would scan. */
export function rollupIndexes(resources: readonly Resource[]): Map<string, string[][]> {
  const found = new Map<string, string[][]>();
  const fields = resources.flatMap(({ fields: own }) =>
    Object.values(own).flatMap((field) => [field, ...Object.values(field.fields ?? {})]),
  );
  for (const { rollup } of fields) {
    if (rollup === undefined) continue;
    const [source = '', lines] = rollup.of.split('.');
    const [by = ''] = typeof rollup.by === 'string' ? [rollup.by] : Object.keys(rollup.by);
    const isOfHead = by.startsWith('parent.');
    const table = lines === undefined || isOfHead ? source : `${source}__${lines}`;
    const column = by.replace(/^parent\./, '');
    if (column.includes('.')) continue;
    found.set(table, [...(found.get(table) ?? []), [column]]);
  }
  return found;
}

/** A find looks its rows up by the first reference that it compares: each save asks, so it may not read a whole table. */
export function findIndexes(catalog: Pick<Catalog, 'resources'>): Map<string, string[][]> {
  const found = new Map<string, string[][]>();
  const fields = Object.values(catalog.resources).flatMap((resource) => [
    ...Object.values(resource.fields),
    ...linesOf(resource).flatMap((lines) => Object.values(lines.fields ?? {})),
  ]);
  for (const { find, to } of fields) {
    const target = find !== undefined && typeof to === 'string' ? targetPlace(to, catalog) : null;
    if (find === undefined || target === null) continue;
    const { resource, lines } = target;
    const columns = new Set(
      (lines === undefined ? headColumns(resource) : lineColumns(resource, lines)).map(({ name }) => name),
    );
    const column = Object.keys(find.where).find(
      (name) => fieldsAt(target)[name]?.type === 'reference' && columns.has(name),
    );
    if (column === undefined || resource.indexes.some(([first]) => lines === undefined && first === column))
      continue;
    const table = tableName(resource, lines);
    found.set(table, [...(found.get(table) ?? []), [column]]);
  }
  return found;
}

/** The index behind a unique definition of a head. */
export function headUnique(resource: Resource, unique: UniqueDefinition): IndexPlan {
  const hasStatus = resource.fields['status'] !== undefined;
  const released = RELEASED_STATES.map(quoteLiteral).join(', ');
  const conditions = [
    'not is_deleted',
    ...(hasStatus ? [`("status" is null or "status" not in (${released}))`] : []),
  ];
  const company = unique.scope === 'global' ? [] : companyKey(resource);
  return uniqueIndex(resource, tableName(resource), company, unique, conditions);
}

/** Those that an index can hold: one that reads the head is asked for by the save itself. */
export function ownUniques(uniques: readonly UniqueDefinition[] = []): readonly UniqueDefinition[] {
  return uniques.filter(({ fields }) => !fields.some((name) => name.startsWith('parent.')));
}

/** The index behind a unique definition of lines. */
export function lineUnique(resource: Resource, lines: string, unique: UniqueDefinition): IndexPlan {
  const scope = unique.scope === 'global' ? companyKey(resource) : [...companyKey(resource), 'parent_id'];
  return uniqueIndex(resource, tableName(resource, lines), scope, unique, []);
}

/** The groups of the columns of a table of the resource. */
function groupsOf({ resource, fields }: Resource, table: string): FieldGroups {
  const lines = Object.values(fields).find(({ name }) => table === tableName({ resource }, name))?.fields;
  return Object.fromEntries(Object.values(lines ?? fields).map(({ name, groups }) => [name, groups]));
}

function uniqueIndex(
  resource: Resource,
  table: string,
  scope: readonly string[],
  unique: UniqueDefinition,
  conditions: readonly string[],
): IndexPlan {
  const own = unique.fields.map((field) =>
    unique.ignoreCase === true && isText(resource, table, field)
      ? `lower(${quoteName(field)})`
      : quoteName(field),
  );
  const around = scope.filter((name) => !unique.fields.includes(name));
  const by = [...around.map(quoteName), ...own];
  const all =
    unique.where === undefined
      ? conditions
      : [...conditions, `(${indexPredicate(unique.where, table, groupsOf(resource, table))})`];
  const where = all.join(' and ');
  const made = makeIndex(
    table,
    'u',
    `(${by.join(', ')})${unique.nulls === 'same' ? ' nulls not distinct' : ''}${where === '' ? '' : ` where ${where}`}`,
    unique.fields,
  );
  return {
    ...made,
    unique: {
      by,
      keys: [...around, ...unique.fields],
      areNullsSame: unique.nulls === 'same',
      where,
    },
  };
}

/**
 * The index behind an order of lists. It carries what nearly every list asks besides, and what the wall of readers looks
 * at, so that pages far down are counted off in the index alone (records/list/query-records.ts).
 */
export function orderIndex(
  resource: Resource,
  catalog: Pick<Catalog, 'resources'>,
  fields: readonly string[],
): IndexPlan {
  const columns = new Set(headColumns(resource).map(({ name }) => name));
  const asked = ['status', 'is_deleted', partnerColumn(resource, catalog) ?? ''];
  const carried = fields.some((field) => field.startsWith('-'))
    ? asked.filter((name) => columns.has(name) && name !== 'id' && !fields.map(bare).includes(name))
    : [];
  return plainIndex(tableName(resource), [...companyKey(resource), ...fields, tieBreaker(fields)], carried);
}

/** The column that names the partner of a row; null where it is found over other records: the first wall follows those. */
export function partnerColumn(resource: Resource, catalog: Pick<Catalog, 'resources'>): string | null {
  const path = ownerPartnerPath(resource, catalog);
  const column = headColumns(resource).find(({ name }) => name === path);
  return column?.type === 'uuid' ? column.name : null;
}

/** An index that only finds; `carried` columns are there to be read. */
export function plainIndex(
  table: string,
  fields: readonly string[],
  carried: readonly string[] = [],
): IndexPlan {
  const columns = fields
    .filter((field, position) => fields.findIndex((other) => bare(other) === bare(field)) === position)
    // The order of lists: descending puts the empty last, as ascending does.
    .map((field) => quoteName(bare(field)) + direction(field));
  const besides = carried.length === 0 ? '' : ` include (${carried.map(quoteName).join(', ')})`;
  return makeIndex(table, 'i', `(${columns.join(', ')})${besides}`, fields.map(bare));
}

/** As the SQL of lists says it, or the index does not serve: the id, never empty, without `nulls last`. */
function direction(field: string): string {
  if (!field.startsWith('-')) return '';
  return field === '-id' ? ' desc' : ' desc nulls last';
}

/** An index named by what it says, so that another meaning is another index. */
export function makeIndex(
  table: string,
  kind: 'u' | 'i',
  definition: string,
  fields: readonly string[],
): IndexPlan {
  return { name: indexName(table, kind, definition), isUnique: kind === 'u', definition, fields };
}

function isText(resource: Resource, table: string, field: string): boolean {
  const lines = linesOf(resource).find(({ name }) => tableName(resource, name) === table);
  const columns = lines === undefined ? headColumns(resource) : lineColumns(resource, lines.name);
  return columns.find(({ name }) => name === field)?.type === 'text';
}

/** The line list that an index's fields (`items.contract_id`) belong to; null for the head's. */
export function lineListOf(resource: Resource, fields: readonly string[]): string | null {
  const list = bare(fields[0] ?? '').split('.')[0] ?? '';
  return resource.fields[list]?.type === 'lines' ? list : null;
}

/** What leads every index of a resource that companies keep apart. */
export function companyKey(resource: Pick<Resource, 'scope'>): readonly string[] {
  return resource.scope === 'company' ? ['co_code'] : [];
}

/** Indexes without those that say the same. */
export function distinct(indexes: readonly IndexPlan[]): readonly IndexPlan[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()];
}

function bare(field: string): string {
  return field.replace(/^-/, '');
}
