import { setTimeout as delay } from 'node:timers/promises';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Session } from '#server/kernel/db/database.ts';
import type { RoleLogin } from '#server/kernel/db/database-roles.ts';

const LOCK = 7_316_004_422;
const WAIT_MS = 120_000;
const POLL_MS = 50;

/**
 * Runs `work` on a connection of the owner's while no other app process migrates. The lock is polled: a process that slept
 * in the lock call would hold a snapshot, and building an index concurrently would wait for it for ever.
 */
export async function withMigrationLock<T>(
  owner: RoleLogin,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(
    { url: owner.url, role: owner.role, applicationName: 'trade-erp-migration' },
    { statement_timeout: 0, lock_timeout: 5_000, idle_in_transaction_session_timeout: 0 },
  );
  try {
    await acquire(session);
    return await work(session);
  } finally {
    await session.close();
  }
}

async function acquire(session: Session): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const [row] = await session.query<{ ok: boolean }>('select pg_try_advisory_lock($1) as ok', [LOCK]);
    if (row?.ok === true) return;
    if (Date.now() > deadline)
      throw new StartRefusal('另一个进程正在升级数据库，等待超过两分钟。请稍后再启动。');
    await delay(POLL_MS);
  }
}
