import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { addJob, type JobTask, type JobWorker, startJobWorker } from '#server/kernel/worker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let db: Database;
let workers: JobWorker[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url });
});
afterEach(async () => {
  for (const worker of workers) await worker.stop();
  workers = [];
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function start(tasks: Record<string, JobTask>): Promise<void> {
  const options = { login: db, owner: db, tasks, lookMs: 500, onFault: () => undefined };
  workers.push(...(await Promise.all([startJobWorker(options), startJobWorker(options)])));
}

/** A promise that is kept when `open` is called. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const kept: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    kept.open = resolve;
  });
  return { opened, open: () => kept.open?.() };
}

describe('background jobs', () => {
  it('run once, in whichever process takes them, when their transaction is committed', async () => {
    const done: unknown[] = [];
    await start({ note: async (payload) => void done.push(payload) });
    await db.transaction((tx) => addJob(tx, 'note', { n: 1 }));
    await db
      .transaction(async (tx) => {
        await addJob(tx, 'note', { n: 2 });
        throw new RangeError('undone');
      })
      .catch(() => undefined);
    await addJob(db, 'note', { n: 3 });
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(2);
    expect(done).toEqual(expect.arrayContaining([{ n: 1 }, { n: 3 }]));
  });

  it('are replaced by a later job with the same key while they wait', async () => {
    const done: unknown[] = [];
    await start({ remind: async (payload) => void done.push(payload) });
    await addJob(db, 'remind', 'first', { key: 'k', runAt: new Date(Date.now() + 60_000) });
    await addJob(db, 'remind', 'second', { key: 'k' });
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['second']);
  });

  it('are finished before the worker stops', async () => {
    const done: string[] = [];
    await start({
      slow: async () => {
        done.push('begun');
        await new Promise((wake) => setTimeout(wake, 300));
        done.push('ended');
      },
    });
    await addJob(db, 'slow', null);
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(1);
    for (const worker of workers) await worker.stop();
    workers = [];
    expect(done).toEqual(['begun', 'ended']);
  });
});

describe('jobs that a dead process has locked', () => {
  const IN_QUEUE = { queue: 'one by one' };
  const LOCKS = `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1;
    update graphile_worker._private_job_queues set locked_by = 'pool-dead', locked_at = now()`;
  const locked = () =>
    db.query(`select locked_by from graphile_worker._private_job_queues where locked_by is not null`);

  it('run again, and so does what waits behind them in their queue', async () => {
    await addJob(db, 'line', 'cut off', IN_QUEUE);
    await db.execute(LOCKS);
    await addJob(db, 'line', 'behind', IN_QUEUE);
    const done: unknown[] = [];
    await start({ line: async (payload) => void done.push(payload) });
    await expect.poll(() => done, { timeout: 20_000 }).toEqual(['cut off', 'behind']);
  });

  it('are left alone while it lives, and while its connection is made again', async () => {
    const runs: unknown[] = [];
    const { opened, open } = gate();
    await start({
      line: async (payload) => {
        runs.push(payload);
        await opened;
      },
    });
    await addJob(db, 'line', 'long', IN_QUEUE);
    await expect.poll(() => runs, { timeout: 10_000 }).toEqual(['long']);
    const [before] = await locked();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ cut: boolean }>(
      `select pg_terminate_backend(pid) as cut from pg_stat_activity
       where application_name = 'trade-erp-jobs life' and datname = current_database()`,
    );
    expect(rows.map(({ cut }) => cut)).toEqual([true, true]);
    // Another's that died meanwhile is freed, which shows that there was time enough for it.
    await client.query(`insert into graphile_worker._private_job_queues (queue_name, locked_by, locked_at)
      values ('of another', 'pool-dead', now())`);
    await client.end();
    await expect.poll(async () => (await locked()).length, { timeout: 20_000 }).toBe(1);
    expect(await locked()).toEqual([before]);
    expect(runs).toEqual(['long']);
    open();
  });
});
