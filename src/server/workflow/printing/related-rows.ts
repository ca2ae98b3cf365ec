import { canSee } from '#engine/access/resource-access.ts';
import { columnSql } from '#engine/filter/path-sql.ts';
import type { RelatedRows } from '#engine/print/print-template.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { bind, quoteName, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { listConditions, listOrder, visibleFields } from '#server/records/list/query-records.ts';
import { attachReferences } from '#server/records/read/attach-references.ts';
import { presentRow } from '#server/records/read/present-record.ts';
import { reachOf } from '#server/records/read/reader-eyes.ts';
import { type Holder, holderOf } from './print-paths.ts';

/** The days that a statement is of, both included. */
export interface PrintPeriod {
  readonly from: string;
  readonly to: string;
}

/** What of other records a table prints. */
export interface RelatedAsk {
  readonly from: RelatedRows;
  /** The printed record. */
  readonly id: string;
  readonly period: PrintPeriod | null;
  /** A transaction behind the caller's wall. */
  readonly on: Reader | null;
}

const MAX_ROWS = 3_000;

/** The records that refer to the printed one, as its reader may see them. @throws RULE_REFUSED when they are too many */
export async function relatedRows(call: Call, asked: RelatedAsk): Promise<readonly Holder[]> {
  const other = otherCall(call, asked.from);
  if (other === null) return [];
  const { period } = asked;
  const days: Filter | null =
    asked.from.period === undefined || period === null
      ? null
      : { [asked.from.period]: { gte: period.from, lte: period.to } };
  const { where, values: given } = conditionsOf(other, asked, days);
  const values = [...given];
  const env = environment(other, values);
  const fields = visibleFields(other, null);
  const select = fields.map((field) => `${columnSql(field, env)} as ${quoteName(field.name)}`).join(', ');
  const order = listOrder(other, asked.from.sort ?? [], values);
  const limit = bind(values, MAX_ROWS + 1);
  const rows = await (asked.on ?? callersReader(other)).query(
    `select ${select} from ${tableOf(other.resource)} t where ${where} order by ${order} limit ${limit}::int`,
    values,
  );
  if (rows.length > MAX_ROWS)
    throw new AppError('RULE_REFUSED', { message: `超过 ${MAX_ROWS} 行，请缩短期间` });
  const records = rows.map((row) => presentRow(other, row, { fields }));
  await attachReferences(asked.on ?? call.services.db, {
    catalog: other.catalog,
    resource: other.resource,
    records,
    access: other.access,
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: other,
  });
  return records.map((record) => holderOf(other.resource, record));
}

/** What a number of these records came to before the period. */
export async function openingOf(call: Call, asked: RelatedAsk, path: string): Promise<string> {
  const other = otherCall(call, asked.from);
  const field = other?.resource.fields[path];
  const { period } = asked;
  if (other === null || field === undefined || !canSee(other.access, path)) return '0';
  if (asked.from.period === undefined || period === null) return '0';
  const { where, values: given } = conditionsOf(other, asked, { [asked.from.period]: { lt: period.from } });
  const values = [...given];
  const column = columnSql(field, environment(other, values));
  const [row] = await (asked.on ?? callersReader(other)).query(
    `select coalesce(sum(${column}), 0)::text as opening from ${tableOf(other.resource)} t where ${where}`,
    values,
  );
  return textOf(row?.['opening'] ?? '0');
}

/** Null for who may not list them. */
function otherCall({ services, caller }: Call, from: RelatedRows): Call | null {
  const other = openAnyCall(services, caller, from.resource);
  return other.access.operations.has('list') && canSee(other.access, from.by) ? other : null;
}

function conditionsOf(other: Call, { from, id }: RelatedAsk, days: Filter | null) {
  const parts: readonly Filter[] = [
    { [from.by]: { eq: id } },
    ...(from.where === undefined ? [] : [from.where]),
    ...(days === null ? [] : [days]),
  ];
  return listConditions(other, { filters: { and: parts }, keyword: '' });
}

function environment(call: Call, values: unknown[]) {
  const { resource, catalog, caller } = call;
  return { resource, catalog, alias: 't', context: caller.context, values, reach: reachOf(call, values) };
}
