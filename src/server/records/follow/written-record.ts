import type { Resource } from '#engine/schema/resource.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { isWhollyStored } from '#server/records/read/read-stored.ts';
import { ownColumns } from '#server/records/read/stored-value.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';

/** A record as it was stored, at a moment of the transaction. */
export interface Written {
  readonly record: OpenRecord;
  readonly since: number;
}

/**
 * A record of this transaction as it was written last, which needs no reading: null where a statement since may have
 * changed it, or where a reader is given more than is stored.
 */
export function writtenRecord(
  tx: Tx,
  { resource, written }: { readonly resource: Resource; readonly written: Written | null },
): OpenRecord | null {
  return written !== null && isWhollyStored(resource) ? unchangedSince(tx, resource, written) : null;
}

/** A copy of a record as it was stored; null where a statement since may have changed it. */
export function unchangedSince(tx: Tx, resource: Resource, { record, since }: Written): OpenRecord | null {
  const lines = lineFieldsOf(resource);
  const tables = [tableOf(resource), ...lines.map(({ name }) => linesTableOf(resource, name))].join();
  return tx.changes.hasTouched(tables, since) ? null : copyOf(resource, record);
}

/** A record with all its columns: a line that was added has none yet of what nobody wrote. */
export function asStored(resource: Resource, record: OpenRecord): OpenRecord {
  const stored = copyOf(resource, record);
  for (const { name } of ownColumns(resource.fields)) stored[name] ??= null;
  for (const { name, fields } of lineFieldsOf(resource))
    for (const line of linesOf(stored[name]))
      for (const cell of ownColumns(fields ?? {})) line[cell.name] ??= null;
  return stored;
}

/** Whoever has the record in hand goes on with it. */
function copyOf(resource: Resource, record: OpenRecord): OpenRecord {
  const copy = { ...record };
  for (const { name } of lineFieldsOf(resource))
    copy[name] = linesOf(copy[name]).map((line) => ({ ...line }));
  return copy;
}
