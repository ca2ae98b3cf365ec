import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({ 'ad.aa': 'AD', 'rk.aa': 'RK', 'sp.aa': 'SP', 'fn.aa': 'FN' });
}, 600_000);
afterAll(() => rules.example.close());

/** Events that later tests override. */
const KEPT = new Set(['PARTNER_FROZEN', 'COMMENT_MENTION', 'PARTNER_ACTIVATED', 'AGREEMENT_EFFECTIVE']);

interface Default {
  readonly values: Fields;
  readonly id: string | null;
}

async function shipped(): Promise<readonly Default[]> {
  const { data } = await rules.as('ad.aa', 'GET', '/data/message_source/defaults');
  return data as unknown as readonly Default[];
}

async function override(changes: Fields, event = 'PARTNER_FROZEN'): Promise<Fields> {
  const found = (await shipped()).find(({ values }) => values['event_code'] === event);
  const body = { ...found?.values, ...changes };
  if (found?.id == null) return (await rules.as('ad.aa', 'POST', '/data/message_source', body)) as never;
  const { version } = await rules.stored('message_source', found.id);
  const { event_code: _fixed, ...rest } = body as Fields & { event_code: unknown };
  return (await rules.as('ad.aa', 'PATCH', `/data/message_source/${found.id}`, {
    ...rest,
    version: Number(version),
  })) as never;
}

/** Freezes a new partner and gives who was told what. */
async function freeze(): Promise<readonly Fields[]> {
  const partner = await rules.aPartner({
    accounts: [
      {
        mobile: `139${String(Math.trunc(Math.random() * 1e8)).padStart(8, '0')}`,
        name: '王',
        status: 'active',
      },
    ],
  });
  const done = await rules.act('rk.aa', 'partner', partner, 'freeze', { opinion: '回款异常' });
  expect([done.status, done.msg]).toEqual([200, expect.any(String)]);
  return rules.example.services.db.query(
    `select p.personid, n.title, n.content, n.level, n.is_live, n.person_id::text as id from sys_notice n
     left join person p on p.id = n.person_id where n.record_id = $1::uuid and n.event = 'PARTNER_FROZEN' order by p.personid`,
    [partner],
  );
}

