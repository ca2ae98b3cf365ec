import type { Services } from '#server/records/services.ts';

type Surroundings = Pick<Services, 'db' | 'files' | 'log' | 'clock'>;

/** Longer than any transaction that stores bytes and then registers them. */
const GRACE_MS = 86_400_000;
const BATCH = 500;
const UNNAMED = `not exists (select 1 from sys_file f where f.storage_key = s.storage_key)
  and not exists (select 1 from sys_job j where j.file_key = s.storage_key)`;

/**
 * Removes bytes that no row names: of uploads whose transaction was undone or whose process died, and of files that are
 * no more. Whoever stores the same bytes meanwhile waits for the row's lock and then writes them anew.
 */
export async function sweepBytes(services: Surroundings): Promise<void> {
  const { db, files, clock, log } = services;
  const before = new Date(clock().getTime() - GRACE_MS);
  await files.storage.removeDrafts(before);
  for (let last: string | null = ''; last !== null;) {
    const rows: readonly { readonly key: string }[] = await db.query<{ key: string }>(
      `select s.storage_key as key from sys_stored s where s.at < $1::timestamptz and s.storage_key > $2 and ${UNNAMED}
       order by s.storage_key limit ${BATCH}`,
      [before.toISOString(), last],
    );
    for (const { key } of rows)
      await removeBytes(services, key, before).catch((error: unknown) =>
        log.error({ err: error, key }, 'stored bytes not removed'),
      );
    last = rows.at(-1)?.key ?? null;
  }
}

async function removeBytes({ db, files }: Surroundings, key: string, before: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await tx.query(
      `select 1 from sys_stored s where s.storage_key = $1 and s.at < $2::timestamptz and ${UNNAMED} for update`,
      [key, before.toISOString()],
    );
    if (found.length === 0) return;
    await files.storage.remove(key);
    await tx.execute('delete from sys_stored where storage_key = $1', [key]);
  });
}
