import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

const OWN = '13900004444';
const OTHER = '13900005555';
const AGENT = '13900006666';

let rules: RulesExample;
let partner: string;
let second: string;
let stranger: string;
let token: string;
let strangers: string;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'cs.aa': 'CS',
    'rk.aa': 'RK',
    'fn.aa': 'FN',
    'tr.aa': 'TR',
    'ad.aa': 'AD',
    'tm.aa': 'TM',
  });
  const password = await hashPassword(DEMO_PASSWORD);
  const account = (mobile: string) => ({ mobile, name: '客户', status: 'active', password });
  const service = await rules.idOf('cs.aa');
  partner = await rules.aPartner({ accounts: [account(OWN)], service_id: service });
  second = await rules.aPartner({ accounts: [account(OWN)] });
  stranger = await rules.aPartner({ accounts: [account(OTHER)] });
  token = await signIn(OWN, partner);
  strangers = await signIn(OTHER, stranger);
}, 600_000);
afterAll(() => rules.example.close());

/** Signs a mobile number in; of several partners the one that is asked for. */
async function signIn(mobile: string, at: string, password = DEMO_PASSWORD): Promise<string> {
  const { call, services } = rules.example;
  const person = await must(
    call('', 'POST', '/sys/loginByAgcustMobileNo', {
      personid: mobile,
      password: sealEnvelope(password, DEMO_AES_KEY),
    }),
  );
  const [account] = await services.db.query(
    'select id from partner__accounts where parent_id = $1::uuid and mobile = $2',
    [at, mobile],
  );
  if ((person['userList'] as readonly unknown[]).length === 0) return String(person['authorization']);
  const placed = await must(
    call(String(person['authorization']), 'POST', '/sys/setPosition', {
      id: account?.['id'],
      roleId: 'PT',
      roleIdList: ['PT'],
      saleId: null,
    }),
  );
  return String(placed['authorization']);
}

const as = (who: string, method: string, path: string, body?: unknown) =>
  rules.example.call(who, method, path, body);

async function actAs(
  who: string,
  key: string,
  id: string,
  action: string,
  inputs: Fields = {},
  opinion?: string,
) {
  const { version } = await rules.stored(key, id);
  return as(who, 'POST', `/data/${key}/${id}/actions/${action}`, {
    version,
    inputs,
    ...(opinion === undefined ? {} : { opinion }),
  });
}

const ask = (who: string, of: string) =>
  as(who, 'POST', '/data/service_message', {
    partner_id: of,
    category: '单证',
    title: '提单什么时候能拿到',
    content: '<p>请告知</p>',
  });

describe('a service message', () => {
  it('goes to the one who serves the partner, is answered, asked on and closed, without a name of the house', async () => {
    const asked = await must(ask(token, partner));
    const id = String(asked['id']);
    expect(await rules.stored('service_message', id)).toMatchObject({
      status: 'open',
      handler_id: await rules.idOf('cs.aa'),
      sales_id: rules.example.masters.sales,
    });
    const told = await must(rules.as('cs.aa', 'POST', '/notice/query', {}));
    expect(JSON.stringify(told)).toContain('客服消息');
    await must(
      rules.act('cs.aa', 'service_message', id, 'reply', {
        inputs: { words: '<p>周五</p><script>1</script>' },
      }),
    );
    const seen = await must(as(token, 'GET', `/data/service_message/${id}`));
    expect(seen).toMatchObject({
      status: 'replied',
      content: '<p>请告知</p>',
      last_reply_at: expect.any(String),
      replies: [{ is_partner: false, content: '<p>周五</p>', created_at: expect.any(String) }],
    });
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['handler_id']));
    const notices = JSON.stringify(await must(as(token, 'POST', '/notice/query', {})));
    expect(notices).toContain('客服消息');
    const staff = await rules.example.services.db.query(`select name from person where co_code = 'AA'`);
    const names = staff.map(({ name }) => String(name)).filter((name) => name.length > 1);
    for (const name of names) expect(notices + JSON.stringify(seen['replies'])).not.toContain(name);
    await must(actAs(token, 'service_message', id, 'followup', { words: '<p>谢谢，几点</p>' }));
    await must(actAs(token, 'service_message', id, 'close', { satisfaction: 5 }));
    expect(await rules.stored('service_message', id)).toMatchObject({ status: 'closed', satisfaction: '5' });
  });

  it('is nobody else’s: not read, answered or asked in another name, nor answered by the partner for the house', async () => {
    const id = String((await must(ask(token, partner)))['id']);
    expect((await as(strangers, 'GET', `/data/service_message/${id}`)).status).toBe(404);
    expect((await actAs(strangers, 'service_message', id, 'close')).status).toBe(404);
    const { version } = await rules.stored('service_message', id);
    const gone = await as(token, 'DELETE', `/data/service_message/${id}?version=${String(version)}`);
    expect([gone.status === 200, gone.msg]).toEqual([false, expect.stringContaining('不能删除')]);
    expect((await ask(strangers, partner)).status).toBeGreaterThanOrEqual(400);
    expect((await actAs(token, 'service_message', id, 'reply', { words: 'x' })).status).toBe(403);
  });
});

