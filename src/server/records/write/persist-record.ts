import { diffRecords } from '#engine/record/diff-records.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { findTakenLines } from '#server/records/prepare/check-line-uniques.ts';
import { findDuplicates, findDuplicatesOfMany } from '#server/records/prepare/check-uniques.ts';
import { drawNumbers, takeNumber } from './draw-number.ts';
import { placeInTree, recordsThatFollow } from './keep-tree.ts';
import { cleanRichtext } from './clean-richtext.ts';
import { hashSecrets } from './hash-secrets.ts';
import { markRenamed } from '#server/records/derive/mark-renamed.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { hasColumn } from '#engine/fields/field-types.ts';
import { isRehearsal } from '#server/records/call/rehearsal.ts';
import { noteChange, noteWritten } from '#server/records/follow/write-session.ts';
import {
  refreshKeyedSums,
  refreshRollups,
  refreshRollupsOfMany,
} from '#server/records/derive/refresh-rollups.ts';
import { searchColumns } from '#server/records/derive/search-index.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { writeAudits } from './write-audit.ts';
import {
  insertRows,
  isSameValue,
  lineFieldsOf,
  type StorageColumns,
  updateRows,
  writeLines,
} from './write-rows.ts';

/** What an audit row says besides the fields. */
export interface WriteReason {
  readonly action: string;
  readonly opinion?: string | null;
  /** It completes the write of which it is a part, under that one's version. */
  readonly isSameWrite?: true;
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
  const [record] = await persistManyNew(tx, call, { records: [written.record], reason: written.reason });
  return record ?? written.record;
}

/** The same for many records, with as few statements as one needs. */
export async function persistManyNew(
  tx: Tx,
  call: Call,
  written: { readonly records: readonly OpenRecord[]; readonly reason: WriteReason },
): Promise<readonly OpenRecord[]> {
  const { resource, services, caller, catalog } = call;
  const now = services.clock();
  const records: OpenRecord[] = [];
  for (const given of written.records) {
    const record = await readyToStore(resource, numberLines(call, { ...given }, now), null);
    record['id'] ??= uuidv7(now);
    records.push(record);
  }
  for (const after of records) await placeInTree(tx, call, { before: null, after });
  const numbers = await drawNumbers(tx, call, records);
  for (const [index, record] of records.entries()) {
    const number = numbers[index] ?? null;
    if (number !== null) takeNumber(call, record, number);
  }
  await refuseDuplicates(
    tx,
    call,
    records.map((record) => ({ record, previous: null })),
  );
  await insertRows(
    tx,
    resource,
    records.map((record) => ({ record, storage: searchColumns(catalog, resource, record) })),
  );
  await writeAudits(
    tx,
    { caller, at: now },
    records.map((record) => ({
      resource: resource.resource,
      record_id: String(record['id']),
      co_code: record['co_code'],
      action: written.reason.action,
      to_status: record['status'],
      opinion: written.reason.opinion ?? null,
      changes: diffRecords(resource, {}, record),
    })),
  );
  const storedAt = tx.changes.moment();
  for (const record of records) noteWritten(tx, call, { before: null, after: record, storedAt });
  await refreshRollupsOfMany(
    tx,
    call,
    records.map((after) => ({ before: null, after })),
  );
  for (const after of records) await refreshKeyedSums(tx, call, { before: null, after });
  return records;
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
  const [after] = await persistChanges(tx, call, { changes: [written], reason: written.reason });
  return after ?? written.after;
}

