import { lockName } from '#server/kernel/db/lock-name.ts';
import type { Database } from '#server/kernel/db/database.ts';
import { AppError } from '#server/kernel/errors.ts';

/** How often somebody may do something that costs others. */
export interface CallLimit {
  /** What is done: `invoice check`. */
  readonly kind: string;
  /** Who does it: an address, a person's id. */
  readonly subject: string;
  readonly calls: number;
  readonly seconds: number;
  /** What is answered beyond; default: the catalogue's text. */
  readonly message?: string;
}

/**
 * Counts a call, or refuses it. Calls of one subject count each other also when they come at once and to several
 * processes; a refused one counts nothing.
 * @throws RATE_LIMITED with the wait
 */
export async function countCall(db: Database, limit: CallLimit, at: Date): Promise<void> {
  const { kind, subject, calls, seconds, message } = limit;
  const since = new Date(at.getTime() - seconds * 1000);
  await db.transaction(async (tx) => {
    await lockName(tx, `${kind} ${subject}`);
    const [row] = await tx.query<{ n: number; oldest: Date | string | null }>(
      `select count(*)::int as n, min(at) as oldest from (
         select at from sys_call where kind = $1 and subject = $2 and at > $3::timestamptz order by at desc limit $4) recent`,
      [kind, subject, since.toISOString(), calls],
      'call_limit',
    );
    if ((row?.n ?? 0) >= calls) {
      const oldest = new Date(row?.oldest ?? at).getTime();
      const retryAfterS = Math.max(1, Math.ceil((oldest + seconds * 1000 - at.getTime()) / 1000));
      throw new AppError('RATE_LIMITED', { retryAfterS, ...(message === undefined ? {} : { message }) });
    }
    await tx.execute('insert into sys_call (kind, subject, at) values ($1, $2, $3)', [
      kind,
      subject,
      at.toISOString(),
    ]);
  });
}
