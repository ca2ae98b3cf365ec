import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig, Pool, type QueryConfig, type QueryResult } from 'pg';
import { DatabaseFault, isStalePlan, toDatabaseFault } from './database-fault.ts';
import type { Grantees, RoleLogin } from './database-roles.ts';
import { guardPool } from './pool-gate.ts';
import { VALUE_PARSERS } from './value-parsers.ts';

export type Row = Record<string, unknown>;

/** Whatever runs statements: the pool or one transaction. Identifiers in `text` come from the compiled schema only, values always travel apart. */
export interface Queryable {
  /** Rows of a statement. `name` prepares it once a connection: for hot paths whose text is always the same. */
  readonly query: <R extends Row = Row>(
    text: string,
    values?: readonly unknown[],
    name?: string,
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
  /** What the floors above remember for the length of the transaction, each under a key of its own. */
  readonly memory: Map<symbol, unknown>;
}

interface TransactionOptions {
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
  /** Further settings of its sessions: `-c synchronous_commit=off`. */
  readonly settings?: string;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onIdleFault?: (error: Error) => void;
}

const CONNECT_MS = 10_000;
/** Nobody waits at a screen for a session. */
const SESSION_CONNECT_MS = 60_000;
const DEFAULT_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 5;

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
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  };
}

/** A role put on with the connection is what RESET ROLE comes back to. */
function roleSetting(role: string | null | undefined): string {
  return role === null || role === undefined ? '' : `-c role=${role}`;
}

type Run = (config: QueryConfig) => Promise<QueryResult>;

function queryable(run: Run): Queryable {
  return {
    query: async <R extends Row>(text: string, values: readonly unknown[] = [], name?: string) => {
      // The shape of a row is what the statement says: the one place where that is taken on trust.
      const { rows } = await run(namedStatement(text, values, name));
      return rows as R[];
    },
    execute: async (text, values = [], name) => (await run(namedStatement(text, values, name))).rowCount ?? 0,
  };
}

/** A statement as the driver takes it, prepared under a name that its text is part of. */
export function namedStatement(
  text: string,
  values: readonly unknown[],
  name: string | undefined,
): QueryConfig {
  const config = { text, values: [...values] };
  return name === undefined ? config : { ...config, name: statementName(name, text) };
}

const statementNames = new Map<string, string>();
const MAX_STATEMENT_NAMES = 5_000;

/** The text is part of the name: after a reload the same place may say something else. */
function statementName(name: string, text: string): string {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= MAX_STATEMENT_NAMES) statementNames.clear();
  const made = `${name.slice(0, 40)}_${createHash('sha1').update(text).digest('hex').slice(0, 16)}`;
  statementNames.set(text, made);
  return made;
}

async function runOnce(pool: Pool, config: QueryConfig): Promise<QueryResult> {
  try {
    return await pool.query(config);
  } catch (error) {
    if (!isStalePlan(error)) throw toDatabaseFault(error);
    const { name: _stale, ...unprepared } = config;
    return pool.query(unprepared).catch((again: unknown) => {
      throw toDatabaseFault(again);
    });
  }
}

type Later = () => Promise<void>;

/** What a transaction does, and what is made of it before the commit. */
interface Steps<T, R> {
  readonly work: (tx: Tx) => Promise<T>;
  readonly conclude: (tx: Tx, made: T) => Promise<R>;
  /** The definitions under which it began; null where that does not matter. */
  readonly epoch: number | null;
}

async function asMade<T>(_tx: Tx, made: T): Promise<T> {
  return made;
}

interface Committed<T> {
  readonly result: T;
  readonly later: readonly Later[];
}

/** What had to wait for the commit. Its failure reaches the caller, though nothing is undone or tried again. */
async function finish<T>({ result, later }: Committed<T>): Promise<T> {
  for (const work of later) await work();
  return result;
}

