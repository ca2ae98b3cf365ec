import { among } from '#server/kernel/db/among.ts';
import type { ListGroup, ListPage } from '#contract/lists.ts';
import { canSee, type ResourceAccess } from '#engine/access/resource-access.ts';
import { filterToSql, referencePathToSql, sortToSql } from '#engine/filter/filter-to-sql.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import { columnSql } from '#engine/filter/path-sql.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import { countAndTotal } from './list-totals.ts';
import type { ListRequest } from './list-request.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { presentSelected } from '#server/records/read/present-record.ts';
import { isSelected } from '#server/records/read/stored-value.ts';
import { reachOf } from '#server/records/read/reader-eyes.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { bind, plannedAnew, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { isStored, tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { keywordConditions } from './keyword-conditions.ts';

/**
 * One page of a list with labels, count and totals. The page and the count run in parallel; the count stops at 10,000
 * unless an exact one is asked for.
 */
export async function queryRecords(call: Call, request: ListRequest): Promise<ListPage> {
  const conditions = listConditions(call, request);
  const [records, totals, groups] = await Promise.all([
    loadPage(call, request, conditions),
    countAndTotal(call, conditions, {
      isExact: request.isExact,
      db: finder(call, request),
    }),
    request.group === null ? undefined : loadGroups(call, request, request.group),
  ]);
  return {
    records,
    ...totals,
    currentPage: request.currentPage,
    pageSize: request.pageSize,
    ...(groups === undefined ? {} : { groups }),
  };
}

/**
 * Who finds the rows of a request. Behind the wall no index of words may be asked (its operators could tell of rows that
 * the wall closes), so a keyword is looked for by the application; what is found is read behind the wall all the same.
 */
export function finder(call: Call, { keyword }: Pick<ListRequest, 'keyword'>): Reader {
  return keyword === '' ? callersReader(call) : call.services.db;
}

/** A `where` and the values it uses. */
export interface Conditions {
  readonly where: string;
  readonly values: readonly unknown[];
}

/** Rows of the role, filter and keyword together. */
export function listConditions(
  call: Call,
  request: { readonly filters: Filter | null; readonly keyword: string },
): Conditions {
  const values: unknown[] = [];
  const { resource, catalog, caller } = call;
  const conditions = [...rowConditions(call, { alias: 't', values })];
  if (request.filters !== null && Object.keys(request.filters).length > 0)
    conditions.push(
      `(${filterToSql(request.filters, { resource, catalog, alias: 't', context: caller.context, values, reach: reachOf(call, values) })})`,
    );
  if (request.keyword !== '') conditions.push(...searched(call, request.keyword, values));
  conditions.push(plannedAnew(values));
  return { where: conditions.join(' and '), values };
}

/** What a projection shows has no search text of its own: its label is looked through. */
function searched(call: Call, keyword: string, values: unknown[]): readonly string[] {
  const { resource, catalog } = call;
  if (isStored(resource)) return keywordConditions(keyword, values);
  const like = bind(values, `%${keyword.replace(/[\\%_]/g, '\\$&')}%`);
  return canSee(call.access, resource.label)
    ? [`${labelExpression(catalog, resource.resource, 't')} ilike ${like}`]
    : ['false'];
}

/** The entries of one account, the latest first: their ids may be drawn before the account was theirs. */
export const NEWEST_POSTED: readonly string[] = ['-posted_seq'];

/** The order of a list: as asked, else the resource's, then by id so that pages never overlap. */
export function listOrder(call: Call, sorters: readonly string[], values: unknown[]): string {
  const { resource, catalog, caller } = call;
  if (sorters === NEWEST_POSTED) return 't.posted_seq desc, t.id desc';
  const chosen =
    sorters.length > 0 ? sorters : resource.list.sort.filter((sorter) => isSortable(call, sorter));
  const env = {
    resource,
    catalog,
    alias: 't',
    context: caller.context,
    values,
    reach: reachOf(call, values),
  };
  const order = chosen.length === 0 ? '' : sortToSql(chosen, env);
  const isDescending = chosen[0]?.startsWith('-') ?? true;
  return `${order}${order === '' ? '' : ', '}t.id${isDescending ? ' desc' : ''}`;
}

/** The head fields that an answer carries for this role: found once for a resource, role and columns. */
export function visibleFields(call: Call, columns: readonly string[] | null): readonly Field[] {
  const byAccess = visible.get(call.resource) ?? new WeakMap<ResourceAccess, Map<string, readonly Field[]>>();
  visible.set(call.resource, byAccess);
  const byColumns = byAccess.get(call.access) ?? new Map<string, readonly Field[]>();
  byAccess.set(call.access, byColumns);
  const key = columns === null ? '*' : columns.join();
  const known = byColumns.get(key);
  if (known !== undefined) return known;
  // People put columns together as they like.
  if (byColumns.size >= MAX_COLUMN_SETS) byColumns.clear();
  const fields = findVisible(call, columns);
  byColumns.set(key, fields);
  return fields;
}

const MAX_COLUMN_SETS = 100;
const visible = new WeakMap<Resource, WeakMap<ResourceAccess, Map<string, readonly Field[]>>>();

