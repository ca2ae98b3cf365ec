import { Client, type ClientConfig, Pool, type QueryConfig, type QueryResult } from 'pg';
import type { ChangeLog } from './change-log.ts';
import { isStalePlan, toDatabaseFault } from './database-fault.ts';
import type { Grantees, RoleLogin } from './database-roles.ts';
import { guardPool } from './pool-gate.ts';
import { forDriver } from './read-query.ts';
import { VALUE_PARSERS } from './value-parsers.ts';
import { queryable, runOn } from './queryable.ts';
import { asMade, finish, runRetried, runTransactionOn } from './transaction.ts';

export type Row = Record<string, unknown>;

/** A statement that goes before another one and whose rows nobody asks for: a lock. */
export interface FirstStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** As in `query`. */
  readonly name: string | undefined;
}

/** Whatever runs statements: the pool or one transaction. Identifiers in `text` come from the compiled schema only, values always travel apart. */
export interface Queryable {
  /**
   * Rows of a statement. `name` prepares it once a connection: for hot paths whose text is always the same. In a
   * transaction `first` goes before it in the same message, and the statement sees what stands once that one is done.
   */
  readonly query: <R extends Row = Row>(
    text: string,
    values?: readonly unknown[],
    name?: string,
    first?: FirstStatement,
  ) => Promise<R[]>;
  /** Runs a statement and tells how many rows it touched. */
  readonly execute: (text: string, values?: readonly unknown[], name?: string) => Promise<number>;
}

export interface Tx extends Queryable {
  /** Runs `work` so that its failure undoes only what it did itself. */
  readonly savepoint: <T>(work: () => Promise<T>) => Promise<T>;
  /** Keeps `work` until the transaction is committed; forgotten when that, or the savepoint around it, is undone. */
  readonly afterCommit: (work: () => Promise<void>) => void;
  /** Keeps `work` until everything else of the transaction is done; it may keep more. Its failure undoes the transaction. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /** What its statements may have changed so far. */
  readonly changes: ChangeLog;
  /** What the floors above remember for the length of the transaction, each under a key of its own. */
  readonly memory: Map<symbol, unknown>;
}

export interface TransactionOptions {
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  /** How often the work is tried when other transactions are in the way (default 5). */
  readonly attempts?: number;
}

export interface Database extends Queryable {
  readonly url: string;
  /** The role that its connections put on; null: the login's own. */
  readonly role: string | null;
  /** Whom its migrations open tables to; null: nobody but the owner. */
  readonly grantees: Grantees | null;
  readonly pool: Pool;
  /** The definitions that its work follows from now on: a transaction that began under others is not committed. */
  readonly follow: (epoch: number) => void;
  /** Runs `work` in one transaction. It is run again after a deadlock, so it must have no effects but on `tx`. */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** The same for a write whose answer is kept with it: `conclude` makes the answer when nothing else is left to write, before the commit. */
  readonly concluded: <T, R>(
    work: (tx: Tx) => Promise<T>,
    conclude: (tx: Tx, made: T) => Promise<R>,
  ) => Promise<R>;
  /** The same in SERIALIZABLE: for rules that look at several rows. */
  readonly serializable: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Ends what runs and refuses what comes, as a database that cannot be had, until `resume`: the server has stopped answering. */
  readonly suspend: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
}

/** One connection that keeps its session: for locks and for statements that no transaction may hold. */
export interface Session extends Queryable {
  readonly client: Client;
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Put on by every connection (default: the login's own). */
  readonly role?: string | null;
  /** For the owner's connections: whom migrations open tables to. */
  readonly grantees?: Grantees | null;
  /** Connections of this process (default 16). */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  readonly statementTimeoutMs?: number;
  /** How long a lock is waited for (default ten seconds); 0 is as long as it takes. */
  readonly lockTimeoutMs?: number;
  /** Further settings of its sessions: `-c synchronous_commit=off`. */
  readonly settings?: string;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleFault?: (error: Error) => void;
}

const CONNECT_MS = 10_000;
/** Nobody waits at a screen for a session. */
const SESSION_CONNECT_MS = 60_000;

/** Opens the connection pool of the app. Nothing is connected until the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    ...connectionConfig(options),
    max: options.poolSize ?? 16,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: CONNECT_MS,
  });
  pool.on('error', (error) => options.onIdleFault?.(error));
  // A connection lost between two statements of a transaction: the next statement tells.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const gate = guardPool(pool);
  let epoch: number | null = null;
  const transaction: Database['transaction'] = async (work, settings = {}) => {
    gate.pass();
    return finish(await runRetried(pool, { work, conclude: asMade, epoch }, settings));
  };
  return {
    url: options.url,
    role: options.role ?? null,
    grantees: options.grantees ?? null,
    pool,
    follow: (next) => {
      epoch = next;
    },
    ...queryable((config) => {
      gate.pass();
      return runOnce(pool, config);
    }),
    transaction,
    concluded: async (work, conclude) => {
      gate.pass();
      return finish(await runRetried(pool, { work, conclude, epoch }, {}));
    },
    serializable: (work) => transaction(work, { isolation: 'serializable' }),
    suspend: gate.close,
    resume: gate.open,
    close: () => pool.end(),
  };
}

/** Opens a single connection outside any pool. */
export async function openSession(options: DatabaseOptions, settings: ClientConfig = {}): Promise<Session> {
  const client = new Client({
    ...connectionConfig(options),
    connectionTimeoutMillis: SESSION_CONNECT_MS,
    ...settings,
  });
  // A broken connection shows in the next statement.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
  return {
    client,
    ...queryable((config) => runOn(client, config)),
    transaction: async (work, transaction = {}) =>
      finish(await runTransactionOn(client, { work, conclude: asMade, epoch: null }, transaction)),
    close: () => client.end(),
  };
}

/** A login without any of the app's settings, for programs that bring their own. */
export function loginConfig({ url, role }: RoleLogin): ClientConfig {
  return { connectionString: url, options: roleSetting(role) };
}

/** What every connection of the app has in common; for clients outside the pool (LISTEN). */
export function connectionConfig(options: DatabaseOptions): ClientConfig {
  return {
    connectionString: options.url,
    application_name: options.applicationName ?? 'trade-erp',
    types: VALUE_PARSERS,
    keepAlive: true,
    // Instants are read as UTC, whatever the server's zone.
    options: `-c timezone=UTC -c datestyle=ISO,YMD -c intervalstyle=postgres -c client_encoding=UTF8 ${roleSetting(options.role)} ${options.settings ?? ''}`,
    statement_timeout: options.statementTimeoutMs ?? 60_000,
    lock_timeout: options.lockTimeoutMs ?? 10_000,
    idle_in_transaction_session_timeout: 60_000,
  };
}

/** A role put on with the connection is what RESET ROLE comes back to. */
function roleSetting(role: string | null | undefined): string {
  return role === null || role === undefined ? '' : `-c role=${role}`;
}

async function runOnce(pool: Pool, config: QueryConfig): Promise<QueryResult> {
  try {
    return await pool.query(forDriver(config));
  } catch (error) {
    if (!isStalePlan(error)) throw toDatabaseFault(error);
    const { name: _stale, ...unprepared } = config;
    return pool.query(forDriver(unprepared)).catch((again: unknown) => {
      throw toDatabaseFault(again);
    });
  }
}