describe('notice sources', () => {
  it('ship a row for every event, each of which can be saved as it is', async () => {
    const rows = await shipped();
    expect(rows.length).toBeGreaterThan(50);
    const refused: unknown[] = [];
    for (const { values } of rows) {
      if (KEPT.has(String(values['event_code']))) continue;
      const made = await rules.as('ad.aa', 'POST', '/data/message_source', values);
      if (made.status !== 200) refused.push([values['event_code'], made.problems]);
    }
    expect(refused).toEqual([]);
  });

  it('are picked by what people call them: event, words, companies, documents and their fields', async () => {
    const names = async (path: string, record: Fields, keyword = '') => {
      const { data } = await rules.as('ad.aa', 'POST', `/lookup/${path}`, { record, keyword, pageSize: 200 });
      const { records } = data as unknown as { records: readonly { id: string; label: string }[] };
      return Object.fromEntries(records.map(({ id, label }) => [id, label]));
    };
    expect(await names('message_source/event_code', {}, 'wtf')).toHaveProperty('PARTNER_FROZEN');
    expect(await names('message_source/title_tpl', { event_code: 'PARTNER_FROZEN' })).toMatchObject({
      no: '单据编号',
      person: '操作人',
      status: '状态',
    });
    const flows = await names('approval_flow/resource', {}, 'wxht');
    expect(flows).toEqual({ export_contract: '外销合同' });
    expect(await names('approval_flow/amount_field', { resource: 'export_contract' })).toHaveProperty(
      'total_amount',
    );
    expect(await names('approval_flow/amount_field', {})).toEqual({});
    expect(await names('permission_rule/actions', { resource: 'export_contract' })).toMatchObject({
      approve: '审核',
    });
    expect(await names('department/co_code', {}, 'yj')).toEqual({ AE: '甬江国际贸易有限公司' });
    const refused = await rules.as('sp.aa', 'POST', '/lookup/permission_rule/resource', { record: {} });
    expect(refused.status).toBe(403);
  });

  it('are seen as a colleague sees them by an administrator, who leaves a trace', async () => {
    const [{ id } = { id: '' }] = await rules.example.services.db.query<{ id: string }>(
      `select id::text as id from person where personid = 'sp.aa'`,
    );
    const seen = await rules.as('ad.aa', 'GET', `/person-preview/${id}`);
    const { role, resources } = seen.data as unknown as { role: string; resources: readonly Fields[] };
    expect(role).toBe('SP');
    expect(resources.map(({ resource }) => resource)).not.toContain('permission_rule');
    const list = await rules.as('ad.aa', 'POST', `/person-preview/${id}/partner`, {});
    const own = await rules.as('sp.aa', 'POST', '/data/partner/query', {});
    expect([list.status, (list.data as Fields)['page']]).toMatchObject([
      200,
      { total: (own.data as Fields)['total'] },
    ]);
    const [record] = (own.data as unknown as { records: readonly { id: string }[] }).records;
    const form = await rules.as('ad.aa', 'GET', `/person-preview/${id}/partner/${record?.id}`);
    const read = await rules.as('sp.aa', 'GET', `/data/partner/${record?.id}`);
    expect(Object.keys(form.data as Fields)).toEqual(Object.keys(read.data as Fields));
    const [report] = (seen.data as unknown as { reports: readonly { report: string }[] }).reports;
    const run = `/person-preview/${id}/reports/run/${report?.report}`;
    expect((await rules.as('ad.aa', 'GET', run)).data).toHaveProperty('rows');
    expect((await rules.as('fn.aa', 'GET', run)).status).toBe(403);
    expect((await rules.as('ad.aa', 'POST', `/person-preview/${id}/permission_rule`, {})).status).toBe(403);
    expect((await rules.as('fn.aa', 'GET', `/person-preview/${id}`)).status).toBe(403);
    const looks = await rules.example.services.db.query(
      `select person_name, opinion from sys_audit where action = 'preview' and record_id = $1::uuid order by at`,
      [id],
    );
    expect(looks).toHaveLength(4);
  });

  it('are not seen through the eyes of the group by an administrator of one company', async () => {
    const { example } = rules;
    const admin = await example.signIn('ad.ae', 'AD');
    const [{ id } = { id: '' }] = await example.services.db.query<{ id: string }>(
      `select id::text as id from person where personid = 'tr.ae'`,
    );
    const statuses = async () => [
      (await example.call(admin, 'GET', `/person-preview/${id}`)).status,
      (await example.call(admin, 'POST', `/person-preview/${id}/person`, {})).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await example.services.db.execute('update person set super_permission = true where id = $1::uuid', [id]);
    expect(await statuses()).toEqual([404, 404]);
  });

  it('tell those whom the files name', async () => {
    const told = await freeze();
    expect(told.map(({ personid }) => personid)).toEqual(expect.arrayContaining(['cs.aa', 'sp.aa', 'tr.aa']));
    expect(told[0]).toMatchObject({
      level: 'urgent',
      is_live: true,
      content: expect.stringContaining('回款异常'),
    });
  });

  it('tell other roles, in other words, with the next event', async () => {
    const [finance] = await rules.example.services.db.query<{ id: string }>(
      `select id from role where code = 'FN'`,
    );
    const saved = await override({
      title_tpl: '请停止付款：{name}',
      content_tpl: '{person}：{opinion}',
      receiver_roles: [finance?.id],
      receiver_owner: false,
      level: 'warn',
      channel: ['center'],
    });
    expect([saved['status'], saved['problems']]).toEqual([200, []]);
    const told = await freeze();
    const names = told.map(({ personid }) => personid);
    expect(names).toContain('fn.aa');
    expect(names).not.toContain('sp.aa');
    expect(names).not.toContain('tr.aa');
    expect(told[0]).toMatchObject({
      level: 'warn',
      is_live: false,
      title: expect.stringMatching(/^请停止付款：宁波/),
    });
  });

  it('tell the customer’s accounts, and by SMS, where that is asked for, and no opinion of the house', async () => {
    await override({ receiver_roles: [], receiver_partner: true, channel: ['center', 'sms'] });
    const told = await freeze();
    const accounts = told.filter(({ personid }) => personid === null);
    expect(accounts).toHaveLength(1);
    const [account] = await rules.example.services.db.query<{ mobile: string }>(
      'select mobile from partner__accounts where id = $1::uuid',
      [accounts[0]?.['id']],
    );
    const [sms = ''] = await rules.smsTo(account?.mobile ?? '');
    expect(sms).toMatch(/^委托方已冻结：宁波.*已冻结$/);
    expect(sms).not.toContain('回款异常');
    expect(accounts[0]?.['content']).not.toContain('回款异常');
  });

  it('tell nobody of an event that is switched off', async () => {
    const [row] = (await shipped()).filter(({ values }) => values['event_code'] === 'PARTNER_FROZEN');
    expect((await rules.act('ad.aa', 'message_source', row?.id ?? '', 'disable')).status).toBe(200);
    expect(await freeze()).toEqual([]);
  });

  it.each<readonly [Fields, string, string]>([
    [{ title_tpl: '{no} {risk_level}' }, 'title_tpl', '不认识占位“{risk_level}”'],
    [{ event_code: 'AGREEMENT_EFFECTIVE', title_tpl: '{end_dat}' }, 'title_tpl', '{end_date}'],
    [
      { event_code: 'PARTNER_ACTIVATED', content_tpl: '{risk_level}', receiver_partner: true },
      'content_tpl',
      '委托方看不到“风险等级”，不能发给委托方',
    ],
    [{ content_tpl: '{}' }, 'content_tpl', '不认识占位“{}”'],
    [{ content_tpl: '{no' }, 'content_tpl', '占位的花括号没有成对'],
    [{ event_code: 'NO_SUCH_EVENT' }, 'event_code', '系统没有事件“NO_SUCH_EVENT”'],
    [{ event_code: 'x y' }, 'event_code', '事件编码为大写字母'],
    [{ channel: ['mail'] }, 'channel', '渠道：不在可选范围内'],
  ])('with %j are refused at %s', async (changes, path, message) => {
    const values = {
      event_code: 'COMMENT_MENTION',
      name: '提到',
      title_tpl: '{no}',
      content_tpl: '{no}',
      level: 'info',
      channel: ['live'],
    };
    const refused = await rules.as('ad.aa', 'POST', '/data/message_source', { ...values, ...changes });
    expect(refused.status).toBe(400);
    expect(refused.problems.find((problem) => problem.path.startsWith(path))?.message).toContain(message);
  });

  it('are the administrator’s alone', async () => {
    expect((await rules.as('sp.aa', 'POST', '/data/message_source/query', {})).status).toBe(403);
    expect((await rules.as('fn.aa', 'POST', '/data/message_source', {})).status).toBe(403);
  });
});

describe('the own messages as records', () => {
  it('are listed for their receiver alone, with their state', async () => {
    const { db } = rules.example.services;
    const mine = async (who: string) => {
      const { status, data } = await rules.as(who, 'POST', '/data/notice/query', { pageSize: 100 });
      expect(status).toBe(200);
      return data['records'] as unknown as readonly Fields[];
    };
    const found = await mine('sp.aa');
    expect(found.length).toBeGreaterThan(0);
    const id = await rules.idOf('sp.aa');
    expect(found.every((record) => record['receiver_id'] === id)).toBe(true);
    const [first] = found;
    await rules.as('sp.aa', 'POST', `/notice/${String(first?.['id'])}/read`, {});
    const again = (await mine('sp.aa')).find((record) => record['id'] === first?.['id']);
    expect(again).toMatchObject({
      status: 'read',
      read_at: expect.any(String),
      co_code: 'AA',
      link: `/customer/entrustdetails?id=${String(first?.['record_id'])}`,
    });
    const second = found.at(-1);
    await rules.as('sp.aa', 'POST', `/notice/${String(second?.['id'])}/archive`, {});
    const archived = (await mine('sp.aa')).find((record) => record['id'] === second?.['id']);
    expect(archived).toMatchObject({ status: 'archived', read_at: null });
    const [other] = await db.query<{ id: string }>(
      'select id from sys_notice where person_id <> $1::uuid limit 1',
      [id],
    );
    expect((await rules.as('sp.aa', 'GET', `/data/notice/${other?.id ?? ''}`)).status).toBe(404);
    expect((await rules.as('sp.aa', 'POST', '/data/notice', { title: 'x' })).status).toBe(403);
  });
});
