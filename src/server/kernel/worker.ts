import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Logger,
  parseCronItems,
  run,
  type Runner,
  type RunnerOptions,
  runMigrations,
  type WorkerEvents,
} from 'graphile-worker';
import { Pool } from 'pg';
import { withMigrationLock } from '#server/kernel/migrations/migration-lock.ts';
import { type Database, loginConfig, type Queryable } from '#server/kernel/db/database.ts';
import type { RoleLogin } from '#server/kernel/db/database-roles.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { openWorkerLife, type WorkerLife } from './worker-life.ts';

/** One kind of background work. It may be run again after a failure or a crash, so it must bear that. */
export type JobTask = (payload: unknown) => Promise<void>;

interface JobSchedule {
  readonly task: string;
  /** A crontab pattern in UTC: `0 18 * * *` is 02:00 in Shanghai. */
  readonly pattern: string;
  /** False: runs missed while nobody was up are left out (default: made up for). */
  readonly isMadeUpFor?: boolean;
  /** True: never two at once, and while one runs at most one more waits (default false). */
  readonly isAlone?: boolean;
}

export interface JobWorkerOptions {
  readonly login: RoleLogin;
  /** Makes the worker's tables and opens them to the login. */
  readonly owner: Pick<Database, 'url' | 'role' | 'grantees'>;
  readonly tasks: Readonly<Record<string, JobTask>>;
  readonly schedule?: readonly JobSchedule[];
  /** Jobs at a time in this process (default 2). */
  readonly concurrency?: number;
  /** How often it looks for workers that died, in milliseconds (default 3,000). */
  readonly lookMs?: number;
  readonly onFault: (message: string, details: unknown) => void;
}

export interface JobWorker {
  /** Lets running jobs end, then stops. */
  readonly stop: () => Promise<void>;
}

export interface JobOptions {
  readonly runAt?: Date;
  /** A second job with the same key replaces the first while that waits. */
  readonly key?: string;
  /** Jobs of one queue run one after the other. */
  readonly queue?: string;
  readonly maxAttempts?: number;
}

/**
 * Starts working off jobs. Each process may run one: a job runs in one of them, a scheduled one once. The worker has
 * connections of its own, since it listens and reads columns in its own way.
 */
export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const concurrency = options.concurrency ?? 2;
  const pool = new Pool({
    ...loginConfig(options.login),
    application_name: 'trade-erp-jobs',
    max: concurrency + 2,
    connectionTimeoutMillis: 10_000,
    // Its statements are short; one that gets no answer must not hold up the end of the program.
    query_timeout: 30_000,
  });
  const onLost = (error: Error): void => options.onFault('job connection lost', error);
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const logger = faultLogger(options.onFault);
  await prepareTables(options.owner, logger);
  const life = await openWorkerLife(options);
  const runnerOptions: RunnerOptions = {
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger,
    // Reported one by one, an end that the database does not take is a rejection that nobody hears, and ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: Object.fromEntries(
      Object.entries(options.tasks).map(([name, task]) => [name, (payload: unknown) => task(payload)]),
    ),
    parsedCronItems: parseCronItems(
      (options.schedule ?? []).map(({ task, pattern, isMadeUpFor = true, isAlone = false }) => ({
        task,
        match: pattern,
        identifier: task,
        // A night that nobody was up for is made up for in the morning.
        options: {
          backfillPeriod: isMadeUpFor ? 24 * 60 * 60 * 1000 : 0,
          maxAttempts: 5,
          ...(isAlone ? { queueName: task, jobKey: task, jobKeyMode: 'replace' as const } : {}),
        },
      })),
    ),
  };
  const stop = await runAlways(runnerOptions, life);
  return {
    stop: async () => {
      await stop();
      await life.stop();
      await pool.end();
    },
  };
}

/** Processes that start together would make the worker's tables at the same time. */
async function prepareTables(owner: JobWorkerOptions['owner'], logger: Logger): Promise<void> {
  const pool = new Pool({ ...loginConfig(owner), max: 2 });
  // A lost connection shows in the migration itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await withMigrationLock(owner, async (session) => {
      await runMigrations({ pgPool: pool, logger });
      if (owner.grantees !== null) await openTables(session, owner.grantees.application);
    });
  } finally {
    await pool.end();
  }
}

