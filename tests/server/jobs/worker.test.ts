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
  const options = { login: db, owner: db, tasks, onFault: () => undefined };
  workers.push(...(await Promise.all([startJobWorker(options), startJobWorker(options)])));
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
