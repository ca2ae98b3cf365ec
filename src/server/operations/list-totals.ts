import { canSee } from '#engine/access/resource-access.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from './open-call.ts';
import { quoteName, quoteText, statementName } from './statement.ts';
import { tableOf } from './table-source.ts';
import { textOf } from './text-of.ts';

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
  isExact: boolean,
): Promise<ListTotals> {
  const text = totalsText(call, conditions.where, isExact);
  const rows = await call.services.db.query(text, conditions.values, statementName(text));
  const found = Number(rows.find((row) => row['field'] === null)?.['sum'] ?? 0);
  const isCapped = !isExact && found > COUNT_CAP;
  const totals: Record<string, Record<string, string>> = {};
  if (!isCapped)
    for (const row of rows) {
      if (row['field'] === null || row['sum'] === null) continue;
      (totals[textOf(row['field'])] ??= {})[textOf(row['currency'])] = textOf(row['sum']);
    }
  return { total: isCapped ? COUNT_CAP : found, totalIsCapped: isCapped, totals };
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