const SCHEMA = 'graphile_worker';
/** The worker closes its tables to everybody but their owner, by grants and by row level security. */
const CLOSED = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = '${SCHEMA}' and c.relkind = 'r' and (c.relrowsecurity or not has_table_privilege($1, c.oid, 'INSERT'))`;

async function openTables(session: Queryable, role: string): Promise<void> {
  const closed = await session.query<{ name: string }>(CLOSED, [role]);
  if (closed.length === 0) return;
  const to = quoteName(role);
  await session.execute(`grant usage on schema ${SCHEMA} to ${to}`);
  await session.execute(`grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${to}`);
  await session.execute(`grant usage on all sequences in schema ${SCHEMA} to ${to}`);
  for (const { name } of closed)
    await session.execute(`alter table ${SCHEMA}.${quoteName(name)} disable row level security`);
}

const AGAIN_MS = 2_000;

/** Runs the worker, and again when it gave up: it does when the database was away at the wrong moment. The answer stops it. */
async function runAlways(options: RunnerOptions, life: WorkerLife): Promise<() => Promise<void>> {
  const ending = new AbortController();
  let name: string | null = null;
  const start = (): Promise<Runner> => {
    const events: WorkerEvents = new EventEmitter();
    // Before it asks for its first job.
    events.on('pool:create', ({ workerPool }) => {
      name = workerPool.id;
      life.begin(name);
    });
    return run({ ...options, events });
  };
  let runner: Runner = await start();
  const watch = async (): Promise<void> => {
    for (;;) {
      await runner.promise.catch(() => undefined);
      if (name !== null) life.end(name);
      name = null;
      const next = await startAgain();
      if (next === null) return;
      runner = next;
    }
  };
  const startAgain = async (): Promise<Runner | null> => {
    while (!ending.signal.aborted) {
      await delay(AGAIN_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (ending.signal.aborted) return null;
      // The fault was logged by the worker itself.
      const next = await start().catch(() => null);
      if (next !== null && !ending.signal.aborted) return next;
      await next?.stop();
    }
    return null;
  };
  const watching = watch();
  return async () => {
    ending.abort();
    // It may have stopped by itself a moment ago.
    await runner.stop().catch(() => undefined);
    await watching;
  };
}

/** Queues a job; within a transaction it exists only once that is committed. A worker must have been started once on this database. */
export async function addJob(
  on: Queryable,
  task: string,
  payload: unknown,
  options: JobOptions = {},
): Promise<void> {
  await on.query(
    `select graphile_worker.add_job($1::text, payload := $2::json, run_at := $3::timestamptz, job_key := $4::text,
       queue_name := $5::text, max_attempts := coalesce($6::int, 5))`,
    [
      task,
      JSON.stringify(payload ?? null),
      options.runAt?.toISOString() ?? null,
      options.key ?? null,
      options.queue ?? null,
      options.maxAttempts ?? null,
    ],
  );
}

/**
 * SQL that is true while a job of a task runs, or will run, whose payload `{ id }` names what `id` (an expression) gives.
 * A restored database has none: jobs are no part of a backup.
 */
export function hasJob(task: string, id: string): string {
  return `exists (select 1 from ${SCHEMA}._private_jobs j join ${SCHEMA}._private_tasks k on k.id = j.task_id
    where k.identifier = '${task}' and j.payload ->> 'id' = ${id}::text
      and (j.locked_at is not null or j.attempts < j.max_attempts))`;
}

/** Those of some records for which no job of a kind runs or is still to run. */
export async function withoutJob(
  session: Queryable,
  task: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await session.query<{ id: string }>(
    `select w.id::text as id from unnest($1::uuid[]) as w(id) where not ${hasJob(task, 'w.id')}`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const FAULT_LEVELS: ReadonlySet<string> = new Set(['error', 'warning']);

function faultLogger(onFault: JobWorkerOptions['onFault']): Logger {
  return new Logger(() => (level, message, meta) => {
    if (FAULT_LEVELS.has(level)) onFault(message, meta);
  });
}
