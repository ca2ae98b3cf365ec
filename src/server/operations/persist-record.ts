import { diffRecords } from '#engine/record/diff-records.ts';
import { AppError } from '#server/errors.ts';
import { linesOf, type OpenRecord } from './attach-references.ts';
import { findDuplicates } from './check-uniques.ts';
import { drawNumber } from './draw-number.ts';
import { hashSecrets } from './hash-secrets.ts';
import type { Call } from './open-call.ts';
import { uuidv7 } from './record-id.ts';
import { refreshRollups } from './refresh-rollups.ts';
import { searchColumns } from './search-index.ts';
import type { Tx } from './statement.ts';
import { writeAudit } from './write-audit.ts';
import { insertRow, lineFieldsOf, type StorageColumns, updateRow, writeLines } from './write-rows.ts';

/** What an audit row says besides the fields. */
export interface WriteReason {
  readonly action: string;
  readonly opinion?: string | null;
}

/**
 * Inserts a computed and checked record with its lines: number, uniques, search text, rows, audit, and the sums that
 * other records keep over it. Gives the record with ids, number and version.
 */
export async function persistNew(
  tx: Tx,
  call: Call,
  written: { readonly record: OpenRecord; readonly reason: WriteReason },
): Promise<OpenRecord> {
  const { resource, services, caller } = call;
  const now = services.clock();
  const record = await hashSecrets(resource, numberLines(call, { ...written.record }, now), null);
  record['id'] ??= uuidv7(now);
  const number = await drawNumber(tx, call, { record, at: 'create' });
  if (number !== null && resource.number !== undefined) record[resource.number.field] = number;
  await refuseDuplicates(tx, call, { record, previous: null });
  const storage = searchColumns(call.catalog, resource, record);
  await insertRow(tx, resource, { record, storage });
  await writeAudit(
    tx,
    { caller, at: now },
    {
      resource: resource.resource,
      record_id: String(record['id']),
      co_code: record['co_code'],
      action: written.reason.action,
      to_status: record['status'],
      opinion: written.reason.opinion ?? null,
      changes: diffRecords(resource, {}, record),
    },
  );
  await refreshRollups(tx, call, { before: null, after: record });
  return record;
}

/**
 * Writes what changed between two states of a record, with one version more, and everything that goes with a write.
 * `before` must have been read under a lock in this transaction.
 */
export async function persistChange(
  tx: Tx,
  call: Call,
  written: {
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly reason: WriteReason;
    readonly storage?: StorageColumns;
  },
): Promise<OpenRecord> {
  const { resource, services, caller } = call;
  const { before, reason } = written;
  const now = services.clock();
  const after = await hashSecrets(resource, numberLines(call, { ...written.after }, now), before);
  after['version'] = Number(before['version'] ?? 0) + 1;
  // Running approvals keep the version they were submitted under.
  if (resource.versioned) after['version_no'] = Number(before['version_no'] ?? 0) + 1;
  after['updated_at'] = now.toISOString();
  after['updated_by'] = personOf(call);
  await refuseDuplicates(tx, call, { record: after, previous: before });
  const changes = diffRecords(resource, before, after);
  const columns: OpenRecord = { ...written.storage };
  for (const field of Object.values(resource.fields))
    if (field.type !== 'lines' && JSON.stringify(before[field.name]) !== JSON.stringify(after[field.name]))
      columns[field.name] = after[field.name] ?? null;
  if (changes.length > 0) Object.assign(columns, searchColumns(call.catalog, resource, after));
  await updateRow(tx, resource, { id: String(before['id']), company: before['co_code'], columns });
  for (const field of lineFieldsOf(resource)) await writeLines(tx, resource, { field, before, after });
  await writeAudit(
    tx,
    { caller, at: now },
    {
      resource: resource.resource,
      record_id: String(before['id']),
      co_code: before['co_code'],
      action: reason.action,
      from_status: before['status'],
      to_status: after['status'],
      opinion: reason.opinion ?? null,
      changes,
    },
  );
  await refreshRollups(tx, call, { before, after: written.storage?.is_deleted === true ? null : after });
  return after;
}

/** The person's id for stamps; null for the system. */
export function personOf(call: Call): string | null {
  const { id, kind } = call.caller.subject;
  return kind === 'staff' && /^[0-9a-f-]{36}$/.test(id) ? id : null;
}

async function refuseDuplicates(
  tx: Tx,
  call: Call,
  written: { readonly record: OpenRecord; readonly previous: OpenRecord | null },
): Promise<void> {
  const problems = await findDuplicates(tx, call, written);
  const [first] = problems;
  if (first !== undefined) throw new AppError('DUPLICATE', { message: first.message, problems });
}

/** Gives lines their ids and places. */
function numberLines(call: Call, record: OpenRecord, now: Date): OpenRecord {
  for (const field of lineFieldsOf(call.resource))
    record[field.name] = linesOf(record[field.name]).map((line, place) => ({
      ...line,
      id: line['id'] ?? uuidv7(now),
      line_order: place,
    }));
  return record;
}