function findVisible(call: Call, columns: readonly string[] | null): readonly Field[] {
  const wanted =
    columns === null
      ? null
      : new Set([...columns, ...ALWAYS, call.resource.label, ...currencies(call, columns)]);
  return Object.values(call.resource.fields).filter(
    (field) =>
      field.type !== 'lines' &&
      field.type !== 'secret' &&
      isSelected(field, call) &&
      (wanted === null ? field.type !== 'richtext' : wanted.has(field.name)) &&
      canSee(call.access, field.name),
  );
}

const ALWAYS = ['id', 'version', 'status', 'co_code', 'business_type'] as const;
const MAX_GROUPS = 200;

function currencies(call: Call, columns: readonly string[]): readonly string[] {
  return columns.flatMap((column) => call.resource.fields[column]?.currency ?? []);
}

/** From so many rows on a page is counted off by ids first, in an index that has what is asked: no row is read for nothing. */
const FAR_DOWN = 1_000;

async function loadPage(
  call: Call,
  request: ListRequest,
  conditions: Conditions,
): Promise<readonly OpenRecord[]> {
  const { resource, catalog, caller, services } = call;
  const values = [...conditions.values];
  const isFound = request.keyword !== '';
  const found = isFound ? ` and t.id = ${among(bind(values, await foundIds(call, request)))}` : '';
  const fields = visibleFields(call, request.columns);
  const paths = (request.columns ?? []).filter((column) => column.includes('.') && !isLinePath(call, column));
  const env = {
    resource,
    catalog,
    alias: 't',
    context: caller.context,
    values,
    reach: reachOf(call, values),
  };
  const select = [
    ...fields.map((field) => `${columnSql(field, env)} as ${quoteName(field.name)}`),
    ...paths.map((path) => `${referencePathToSql(path, env)} as ${quoteName(path)}`),
  ].join(', ');
  const sorters = request.group === null ? request.sorters : [request.group, ...request.sorters];
  const order = listOrder(call, sorters, values);
  const skipped = isFound ? 0 : (request.currentPage - 1) * request.pageSize;
  const limit = bind(values, request.pageSize);
  const page = `order by ${order} limit ${limit}::int offset ${bind(values, skipped)}::int`;
  const rowsOf = `from ${tableOf(resource)} t where ${conditions.where}${found}`;
  const text =
    skipped < FAR_DOWN
      ? `select ${select} ${rowsOf} ${page}`
      : `select ${select} ${rowsOf} and t.id = any(array(select t.id ${rowsOf} ${page})) order by ${order}`;
  const rows = await callersReader(call).query(text, values, statementName(text));
  const records = await mapInTurns(rows, (row) => presentSelected(call, row, fields));
  await attachReferences(services.db, {
    catalog,
    resource,
    records,
    fields,
    access: call.access,
    withPaths: false,
    withLabels: true,
    company: caller.subject.co_code,
    reader: call,
  });
  return records;
}

/** The ids of a page that a keyword finds: its rows are read behind the wall. */
async function foundIds(call: Call, request: ListRequest): Promise<readonly unknown[]> {
  const { where, values: given } = listConditions(call, request);
  const values = [...given];
  const sorters = request.group === null ? request.sorters : [request.group, ...request.sorters];
  const order = listOrder(call, sorters, values);
  const limit = bind(values, request.pageSize);
  const offset = bind(values, (request.currentPage - 1) * request.pageSize);
  const text = `select t.id from ${tableOf(call.resource)} t where ${where} order by ${order} limit ${limit}::int offset ${offset}::int`;
  const rows = await finder(call, request).query(text, values, statementName(text));
  return rows.map(({ id }) => id);
}

async function loadGroups(call: Call, request: ListRequest, group: string): Promise<readonly ListGroup[]> {
  const { resource, catalog, caller } = call;
  const field = resource.fields[group];
  if (field === undefined) return [];
  const { where, values: given } = listConditions(call, request);
  const values = [...given];
  const reach = reachOf(call, values);
  const column = columnSql(field, { resource, catalog, alias: 't', context: caller.context, values, reach });
  const text = `select g.value, count(*)::int as count from (select ${column} as value from ${tableOf(resource)} t where ${where}) g group by g.value order by g.value limit ${MAX_GROUPS}`;
  const rows = await finder(call, request).query(text, values, statementName(text));
  const records: OpenRecord[] = rows.map((row) => ({ [group]: row['value'] }));
  await attachReferences(call.services.db, {
    catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: caller.subject.co_code,
    reader: call,
  });
  return rows.map((row, index) => ({
    value: row['value'],
    label: groupLabel(call, field, records[index], row['value']),
    count: Number(row['count']),
  }));
}

function groupLabel(
  call: Call,
  field: Field | undefined,
  record: OpenRecord | undefined,
  value: unknown,
): string {
  if (value === null || value === undefined) return '（空）';
  if (typeof value === 'boolean') return value ? '是' : '否';
  const labels = record?.['_labels'];
  const known =
    typeof labels === 'object' && labels !== null && field !== undefined
      ? Object.entries(labels).find(([name]) => name === field.name)?.[1]
      : undefined;
  if (typeof known === 'string' && known !== '') return known;
  return field === undefined
    ? textOf(value)
    : (dictionaryLabels(call.catalog, field).get(textOf(value)) ?? textOf(value));
}

function isLinePath(call: Call, path: string): boolean {
  return call.resource.fields[path.split('.')[0] ?? '']?.type === 'lines';
}

function isSortable(call: Call, sorter: string): boolean {
  return canSee(call.access, sorter.replace(/^-/, '').split('.')[0] ?? '');
}
