import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;
beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
});
afterAll(() => example.close());

interface Note {
  readonly id: string;
  readonly version: number;
  readonly title: string;
}
interface List {
  readonly total: number;
  readonly records: readonly Note[];
}

const call = (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  example.call(method, `/erp/api${path}`, { token, headers, ...(body === undefined ? {} : { body }) });
const create = async (title: string): Promise<Note> =>
  (await call('POST', '/data/note', { title })).body.data;

test('a record is created, read, changed, found, told of and deleted over HTTP', async () => {
  const note = await create('第一张便笺');
  expect(note).toMatchObject({ version: 1, title: '第一张便笺' });
  expect((await call('GET', `/data/note/${note.id}`)).body.data).toMatchObject({
    id: note.id,
    _editable: expect.arrayContaining(['title']),
  });
  const changed = await call('PATCH', `/data/note/${note.id}`, { version: 1, title: '改过的便笺' });
  expect(changed.body).toMatchObject({ code: 200, msg: '保存成功', data: { version: 2 } });
  const stale = await call('PATCH', `/data/note/${note.id}`, { version: 1, title: '再改' });
  expect([stale.status, stale.body.msg]).toEqual([409, '单据已被他人修改，请刷新后重试']);
  expect(stale.body).toMatchObject({ data: null, current: { title: '改过的便笺' } });
  const list: List = (await call('POST', '/data/note/query', { keyword: 'ggdbj' })).body.data;
  expect(list.records.map(({ id }) => id)).toEqual([note.id]);
  const history = await call('GET', `/data/note/${note.id}/history`);
  expect(history.body.data).toMatchObject([
    { action: 'update', person_name: expect.any(String) },
    { action: 'create' },
  ]);
  expect((await call('DELETE', `/data/note/${note.id}?version=2`)).status).toBe(200);
  expect((await call('GET', `/data/note/${note.id}`)).status).toBe(404);
});

test('the same key and body make one record', async () => {
  const headers = { 'idempotency-key': 'k-1' };
  const first = await call('POST', '/data/note', { title: '一次' }, headers);
  const second = await call('POST', '/data/note', { title: '一次' }, headers);
  expect(second.body.data).toEqual(first.body.data);
  const list: List = (await call('POST', '/data/note/query', { filters: { title: { eq: '一次' } } })).body
    .data;
  expect(list.total).toBe(1);
  expect((await call('POST', '/data/note', { title: '两次' }, headers)).status).toBe(422);
});

test('hostile requests are refused in Chinese, never with 500', async () => {
  const note = await create('靶子');
  const deep = '{"and":['.repeat(9) + '{}' + ']}'.repeat(9);
  const attempts: [string, string, unknown][] = [
    ['POST', '/data/note', { title: '甲', nonsense: 1 }],
    ['POST', '/data/note', '{"title":"甲","__proto__":{"x":1}}'],
    ['POST', '/data/note', '{"title":1e400}'],
    ['POST', '/data/note', []],
    ['POST', '/data/note', null],
    ['POST', '/data/note/query', { filters: JSON.parse(deep) }],
    ['POST', '/data/note/query', { sorters: ['title desc; drop table note'] }],
    ['POST', '/data/note/query', { filters: { 'title"; --': { eq: 'x' } } }],
    ['POST', '/data/note/query', { filters: { id: { eq: 'not-a-uuid' } } }],
    ['POST', '/data/note/query', { filters: { version: { gt: '0x1F' } } }],
    ['POST', '/data/note/query', { filters: { created_at: { gt: 'gestern' } } }],
    ['POST', '/data/note/query', { pageSize: 1001 }],
    ['POST', '/data/note/query', { filtres: {} }],
    ['POST', '/data/note/query', { sorters: 'title' }],
    ['POST', '/data/note', undefined],
    ['POST', '/data/note/query', { currentPage: 1.5 }],
    ['PATCH', `/data/note/${note.id}`, { title: '没有版本' }],
    ['PATCH', `/data/note/${note.id}`, { version: '1', title: 'x' }],
    ['GET', '/data/note/not-a-uuid', undefined],
    ['GET', `/data/note/${note.id.replace(/.$/, '0')}x`, undefined],
    ['DELETE', `/data/note/${note.id}`, undefined],
    ['POST', `/data/note/${note.id}/actions/constructor`, { version: 1 }],
    ['POST', '/data/constructor/query', {}],
    ['POST', '/data/note/actions/disable', { records: 'x' }],
    ['POST', '/lookup/note/title', {}],
    ['POST', '/lookup/note/constructor', {}],
    ['GET', `/data/note/${note.id}/neighbours?filters=%7B`, undefined],
    ['POST', '/approval/tasks/query', { tab: 'all' }],
    ['POST', `/approval/${note.id}/approve`, { version: 1 }],
    ['GET', '/approval/record/note/x', undefined],
  ];
  for (const [method, path, body] of attempts) {
    const { status, body: reply } = await call(method, path, body);
    expect(
      status,
      `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(reply)}`,
    ).toBeGreaterThanOrEqual(400);
    expect(status, `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(reply)}`).toBeLessThan(500);
    expect(reply.msg, `${method} ${path}`).toMatch(/[\u4e00-\u9fff]/);
  }
  expect(
    (
      await call('POST', '/data/note/query', {
        filters: { title: { in: Array.from({ length: 200 }, (_, n) => `${n}`) } },
      })
    ).status,
  ).toBe(200);
});

test('a colleague without rights on the row and another company get 404', async () => {
  const note = await create('私人');
  for (const person of ['sp.ae']) {
    const other = await example.signIn(person, 'SP');
    const { status } = await example.call('GET', `/erp/api/data/note/${note.id}`, { token: other });
    expect(status).toBe(404);
    const patched = await example.call('PATCH', `/erp/api/data/note/${note.id}`, {
      token: other,
      body: { version: 1, title: 'x' },
    });
    expect(patched.status).toBe(404);
  }
});
