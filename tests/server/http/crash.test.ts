import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProcess } from '../../support/run-process.ts';
import { type Example, type Reply, startExample } from '../support/running-example.ts';

interface Lost {
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
}

let example: Example;
let token: string;
let lost: Readonly<Record<'atCommit' | 'before' | 'batch', Lost>>;
const rows: { id: string; version: number }[] = [];

/** A process of its own is killed in the middle of three writes: each sleeps in a trigger at that moment. */
beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
  await example.owner.execute(`
    create function sleep_a_little() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return new; end $$;
    create trigger slow_insert before insert on note for each row when (new.title = '写入时终止')
      execute function sleep_a_little();
    create constraint trigger slow_commit after insert on note deferrable initially deferred for each row
      when (new.title = '提交时终止') execute function sleep_a_little();
    create trigger slow_update before update on note for each row when (new.title = '第三条')
      execute function sleep_a_little()`);
  for (const title of ['第一条', '第二条', '第三条']) {
    const made = await example.call('POST', '/erp/api/data/note', { token, body: { title } });
    const { id, version } = made.body.data as { id: string; version: number };
    rows.push({ id, version });
  }
  lost = {
    atCommit: { path: '/erp/api/data/note', body: { title: '提交时终止' }, key: 'crash-1' },
    before: { path: '/erp/api/data/note', body: { title: '写入时终止' }, key: 'crash-2' },
    batch: { path: '/erp/api/data/note/actions/disable', body: rows, key: 'crash-3' },
  };
  await crashDuring(Object.values(lost));
}, 600_000);
afterAll(() => example.close());

async function crashDuring(writes: readonly Lost[]): Promise<void> {
  const { db, config } = example.server.services;
  const { child, url } = await startProcess({
    databaseUrl: db.url,
    dataDir: config.dataDir,
    resourcesDir: config.resourcesDir,
  });
  const answers = writes.map(({ path, body, key }) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }).catch(() => null),
  );
  const asleep = `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
  while ((await example.owner.query(asleep)).length < writes.length) await delay(20);
  child.kill('SIGKILL');
  expect(await Promise.all(answers)).toEqual(writes.map(() => null));
}

const again = ({ path, body, key }: Lost): Promise<Reply> =>
  example.call('POST', path, { token, body, headers: { 'idempotency-key': key } });
const notes = (title: string) =>
  example.owner.query('select id, version from note where title = $1 and not is_deleted', [title]);

test('who asks again after a crash during the commit gets the record at once, and there is one', async () => {
  const { status, body, headers } = await again(lost.atCommit);
  expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(await notes('提交时终止')).toEqual([{ id: (body.data as { id: string }).id, version: 1 }]);
  expect(body.data).toMatchObject({ title: '提交时终止', _actions: expect.any(Array) });
  expect((await again({ ...lost.atCommit, body: { title: '另一份' } })).status).toBe(422);
});

test('who asks again after a crash before the commit is served at once', async () => {
  const { status, headers } = await again(lost.before);
  expect([status, headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect(await notes('写入时终止')).toHaveLength(1);
});

test('a batch that a crash cut short is taken up where it stopped', async () => {
  const { status, body } = await again(lost.batch);
  expect(status).toBe(200);
  expect(body.data).toEqual(rows.map(({ id }) => ({ id, ok: true, msg: '操作成功' })));
  const disabled = await example.owner.query(
    `select count(*)::int as n from sys_audit where action = 'disable' group by record_id`,
  );
  expect(disabled).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
});
