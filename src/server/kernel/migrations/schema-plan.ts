import { createHash } from 'node:crypto';
import type { UniqueDefinition } from '#engine/schema/definition.ts';
import { chainLinks } from '#engine/schema/chain-links.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { indexPredicate } from '#server/kernel/db/index-predicate.ts';
import { indexName, quoteLiteral, quoteName, tableName } from '#server/kernel/db/sql-identifiers.ts';
import { type ColumnRule, columnRules } from './column-rules.ts';
import {
  type Column,
  headColumns,
  isAppendOnly,
  lineColumns,
  linesOf,
  RELEASED_STATES,
} from '#server/kernel/db/table-columns.ts';

/** What a table should be, without regard to what it is. */
export interface TablePlan {
  readonly name: string;
  readonly resource: string;
  /** The line list that it holds, and its former name; absent for the head. */
  readonly lines?: string;
  readonly linesWere?: string;
  readonly was?: string;
  /** Of the resource, for both its head and its lines: the head's table and the column that names a record. */
  readonly head: { readonly table: string; readonly label: string; readonly company: boolean };
  /** What the definition asks of values beyond their types. */
  readonly rules: readonly ColumnRule[];
  /** True for a row of the head (`h`) whose record must be complete. */
  readonly completeWhere: string;
  readonly states?: StatesPlan;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly IndexPlan[];
  readonly isAppendOnly: boolean;
}

/** The states of a lifecycle, and what becomes of former ones. */
export interface StatesPlan {
  readonly known: readonly string[];
  readonly renamed: readonly { readonly was: string; readonly name: string }[];
  /** Removed state -> the one its records enter; `to` for those that are not named. */
  readonly retired: Readonly<Record<string, string>>;
}

export interface IndexPlan {
  readonly name: string;
  readonly isUnique: boolean;
  /** Everything after `on <table>`. */
  readonly definition: string;
  /** What it is about, for refusals. */
  readonly fields: readonly string[];
  /** A unique one in its parts: expressions, the columns behind them, and the condition of its rows. */
  readonly unique?: {
    readonly by: readonly string[];
    readonly keys: readonly string[];
    readonly areNullsSame: boolean;
    readonly where: string;
  };
}

/** The tables of all resources; views have none. */
export function planSchema(catalog: Catalog): readonly TablePlan[] {
  const stored = Object.values(catalog.resources).filter(({ kind }) => kind !== 'view');
  const extra = rollupIndexes(stored);
  for (const { later, lines, field } of chainLinks(catalog)) {
    const table = lines === null ? later : `${later}__${lines}`;
    extra.set(table, [...(extra.get(table) ?? []), [field]]);
  }
  return stored.flatMap((resource) => [
    planHead(resource, extra.get(tableName(resource)) ?? []),
    ...linesOf(resource).map(({ name, was }) =>
      planLines(resource, name, was, extra.get(tableName(resource, name)) ?? []),
    ),
  ]);
}

/** Changes whenever a migration is due. */
export function planHash(plan: readonly TablePlan[]): string {
  return hash(plan.map(tablePlanHash));
}

/** Changes whenever one table is due. */
export function tablePlanHash(plan: TablePlan): string {
  const known = hashes.get(plan);
  if (known !== undefined) return known;
  const made = hash(plan);
  hashes.set(plan, made);
  return made;
}

const hashes = new WeakMap<TablePlan, string>();

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

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

function planHead(resource: Resource, extra: readonly string[][]): TablePlan {
  const name = tableName(resource);
  const company = companyKey(resource);
  const declared = resource.indexes.filter((fields) => lineListOf(resource, fields) === null);
  return {
    name,
    ...(resource.was === undefined ? {} : { was: resource.was }),
    ...common(resource, Object.values(resource.fields)),
    ...(resource.lifecycle === undefined ? {} : { states: statesPlan(resource.lifecycle) }),
    columns: headColumns(resource),
    primaryKey: [...company, 'id'],
    indexes: distinct([
      ...resource.unique.map((unique) => headUnique(resource, unique)),
      ...[...declared, ...listIndexes(resource)].map((fields) =>
        plainIndex(name, [...company, ...fields, tieBreaker(fields)]),
      ),
      ...extra.map((fields) => plainIndex(name, [...company, ...fields])),
      ...ledgerIndexes(resource),
      makeIndex(name, 'i', 'using gin (search_grams)', ['search_grams']),
    ]),
    isAppendOnly: isAppendOnly(resource),
  };
}