describe('an authorisation letter', () => {
  const letter = (changes: Fields = {}) => ({
    partner_id: partner,
    agent_name: '周小禾',
    agent_id_no: '110101199003077758',
    agent_mobile: AGENT,
    scope: ['下单', '查询'],
    valid_from: '2026-01-01',
    valid_to: '2027-12-31',
    ...changes,
  });
  /** A letter that waits for its approval, its files put in by hand. */
  const submitted = async (changes: Fields = {}): Promise<string> => {
    const id = await rules.given('authorization_letter', {
      ...letter(changes),
      sales_id: rules.example.masters.sales,
      dept_code: 'AA',
      status: 'draft',
      letter_file: ['00000000-0000-7000-8000-000000000001'],
      id_file: ['00000000-0000-7000-8000-000000000002'],
    });
    await must(rules.act('sp.aa', 'authorization_letter', id, 'submit'));
    return id;
  };
  const approved = async (changes: Fields = {}): Promise<string> => {
    const id = await submitted(changes);
    for (const who of ['cs.aa', 'rk.aa']) {
      const { task } = await must(rules.as(who, 'GET', `/approval/record/authorization_letter/${id}`));
      const { id: taskId, version } = task as { readonly id: string; readonly version: number };
      await must(rules.as(who, 'POST', `/approval/${taskId}/approve`, { version }));
    }
    return id;
  };
  const accountOf = async (mobile: string) =>
    (
      await rules.example.services.db.query(
        'select status, name from partner__accounts where parent_id = $1::uuid and mobile = $2',
        [partner, mobile],
      )
    )[0];

  it('tells the partner that it waits, not what the house’s checks say of it', async () => {
    const id = await submitted({ agent_mobile: '13900006600' });
    const path = `/approval/record/authorization_letter/${id}`;
    const house = await must(rules.as('cs.aa', 'GET', path));
    expect(house['checks']).toEqual([expect.objectContaining({ code: 'passed' })]);
    expect(await must(as(token, 'GET', path))).toMatchObject({ status: 'pending', steps: [], checks: [] });
    await must(rules.as('sp.aa', 'POST', `${path}/withdraw`, {}));
  });

  it('opens an account with a first password, which closes with the last letter in force', async () => {
    const first = await approved();
    expect(await rules.stored('authorization_letter', first)).toMatchObject({ status: 'effective' });
    expect(await accountOf(AGENT)).toEqual({ status: 'active', name: '周小禾' });
    const [text] = await rules.smsTo(AGENT);
    const password = /初始密码 (\S+)，/.exec(text ?? '')?.[1] ?? '';
    const agent = await signIn(AGENT, partner, password);
    const next = await approved({ valid_to: '2028-06-30' });
    await must(rules.act('cs.aa', 'authorization_letter', first, 'revoke', { opinion: '换人' }));
    expect(await accountOf(AGENT)).toMatchObject({ status: 'active' });
    await must(actAs(token, 'authorization_letter', next, 'revoke', {}, '不再授权'));
    expect(await accountOf(AGENT)).toMatchObject({ status: 'disabled' });
    expect((await as(agent, 'GET', '/sys/session')).status).toBe(401);
  });

  it('lets its agent do what it says and nothing else, from the day on which it begins', async () => {
    const mobile = '13900008888';
    const orders = await approved({ agent_mobile: mobile, agent_name: '林小满' });
    const [text] = await rules.smsTo(mobile);
    const agent = await signIn(mobile, partner, /初始密码 (\S+)，/.exec(text ?? '')?.[1] ?? '');
    const statuses = () =>
      Promise.all(
        [
          ['/data/export_order', { partner_id: partner }],
          ['/data/payment_request', { partner_id: partner, pay_type: 'goods' }],
          ['/data/authorization_letter', letter()],
          ['/data/credit_line_application', { partner_id: partner }],
          ['/data/payment_request/query', {}],
          [
            '/data/service_message',
            { partner_id: partner, category: '其他', title: '问', content: '<p>问</p>' },
          ],
        ].map(async ([path, body]) => (await as(agent, 'POST', String(path), body)).status === 403),
      );
    expect(await statuses()).toEqual([false, true, true, true, false, false]);
    const { starts } = (
      (await must(as(agent, 'GET', '/face/home')))['blocks'] as readonly {
        readonly starts: readonly Fields[];
      }[]
    ).find((block) => block.starts.length > 0) ?? { starts: [] };
    // A question begins with its form, not with the list of those before.
    expect(starts).toEqual([
      { title: '下订单', address: '/details/ylrddwh' },
      { title: '问客服', address: '/index/djbj?resource=service_message' },
    ]);
    await approved({ agent_mobile: mobile, scope: ['确认付款'], valid_to: '2028-06-30' });
    await expect.poll(async () => (await statuses())[1], { timeout: 8_000 }).toBe(false);
    await must(rules.act('cs.aa', 'authorization_letter', orders, 'revoke', { opinion: '不再下单' }));
    await expect.poll(async () => (await statuses())[0], { timeout: 8_000 }).toBe(true);
    const coming = '13900009999';
    await approved({ agent_mobile: coming, valid_from: '2027-06-01', valid_to: '2028-01-01' });
    const [first] = await rules.smsTo(coming);
    await expect(signIn(coming, partner, /初始密码 (\S+)，/.exec(first ?? '')?.[1] ?? '')).rejects.toThrow(
      '账号尚未启用',
    );
  });

  it('lets the partner’s own account begin a payment with what its page puts into it', async () => {
    const body = { partner_id: partner, pay_type: 'goods', purpose: '货款', business_type: 'agency' };
    const { problems } = await must(as(token, 'POST', '/data/payment_request/preview', body));
    expect(JSON.stringify(problems)).not.toContain('没有权限');
  });

  it('leaves the partner’s own account alone when it ends', async () => {
    const id = await approved({ agent_mobile: OWN });
    expect((await as(token, 'POST', '/data/payment_request', { partner_id: partner })).status).not.toBe(403);
    await must(rules.act('cs.aa', 'authorization_letter', id, 'revoke', { opinion: '重复' }));
    expect(await accountOf(OWN)).toMatchObject({ status: 'active' });
  });

  it.each([
    [{ valid_to: '2030-01-01' }, '授权期限不能超过3年'],
    [{ valid_to: '2025-01-01' }, '失效日期不能早于生效日期'],
    [{ agent_id_no: '110101199003077750' }, '身份证'],
  ])('is refused with %j', async (changes, message) => {
    const answer = await as(token, 'POST', '/data/authorization_letter', letter(changes));
    expect(JSON.stringify([answer.msg, answer.problems])).toContain(message);
  });
});

