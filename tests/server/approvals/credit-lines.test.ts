import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDailyActions } from '#server/jobs/day-end.ts';
import { type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'cs.aa': 'CS',
    'rk.aa': 'RK',
    'fn.aa': 'FN',
    'gm.aa': 'GM',
  });
}, 120_000);
afterAll(() => rules.example.close());

function day(offset: number): string {
  const instant = new Date(Date.now() + offset * 86_400_000);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(instant);
}

function application(partner: string, changes: Fields = {}): Fields {
  return {
    partner_id: partner,
    purpose: 'shipment_risk',
    apply_kind: 'new',
    apply_amount: '400000.00',
    valid_from: day(0),
    valid_to: day(300),
    guarantee_kind: '信用',
    this_year_plan: '1000000.00',
    main_buyers: '美国某公司，T/T 60 天',
    reason: '旺季备货',
    ...changes,
  };
}

async function submitted(partner: string, changes: Fields = {}): Promise<string> {
  const made = await rules.as(
    'sp.aa',
    'POST',
    '/data/credit_line_application',
    application(partner, changes),
  );
  expect([made.status, made.problems]).toEqual([200, []]);
  const id = String(made.data['id']);
  const sent = await rules.act('sp.aa', 'credit_line_application', id, 'submit');
  expect([sent.status, sent.msg, sent.problems]).toEqual([200, expect.any(String), []]);
  return id;
}

const RESULT = { score: 80, approved_amount: '300000.00' };

async function taskOf(id: string): Promise<string> {
  const [row] = await rules.example.services.db.query<{ id: string }>(
    `select id from approval_task where record_id::text = $1 and status = 'pending' order by level_no limit 1`,
    [id],
  );
  return row?.id ?? '';
}

async function approve(who: string, id: string, fields?: Fields) {
  const { version } = await rules.stored('credit_line_application', id);
  return rules.as(who, 'POST', `/approval/${await taskOf(id)}/approve`, {
    version: Number(version),
    opinion: '同意',
    ...(fields === undefined ? {} : { fields }),
  });
}

async function linesOf(partner: string): Promise<readonly Fields[]> {
  return rules.example.services.db.query(
    `select status, amount::text as amount, used::text as used, available::text as available, valid_to::text as valid_to
     from credit_line where partner_id = $1::uuid order by created_at`,
    [partner],
  );
}

