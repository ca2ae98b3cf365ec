import { among } from '#server/kernel/db/among.ts';
import { openAnyCall, type Call } from '#server/records/call/open-call.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { isStored, tableOf } from '#server/records/call/table-source.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';

/** Records by what they are called, as far as the caller may read them: those that are missing may not be shown. */
export async function visibleLabels(
  db: Reader,
  call: Call,
  records: readonly { readonly resource: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (const key of new Set(records.map(({ resource }) => resource))) {
    if (!Object.hasOwn(call.catalog.resources, key)) continue;
    const own = openAnyCall(call.services, call.caller, key);
    if (!own.access.operations.has('read') || !isStored(own.resource)) continue;
    const ids = records.filter(({ resource }) => resource === key).map(({ id }) => id);
    const values: unknown[] = [ids];
    const conditions = [`t.id = ${among('$1')}`, ...rowConditions(own, { alias: 't', values }, 'read')];
    const rows = await db.query(
      `select t.id, ${labelExpression(call.catalog, key, 't')} as label from ${tableOf(own.resource)} t where ${conditions.join(' and ')}`,
      values,
    );
    for (const row of rows)
      labels.set(labelKey(key, String(row['id'])), typeof row['label'] === 'string' ? row['label'] : '');
  }
  return labels;
}

export function labelKey(resource: string, id: string): string {
  return `${resource}:${id}`;
}