describe('what was given back to the customer', () => {
  it.each<readonly [key: string, action: string, ends: readonly (readonly [string, number])[]]>([
    ['export_order', 'cancel', [['draft', 200], ['rejected', 200], ['converted', 409]]],
    ['business_invoice', 'void', [['draft', 200], ['rejected', 200], ['approved', 403]]],
  ])('is taken back by who wrote it, and by no other customer: %s', async (key, action, ends) => {
    const { db } = rules.example.services;
    const made = async (status: string): Promise<string> => {
      const { id } = await must(as(token, 'POST', `/data/${key}`, { partner_id: partner, currency: null }));
      await db.execute(`update ${key} set status = $2 where id = $1::uuid`, [id, status]);
      return String(id);
    };
    const found: [string, number][] = [];
    for (const [status] of ends)
      found.push([status, (await actAs(token, key, await made(status), action, {}, '不再需要')).status]);
    expect(found).toEqual(ends);
    expect((await actAs(strangers, key, await made('rejected'), action, {}, '不再需要')).status).toBe(404);
  }); // prettier-ignore
});

describe('a payment of freight', () => {
  beforeAll(() =>
    rules.given('currency', { code: 'CNY', name: '人民币', symbol: '¥', decimals: 2, status: 'active' }),
  );
  const freight = {
    pay_type: 'freight',
    payee_name: '宁波远帆货运代理有限公司',
    payee_account: '622202000011',
    payee_bank: '宁波银行北仑支行',
    currency: 'CNY',
    purpose: '海运费',
    fee_lines: [{ fee_item: 'ocean', amount: '100.00' }],
  };
  const askedFor = async (who: string): Promise<readonly string[]> =>
    (
      (await must(as(who, 'POST', '/data/payment_request/preview', freight)))[
        'submitProblems'
      ] as readonly Fields[]
    )
      .map(({ path }) => String(path))
      .filter((path) => path === 'cnaps' || path === 'payee_kind');

  it('asks the customer for name, account and bank, and staff for the line of the bank too', async () => {
    expect(await askedFor(token)).toEqual([]);
    expect(await askedFor(await rules.example.signIn('sp.aa', 'SP'))).toEqual(['cnaps']);
    const made = await must(as(token, 'POST', '/data/payment_request', freight));
    expect(await rules.stored('payment_request', String(made['id']))).toMatchObject({
      by_customer: true,
      payee_kind: 'forwarder',
      cnaps: null,
    });
  });

  it('is taken back by the customer who wrote it, as long as nobody has agreed to it', async () => {
    const voided = async (id: string): Promise<number> => {
      const { version } = await rules.stored('payment_request', id);
      const body = { version, opinion: '不再需要' };
      return (await as(token, 'POST', `/data/payment_request/${id}/actions/void`, body)).status;
    };
    const { db } = rules.example.services;
    const ends: [string, number][] = [];
    for (const status of ['draft', 'rejected', 'approved']) {
      const made = await must(as(token, 'POST', '/data/payment_request', freight));
      const id = String(made['id']);
      await db.query('update payment_request set status = $2 where id = $1::uuid', [id, status]);
      ends.push([status, await voided(id)]);
    }
    expect(ends).toEqual([
      ['draft', 200],
      ['rejected', 200],
      ['approved', 403],
    ]);
    // What the house wrote for him is not his to take back.
    expect([403, 404]).toContain(await voided(await approved({ status: 'rejected', by_customer: false })));
  });

  const approved = (values: Fields): Promise<string> =>
    rules.given('payment_request', {
      ...{ ...freight, partner_id: partner, payee_kind: 'forwarder', bearer: 'company' },
      ...{ pay_method: 'tt', need_date: '2026-11-30', dept_code: 'AA', business_type: 'agency' },
      ...{ status: 'approved', ...values },
    });
  const bank = `${freight.payee_account}|${freight.payee_bank}`;

  it('keeps the line of the bank that was approved', async () => {
    for (const by_customer of [true, false]) {
      const known = { cnaps: '102332000013', approved_account: `${bank}|102332000013|` };
      const id = await approved({ by_customer, ...known });
      const { version } = await rules.stored('payment_request', id);
      const change = { version, cnaps: '102100099996' };
      const answer = await rules.as('fn.aa', 'PATCH', `/data/payment_request/${id}`, change);
      expect(answer.status).toBe(400);
      expect(answer.problems?.map(({ path }) => path)).toEqual(['cnaps']);
    }
  });

  it('leaves the house when finance has filled in the line', async () => {
    const id = await approved({ by_customer: true, approved_account: `${bank}||` });
    const refused = await rules.act('tr.aa', 'payment_request', id, 'pay');
    expect([refused.status, refused.msg]).toEqual([409, '客户申请的付款没有联行号，请财务先补填']);
    const { version } = await rules.stored('payment_request', id);
    await must(rules.as('fn.aa', 'PATCH', `/data/payment_request/${id}`, { version, cnaps: '102332000013' }));
    const paid = await rules.act('tr.aa', 'payment_request', id, 'pay');
    expect(paid.msg).not.toContain('联行号');
  });
});