describe('a credit line', () => {
  it('comes into being with the last approval, with what risk control grants', async () => {
    const partner = await rules.aPartner();
    const id = await submitted(partner);
    const bare = await approve('rk.aa', id);
    expect(bare.status).toBe(400);
    expect(bare.problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['请先由风控填写风险评分', '请先由风控填写批复额度']),
    );
    expect(await linesOf(partner)).toEqual([]);
    const over = await approve('rk.aa', id, { score: 80, approved_amount: '400000.01' });
    expect(over.status).toBe(400);
    const both = await Promise.all([approve('rk.aa', id, RESULT), approve('rk.aa', id, RESULT)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await linesOf(partner)).toEqual([
      { status: 'active', amount: '300000.00', used: '0.00', available: '300000.00', valid_to: day(300) },
    ]);
  });

  it.each([
    ['499999.99', ['风控审核']],
    ['500000.00', ['风控审核', '财务审核']],
    ['3000000.00', ['风控审核', '财务审核', '总经理审核']],
  ])('of %s is decided by %j', async (amount, levels) => {
    const file = await rules.example.services.db.query<{ id: string }>(
      `insert into sys_file (id, co_code, name, size, type, sha256, storage_key, created_by)
       values (gen_random_uuid(), 'AA', 'x.pdf', 1, 'application/pdf', '', '', $1::uuid) returning id`,
      [await rules.idOf('sp.aa')],
    );
    const partner = await rules.aPartner();
    const id = await submitted(partner, { apply_amount: amount, financials: [file[0]?.id] });
    const { data } = await rules.as('rk.aa', 'GET', `/approval/record/credit_line_application/${id}`);
    const steps = data['steps'] as unknown as readonly { title: string }[];
    expect(steps.map(({ title }) => title)).toEqual(levels);
  });

  it('is raised, lowered and prolonged; a wrong wish is told at its field', async () => {
    const partner = await rules.aPartner();
    const first = await submitted(partner);
    await approve('rk.aa', first, RESULT);
    const wish = async (changes: Fields) => {
      const made = await rules.as(
        'sp.aa',
        'POST',
        '/data/credit_line_application',
        application(partner, changes),
      );
      const sent = await rules.act('sp.aa', 'credit_line_application', String(made.data['id']), 'submit');
      return [made.problems[0]?.message ?? null, sent.status, sent.problems[0]?.message ?? null];
    };
    expect(await wish({})).toEqual([null, 400, '该委托方已有这一用途的额度，请选择调增、调减或延期']);
    expect(await wish({ apply_kind: 'increase', apply_amount: '300000.00' })).toEqual([
      null,
      400,
      '调增后的额度须大于现有额度 300000.00',
    ]);
    expect(await wish({ apply_kind: 'decrease', apply_amount: '300000.00' })).toEqual([
      null,
      400,
      '调减后的额度须小于现有额度 300000.00',
    ]);
    expect(await wish({ apply_kind: 'extend' })).toEqual([
      null,
      400,
      `延期后的到期日期须晚于现有到期日期 ${day(300)}`,
    ]);
    expect(await wish({ purpose: 'rebate', apply_kind: 'increase' })).toEqual([
      null,
      400,
      '该委托方还没有这一用途的额度，请选择新增',
    ]);
    const more = await submitted(partner, { apply_kind: 'increase', apply_amount: '450000.00' });
    await approve('rk.aa', more, { score: 80, approved_amount: '420000.00' });
    expect(await linesOf(partner)).toMatchObject([{ status: 'active', amount: '420000.00' }]);
  });

  it('counts what shipments have not brought in, and decides about the next one', async () => {
    const partner = await rules.aPartner();
    const id = await submitted(partner);
    await rules.example.services.db.execute(
      `insert into shipment (id, co_code, partner_id, status, currency, payment_term, total_amount, received_amount, is_deleted, version, business_type)
       select gen_random_uuid(), 'AA', $1::uuid, 'shipped', 'USD', 'OA', 1000.00, 400.00, false, 1, 'agency'`,
      [partner],
    );
    await approve('rk.aa', id, RESULT);
    const rate = await rules.example.services.db.query<{ rate: string }>(
      `select rate::text as rate from currency_rate where currency = 'USD' and kind = 'book' order by date desc limit 1`,
    );
    const [line] = await linesOf(partner);
    expect(Number(line?.['used'])).toBeCloseTo(600 * Number(rate[0]?.rate ?? 0), 2);
    expect(Number(line?.['available'])).toBeCloseTo(300_000 - Number(line?.['used']), 2);
  });

  it('runs out by the clock, after one reminder', async () => {
    const partner = await rules.aPartner();
    await approve('rk.aa', await submitted(partner, { valid_to: day(20) }), RESULT);
    const { services } = rules.example;
    await runDailyActions(services);
    await runDailyActions(services);
    const [told] = await services.db.query<{ n: number }>(
      `select count(*)::int as n from sys_notice n join credit_line c on c.id = n.record_id
       where n.event = 'CREDIT_EXPIRING' and c.partner_id = $1::uuid and n.person_id = $2::uuid`,
      [partner, await rules.idOf('sp.aa')],
    );
    expect(told?.n).toBe(1);
    await services.db.execute('update credit_line set valid_to = $2 where partner_id = $1::uuid', [
      partner,
      day(-1),
    ]);
    await runDailyActions(services);
    expect(await linesOf(partner)).toMatchObject([{ status: 'expired', available: '0.00' }]);
  });
});

const tokenFrom = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? '';
const open = (token: string) => rules.as('', 'GET', `/review?token=${encodeURIComponent(token)}`);
const decide = (token: string, body: Fields) => rules.as('', 'POST', '/review/decide', { token, ...body });

async function sent(partner: string): Promise<{ id: string; token: string }> {
  const mobile = `138${String(Math.trunc(Math.random() * 1e8)).padStart(8, '0')}`;
  await rules.example.services.db.execute(`update person set mobile = $1 where personid = 'rk.aa'`, [mobile]);
  const id = await submitted(partner);
  const answer = await rules.act('sp.aa', 'credit_line_application', id, 'review_link');
  expect([answer.status, answer.msg]).toEqual([200, expect.any(String)]);
  expect(JSON.stringify(answer)).not.toContain('token=');
  const [text = ''] = await rules.smsTo(mobile);
  return { id, token: tokenFrom(text) };
}