/** The same for many records. */
export async function persistChanges(
  tx: Tx,
  call: Call,
  written: {
    readonly changes: readonly {
      readonly before: OpenRecord;
      readonly after: OpenRecord;
      readonly storage?: StorageColumns;
    }[];
    readonly reason: WriteReason;
  },
): Promise<readonly OpenRecord[]> {
  const { resource, services, caller } = call;
  const { reason } = written;
  const now = services.clock();
  const changes: { before: OpenRecord; after: OpenRecord; storage: StorageColumns | undefined }[] = [];
  for (const { before, after: given, storage } of written.changes) {
    const after = await nextVersion(call, {
      before,
      after: given,
      now,
      isSameWrite: reason.isSameWrite === true,
    });
    await placeInTree(tx, call, { before, after });
    changes.push({ before, after, storage });
  }
  await refuseDuplicates(
    tx,
    call,
    changes.map(({ before, after }) => ({ record: after, previous: before })),
  );
  const diffs = changes.map(({ before, after }) => diffRecords(resource, before, after));
  await updateRows(
    tx,
    resource,
    changes.map(({ before, after, storage }, index) => ({
      id: String(before['id']),
      company: before['co_code'],
      columns: changedColumns(call, { before, after, storage, isDifferent: (diffs[index]?.length ?? 0) > 0 }),
    })),
  );
  for (const { before, after } of changes)
    for (const field of lineFieldsOf(resource)) await writeLines(tx, resource, { field, before, after });
  await writeAudits(
    tx,
    { caller, at: now },
    changes.map(({ before, after }, index) => ({
      resource: resource.resource,
      record_id: String(before['id']),
      co_code: before['co_code'],
      action: reason.action,
      from_status: before['status'],
      to_status: after['status'],
      opinion: reason.opinion ?? null,
      changes: diffs[index] ?? [],
    })),
  );
  const storedAt = tx.changes.moment();
  if (isRehearsal(tx))
    for (const [index, { after }] of changes.entries())
      noteChange(tx, call, { id: String(after['id']), changes: diffs[index] ?? [] });
  await markRenamed(tx, call, changes);
  for (const { before, after, storage } of changes) {
    const isGone = storage?.is_deleted === true;
    const previous = storage?.previous_status;
    const written = previous === undefined ? after : { ...after, previous_status: previous };
    noteWritten(tx, call, { before, after: written, isGone, storedAt });
    await refreshRollups(tx, call, { before, after: isGone ? null : after });
    if (!isGone) await refreshKeyedSums(tx, call, { before, after });
  }
  const following = await recordsThatFollow(tx, call, changes);
  if (following.length > 0) await persistChanges(tx, call, { changes: following, reason });
  return changes.map(({ after }) => after);
}

async function nextVersion(
  call: Call,
  {
    before,
    after,
    now,
    isSameWrite,
  }: {
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly now: Date;
    readonly isSameWrite: boolean;
  },
): Promise<OpenRecord> {
  const next = await readyToStore(call.resource, numberLines(call, { ...after }, now), before);
  if (isSameWrite) return next;
  next['version'] = Number(before['version'] ?? 0) + 1;
  // Running approvals keep the version they were submitted under.
  if (call.resource.versioned) next['version_no'] = Number(before['version_no'] ?? 0) + 1;
  next['updated_at'] = now.toISOString();
  next['updated_by'] = personOf(call);
  return next;
}

function changedColumns(
  call: Call,
  change: {
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly storage: StorageColumns | undefined;
    readonly isDifferent: boolean;
  },
): OpenRecord {
  const { catalog, resource } = call;
  const { before, after, storage, isDifferent } = change;
  const columns: OpenRecord = { ...storage };
  for (const field of Object.values(resource.fields))
    if (hasColumn(field) && !isSameValue(before[field.name], after[field.name]))
      columns[field.name] = after[field.name] ?? null;
  if (isDifferent) Object.assign(columns, searchColumns(catalog, resource, after));
  return columns;
}

/** The person's id for stamps; null for the system. */
export function personOf(call: Call): string | null {
  const { id, kind } = call.caller.subject;
  return kind === 'staff' && /^[0-9a-f-]{36}$/.test(id) ? id : null;
}

async function refuseDuplicates(
  tx: Tx,
  call: Call,
  written: readonly { readonly record: OpenRecord; readonly previous: OpenRecord | null }[],
): Promise<void> {
  const [one] = written;
  const found = [
    ...(one !== undefined && written.length === 1
      ? await findDuplicates(tx, call, one)
      : (await findDuplicatesOfMany(tx, call, written)).flat()),
  ];
  for (const { record } of written) found.push(...(await findTakenLines(tx, call, record)));
  const [first] = found;
  if (first !== undefined) throw new AppError('DUPLICATE', { message: first.message, problems: found });
}

/** Gives lines their ids and places. */
export function numberLines(call: Call, record: OpenRecord, now: Date): OpenRecord {
  for (const field of lineFieldsOf(call.resource))
    record[field.name] = linesOf(record[field.name]).map((line, place) =>
      typeof line['id'] === 'string' && line['line_order'] === place
        ? line
        : { ...line, id: line['id'] ?? uuidv7(now), line_order: place },
    );
  return record;
}

/** Rich text sanitised, secrets hashed: what no writer may forget. */
async function readyToStore(
  resource: Resource,
  record: OpenRecord,
  previous: OpenRecord | null,
): Promise<OpenRecord> {
  return hashSecrets(resource, await cleanRichtext(resource, record), previous);
}
