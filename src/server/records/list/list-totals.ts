import { canSee } from '#engine/access/resource-access.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { type TotalColumn, totalColumns, totalReads } from '#engine/schema/list-totals.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Services } from '#server/records/services.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName, quoteText, type Reader, statementName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** Sums by column and currency (`''` for what has none); empty when the count was capped: a part of a sum would mislead. */
export interface ListTotals {
  readonly total: number;
  readonly totalIsCapped: boolean;
  readonly totals: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A count beyond this is given as "10,000+". */
export const COUNT_CAP = 10_000;

/** Counts the rows of a list and sums the columns whose definition asks for a total, in one statement. */
export async function countAndTotal(
  call: Call,
  conditions: { readonly where: string; readonly values: readonly unknown[] },
  { isExact, db }: { readonly isExact: boolean; readonly db: Reader },
): Promise<ListTotals> {
  const long = longListsOf(call.services.db);
  const key = `${call.resource.resource} ${conditions.where} ${JSON.stringify(conditions.values)}`;
  if (!isExact && long.has(key)) return CAPPED;
  const values = [...conditions.values];
  const text = totalsText(call, { where: conditions.where, values }, isExact);
  const rows = await db.query(text, values, statementName(text));
  const found = Number(rows.find((row) => row['field'] === null)?.['sum'] ?? 0);
  if (!isExact && found > COUNT_CAP) {
    long.add(key);
    return CAPPED;
  }
  const totals: Record<string, Record<string, string>> = {};
  for (const row of rows) {
    if (row['field'] === null || row['sum'] === null) continue;
    (totals[textOf(row['field'])] ??= {})[textOf(row['currency'])] = textOf(row['sum']);
  }
  return { total: found, totalIsCapped: false, totals };
}

const CAPPED: ListTotals = { total: COUNT_CAP, totalIsCapped: true, totals: {} };

/** A list of more than 10,000 rows is still one a little later: counting it again for every page would cost most of the answer. */
const LONG_FOR_MS = 30_000;
const LISTS_KEPT = 500;
/** Until when the lists of a database are known to be long. */
const longLists = new WeakMap<Services['db'], Map<string, number>>();

function longListsOf(db: Services['db']): { has: (list: string) => boolean; add: (list: string) => void } {
  const known = longLists.get(db) ?? new Map<string, number>();
  longLists.set(db, known);
  return {
    has: (list) => (known.get(list) ?? 0) > Date.now(),
    add: (list) => {
      if (known.size >= LISTS_KEPT) known.clear();
      known.set(list, Date.now() + LONG_FOR_MS);
    },
  };
}

function totalsText(
  call: Call,
  { where, values }: { readonly where: string; readonly values: unknown[] },
  isExact: boolean,
): string {
  const summed = summedColumns(call);
  const limit = isExact ? '' : ` limit ${COUNT_CAP + 1}`;
  const from = `from ${tableOf(call.resource)} t where ${where}${limit}`;
  if (summed.length === 0)
    return `select null as field, null as currency, count(*)::text as sum from (select 1 ${from}) c`;
  const sums = summed.map((column) => `${counted(call, column, values)} as ${quoteName(column.field.name)}`);
  const currencies = new Set(summed.flatMap(({ field }) => ownCurrency(call, field)));
  const select = [...sums, ...[...currencies].map((name) => `t.${quoteName(name)}`)].join(', ');
  const parts = summed.map(
    ({ field }) =>
      `select ${quoteText(field.name)}, ${currencyOf(call, field)}, sum(c.${quoteName(field.name)})::text from c group by 2`,
  );
  return `with c as materialized (select ${select} ${from}) select null as field, null as currency, count(*)::text as sum from c union all ${parts.join(' union all ')}`;
}

interface Summed {
  readonly field: Field;
  readonly where: TotalColumn['where'];
}

/** The totals that a caller is told: he sees the figure and all that its condition reads. */
function summedColumns(call: Call): readonly Summed[] {
  return totalColumns(call.resource).flatMap((column) => {
    const field = call.resource.fields[column.field];
    if (field === undefined || !SUMMED.has(field.type)) return [];
    const isSeen = [column.field, ...totalReads(column)].every((name) => canSee(call.access, name));
    return isSeen ? [{ field, where: column.where }] : [];
  });
}

/** A figure where its record counts for the total, else nothing. */
function counted(call: Call, { field, where }: Summed, values: unknown[]): string {
  const column = `t.${quoteName(field.name)}`;
  if (where === null) return column;
  const { resource, catalog, caller } = call;
  const sql = filterToSql(where, { resource, catalog, alias: 't', context: caller.context, values });
  return `case when ${sql} then ${column} end`;
}

const SUMMED: ReadonlySet<string> = new Set(['money', 'decimal', 'integer']);

function ownCurrency(call: Call, field: Field): readonly string[] {
  const name = field.currency ?? '';
  return Object.hasOwn(call.resource.fields, name) ? [name] : [];
}

function currencyOf(call: Call, field: Field): string {
  const [own] = ownCurrency(call, field);
  return own === undefined
    ? `${quoteText(field.currency ?? '')}::text`
    : `coalesce(c.${quoteName(own)}, '')::text`;
}
