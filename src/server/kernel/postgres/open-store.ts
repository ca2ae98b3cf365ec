import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/kernel/config.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { openWalled, SEES_EVERYBODY, type WalledDatabase } from '#server/kernel/db/walled-database.ts';
import { type DatabaseRoles, resolveRoles } from '#server/kernel/db/database-roles.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/** The database as each of its three roles sees it. */
export interface Store {
  /** The application: everything that serves. */
  readonly db: Database;
  /** Reads for nobody: reports of the system and checks of the night. */
  readonly reader: Database;
  /** The reader as callers read with it: behind the wall of their company. */
  readonly walled: WalledDatabase;
  /** Migrations only. */
  readonly owner: Database;
}

const APPLICATION_CONNECTIONS = 12;
const WALLED_CONNECTIONS = 6;
const READER_CONNECTIONS = 4;
const OWNER_CONNECTIONS = 2;

/**
 * Opens the configured database, or starts the embedded one first. What has to be closed is added to `cleanups`.
 * @throws StartRefusal when it cannot be reached, or the application would be a superuser
 */
export async function openStore(
  config: Config,
  cleanups: (() => Promise<void> | void)[],
  log: FastifyBaseLogger,
): Promise<Store> {
  const roles = await findRoles(config, cleanups, log);
  const open = (options: Parameters<typeof openDatabase>[0]): Database => {
    const database = openDatabase({
      ...options,
      onIdleFault: (error) => log.warn({ err: error }, 'idle connection lost'),
    });
    cleanups.push(database.close);
    return database;
  };
  const db = open({ ...roles.application, poolSize: APPLICATION_CONNECTIONS });
  const isReading = '-c default_transaction_read_only=on';
  const reader = open({
    ...roles.reader,
    poolSize: READER_CONNECTIONS,
    settings: `${isReading} ${SEES_EVERYBODY}`,
  });
  const walled = openWalled({
    ...roles.reader,
    poolSize: WALLED_CONNECTIONS,
    settings: isReading,
    onIdleFault: (error) => log.warn({ err: error }, 'idle connection lost'),
  });
  cleanups.push(walled.close);
  const owner = open({ ...roles.owner, grantees: roles.grantees, poolSize: OWNER_CONNECTIONS });
  const look = (): Promise<unknown> => db.query('select 1');
  try {
    // A machine that is busy with the definitions may miss the first answer.
    await look().catch(look);
  } catch (error) {
    throw new StartRefusal('无法连接数据库，请检查 DATABASE_URL 的主机、端口、用户与密码。', error);
  }
  return { db, reader, walled, owner };
}

async function findRoles(
  config: Config,
  cleanups: (() => Promise<void> | void)[],
  log: FastifyBaseLogger,
): Promise<DatabaseRoles> {
  const { databaseUrl, ownerDatabaseUrl: ownerUrl, readerDatabaseUrl: readerUrl, isDemo } = config;
  if (databaseUrl !== null)
    return resolveRoles({ databaseUrl, ownerUrl, readerUrl, isDemo }, (text) => log.warn(text));
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    // It holds the accounts of the demo.
    ...(isDemo ? { seed: { folder: config.seedDir, resourcesDir: config.resourcesDir } } : {}),
    onFault: (message, error) => log.warn({ err: error }, message),
  });
  cleanups.push(server.stop);
  return server.roles;
}
