import { AppError } from '#server/kernel/errors.ts';
import type { Caller } from '#server/records/services.ts';
import type { Reader } from '#server/records/call/statement.ts';

/**
 * Marks the caller's idempotency key as written, in the transaction of the write: both are committed or neither.
 * A request whose key another one has taken over in the meantime is undone.
 *
 * @throws IDEMPOTENCY_IN_PROGRESS
 */
export async function markWritten(tx: Reader, caller: Pick<Caller, 'idempotency'>): Promise<void> {
  if (caller.idempotency === undefined) return;
  const { key, person, claim } = caller.idempotency;
  const marked = await tx.query(MARK, [key, person, claim], 'idempotency_mark');
  if (marked.length === 0) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterS: 5 });
}

const MARK = `update sys_idempotency set written_at = coalesce(written_at, now())
  where key = $1 and person_id = $2 and claim = $3 and status is null returning 1 as marked`;
