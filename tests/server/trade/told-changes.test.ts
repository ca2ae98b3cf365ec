import { afterAll, beforeAll, expect, it } from 'vitest';
import { linesOf } from '#server/records/read/attach-references.ts';
import { startTradeExample, type TradeExample } from './trade-example.ts';

let example: TradeExample;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  example = await startTradeExample();
  tokens['admin'] = await example.signIn('ad.aa', 'AD');
  tokens['boss'] = await example.signIn('gm.aa', 'GM');
}, 600_000);
afterAll(() => example.close());

const as = (who: string, method: string, path: string, body?: unknown) =>
  example.call(tokens[who] ?? '', method, path, body);

const idOf = async (table: 'role' | 'person', column: string, value: string): Promise<string> =>
  String(
    (await example.services.db.query(`select id from ${table} where ${column} = $1`, [value]))[0]?.['id'],
  );
const role = (code: string) => idOf('role', 'code', code);
const person = (personid: string) => idOf('person', 'personid', personid);

type Told = readonly (readonly [title: string, old: unknown, now: unknown])[];

/** The document of the newest question, as the one who decides on it reads it; the question is taken away then. */
async function asked(): Promise<{ readonly told: Told; readonly all: string }> {
  const { db } = example.services;
  const [row] = await db.query(
    `select id from setting_change where status = 'pending' order by id desc limit 1`,
  );
  const id = String(row?.['id']);
  const { data } = await as('boss', 'GET', `/data/setting_change/${id}`);
  const { data: history } = await as('boss', 'GET', `/data/setting_change/${id}/history`);
  await db.execute(`update setting_change set status = 'rejected' where id = $1`, [id]);
  const changes = linesOf(data['changes']);
  return {
    told: changes.map(({ title, old_value: old, new_value: now }) => [String(title), old, now]),
    all: JSON.stringify([data, history]),
  };
}

async function patch(resource: string, id: string, fields: object): Promise<void> {
  const { data } = await as('admin', 'GET', `/data/${resource}/${id}`);
  const saved = await as('admin', 'PATCH', `/data/${resource}/${id}`, {
    version: data['version'],
    ...fields,
  });
  expect([saved.status, saved.msg]).toEqual([200, expect.any(String)]);
}

async function make(resource: string, fields: object): Promise<Readonly<Record<string, unknown>>> {
  const made = await as('admin', 'POST', `/data/${resource}`, fields);
  expect([made.status, made.msg, made.problems]).toEqual([200, expect.any(String), made.problems]);
  return made.data;
}

it('roles of a person are told by their names', async () => {
  await patch('person', await person('dc.aa'), { role_ids: [await role('DC'), await role('GM')] });
  expect((await asked()).told).toEqual([['角色', '单证', '单证、总经理']]);
});

it('a flow is told with the roles and people of its levels, and its conditions in words', async () => {
  const condition = { export_mode: { eq: 'buyout' } };
  const made = await make('approval_flow', {
    ...{ name: '试用', resource: 'export_contract', co_code: 'AA', priority: 77, condition },
    levels: [
      { level_no: 1, title: '一级', approver_kind: 'role', role_ids: [await role('DC'), await role('TM')] },
      { level_no: 2, title: '二级', approver_kind: 'person', person_ids: [await person('gm.aa')], condition },
    ],
  });
  const { told } = await asked();
  const [gm] = await example.services.db.query(`select name from person where personid = 'gm.aa'`);
  const texts = new Map(told.map(([title, , now]) => [title, String(now)]));
  expect(texts.get('适用单据')).toBe('外销合同');
  expect(texts.get('附加条件')).toMatch(/^[^{"]*买断[^{"]*$/);
  expect(texts.get('审批级次第1行')).toContain('角色：单证、贸管专员，');
  expect(texts.get('审批级次第2行')).toContain(`人员：${String(gm?.['name'])}，`);
  expect(texts.get('审批级次第2行')).toMatch(/该级条件：[^{"]*买断/);

  const { db } = example.services;
  await db.execute(`update approval_flow set status = 'active' where id = $1`, [made['id']]);
  const { data } = await as('admin', 'GET', `/data/approval_flow/${String(made['id'])}`);
  const [first, second] = linesOf(data['levels']).map(({ id }) => ({ id }));
  await patch('approval_flow', String(made['id']), {
    levels: [{ ...first, role_ids: [await role('SP')] }, second],
  });
  expect((await asked()).told).toEqual([['审批级次第1行·角色', '单证、贸管专员', '业务员']]);
});

it('a rule is told in the words of its resource, also when it goes', async () => {
  const made = await make('permission_rule', {
    ...{ role_id: await role('SP'), resource: 'payment_request' },
    ...{ actions: ['list', 'read', 'approve'], hidden_fields: ['amount'] },
  });
  const { told } = await asked();
  const values = told.map(([title, , now]) => [title, now]);
  expect(values).toEqual([
    ['角色', '业务员'],
    ['资源', expect.stringMatching(/^\p{Script=Han}+$/u)],
    ['动作', expect.stringMatching(/^\p{Script=Han}+(、\p{Script=Han}+){2}$/u)],
    ['隐藏字段', expect.stringMatching(/^[^a-z]+$/)],
  ]);
  const { status } = await as('admin', 'DELETE', `/data/permission_rule/${String(made['id'])}?version=1`);
  expect(status).toBe(200);
  expect((await asked()).told).toEqual(values.map(([title, value]) => [title, value, null]));
});

it('of a new person only what needs two persons is told, and who it is; what is masked stays so', async () => {
  const whole = '11010519491231002X';
  const [boss] = await example.services.db.query(`select dept_id from person where personid = 'gm.aa'`);
  await make('person', {
    ...{ personid: 'new.aa', name: '新人', mobile: '13812345678', id_no: whole, password: 'Demo-2026x!' },
    ...{ dept_id: boss?.['dept_id'], role_ids: [await role('DC')] },
  });
  const { told, all } = await asked();
  expect(told.map(([title, , now]) => [title, now])).toEqual([
    ['工号', 'new.aa'],
    ['姓名', '新人'],
    ['部门', expect.any(String)],
    ['角色', '单证'],
    ['超级权限', '否'],
  ]);
  expect(all).not.toContain(whole);
});
