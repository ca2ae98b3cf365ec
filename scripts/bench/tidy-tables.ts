import { openSession } from '#server/kernel/db/database.ts';
import { findEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import type { RunningServer } from '#server/main.ts';

/** Tables that were filled by SQL get their statistics, as the database gives them in time. Only the owner may. */
export async function tidyTables(
  { services: { config } }: RunningServer,
  tables: readonly string[],
): Promise<void> {
  const url = (await findEmbeddedPostgres(config.dataDir)) ?? '';
  const owner = await openSession({ url, statementTimeoutMs: 0 });
  try {
    for (const table of tables) await owner.execute(`vacuum (analyze) "${table}"`);
  } finally {
    await owner.close();
  }
}