describe('a review link', () => {
  it('shows the application to its approver and takes one decision', async () => {
    const partner = await rules.aPartner();
    const { id, token } = await sent(partner);
    const shown = await open(token);
    expect(shown.data).toMatchObject({
      title: '授信/额度申请',
      submittedBy: expect.any(String),
      version: expect.any(Number),
    });
    const editable = shown.data['editable'] as unknown as readonly { name: string }[];
    expect(editable.map(({ name }) => name)).toEqual([
      'score',
      'approved_amount',
      'approved_to',
      'conditions',
    ]);
    expect((await open(token)).status).toBe(200);
    const version = Number(shown.data['version']);
    const bare = await decide(token, { action: 'approve', version });
    expect([bare.status, (await rules.stored('credit_line_application', id))['status']]).toEqual([
      400,
      'pending',
    ]);
    const silent = await decide(token, { action: 'reject', version });
    expect(silent.status).toBe(400);
    const both = await Promise.all([
      decide(token, { action: 'approve', version, opinion: '同意', fields: RESULT }),
      decide(token, { action: 'approve', version, opinion: '同意', fields: RESULT }),
    ]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await linesOf(partner)).toHaveLength(1);
    const again = await decide(token, { action: 'reject', version, opinion: '晚了' });
    expect([again.status, again.msg]).toEqual([409, '该单据已审核或已撤回，链接已失效']);
    expect((await open(token)).msg).toBe('该单据已审核或已撤回，链接已失效');
  });

  it('dies with the withdrawal, with its day, and with the approver', async () => {
    const withdrawn = await sent(await rules.aPartner());
    const { version } = await rules.stored('credit_line_application', withdrawn.id);
    const back = await rules.as(
      'sp.aa',
      'POST',
      `/data/credit_line_application/${withdrawn.id}/actions/withdraw`,
      {
        version: Number(version),
      },
    );
    if (back.status !== 200)
      await rules.as('sp.aa', 'POST', `/approval/record/credit_line_application/${withdrawn.id}/withdraw`, {
        version: Number(version),
      });
    expect((await open(withdrawn.token)).msg).toBe('该单据已审核或已撤回，链接已失效');
    const late = await sent(await rules.aPartner());
    await rules.example.services.db.execute(`update sys_ticket set expires_at = now() - interval '1 second'`);
    expect((await open(late.token)).msg).toBe('审核链接无效或已过期，请登录系统审核');
    const gone = await sent(await rules.aPartner());
    await rules.example.services.db.execute(`update person set status = 'disabled' where personid = 'rk.aa'`);
    expect((await open(gone.token)).msg).toBe('审核链接无效或已过期，请登录系统审核');
    await rules.example.services.db.execute(`update person set status = 'active' where personid = 'rk.aa'`);
  });

  it.each<readonly [string, Fields]>([
    ['no token', { token: '' }],
    ['a forged one', { token: 'A'.repeat(32) }],
    ['SQL', { token: `' or 1=1 --` }],
    ['a number', { token: 5 }],
    ['a list', { token: ['a'] }],
    ['an unknown action', { action: 'delegate' }],
    ['no version', { version: null }],
    ['a version of text', { version: 'x' }],
    ['an unknown key', { role: 'GM' }],
    ['fields that are no object', { fields: [] }],
    ['a token that is too long', { token: 'x'.repeat(101) }],
    ['a token with NUL', { token: 'a\u0000b' }],
    ['a version of zero', { version: 0 }],
    ['a version with a fraction', { version: 1.5 }],
    ['an action that is a list', { action: ['approve'] }],
    ['an opinion that is an object', { opinion: {} }],
    ['an opinion that is too long', { opinion: 'x'.repeat(501) }],
  ])('with %s is refused in Chinese', async (_, changes) => {
    const refused = await rules.as('', 'POST', '/review/decide', {
      token: 'B'.repeat(32),
      action: 'approve',
      version: 1,
      ...changes,
    });
    expect(refused.status).toBe(400);
    expect(refused.msg).toMatch(/[一-鿿]/);
  });

  it.each<readonly [Fields, string]>([
    [{ score: 101, approved_amount: '1.00' }, 'score'],
    [{ score: 'x', approved_amount: '1.00' }, 'score'],
    [{ score: 80, approved_amount: '1e400' }, 'approved_amount'],
    [{ score: 80, approved_amount: '0' }, 'approved_amount'],
    [{ score: 80, approved_amount: '400000.01' }, 'approved_amount'],
    [{ score: 80, approved_amount: '1.00', approved_to: '2026-02-30' }, 'approved_to'],
    [{ score: 80, approved_amount: '1.00', approved_to: '2999-01-01' }, 'approved_to'],
    [{ score: 80, approved_amount: '1.00', apply_amount: '9' }, 'apply_amount'],
    [{ score: 80, approved_amount: '1.00', unknown: 1 }, 'unknown'],
  ])('refuses %j at %s and changes nothing', async (fields, path) => {
    const partner = await rules.aPartner();
    const { id, token } = await sent(partner);
    const { data } = await open(token);
    const refused = await decide(token, {
      action: 'approve',
      version: Number(data['version']),
      opinion: '好',
      fields,
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(`${refused.msg} ${JSON.stringify(refused.problems)}`).toMatch(/[一-鿿]/);
    expect(path).not.toBe('');
    expect(await linesOf(partner)).toEqual([]);
    expect((await rules.stored('credit_line_application', id))['status']).toBe('pending');
  });
});
