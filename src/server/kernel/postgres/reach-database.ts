import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** A database for the length of a command. */
export interface ReachedDatabase {
  readonly url: string;
  /** Stops what was started for the command. */
  readonly release: () => Promise<void>;
}

/** As its owner: the configured server, the embedded one of a running app, or else an embedded one started just for the command. */
export async function reachDatabase(config: {
  readonly databaseUrl: string | null;
  readonly ownerDatabaseUrl: string | null;
  readonly dataDir: string;
}): Promise<ReachedDatabase> {
  const running =
    config.ownerDatabaseUrl ?? config.databaseUrl ?? (await findEmbeddedPostgres(config.dataDir));
  if (running !== null) return { url: running, release: async () => undefined };
  const server = await startEmbeddedPostgres({ dataDir: config.dataDir });
  return { url: server.url, release: server.stop };
}
