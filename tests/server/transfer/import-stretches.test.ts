import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { gatheredFrom, gatheredText, joinGathered } from '#server/workflow/events/gathered-events.ts';
import type { SubjectNow } from '#server/workflow/transfer/export-standing.ts';
import { resumeImports } from '#server/workflow/transfer/import-job.ts';
import type { Example, Reply } from '../support/running-example.ts';
import { startTransferExample } from './transfer-example.ts';

let example: Example;
let manager: string;
beforeAll(async () => {
  example = await startTransferExample();
  manager = await example.signIn('tm.aa', 'TM');
  await example.owner.execute(`
    create function refuse_halfway() returns trigger language plpgsql as $$ begin raise exception 'halfway'; end $$`);
});
afterAll(() => example.close());

const PER_STRETCH = 200;

/** Checks a csv file; the id of its import. */
const checked = async (resource: string, rows: readonly string[]): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([new TextEncoder().encode(rows.join('\n'))]), '数据.csv');
  const path = `/erp/api/data/${resource}/import`;
  const reply = await example.call('POST', path, { token: manager, body: form });
  expect(reply.body.msg).toBe('操作成功');
  const preview: { importId: string } = reply.body.data;
  return preview.importId;
};
const commit = (resource: string, id: string, key?: string): Promise<Reply> =>
  example.call('POST', `/erp/api/data/${resource}/import/${id}/commit`, {
    token: manager,
    body: {},
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const query = (text: string, values: readonly unknown[] = []) =>
  example.server.services.db.query(text, values);
const itemsLike = async (code: string) => {
  const [counted] = await query(
    `select count(*)::int as items, count(distinct code)::int as codes from trade_item where code like $1`,
    [`${code}-%`],
  );
  return counted;
};
const audits = () =>
  query(`select opinion from sys_audit where action = 'import' and resource = 'trade_item' order by id`);

/** Lets the row of a code be written by nobody while something is done. */
async function failingAt<T>(code: string, work: () => Promise<T>): Promise<T> {
  await example.owner.execute(
    `create trigger halfway before insert on trade_item for each row when (new.code = '${code}') execute function refuse_halfway()`,
  );
  try {
    return await work();
  } finally {
    await example.owner.execute('drop trigger halfway on trade_item');
  }
}

test.each([
  ['another key', () => randomUUID()],
  ['the same key', (key: string) => key],
  ['no key', () => undefined],
])('what fails halfway keeps what is written, and goes on behind it once: with %s', async (name, keyOf) => {
  const code = name.replaceAll(' ', '');
  const before = (await audits()).length;
  const rows = Array.from({ length: 450 }, (_row, index) => `${code}-${index},货${index}`);
  rows[10] = `${code}-9,重复`;
  const id = await checked('trade_item', ['编码,名称', ...rows]);
  // Taken by somebody else since the check: refused in the first stretch, and told at the end.
  await example.call('POST', '/erp/api/data/trade_item', {
    token: manager,
    body: { code: `${code}-3`, name: '抢先' },
  });
  const key = randomUUID();
  const failed = await failingAt(`${code}-430`, () => commit('trade_item', id, key));
  expect(failed.status).toBe(500);
  // 449 good rows in stretches of 200: two are there, with the one that somebody else has made.
  expect(await itemsLike(code)).toEqual({ items: 400, codes: 400 });
  expect(await audits()).toHaveLength(before);
  const done = await commit('trade_item', id, keyOf(key));
  expect(done.body.data).toMatchObject({
    created: 448,
    updated: 0,
    skipped: 2,
    rows: [{ row: 5, errors: [{ message: '编码已存在' }] }],
  });
  expect(await itemsLike(code)).toEqual({ items: 449, codes: 449 });
  expect((await audits()).slice(before)).toEqual([
    { opinion: '导入文件“数据.csv”：新增448行，更新0行，未写入2行' },
  ]);
  const again = await commit('trade_item', id);
  expect([again.status, again.body.msg]).toEqual([409, '该导入已处理']);
});

test('while an import waits others draw numbers of its series, and it is written by one call at a time', async () => {
  const post = () =>
    example.call('POST', '/erp/api/data/trade_paper', {
      token: manager,
      body: { buyer: '旁人', items: [{ goods: 'g', quantity: '1' }] },
    });
  const held: { id: string; paper_no: string } = (await post()).body.data;
  const rows = Array.from({ length: PER_STRETCH }, (_row, index) => `,客户${index},g,1`);
  const id = await checked('trade_paper', ['单据号,客户,商品,数量', ...rows, `${held.paper_no},旁人,g,2`]);
  let writing: Promise<Reply> | null = null;
  await example.owner.transaction(async (tx) => {
    await tx.query('select id from trade_paper where id = $1 for update', [held.id]);
    writing = commit('trade_paper', id);
    const isThere = `select count(*)::int as n from trade_paper where buyer like '客户%'`;
    await expect.poll(async () => (await query(isThere))[0]?.['n'], { timeout: 9_000 }).toBe(PER_STRETCH);
    const second = await commit('trade_paper', id);
    expect([second.status, second.body.msg]).toEqual([409, '该导入正在写入，请稍候']);
    expect((await post()).status).toBe(200);
  });
  expect((await (writing ?? commit('trade_paper', id))).body.data).toMatchObject({
    created: PER_STRETCH,
    updated: 1,
    skipped: 0,
  });
});

test('no stretch begins under other definitions than the first one: the next try goes on under those', async () => {
  const { definitions } = example.server.services;
  const held: { id: string } = (
    await example.call('POST', '/erp/api/data/trade_item', {
      token: manager,
      body: { code: 'DEF-200', name: '旧' },
    })
  ).body.data;
  const rows = Array.from({ length: 2 * PER_STRETCH + 1 }, (_row, index) => `DEF-${index},货${index}`);
  const id = await checked('trade_item', ['编码,名称', ...rows]);
  let writing: Promise<Reply> | null = null;
  const catalog = vi.spyOn(definitions, 'catalog');
  await example.owner.transaction(async (tx) => {
    await tx.query('select id from trade_item where id = $1 for update', [held.id]);
    writing = commit('trade_item', id);
    await expect.poll(() => itemsLike('DEF'), { timeout: 9_000 }).toMatchObject({ items: PER_STRETCH + 1 });
    catalog.mockReturnValue({ ...definitions.catalog() });
  });
  const stopped = await (writing ?? commit('trade_item', id));
  catalog.mockRestore();
  expect([stopped.status, stopped.body.msg]).toEqual([409, '写入期间系统定义已更新，请重试，将从中断处继续']);
  expect(await itemsLike('DEF')).toMatchObject({ items: 2 * PER_STRETCH });
  expect((await commit('trade_item', id)).body.data).toMatchObject({
    created: 2 * PER_STRETCH,
    updated: 1,
    skipped: 0,
  });
});

test('an import whose process died is free at once', async () => {
  const id = await checked('trade_item', ['编码,名称', 'DEAD-1,甲']);
  await query(`update sys_import set claim = $2, owner = 1, claimed_at = now() where id = $1`, [
    id,
    randomUUID(),
  ]);
  expect((await commit('trade_item', id)).body.data).toMatchObject({ created: 1, skipped: 0 });
});

test.each<[string, SubjectNow, number]>([
  ['is finished for whoever asked for it', (subject) => Promise.resolve(subject), 250],
  ['stays as it is once he stands otherwise', (subject) => Promise.resolve({ ...subject, role_code: 'FN' }), 200],
  ['stays as it is once he is gone', () => Promise.resolve(null), 200],
])('an import that stopped halfway and was left %s', async (name, subjectNow, items) => {
  const code = `LEFT${name.length}`;
  const rows = Array.from({ length: 250 }, (_row, index) => `${code}-${index},货${index}`);
  const id = await checked('trade_item', ['编码,名称', ...rows]);
  await failingAt(`${code}-240`, () => commit('trade_item', id));
  // He may try again himself; only what is left alone is taken up.
  await resumeImports(example.server.services, subjectNow);
  expect(await itemsLike(code)).toEqual({ items: 200, codes: 200 });
  await query(`update sys_import set claimed_at = now() - interval '5 minutes' where id = $1`, [id]);
  await resumeImports(example.server.services, subjectNow);
  expect(await itemsLike(code)).toEqual({ items, codes: items });
  const [kept] = await query('select status from sys_import where id = $1', [id]);
  expect(kept?.['status']).toBe(items === 250 ? 'committed' : 'checked');
}); // prettier-ignore

test('what ends every try is taken up three times by itself, and by the person as long as he likes', async () => {
  const rows = Array.from({ length: 250 }, (_row, index) => `TRY-${index},货${index}`);
  const id = await checked('trade_item', ['编码,名称', ...rows]);
  const subjectNow: SubjectNow = (subject) => Promise.resolve(subject);
  const left = () => query(`update sys_import set claimed_at = now() - interval '5 minutes' where id = $1`, [id]);
  await failingAt('TRY-240', async () => {
    await commit('trade_item', id);
    for (let tries = 0; tries < 3; tries += 1) {
      await left();
      await resumeImports(example.server.services, subjectNow);
    }
  });
  await left();
  await resumeImports(example.server.services, subjectNow);
  expect(await itemsLike('TRY')).toEqual({ items: 200, codes: 200 });
  expect((await commit('trade_item', id)).body.data).toMatchObject({ created: 250, skipped: 0 });
}); // prettier-ignore

test('what the stretches of an import would tell is told as if they were one', () => {
  const channels: ReadonlySet<string> = new Set(['live']);
  const source = { title: '到账', content: null, level: 'info', roles: [], parts: new Set(['owner']), channels };
  const told = (to: string, no: number) => ({ event: 'E', source, to: [to], company: 'AA', words: { no: String(no) }, title: '到账', content: `第${no}条`, resource: 'trade_item' });
  const group = (to: string, from: number, count: number) => ({
    first: Array.from({ length: Math.min(count, 5) }, (_one, at) => told(to, from + at)),
    count,
  });
  const before = gatheredFrom(gatheredText([group('甲', 1, 3), group('乙', 50, 1)]));
  const joined = gatheredFrom(gatheredText(joinGathered(before, [group('甲', 4, 90)])));
  expect(joined).toEqual([{ ...group('甲', 1, 5), count: 93 }, group('乙', 50, 1)]);
  expect(joined[0]?.first[0]?.source.channels).toEqual(channels);
}); // prettier-ignore
