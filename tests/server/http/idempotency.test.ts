import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;
beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
});
afterAll(() => example.close());

const save = (key: string, title: string) =>
  example.call('POST', '/erp/api/data/note', { token, headers: { 'idempotency-key': key }, body: { title } });
const db = () => example.server.services.db;
const countOf = async (title: string): Promise<number> => {
  const [row] = await db().query('select count(*)::int as n from note where title = $1', [title]);
  return Number(row?.['n']);
};
/** What is left of the key of a write that keeps no answer of its own, some minutes after its process died. */
const loseAnswer = (key: string) =>
  db().execute(
    `update sys_idempotency set status = null, answer = null, at = now() - interval '5 minutes' where key = $1`,
    [key],
  );

test('a write without a kept answer is never made a second time', async () => {
  await save('lost-1', '提交后进程终止');
  await loseAnswer('lost-1');
  const again = await save('lost-1', '提交后进程终止');
  expect([again.status, again.body.msg]).toEqual([
    409,
    '上一次相同的请求已保存成功，但结果未能送达，请刷新后查看',
  ]);
  expect(await countOf('提交后进程终止')).toBe(1);
});

test('a process that dies before the commit leaves the key to the next try', async () => {
  await save('lost-2', '提交前进程终止');
  await db().execute(`delete from note where title = '提交前进程终止'`);
  await loseAnswer('lost-2');
  await db().execute(`update sys_idempotency set written_at = null where key = 'lost-2'`);
  expect((await save('lost-2', '提交前进程终止')).status).toBe(200);
  expect(await countOf('提交前进程终止')).toBe(1);
});

test('a change that changes nothing is answered again under its key', async () => {
  const { body } = await save('same-1', '没有变化');
  const { id } = body.data as { id: string };
  const change = (title: string) =>
    example.call('PATCH', `/erp/api/data/note/${id}`, {
      token,
      headers: { 'idempotency-key': 'same-2' },
      body: { version: 1, title },
    });
  const first = await change('没有变化');
  expect([first.status, first.body.data]).toMatchObject([200, { version: 1 }]);
  expect((await change('没有变化')).body).toEqual(first.body);
  expect((await change('别的标题')).status).toBe(422);
});

test('a request whose key was taken over while it worked writes nothing', async () => {
  await example.owner.execute(`
    create function steal_key() returns trigger language plpgsql as $$
    begin
      update sys_idempotency set claim = gen_random_uuid() where key = 'stolen';
      return new;
    end $$;
    create trigger steal_key before insert on note for each row when (new.title = '被接管的请求')
      execute function steal_key()`);
  const refused = await save('stolen', '被接管的请求');
  expect([refused.status, refused.body.msg]).toEqual([409, '相同的请求正在处理，请稍候']);
  expect(await countOf('被接管的请求')).toBe(0);
});

test('a change and a deletion asked for twice under one key happen once and answer the same', async () => {
  const { id } = (await save('first', '改一次')).body.data;
  const path = `/erp/api/data/note/${String(id)}`;
  const write = (method: 'PATCH' | 'DELETE', key: string, query = '', body?: object) =>
    example.call(method, `${path}${query}`, {
      token,
      headers: { 'idempotency-key': key },
      ...(body === undefined ? {} : { body }),
    });
  const change = () => write('PATCH', 'change', '', { version: 1, title: '改过一次' });
  const changed = await change();
  expect(changed.body.data).toMatchObject({ version: 2, title: '改过一次' });
  expect((await change()).body).toEqual(changed.body);
  const gone = () => write('DELETE', 'gone', '?version=2');
  const [first, second] = await Promise.all([gone(), gone()]);
  expect([first.status, second.status]).toEqual([200, 200]);
});

test('many at once with one key make one record and get one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => save('many', '同时八次')));
  for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body]);
  expect(await countOf('同时八次')).toBe(1);
});

test('a refusal that wrote nothing frees the key, for another try may succeed', async () => {
  const { id } = (await save('fresh', '版本')).body.data;
  const disable = () =>
    example.call('POST', `/erp/api/data/note/${String(id)}/actions/disable`, {
      token,
      headers: { 'idempotency-key': 'disable' },
      body: { version: 2 },
    });
  expect((await disable()).status).toBe(409);
  await example.call('PATCH', `/erp/api/data/note/${String(id)}`, {
    token,
    body: { version: 1, title: '新版本' },
  });
  const done = await disable();
  expect(done.body).toMatchObject({ code: 200, data: { status: 'disabled', version: 3 } });
  expect((await disable()).body).toEqual(done.body);
});

test('a file is part of what its key stands for: the same again gives its answer, another one is refused', async () => {
  const upload = async (name: string, text: string) => {
    const form = new FormData();
    form.append('files', new File([text], name));
    const answer = await fetch(`${example.server.url}/erp/api/files`, {
      method: 'POST',
      headers: { authorization: token, 'idempotency-key': 'file-1' },
      body: form,
    });
    const { data } = (await answer.json()) as { readonly data: unknown };
    return { status: answer.status, data, isReplayed: answer.headers.has('idempotency-replayed') };
  };
  const first = await upload('one.txt', '100');
  expect([first.status, first.isReplayed]).toEqual([200, false]);
  expect(await upload('one.txt', '100')).toEqual({ ...first, isReplayed: true });
  expect((await upload('one.txt', '200')).status).toBe(422);
  expect((await upload('two.txt', '100')).status).toBe(422);
});

test('an answer that only reads is not kept', async () => {
  const query = { token, body: {}, headers: { 'idempotency-key': 'reads-1' } };
  const answers = [
    await example.call('POST', '/erp/api/data/note/query', query),
    await example.call('POST', '/erp/api/data/note/query', query),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
    [200, null],
    [200, null],
  ]);
  expect(await example.owner.query(`select key from sys_idempotency where key = 'reads-1'`)).toEqual([]);
});

test('an answer is that of a role: under another one the key is refused', async () => {
  const give = `update person set role_ids = role_ids || array(select id from role where code = $2) where personid = $1`;
  await example.owner.execute(give, ['sp.aa', 'TM']);
  const other = await example.signIn('sp.aa', 'TM');
  const saveAs = (as: string) =>
    example.call('POST', '/erp/api/data/note', {
      token: as,
      headers: { 'idempotency-key': 'role-1' },
      body: { title: '换岗之前' },
    });
  const own = await example.signIn('sp.aa', 'SP');
  const first = await saveAs(own);
  expect(first.status).toBe(200);
  expect((await saveAs(other)).status).toBe(422);
  expect((await saveAs(own)).body).toEqual(first.body);
  expect(await countOf('换岗之前')).toBe(1);
});

test('files under one key, which are held together, are together no larger than one', async () => {
  const form = new FormData();
  for (const name of ['a.txt', 'b.txt']) form.append('files', new File(['x'.repeat(11_000_000)], name));
  const headers = { 'idempotency-key': 'file-2' };
  const reply = await example.call('POST', '/erp/api/files', { token, headers, body: form });
  expect([reply.status, reply.body.msg]).toEqual([
    413,
    '带 Idempotency-Key 的上传合计不能超过20M，请分次上传',
  ]);
});