async function runRetried<T, R>(
  pool: Pool,
  steps: Steps<T, R>,
  options: TransactionOptions,
): Promise<Committed<R>> {
  const attempts = options.attempts ?? DEFAULT_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(pool, steps, options);
    } catch (error) {
      const isWorthRetrying = error instanceof DatabaseFault && error.isRetriable;
      if (!isWorthRetrying || attempt >= attempts) throw error;
      await delay(FIRST_BACKOFF_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function runTransaction<T, R>(
  pool: Pool,
  steps: Steps<T, R>,
  options: TransactionOptions,
): Promise<Committed<R>> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
  let broken: Error | undefined;
  try {
    return await runTransactionOn(client, steps, options, (reason) => {
      broken = reason;
    });
  } finally {
    client.release(broken);
  }
}

/** `onBroken` hears when the connection should not be used again. */
async function runTransactionOn<T, R>(
  client: ClientBase,
  { work, conclude, epoch }: Steps<T, R>,
  options: TransactionOptions,
  onBroken: (reason: Error) => void = () => undefined,
): Promise<Committed<R>> {
  const run = oneAtATime((config) =>
    runOn(client, config).catch((fault: unknown) => {
      if (fault instanceof DatabaseFault && isStalePlan(fault.cause)) onBroken(fault);
      throw fault;
    }),
  );
  const later: Later[] = [];
  try {
    await run({ text: beginStatement(options) });
    const last: Later[] = [];
    const tx = transactionOn(run, { later, last });
    const made = await work(tx);
    for (let next = last.shift(); next !== undefined; next = last.shift()) await next();
    const result = await conclude(tx, made);
    await commit(run, options.readOnly === true ? null : epoch);
    return { result, later };
  } catch (error) {
    await client.query('rollback').catch(onBroken);
    throw error;
  }
}

/** Asks in the same breath whether the definitions are still those that the transaction began with. */
async function commit(run: Run, epoch: number | null): Promise<void> {
  const text = epoch === null ? 'commit' : `select erp_assert_epoch(${epoch}); commit`;
  const ended: unknown = await run({ text }).catch((fault: unknown) => {
    throw fault instanceof DatabaseFault && fault.sqlState === ABORTED_STATE ? ignoredFailure() : fault;
  });
  const last: unknown = Array.isArray(ended) ? ended.at(-1) : ended;
  const isCommitted =
    typeof last === 'object' && last !== null && 'command' in last && last.command === 'COMMIT';
  if (!isCommitted) throw ignoredFailure();
}

const ABORTED_STATE = '25P02';

/** A refusal that the work swallowed has undone everything already: that must not look like success. */
function ignoredFailure(): DatabaseFault {
  return new DatabaseFault(new Error('transaction was aborted by a statement whose failure was ignored'));
}

function runOn(client: ClientBase, config: QueryConfig): Promise<QueryResult> {
  return client.query(config).catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
}

/** A connection takes one statement at a time, also when a transaction's work asks several things at once. */
function oneAtATime(run: Run): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (config) => {
    const mine = last.then(() => run(config));
    last = mine.catch(() => undefined);
    return mine;
  };
}

function transactionOn(run: Run, { later, last }: { readonly later: Later[]; readonly last: Later[] }): Tx {
  let depth = 0;
  return {
    ...queryable(run),
    afterCommit: (work) => {
      later.push(work);
    },
    beforeCommit: (work) => {
      last.push(work);
    },
    memory: new Map(),
    savepoint: async (work) => {
      const kept = later.length;
      depth += 1;
      const name = `s${depth}`;
      await run({ text: `savepoint ${name}` });
      try {
        const result = await work();
        await run({ text: `release savepoint ${name}` });
        return result;
      } catch (error) {
        later.length = kept;
        await run({ text: `rollback to savepoint ${name}` });
        await run({ text: `release savepoint ${name}` });
        throw error;
      } finally {
        depth -= 1;
      }
    },
  };
}

function beginStatement({ isolation, readOnly }: TransactionOptions): string {
  const level = isolation === undefined ? '' : ` isolation level ${isolation}`;
  return `begin${level}${readOnly === true ? ' read only' : ''}`;
}
