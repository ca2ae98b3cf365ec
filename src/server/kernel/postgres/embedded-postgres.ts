import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import {
  APPLICATION_ROLE,
  type DatabaseRoles,
  READER_ROLE,
  type RoleLogin,
} from '#server/kernel/db/database-roles.ts';
import { ensureCluster, ensurePassword, OWNER_ROLE, passwordPathOf, readPassword } from './cluster.ts';
import { keepRunning } from './keep-running.ts';
import { claimDirectory } from './owner-file.ts';
import { placeDatabase, type Placement } from './placement.ts';
import type { SeedSource } from './seed.ts';
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** Where the database answers its owner. */
  readonly url: string;
  /** How each of the three roles is reached. */
  readonly roles: DatabaseRoles;
  /** The server's process; another one after the server was started again. */
  readonly pid: number;
  /** True when the server of an app that died was taken over. */
  readonly wasAdopted: boolean;
  /** Stops the server in fast mode and gives the directory free. */
  readonly stop: () => Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** ERP_DATA_DIR; the database lies in its folder `postgres`. */
  readonly dataDir: string;
  /** What a first start begins with instead of nothing. */
  readonly seed?: SeedSource;
  /** For throw-away test databases only: commits are not written through. */
  readonly isDisposable?: boolean;
  /** Hears that the server died, and how starting it again went. */
  readonly onFault?: (message: string, error?: unknown) => void;
}

const DATABASE = 'erp';
const ADOPT_TIMEOUT_MS = 5_000;

/**
 * Runs the project's own PostgreSQL on `dataDir`: makes the cluster on first start, takes over a healthy server whose
 * app died, starts one otherwise. A server that dies while the app lives is started again at the same address.
 * @throws StartRefusal when another live process owns the directory, or the server cannot be started.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = resolve(options.dataDir, 'postgres');
  const place = await placeDatabase(home).catch((error: unknown) => {
    throw asRefusal(error, home);
  });
  const owner = await claimDirectory(home);
  try {
    const password = await ensureCluster(place, options.seed ?? null);
    const adopted = await adoptOrStop(place.cluster, password);
    const running = adopted ?? (await startPostmaster(place, settingsOf(options)));
    await ensureDatabase(running, password);
    const roles = await ensureRoles(place, running, password);
    const kept = keepRunning(place, running, { settings: settingsOf(options), onFault: options.onFault });
    return {
      url: roles.owner.url,
      roles,
      get pid() {
        return kept.pid();
      },
      wasAdopted: adopted !== null,
      stop: async () => {
        await kept.stop();
        await owner.release();
      },
    };
  } catch (error) {
    await owner.release();
    throw asRefusal(error, home);
  }
}

/** The owner's address of the server that runs on `dataDir` under another process, or null: for backups of a running app. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  const home = resolve(dataDir, 'postgres');
  const running = await findPostmaster(join(home, 'cluster'));
  if (running === null || running.status !== 'ready') return null;
  const login = { role: OWNER_ROLE, password: await readPassword(passwordPathOf(home, OWNER_ROLE)) };
  return urlOf(running, login, DATABASE);
}

/** What the file system refuses is the operator's to mend: one line. Everything else stays as it is. */
function asRefusal(error: unknown, home: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = FILE_FAULTS[code];
  return reason === undefined ? error : new StartRefusal(`数据目录 ${home} 不能使用：${reason}。`, error);
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: '没有读写权限',
  EPERM: '没有读写权限',
  EROFS: '文件系统是只读的',
  ENOSPC: '磁盘已满',
  ENOTDIR: '上级路径不是目录',
  EEXIST: '路径已被文件占用',
};

function settingsOf(options: EmbeddedPostgresOptions): readonly string[] {
  return options.isDisposable === true
    ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']
    : [];
}

/** Takes over the server that a dead app left when it answers, stops it when it does not. */
async function adoptOrStop(cluster: string, password: string): Promise<Postmaster | null> {
  const deadline = Date.now() + ADOPT_TIMEOUT_MS;
  let orphan = await findPostmaster(cluster);
  if (orphan === null) return null;
  while (orphan !== null && Date.now() < deadline) {
    if (orphan.status === 'ready' && (await answers(orphan, password))) return orphan;
    await delay(100);
    orphan = await findPostmaster(cluster);
  }
  if (orphan !== null) await stopPostmaster(orphan.pid);
  return null;
}

async function answers(running: Postmaster, password: string): Promise<boolean> {
  try {
    return await withClient(running, password, async (client) => {
      await client.query('select 1');
      return true;
    });
  } catch {
    return false;
  }
}

async function ensureDatabase(running: Postmaster, password: string): Promise<void> {
  try {
    await withClient(running, password, async (client) => {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    });
  } catch (error) {
    throw new StartRefusal(`内置数据库（进程号 ${running.pid}）拒绝连接。`, error);
  }
}

/** Makes the roles of the application and of reports; a cluster from before they were told apart gets them too. */
async function ensureRoles(
  place: Placement,
  running: Postmaster,
  ownerPassword: string,
): Promise<DatabaseRoles> {
  const loginOf = async (role: string): Promise<RoleLogin> => {
    const { password, isNew } = await ensurePassword(place, role);
    await withClient(running, ownerPassword, async (client) => {
      const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      if (rowCount !== 0 && !isNew) return;
      await client.query(
        `${rowCount === 0 ? 'create' : 'alter'} role ${role} with login password '${password}'`,
      );
    });
    return { url: urlOf(running, { role, password }, DATABASE), role: null };
  };
  return {
    owner: { url: urlOf(running, { role: OWNER_ROLE, password: ownerPassword }, DATABASE), role: null },
    application: await loginOf(APPLICATION_ROLE),
    reader: await loginOf(READER_ROLE),
    grantees: { application: APPLICATION_ROLE, reader: READER_ROLE },
  };
}

async function withClient<T>(
  running: Postmaster,
  password: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: urlOf(running, { role: OWNER_ROLE, password }, 'postgres'),
    connectionTimeoutMillis: 2_000,
  });
  // An idle client whose server goes away must not bring the process down.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** By its socket where it has one; host and port say how it is reached without. */
function urlOf(
  { port, socketFolder }: Postmaster,
  { role, password }: { readonly role: string; readonly password: string },
  database: string,
): string {
  const socket = socketFolder === null ? '' : `?host=${encodeURIComponent(socketFolder)}`;
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}${socket}`;
}
