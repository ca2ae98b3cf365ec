import { columnSql } from '#engine/filter/path-sql.ts';
import { referencePathToSql } from '#engine/filter/filter-to-sql.ts';
import type { Field } from '#engine/schema/resource.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { dictionaryLabels } from '#server/records/read/dictionary-labels.ts';
import type { ListRequest } from '#server/records/list/list-request.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { presentRow } from '#server/records/read/present-record.ts';
import { listConditions, listOrder } from '#server/records/list/query-records.ts';
import {
  loadReferences,
  needOf,
  type ReferenceBook,
  type ReferenceNeed,
  type ReferenceRow,
} from '#server/records/read/reference-book.ts';
import { eyesOn, reachOf } from '#server/records/read/reader-eyes.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { quoteName, type Reader, type Tx } from '#server/records/call/statement.ts';
import { travelValue } from '#server/records/read/stored-value.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import type { ExportColumn } from './export-columns.ts';
import type { CellValue } from './sheet-cell.ts';

/** What an export reads: the rows of a list, without pages. */
export type ExportRequest = Pick<ListRequest, 'filters' | 'keyword' | 'sorters' | 'columns'>;

/** Rows of one fetch, and after so many others have their turn. */
const BATCH = 250;

/** How many rows an export has, counted no further than `most`. */
export async function countRows(
  db: Reader,
  call: Call,
  { request, most }: { readonly request: ExportRequest; readonly most: number | null },
): Promise<number> {
  const { where, values } = exportConditions(call, request);
  const limit = most === null ? '' : ` limit ${most}`;
  const [row] = await db.query(
    `select count(*)::int as n from (select 1 from ${tableOf(call.resource)} t where ${where}${limit}) c`,
    values,
  );
  return Number(row?.['n'] ?? 0);
}

/**
 * The rows of an export as cells, fetched through a cursor some at a time: memory does not grow with their
 * number. The transaction should be read-only and repeatable, so that all rows are of one moment.
 */
export async function* exportRows(
  tx: Tx,
  call: Call,
  { request, columns }: { readonly request: ExportRequest; readonly columns: readonly ExportColumn[] },
): AsyncGenerator<readonly CellValue[]> {
  const { resource, catalog, caller } = call;
  const conditions = exportConditions(call, request);
  const values = [...conditions.values];
  const paths = columns.filter(({ path }) => path.includes('.'));
  const fields = ownFields(call, columns);
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
    ...paths.map(({ path }) => `${referencePathToSql(path, env)} as ${quoteName(path)}`),
  ].join(', ');
  const order = listOrder(call, request.sorters, values);
  await tx.execute(
    `declare export_rows no scroll cursor for select ${select} from ${tableOf(resource)} t where ${conditions.where} order by ${order}`,
    values,
  );
  for (;;) {
    const rows = await tx.query(`fetch ${BATCH} from export_rows`);
    if (rows.length === 0) break;
    const records = rows.map((row) =>
      presentRow(call, row, { fields, extra: paths.map(({ path }) => path) }),
    );
    // Texts of others' records as in the list: what is shown of them goes by the reader's eyes, not by the wall.
    await attachReferences(call.services.db, {
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
    const book = await pathLabels(call.services.db, call, { records, paths });
    for (const record of records) yield columns.map((column) => cellOf(call, column, { record, book }));
    await letOthers();
    if (rows.length < BATCH) break;
  }
}

/** The rows of the list that the role may also export. */
export function exportConditions(
  call: Call,
  request: ExportRequest,
): { readonly where: string; readonly values: unknown[] } {
  const { where, values } = listConditions(call, request);
  const all = [...values];
  const exportable = rowConditions(call, { alias: 't', values: all }, 'export');
  return { where: [where, ...exportable].join(' and '), values: all };
}

/** The fields that cells show, those whose values say what a cell means, and the id of the order. */
function ownFields(call: Call, columns: readonly ExportColumn[]): readonly Field[] {
  const names = new Set(['id', 'co_code', ...columns.map(({ path }) => path)]);
  for (const { field } of columns)
    if (field.to !== undefined && typeof field.to !== 'string') names.add(field.to.by);
  return Object.values(call.resource.fields).filter(({ name }) => names.has(name));
}

/** Labels of references at the end of a path. */
async function pathLabels(
  db: Reader,
  call: Call,
  { records, paths }: { readonly records: readonly OpenRecord[]; readonly paths: readonly ExportColumn[] },
): Promise<ReferenceBook> {
  const needs = new Map<string, ReferenceNeed>();
  for (const { path, field } of paths) {
    if (field.type !== 'reference' || typeof field.to !== 'string') continue;
    const need = needOf(needs, field.to);
    for (const record of records) for (const id of listOf(record[path])) need.ids.add(textOf(id));
  }
  return loadReferences(db, call.catalog, {
    needs: needs.values(),
    companies: [call.caller.subject.co_code],
    reader: call,
  });
}

function cellOf(
  call: Call,
  column: ExportColumn,
  { record, book }: { readonly record: OpenRecord; readonly book: ReferenceBook },
): CellValue {
  const { field, path } = column;
  const value = path.includes('.') ? travelValue(record[path], field) : record[path];
  if (value === null || value === undefined) return null;
  const labels = record['_labels'];
  const known: unknown =
    path === field.name && typeof labels === 'object' && labels !== null
      ? Reflect.get(labels, field.name)
      : undefined;
  if (known !== undefined) return listOf(known).map(textOf).join('、');
  const rows = field.type === 'reference' && typeof field.to === 'string' ? book.get(field.to) : undefined;
  const texts = dictionaryLabels(call.catalog, field);
  return listOf(value)
    .map((item) => {
      if (typeof item === 'boolean') return item ? '是' : '否';
      if (field.type === 'reference') return labelAt(call, field, rows?.get(textOf(item)));
      return texts.get(textOf(item)) ?? textOf(item);
    })
    .join('、');
}

/** The label at the end of a path, for who may read that record. */
function labelAt(call: Call, field: Field, row: ReferenceRow | undefined): string {
  if (row === undefined || !row.isOpen || typeof field.to !== 'string') return '';
  return eyesOn(call, field.to).seesLabel ? (row.label ?? '') : '';
}

function listOf(value: unknown): readonly unknown[] {
  return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
}