describe('a settlement statement', () => {
  const settled = async (): Promise<string> => {
    const shipment = await rules.given('shipment', {
      partner_id: partner,
      currency: 'USD',
      export_mode: 'entrusted',
      business_type: 'agency',
      status: 'shipped',
    });
    const id = await rules.given('project_settlement', {
      object_kind: 'shipment',
      shipment_id: shipment,
      settle_date: '2026-11-20',
    });
    await rules.example.services.db.execute(
      `update project_settlement set status = 'approved', company_profit = 777.77 where id = $1::uuid`,
      [id],
    );
    return id;
  };

  it('is confirmed once, and not disputed after that', async () => {
    const id = await settled();
    expect((await actAs(strangers, 'project_settlement', id, 'confirm')).status).toBe(404);
    // Its figures are there to be agreed with, the company's own are not.
    const names = Object.keys(await must(as(token, 'GET', `/data/project_settlement/${id}`)));
    expect(names).toEqual(expect.arrayContaining(['received_cny', 'goods_cost', 'fee_shown', 'residual']));
    for (const inner of ['company_profit', 'fee_due', 'fee_trueup']) expect(names).not.toContain(inner);
    await must(actAs(token, 'project_settlement', id, 'confirm'));
    // How the house came to it is its own affair, and nobody of it is named.
    const told = async (who: string) =>
      (await must(as(who, 'GET', `/data/project_settlement/${id}/history`))) as unknown as readonly {
        readonly action: string;
        readonly person_name: string | null;
      }[];
    const steps = await told(token);
    expect(steps.map(({ action }) => action)).toContain('confirm');
    expect(steps.map(({ action }) => action)).not.toContain('create');
    const gm = await rules.example.signIn('gm.aa', 'GM');
    expect((await told(gm)).map(({ action }) => action)).toContain('create');
    const again = await actAs(token, 'project_settlement', id, 'confirm');
    expect([again.status, again.msg]).toEqual([409, '结算单已确认']);
    const late = await actAs(token, 'project_settlement', id, 'dispute', { dispute_reason: '少了' });
    expect([late.status, late.msg]).toEqual([409, '结算单已答复，如有疑问请联系客服']);
    const undone = await settled();
    await rules.example.services.db.execute(
      `update project_settlement set status = 'reversed' where id = $1::uuid`,
      [undone],
    );
    const dispute = await actAs(token, 'project_settlement', undone, 'dispute', { dispute_reason: '少了' });
    expect(dispute.status).toBe(404);
  });

  it('is disputed by a message to the service, which the statement stands; both at once leave one answer', async () => {
    const id = await settled();
    const answers = await Promise.all([
      actAs(token, 'project_settlement', id, 'dispute', { dispute_reason: '运费少算一票' }),
      actAs(token, 'project_settlement', id, 'confirm'),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const again = await settled();
    const done = await must(
      actAs(token, 'project_settlement', again, 'dispute', { dispute_reason: '运费少算一票' }),
    );
    expect(JSON.stringify(done)).not.toContain('777.77');
    expect(await rules.stored('project_settlement', again)).toMatchObject({
      status: 'approved',
      partner_answer: 'disputed',
    });
    const [message] = await rules.example.services.db.query(
      `select status, category, partner_id, content from service_message where record_id = $1`,
      [again],
    );
    expect(message).toMatchObject({ status: 'open', category: '资金', partner_id: partner });
    expect(String(message?.['content'])).toContain('运费少算一票');
  });
});

describe('a person of two partners', () => {
  it('sees of each only what is of it, and a partner that is frozen out ends the session at once', async () => {
    const mine = String((await must(ask(token, partner)))['id']);
    const there = await signIn(OWN, second);
    expect((await as(there, 'GET', `/data/service_message/${mine}`)).status).toBe(404);
    expect((await as(there, 'GET', `/data/partner/${partner}`)).status).toBe(404);
    expect((await must(as(there, 'POST', '/data/partner/query', {})))['total']).toBe(1);
    // Whoever came in for one of them goes on as the other, in a session that is of it alone.
    const [other] = await rules.example.services.db.query(
      'select id from partner__accounts where parent_id = $1::uuid and mobile = $2',
      [partner, OWN],
    );
    const position = { id: other?.['id'], roleId: 'PT', roleIdList: ['PT'], saleId: null };
    const changed = await must(as(await signIn(OWN, second), 'POST', '/sys/setPosition', position));
    expect(changed['partnerId']).toBe(partner);
    expect((await as(String(changed['authorization']), 'GET', `/data/partner/${second}`)).status).toBe(404);
    const stolen = { partner_id: partner, category: '其他', title: '问', content: '<p>问</p>' };
    expect((await as(there, 'POST', '/data/service_message', stolen)).status).toBeGreaterThanOrEqual(400);
    await rules.example.services.db.execute(`update partner set status = 'terminated' where id = $1::uuid`, [
      second,
    ]);
    await expect
      .poll(async () => (await as(there, 'POST', '/data/partner/query', {})).status, { timeout: 8_000 })
      .toBe(401);
    expect((await as(token, 'GET', `/data/service_message/${mine}`)).status).toBe(200);
  });
});

it('a question to a service who has left is heard by all, and goes on to who serves the partner next', async () => {
  const { dept_id, role_ids } = await rules.stored('person', await rules.idOf('cs.aa'));
  const leaver = await rules.given('person', {
    ...{ personid: 'cs9.aa', name: '小客', mobile: '13600002222', dept_id, role_ids, status: 'active' },
  });
  const served = await rules.aPartner({
    ...{ corp_type: '2', id_no: '11010519491231002X', id_file: ['00000000-0000-7000-8000-000000000001'] },
    accounts: [
      { mobile: '13900007779', name: '客户', status: 'active', password: await hashPassword(DEMO_PASSWORD) },
    ],
    service_id: leaver,
  });
  const customer = await signIn('13900007779', served);
  const handlerOf = async (id: string) => (await rules.stored('service_message', id))['handler_id'];
  const early = String((await must(ask(customer, served)))['id']);
  expect(await handlerOf(early)).toBe(leaver);
  expect(await rules.toldOf(early, 'cs.aa')).toEqual([]);
  await must(rules.act('ad.aa', 'person', leaver, 'disable'));
  const late = String((await must(ask(customer, served)))['id']);
  expect([await handlerOf(early), await handlerOf(late)]).toEqual([null, null]);
  expect(await rules.toldOf(late, 'cs.aa')).toEqual(['SERVICE_MESSAGE']);
  const next = await rules.idOf('cs.aa');
  const changes = { service_id: next };
  await must(rules.act('tm.aa', 'partner', served, 'amend', { opinion: '客服离职', inputs: { changes } }));
  expect([await handlerOf(early), await handlerOf(late)]).toEqual([next, next]);
});

describe('an account that the house changes', () => {
  const accountsOf = async (id: string) =>
    (await must(rules.as('cs.aa', 'GET', `/data/partner/${id}`)))['accounts'] as readonly Fields[];
  const change = async (id: string, place: number, changes: Fields) => {
    const { version } = await rules.stored('partner', id);
    const accounts = (await accountsOf(id)).map(({ id: line, mobile, name, status }, index) => ({
      ...{ id: line, mobile, name, status },
      ...(index === place ? changes : {}),
    }));
    return rules.as('cs.aa', 'PATCH', `/data/partner/${id}`, { version, accounts });
  };
  const open = async (who: string) => (await as(who, 'GET', '/sys/session')).status;
  let changed: string;
  let sessions: readonly [string, string];

  beforeAll(async () => {
    const password = await hashPassword(DEMO_PASSWORD);
    const account = (mobile: string) => ({ mobile, name: '客户', status: 'active', password });
    changed = await rules.aPartner({
      ...{ accounts: [account('13900007771'), account('13900007772')] },
      contacts: [{ name: '张三', mobile: '13900007770', is_default: true }],
    });
    sessions = [await signIn('13900007771', changed), await signIn('13900007772', changed)];
  });

  it('ends its sessions with another password or number, and no others', async () => {
    const [first, other] = sessions;
    await must(change(changed, 0, { name: '李四' }));
    expect([await open(first), await open(other)]).toEqual([200, 200]);
    await must(change(changed, 0, { password: 'Quite-New-2026' }));
    expect([await open(first), await open(other)]).toEqual([401, 200]);
    const again = await signIn('13900007771', changed, 'Quite-New-2026');
    await must(change(changed, 0, { mobile: '13900007773' }));
    expect([await open(again), await open(other)]).toEqual([401, 200]);
  });

  it('is closed while its partner is frozen too', async () => {
    const frozen = await actAs(
      await rules.example.signIn('rk.aa', 'RK'),
      'partner',
      changed,
      'freeze',
      {},
      '逾期',
    );
    expect(frozen.status).toBe(200);
    expect(await open(sessions[1])).toBe(200);
    await must(change(changed, 1, { status: 'disabled' }));
    await expect.poll(() => open(sessions[1]), { timeout: 8_000 }).toBe(401);
  });
});

describe('what the house is still writing', () => {
  it('is not seen by the partner: drafts, and who handed in and decided', async () => {
    const own = {
      partner_id: partner,
      sales_id: rules.example.masters.sales,
      dept_code: 'AA',
      business_type: 'agency',
    };
    const draft = await rules.given('export_order', { ...own, status: 'draft' });
    const handed = await rules.given('export_order', { ...own, status: 'submitted' });
    await rules.example.services.db.execute('update export_order set created_by = $2 where id = $1::uuid', [
      draft,
      rules.example.masters.sales,
    ]);
    expect((await as(token, 'GET', `/data/export_order/${draft}`)).status).toBe(404);
    const seen = await must(as(token, 'GET', `/data/export_order/${handed}`));
    for (const name of ['created_by', 'submitted_by', 'approved_by', 'reject_reason'])
      expect(Object.keys(seen)).not.toContain(name);
    const mine = String((await must(as(token, 'POST', '/data/export_order', { partner_id: partner })))['id']);
    expect((await as(token, 'GET', `/data/export_order/${mine}`)).status).toBe(200);
    const help = await must(as(token, 'GET', '/meta/resources/export_order/help'));
    expect(help['roles']).toHaveLength(1);
    for (const action of help['actions'] as readonly Fields[])
      expect(action).toMatchObject({ isMine: true, happens: [] });
    const face = await must(as(token, 'GET', '/face/home'));
    expect(JSON.stringify(face)).toContain(mine);
    expect(JSON.stringify(face)).not.toContain(draft);
    expect(JSON.stringify(await must(as(strangers, 'GET', '/face/home')))).not.toContain(mine);
  });
});
