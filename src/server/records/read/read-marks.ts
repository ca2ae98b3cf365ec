import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { isRecordId, readStored } from './read-stored.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/**
 * Remembers that the caller has read a record, and counts a reader once, however often and at once he comes. The record's
 * version stays: being read is no edit.
 * @throws NOT_FOUND for a record that the caller may not see, and for resources that count no readers
 */
export async function markRead(call: Call, id: string): Promise<void> {
  const { resource, services, caller } = call;
  const { reads } = resource;
  if (reads === undefined || !isRecordId(id)) throw new AppError('NOT_FOUND');
  if ((await readStored(services.db, call, id)) === null) throw new AppError('NOT_FOUND');
  await services.db.transaction(async (tx) => {
    const isNew = await tx.execute(
      `insert into sys_read (resource, record_id, person_id, at) values ($1, $2::uuid, $3::uuid, $4)
       on conflict do nothing`,
      [resource.resource, id, caller.subject.id, services.clock().toISOString()],
    );
    if (isNew > 0)
      await tx.execute(
        `update ${tableOf(resource)} set ${quoteName(reads)} = coalesce(${quoteName(reads)}, 0) + 1 where id = $1::uuid`,
        [id],
      );
  });
}

/** Those of the given records that the caller has read. */
export async function readAmong(call: Call, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await call.services.db.query<{ id: string }>(
    `select record_id as id from sys_read where resource = $1 and person_id = $2::uuid and record_id = any($3::uuid[])`,
    [call.resource.resource, call.caller.subject.id, ids.filter(isRecordId)],
  );
  return rows.map(({ id }) => id);
}