/** An entry is posted once and mirrored once, whatever writes at the same time; its account reads it in order. */
function ledgerIndexes(resource: Resource): readonly IndexPlan[] {
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

function planLines(
  resource: Resource,
  lines: string,
  was: string | undefined,
  extra: readonly string[][],
): TablePlan {
  const name = tableName(resource, lines);
  const company = companyKey(resource);
  const former = resource.was === undefined && was === undefined ? undefined : `${resource.was ?? resource.resource}__${was ?? lines}`; // prettier-ignore
  const declared = resource.indexes
    .filter((fields) => lineListOf(resource, fields) === lines)
    .map((fields) => fields.map((field) => field.replace(`${lines}.`, '')));
  return {
    name,
    lines,
    ...(was === undefined ? {} : { linesWere: was }),
    ...(former === undefined ? {} : { was: former }),
    ...common(resource, Object.values(resource.fields[lines]?.fields ?? {})),
    columns: lineColumns(resource, lines),
    primaryKey: [...company, 'id'],
    indexes: distinct([
      plainIndex(name, [...company, 'parent_id', 'line_order']),
      ...ownUniques(resource.fields[lines]?.unique).map((unique) => lineUnique(resource, lines, unique)),
      ...[...declared, ...extra].map((fields) => plainIndex(name, [...company, ...fields])),
    ]),
    isAppendOnly: isAppendOnly(resource),
  };
}

function common(
  resource: Resource,
  fields: readonly Field[],
): Pick<TablePlan, 'resource' | 'head' | 'rules' | 'completeWhere'> {
  const label = headColumns(resource).find(({ name }) => name === resource.label)?.name ?? 'id';
  return {
    resource: resource.resource,
    head: { table: tableName(resource), label, company: resource.scope === 'company' },
    // Rows that never change are never asked again.
    rules: isAppendOnly(resource) ? [] : columnRules(fields),
    completeWhere: completeWhere(resource),
  };
}

/** Documents must be complete once they have left their first state; other records always. */
function completeWhere({ kind, lifecycle }: Resource): string {
  if (kind !== 'document' || lifecycle === undefined) return 'not h.is_deleted';
  const open = [lifecycle.initial, 'rejected', ...RELEASED_STATES].map(quoteLiteral).join(', ');
  return `not h.is_deleted and h.status not in (${open})`;
}

function statesPlan({ states, retired }: NonNullable<Resource['lifecycle']>): StatesPlan {
  return {
    known: Object.keys(states),
    renamed: Object.entries(states).flatMap(([name, { was }]) => (was === undefined ? [] : [{ was, name }])),
    retired,
  };
}

/** The order in which a list opens: without an index the first page of a big table would sort all of it. */
function listIndexes(resource: Resource): readonly (readonly string[])[] {
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
function rollupIndexes(resources: readonly Resource[]): Map<string, string[][]> {
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

function headUnique(resource: Resource, unique: UniqueDefinition): IndexPlan {
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
function ownUniques(uniques: readonly UniqueDefinition[] = []): readonly UniqueDefinition[] {
  return uniques.filter(({ fields }) => !fields.some((name) => name.startsWith('parent.')));
}

function lineUnique(resource: Resource, lines: string, unique: UniqueDefinition): IndexPlan {
  const scope = unique.scope === 'global' ? companyKey(resource) : [...companyKey(resource), 'parent_id'];
  return uniqueIndex(resource, tableName(resource, lines), scope, unique, []);
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
    unique.where === undefined ? conditions : [...conditions, `(${indexPredicate(unique.where, table)})`];
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

function plainIndex(table: string, fields: readonly string[]): IndexPlan {
  const columns = fields
    .filter((field, position) => fields.findIndex((other) => bare(other) === bare(field)) === position)
    // The order of lists: descending puts the empty last, as ascending does.
    .map((field) => quoteName(bare(field)) + direction(field));
  return makeIndex(table, 'i', `(${columns.join(', ')})`, fields.map(bare));
}

/** As the SQL of lists says it, or the index does not serve: the id, never empty, without `nulls last`. */
function direction(field: string): string {
  if (!field.startsWith('-')) return '';
  return field === '-id' ? ' desc' : ' desc nulls last';
}

function makeIndex(table: string, kind: 'u' | 'i', definition: string, fields: readonly string[]): IndexPlan {
  return { name: indexName(table, kind, definition), isUnique: kind === 'u', definition, fields };
}

function isText(resource: Resource, table: string, field: string): boolean {
  const lines = linesOf(resource).find(({ name }) => tableName(resource, name) === table);
  const columns = lines === undefined ? headColumns(resource) : lineColumns(resource, lines.name);
  return columns.find(({ name }) => name === field)?.type === 'text';
}

/** The line list that an index's fields (`items.contract_id`) belong to; null for the head's. */
function lineListOf(resource: Resource, fields: readonly string[]): string | null {
  const list = bare(fields[0] ?? '').split('.')[0] ?? '';
  return resource.fields[list]?.type === 'lines' ? list : null;
}

function companyKey(resource: Pick<Resource, 'scope'>): readonly string[] {
  return resource.scope === 'company' ? ['co_code'] : [];
}

function distinct(indexes: readonly IndexPlan[]): readonly IndexPlan[] {
  return [...new Map(indexes.map((index) => [index.name, index])).values()];
}

function bare(field: string): string {
  return field.replace(/^-/, '');
}
