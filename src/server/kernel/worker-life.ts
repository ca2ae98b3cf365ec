import { Pool } from 'pg';
import { loginConfig } from '#server/kernel/db/database.ts';
import type { RoleLogin } from '#server/kernel/db/database-roles.ts';

/** Shows the other processes which workers of this one live, and frees what dead ones left locked. */
export interface WorkerLife {
  /** A worker of this process takes jobs from now on, under this name. */
  readonly begin: (worker: string) => void;
  /** None of its jobs runs any more: what it still has locked is nobody's. */
  readonly end: (worker: string) => void;
  readonly stop: () => Promise<void>;
}

interface WorkerLifeOptions {
  readonly login: RoleLogin;
  /** How often it looks for dead workers, in milliseconds (default 3,000). */
  readonly lookMs?: number;
  readonly onFault: (message: string, details: unknown) => void;
}

/** A lock that a process holds for each of its workers while they live; its connection takes it along when it dies. */
const LIFE = 7_316_005;
const LOOK_MS = 3_000;
/** One whose connection breaks has it made again at its next look: only who is missed so often in a row is dead. */
const MISSED_LOOKS = 4;

const OF = (worker: string): string => `l.locktype = 'advisory' and l.classid = ${LIFE} and l.granted
  and l.objid::bigint = hashtext(${worker})::bigint & 4294967295
  and l.database = (select oid from pg_database where datname = current_database())`;
// A host that went away without a word is missed after a minute, not after the two hours that are usual.
const PATIENCE = `select set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
  set_config('tcp_keepalives_count', '3', false)`;
const HOLD = `select pg_try_advisory_lock(${LIFE}, hashtext($1))
  where not exists (select from pg_locks l where l.pid = pg_backend_pid() and ${OF('$1')})`;
const LEAVE = `select pg_advisory_unlock(${LIFE}, hashtext($1))
  where exists (select from pg_locks l where l.pid = pg_backend_pid() and ${OF('$1')})`;
const MISSING = `select w.name from (
    select locked_by as name from graphile_worker._private_jobs where locked_by is not null
    union select locked_by from graphile_worker._private_job_queues where locked_by is not null) w
  where not exists (select from pg_locks l where ${OF('w.name')})`;
const FREE = 'select graphile_worker.force_unlock_workers($1::text[])';

/**
 * Begins to look. The worker frees jobs and queues of a dead one after four hours only, and until then nothing of the
 * queue runs. The tables of the worker must be there.
 */
export async function openWorkerLife(options: WorkerLifeOptions): Promise<WorkerLife> {
  // One connection that is kept: the locks are its own. A fault drops it, and the next look makes another.
  const pool = new Pool({
    ...loginConfig(options.login),
    application_name: 'trade-erp-jobs life',
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  const onLost = (error: Error): void => options.onFault('job connection lost', error);
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const own = new Set<string>();
  const missed = new Map<string, number>();

  const look = async (): Promise<void> => {
    await pool.query(PATIENCE);
    for (const worker of own) await pool.query(HOLD, [worker]);
    const { rows } = await pool.query<{ name: string }>(MISSING);
    const missing = new Set(rows.map(({ name }) => name).filter((name) => !own.has(name)));
    for (const name of missed.keys()) if (!missing.has(name)) missed.delete(name);
    for (const name of missing) missed.set(name, (missed.get(name) ?? 0) + 1);
    const dead = [...missing].filter((name) => (missed.get(name) ?? 0) >= MISSED_LOOKS);
    if (dead.length > 0) await pool.query(FREE, [dead]);
  };
  let looking: Promise<void> | null = null;
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => {
        // Who lost his connection with ours has to be missed anew.
        missed.clear();
        options.onFault('dead workers cannot be looked for', error);
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const send = (sql: string, worker: string): void => {
    // What does not arrive is done by the next look, or ends with the connection.
    pool.query(sql, [worker]).catch(onLost);
  };

  await lookOnce();
  const timer = setInterval(() => void lookOnce(), options.lookMs ?? LOOK_MS);
  timer.unref();
  return {
    begin: (worker) => {
      own.add(worker);
      send(HOLD, worker);
    },
    end: (worker) => {
      own.delete(worker);
      send(LEAVE, worker);
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
      await pool.end();
    },
  };
}
