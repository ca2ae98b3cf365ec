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
  requireHeld(await tx.query(MARK, [key, person, claim], 'idempotency_mark'));
}

/** What a save is answered with. */
export const SAVED = '保存成功';

/**
 * Keeps what the caller will be answered with the key, in the transaction of the write: whoever asks again after a
 * crash gets it at once. Of a batch the part that this write was is kept, so that the rest can be taken up.
 *
 * @throws IDEMPOTENCY_IN_PROGRESS
 */
export async function keepAnswer(
  tx: Reader,
  caller: Pick<Caller, 'idempotency'>,
  data: unknown,
  message = '操作成功',
): Promise<void> {
  if (caller.idempotency === undefined) return;
  const { key, person, claim, part } = caller.idempotency;
  const kept =
    part === undefined
      ? await tx.query(ANSWER, [key, person, claim, JSON.stringify(data), message], 'idempotency_answer')
      : await tx.query(PART, [key, person, claim, JSON.stringify([part])], 'idempotency_part');
  requireHeld(kept);
}

/**
 * Marks the caller's key as still at work on something that remembers by itself how far it has come, in the transaction
 * of each of its stretches: whoever asks again after a crash or a failure may go on with it.
 *
 * @throws IDEMPOTENCY_IN_PROGRESS
 */
export async function keepGoing(tx: Reader, caller: Pick<Caller, 'idempotency'>): Promise<void> {
  if (caller.idempotency === undefined) return;
  const { key, person, claim } = caller.idempotency;
  requireHeld(await tx.query(GOING, [key, person, claim], 'idempotency_going'));
}

function requireHeld(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterS: 5 });
}

const HELD = 'where key = $1 and person_id = $2 and claim = $3';
// Also what follows once the answer is kept marks it again: records that move by themselves before the commit.
const MARK = `update sys_idempotency set written_at = coalesce(written_at, now()) ${HELD} returning 1 as marked`;
const ANSWER = `update sys_idempotency set written_at = coalesce(written_at, now()), status = 200,
  answer = jsonb_build_object('code', 200, 'msg', $5::text, 'data', $4::jsonb) ${HELD} returning 1 as kept`;
const PART = `update sys_idempotency set written_at = coalesce(written_at, now()),
  parts = coalesce(parts, '[]') || $4::jsonb ${HELD} and status is null returning 1 as kept`;
const GOING = `update sys_idempotency set at = now(), written_at = coalesce(written_at, now()),
  parts = coalesce(parts, '[]') ${HELD} and status is null returning 1 as kept`;
