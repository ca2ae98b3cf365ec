import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { subjectNow } from '#server/auth/subject.ts';
import { EXPORT_TASK, exportTasks } from '#server/workflow/transfer/export-job.ts';
import type { Example } from '../support/running-example.ts';
import { cellsOf, download, startTransferExample, textsOf } from './transfer-example.ts';

/** Lines above the header: whose list, by what conditions, who took it out. */
const ABOVE = 3;

let example: Example;
let sales: string;
let manager: string;
beforeAll(async () => {
  example = await startTransferExample();
  sales = await example.signIn('sp.aa', 'SP');
  manager = await example.signIn('tm.aa', 'TM');
});
afterAll(() => example.close());

interface Created {
  readonly id: string;
}
interface Job {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly message: string;
}

const create = async (token: string, body: unknown): Promise<Created> => {
  const made = await example.call('POST', '/erp/api/data/trade_item', { token, body });
  expect(made.body.msg).toBe('保存成功');
  return made.body.data;
};
const exported = (token: string, body: unknown) =>
  download(example, { method: 'POST', path: '/data/trade_item/export', token, body });

const auditsOf = (action: string) =>
  example.server.services.db.query(
    `select person_name, co_code, opinion from sys_audit where resource = 'trade_item' and action = $1 order by at, id`,
    [action],
  );

