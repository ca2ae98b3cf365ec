import { createHash } from 'node:crypto';
import { chainLinks } from '#engine/schema/chain-links.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { tableName } from '#server/kernel/db/sql-identifiers.ts';
import { type ColumnRule, columnRules } from './column-rules.ts';
import { isAppendOnly } from '#engine/schema/append-only.ts';
import { type Column, headColumns, lineColumns, linesOf } from '#server/kernel/db/table-columns.ts';
import {
  findIndexes,
  ledgerIndexes,
  listIndexes,
  rollupIndexes,
  headUnique,
  ownUniques,
  lineUnique,
  plainIndex,
  makeIndex,
  orderIndex,
  companyKey,
  distinct,
  lineListOf,
  completeWhere,
} from './plan-indexes.ts';

/** What a table should be, without regard to what it is. */
export interface TablePlan {
  readonly name: string;
  readonly resource: string;
  /** The line list that it holds, and its former name; absent for the head. */
  readonly lines?: string;
  readonly linesWere?: string;
  /** The columns of new lines, with the former texts of the head whose parts they become. */
  readonly partsOf?: Readonly<Record<string, string>>;
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
  for (const [table, indexes] of findIndexes(catalog))
    extra.set(table, [...(extra.get(table) ?? []), ...indexes]);
  for (const { later, lines, field } of chainLinks(catalog)) {
    const table = lines === null ? later : `${later}__${lines}`;
    extra.set(table, [...(extra.get(table) ?? []), [field]]);
  }
  return stored.flatMap((resource) => [
    planHead(resource, catalog, extra.get(tableName(resource)) ?? []),
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

function planHead(resource: Resource, catalog: Catalog, extra: readonly string[][]): TablePlan {
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
      ...[...declared, ...listIndexes(resource)].map((fields) => orderIndex(resource, catalog, fields)),
      ...extra.map((fields) => plainIndex(name, [...company, ...fields])),
      ...ledgerIndexes(resource),
      makeIndex(name, 'i', 'using gin (search_grams)', ['search_grams']),
    ]),
    isAppendOnly: isAppendOnly(resource),
  };
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
    ...partsOf(resource.fields[lines]?.fields ?? {}),
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

function partsOf(fields: Readonly<Record<string, Field>>): Pick<TablePlan, 'partsOf'> {
  const texts = Object.values(fields).flatMap(({ name, partsOf: text }) =>
    text === undefined ? [] : [[name, text] as const],
  );
  return texts.length === 0 ? {} : { partsOf: Object.fromEntries(texts) };
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

function statesPlan({ states, retired }: NonNullable<Resource['lifecycle']>): StatesPlan {
  return {
    known: Object.keys(states),
    renamed: Object.entries(states).flatMap(([name, { was }]) => (was === undefined ? [] : [{ was, name }])),
    retired,
  };
}
