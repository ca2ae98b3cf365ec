import { canSee } from '#engine/access/resource-access.ts';
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
  const text = totalsText(call, conditions.where, isExact);
  const rows = await db.query(text, conditions.values, statementName(text));
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

function totalsText(call: Call, where: string, isExact: boolean): string {
  const fields = totalFields(call);
  const limit = isExact ? '' : ` limit ${COUNT_CAP + 1}`;
  const from = `from ${tableOf(call.resource)} t where ${where}${limit}`;
  if (fields.length === 0)
    return `select null as field, null as currency, count(*)::text as sum from (select 1 ${from}) c`;
  const columns = new Set(fields.flatMap((field) => [field.name, ...ownCurrency(call, field)]));
  const select = [...columns].map((column) => `t.${quoteName(column)}`).join(', ');
  const parts = fields.map(
    (field) =>
      `select ${quoteText(field.name)}, ${currencyOf(call, field)}, sum(c.${quoteName(field.name)})::text from c group by 2`,
  );
  return `with c as materialized (select ${select} ${from}) select null as field, null as currency, count(*)::text as sum from c union all ${parts.join(' union all ')}`;
}

function totalFields(call: Call): readonly Field[] {
  return call.resource.list.columns.flatMap((column) => {
    if (typeof column === 'string' || column.total !== true || !canSee(call.access, column.field)) return [];
    const field = call.resource.fields[column.field];
    return field === undefined || !SUMMED.has(field.type) ? [] : [field];
  });
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