test('cells are numbers, dates and texts as the list shows them', async () => {
  await create(manager, {
    code: 'A-1', name: '=HYPERLINK("http://x","y")', quantity: '12.5', price: '1234.50', rate: '13', made_on: '2026-03-31',
    seen_at: '2026-03-31T02:30:00Z', pieces: 7, grade: 'b', is_open: true, id_no: '110101199003074518', cost: '9.90',
  }); // prettier-ignore
  const file = await exported(manager, { filters: { code: { eq: 'A-1' } } });
  expect([file.status, file.type]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
  const [whose, by, , titles, cells, sums] = await cellsOf(file.bytes);
  expect(whose?.[0]?.text).toMatch(/.+ 货品表$/);
  expect(by?.[0]?.text).toBe('条件：编码为「A-1」');
  expect(sums?.map((cell) => cell?.text ?? '').filter((text) => text !== '')).toEqual([
    '合计 CNY',
    '15431.25',
  ]);
  expect(titles?.map((cell) => cell?.text)).toEqual([
    '编码',
    '名称',
    '数量',
    '单价',
    '金额',
    '退税率',
    '生产日期',
    '检验时间',
    '件数',
    '等级',
    '负责人',
    '公开',
    '证件号',
    '成本',
  ]);
  expect(cells).toMatchObject([
    { text: 'A-1', kind: 'text' },
    { text: '=HYPERLINK("http://x","y")', kind: 'text' },
    { text: '12.5000', kind: 'number' },
    { text: '1234.50', kind: 'number' },
    { text: '15431.25', kind: 'number' },
    { text: '13.0000', kind: 'number' },
    { text: '46112', kind: 'date' },
    { text: expect.stringMatching(/^46112\.4375/), kind: 'date' },
    { text: '7', kind: 'number' },
    { text: '二等', kind: 'text' },
    null,
    { text: '是', kind: 'text' },
    { text: '110101199003074518', kind: 'text' },
    { text: '9.90', kind: 'number' },
  ]);
});

test('rows, hidden fields and masks are those of the list', async () => {
  const own = await create(sales, { code: 'S-1', name: '本人的' });
  await example.server.services.db.query(`update trade_item set id_no = '110101199003074518' where id = $1`, [
    own.id,
  ]);
  const rows = (await textsOf((await exported(sales, {})).bytes)).slice(ABOVE);
  expect(rows[0]).not.toContain('成本');
  expect(rows.slice(1).map((row) => row[0])).toEqual(['S-1']);
  expect(rows[1]).toContain('110***********4518');
  const refused = await exported(sales, { columns: ['code', 'cost'] });
  expect([refused.status, refused.bytes.toString()]).toEqual([400, expect.stringContaining('未知字段')]);
  const finance = await example.signIn('fn.aa', 'FN');
  expect((await exported(finance, {})).status).toBe(403);
});

test('the audit tells who took out how many rows by what conditions; a refused export leaves nothing', async () => {
  await create(manager, { code: 'Z-1', name: '留痕甲' });
  await create(manager, { code: 'Z-2', name: '留痕乙' });
  const before = await auditsOf('export');
  const file = await exported(manager, {
    filters: { code: { in: ['Z-1', 'Z-2'] } },
    keyword: '留痕',
    columns: ['code'],
  });
  expect(file.status).toBe(200);
  const finance = await example.signIn('fn.aa', 'FN');
  expect((await exported(finance, {})).status).toBe(403);
  const [entry, ...more] = (await auditsOf('export')).slice(before.length);
  expect(more).toEqual([]);
  const { name } = (await example.call('GET', '/erp/api/sys/session', { token: manager })).body.data;
  expect(entry).toEqual({
    person_name: name,
    co_code: 'AA',
    opinion: '导出2行；条件：编码为「Z-1」或「Z-2」；关键字：留痕；列：编码',
  });
});

test('columns follow references and come in the order asked for', async () => {
  const people = await example.call('POST', '/erp/api/data/person/query', {
    token: manager,
    body: { filters: { personid: { eq: 'sp.aa' } } },
  });
  const { records }: { records: { id: string; name: string; _labels: { dept_id: string } }[] } =
    people.body.data;
  await create(manager, { code: 'R-1', name: '有负责人', owner_id: records[0]?.id });
  const file = await exported(manager, {
    filters: { code: { eq: 'R-1' } },
    columns: ['owner_id.dept_id', 'owner_id', 'code'],
  });
  expect((await textsOf(file.bytes)).slice(ABOVE)).toEqual([
    ['负责人·部门', '负责人', '编码'],
    [records[0]?._labels.dept_id, records[0]?.name, 'R-1'],
  ]);
});

test('more than 5,000 rows are written by a job, which its person follows, gets or cancels', async () => {
  const { db } = example.server.services;
  await db.query(
    `insert into trade_item (id, co_code, version, status, code, name, quantity, is_deleted, sales_id, created_at)
     select gen_random_uuid(), 'AA', 1, 'active', 'M-' || n, '批量 ' || n, n, false, null, now() from generate_series(1, 20000) n`,
  );
  const body = {
    filters: { code: { startswith: 'M-' } },
    columns: ['code', 'quantity'],
    sorters: ['quantity'],
  };
  const answer = await example.call('POST', '/erp/api/data/trade_item/export', { token: manager, body });
  const { jobId }: { jobId: string } = answer.body.data;
  const follow = async (): Promise<Job> =>
    (await example.call('GET', `/erp/api/jobs/${jobId}`, { token: manager })).body.data;
  expect((await example.call('GET', `/erp/api/jobs/${jobId}`, { token: sales })).status).toBe(404);
  let job = await follow();
  for (let tries = 0; job.status === 'running' && tries < 300; tries += 1) {
    await delay(50);
    job = await follow();
  }
  expect(job).toEqual({ id: jobId, status: 'done', progress: 1, message: '已完成' });
  const file = await download(example, { method: 'GET', path: `/jobs/${jobId}/file`, token: manager });
  const rows = (await textsOf(file.bytes)).slice(ABOVE);
  expect([rows.length, rows[1], rows.at(-1)]).toEqual([20_001, ['M-1', '1.0000'], ['M-20000', '20000.0000']]);
  expect((await auditsOf('export')).at(-1)).toEqual({
    person_name: expect.any(String),
    co_code: 'AA',
    opinion: '导出20000行；条件：编码以「M-」开头；列：编码、数量',
  });
  expect((await download(example, { method: 'GET', path: `/jobs/${jobId}/file`, token: sales })).status).toBe(
    404,
  );
  const second: { jobId: string } = (
    await example.call('POST', '/erp/api/data/trade_item/export', { token: manager, body })
  ).body.data;
  expect((await example.call('DELETE', `/erp/api/jobs/${second.jobId}`, { token: manager })).status).toBe(
    200,
  );
  const cancelled: Job = (await example.call('GET', `/erp/api/jobs/${second.jobId}`, { token: manager })).body
    .data;
  expect(cancelled.status).toBe('cancelled');
  expect(
    (await download(example, { method: 'GET', path: `/jobs/${second.jobId}/file`, token: manager })).status,
  ).toBe(409);
});

test('a file of one role is not handed to another, nor written for one that is lost', async () => {
  const { services } = example.server;
  const { db } = services;
  const [done] = await db.query(
    `select id, input from sys_job where status = 'done' and kind = 'export' limit 1`,
  );
  const fileFor = async (token: string) =>
    (await download(example, { method: 'GET', path: `/jobs/${String(done?.['id'])}/file`, token })).status;
  const roles = `update person set role_ids = array(select id from role where code = any($1)) where personid = 'tm.aa'`;
  await example.owner.execute(roles, [['TM', 'AD']]);
  expect(await fileFor(await example.signIn('tm.aa', 'AD'))).toBe(403);
  expect(await fileFor(await example.signIn('tm.aa', 'TM'))).toBe(200);
  // It waited while the role went.
  await example.owner.execute(roles, [['AD']]);
  const waiting = async () => {
    const [job] = await db.query(
      `insert into sys_job (id, co_code, person_id, kind, title, status, input)
       select gen_random_uuid(), co_code, person_id, kind, title, 'waiting', input from sys_job where id = $1 returning id`,
      [done?.['id']],
    );
    const tasks = exportTasks(services, (subject) => subjectNow(services, subject));
    await tasks[EXPORT_TASK]?.({ id: job?.['id'] });
    return (await db.query('select status, error, file_key from sys_job where id = $1', [job?.['id']]))[0];
  };
  expect(await waiting()).toEqual({
    status: 'failed',
    error: expect.stringContaining('岗位'),
    file_key: null,
  });
  await example.owner.execute(roles, [['TM']]);
  expect(await waiting()).toMatchObject({ status: 'done', error: null });
});
