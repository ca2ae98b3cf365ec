import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostmaster } from '#server/kernel/postgres/postmaster.ts';
import { postgresProcessesIn } from '#server/kernel/postgres/process-identity.ts';
import { addJob } from '#server/kernel/worker.ts';
import { type Example, type Reply, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;
let cluster: string;

beforeAll(async () => {
  // On a database server of its own, which this test may harm.
  example = await startExample({ DATABASE_URL: '', LOG_LEVEL: 'fatal' });
  cluster = join(example.config.dataDir, 'postgres', 'cluster');
  token = await example.signIn('sp.aa', 'SP');
}, 600_000);
afterAll(async () => {
  await signalAll('SIGCONT');
  await example.close();
});

async function signalAll(name: NodeJS.Signals): Promise<void> {
  for (const pid of await postgresProcessesIn(cluster)) process.kill(pid, name);
}

/** Kills the server and gives its process id. Those that it served with may answer for a moment yet. */
async function killServer(): Promise<number> {
  await expect.poll(async () => (await findPostmaster(cluster))?.status, { timeout: 10_000 }).toBe('ready');
  const pid = (await findPostmaster(cluster))?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Waits until another server than the one of `pid` is there and the program is ready on it. */
async function comeBack(pid: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const running = await findPostmaster(cluster);
        return running !== null && running.pid !== pid && running.status === 'ready' ? ready() : null;
      },
      { timeout: 10_000, interval: 100 },
    )
    .toBe(200);
}

const save = (title: string): Promise<Reply> =>
  example.call('POST', '/erp/api/data/note', { token, body: { title } });
const titles = async (keyword: string): Promise<number> => {
  const { status, body } = await example.call('POST', '/erp/api/data/note/query', {
    token,
    body: { keyword },
  });
  return status === 200 ? (body.data as { total: number }).total : -1;
};
const ready = async (): Promise<number> => (await example.call('GET', '/ready')).status;
const health = async (): Promise<string> =>
  ((await example.call('GET', '/health')).body.data as { database: { status: string } }).database.status;

describe.runIf(process.platform === 'linux')('when the embedded server is killed', () => {
  it('comes back at its address and serves what was committed, within ten seconds', async () => {
    expect((await save('被杀之前')).status).toBe(200);
    await comeBack(await killServer());
    expect(await titles('被杀之前')).toBe(1);
    expect((await save('被杀之后')).status).toBe(200);
    expect(await ready()).toBe(200);
  });

  it('answers requests under way, each with success or 503, and none is half done', async () => {
    const statuses: number[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 12; n += 1) statuses.push((await save(`并发${writer}之${n}`)).status);
    });
    const killed = await killServer();
    await Promise.all(writers);
    await comeBack(killed);
    expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await titles('并发')).toBeGreaterThanOrEqual(statuses.filter((status) => status === 200).length);
  });

  it('goes on with messages between processes and with jobs', async () => {
    const { bus, db } = example.server.services;
    const heard: string[] = [];
    const stop = bus.listen('still-there', ({ ids }) => heard.push(...ids));
    await comeBack(await killServer());
    await expect
      .poll(
        async () => {
          await bus.publish(db, 'still-there', ['one']).catch(() => undefined);
          return heard.length;
        },
        { timeout: 10_000, interval: 300 },
      )
      .toBeGreaterThan(0);
    stop();
    const before = await db.query('select count(*)::int as n from sys_idempotency');
    await db.execute(`insert into sys_idempotency (key, body_hash, at) values ('old', '', '2020-01-01')`);
    await addJob(db, 'clean_up', null);
    await expect
      .poll(() => db.query('select count(*)::int as n from sys_idempotency'), { timeout: 20_000 })
      .toEqual(before);
  });
});

describe.runIf(process.platform === 'linux')('when the database is frozen', () => {
  it('answers probes at once, ends requests with 503, and goes on when it thaws', async () => {
    expect(await health()).toBe('up');
    await signalAll('SIGSTOP');
    const started = Date.now();
    const inFlight = save('冻结之时');
    expect(await ready()).toBe(503);
    expect(Date.now() - started).toBeLessThan(2_000);
    expect((await inFlight).status).toBe(503);
    await expect.poll(health, { timeout: 20_000 }).toBe('down');
    const refused = await save('冻结之后');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(Date.now() - started).toBeLessThan(30_000);
    await signalAll('SIGCONT');
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    await expect.poll(async () => (await save('解冻之后')).status, { timeout: 10_000 }).toBe(200);
    expect(await health()).toBe('up');
  }, 60_000);
});
