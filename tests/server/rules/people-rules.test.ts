import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { connectTo } from '../support/notice-stream.ts';
import { sealed } from '../support/running-example.ts';
import { type Fields, must, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'tm.aa': 'TM',
    'fn2.aa': 'FN',
    'ad.aa': 'AD',
    'dm.aa': 'DM',
    'dm2.aa': 'DM',
  });
}, 600_000);
afterAll(() => rules.example.close());

let newcomers = 0;
/** A colleague who may leave: of the department and with the roles of another. */
async function aColleagueOf(personid: string): Promise<string> {
  newcomers += 1;
  const { dept_id, role_ids, password } = await rules.stored('person', await rules.idOf(personid));
  const fields = { dept_id, role_ids, password, status: 'active', name: `同事${newcomers}` };
  const mobile = `1360000100${newcomers}`;
  return rules.given('person', { ...fields, personid: `leaver${newcomers}.aa`, mobile });
}

describe('a login link', () => {
  it('lets the account in once, from the short message', async () => {
    const mobile = '13900001234';
    const id = await rules.aPartner({ accounts: [{ mobile, name: '张三', status: 'active' }] });
    await must(rules.act('sp.aa', 'partner', id, 'login_link', { inputs: {} }));
    const [text] = await rules.smsTo(mobile);
    expect(text).toMatch(/http:\/\/localhost:\d+\/login\?id=[\w-]+&code=[\w-]+$/);
    const query = new URLSearchParams((text ?? '').split('?')[1]);
    const login = {
      personid: Buffer.from(query.get('id') ?? '', 'base64url').toString(),
      code: query.get('code'),
    };
    expect(login.personid).toBe(mobile);
    const other = await rules.example.call('', 'POST', '/sys/loginByAgcustMobileNo', {
      ...login,
      personid: '13900001235',
    });
    expect(other.status).not.toBe(200);
    const person = await must(rules.example.call('', 'POST', '/sys/loginByAgcustMobileNo', login));
    const token = String(person['authorization']);
    // Customers have the message centre and no live notices.
    expect((await connectTo(rules.example.url, token, mobile)).status).toBe(403);
    expect((await rules.example.call(token, 'GET', '/notice/unread')).status).toBe(200);
    const again = await rules.example.call('', 'POST', '/sys/loginByAgcustMobileNo', login);
    expect(again.status).not.toBe(200);
  });
});

describe('people who cannot come in', () => {
  const post = (path: string, body: Fields) => rules.example.call('', 'POST', path, body);
  const codeOf = async (mobile: string) => /\d{6}/.exec((await rules.smsTo(mobile)).at(-1) ?? '')?.[0] ?? '';

  it('choose a new password by SMS; nobody learns whose number it is', async () => {
    const mobile = '13900004321';
    await rules.aPartner({ accounts: [{ mobile, name: '李四', status: 'active' }] });
    const asked = await post('/sys/forgotten/code', { kind: 'partner', mobile });
    const unknown = await post('/sys/forgotten/code', { kind: 'partner', mobile: '13900009999' });
    expect([asked.status, asked.msg]).toEqual([200, unknown.msg]);
    expect(await rules.smsTo('13900009999')).toEqual([]);
    const form = { kind: 'partner', mobile, newPassword: sealed('Quite-New-2026') };
    const signInAs = (personid: string, password: string) =>
      post('/sys/loginByAgcustMobileNo', { personid, password: sealed(password) });
    const neighbour = '13900004322';
    await rules.aPartner({ accounts: [{ mobile: neighbour, name: '赵六', status: 'active' }] });
    for (let tries = 0; tries < 5; tries += 1) {
      await signInAs(mobile, 'wrong-one');
      await signInAs(neighbour, 'wrong-one');
    }
    expect((await signInAs(mobile, 'wrong-one')).status).toBe(429);
    expect((await post('/sys/forgotten/password', { ...form, sms: '000000' })).status).toBe(400);
    const sms = await codeOf(mobile);
    expect((await post('/sys/forgotten/password', { ...form, sms })).status).toBe(200);
    expect((await post('/sys/forgotten/password', { ...form, sms })).status).toBe(400);
    // Whoever was locked out by wrong passwords comes in with the new one; nobody else does.
    expect((await signInAs(mobile, 'Quite-New-2026')).status).toBe(200);
    expect((await signInAs(neighbour, 'wrong-one')).status).toBe(429);
    const colleague = {
      kind: 'staff',
      personid: 'sp.aa',
      mobile,
      sms,
      newPassword: sealed('Quite-New-2026'),
    };
    expect((await post('/sys/forgotten/password', colleague)).status).toBe(400);
  });

  it('see what became of their registration', async () => {
    const mobile = '13900005432';
    await rules.aPartner({ name: '等审核的公司', accounts: [{ mobile, name: '王五', status: 'disabled' }] });
    await must(post('/sys/registration-state/code', { mobile }));
    const { data } = await post('/sys/registration-state', { mobile, sms: await codeOf(mobile) });
    expect(data).toEqual([{ name: '等审核的公司', state: expect.any(String), at: expect.any(String) }]);
  });

  it('read what a document is and what happens on each action', async () => {
    const { data } = await rules.as('sp.aa', 'GET', '/meta/resources/partner/help');
    const { actions, sections } = data as unknown as {
      actions: readonly {
        title: string;
        roles: readonly string[];
        happens: readonly string[];
        isMine: boolean;
      }[];
      sections: readonly { fields: readonly { title: string }[] }[];
    };
    const submit = actions.find(({ title }) => title === '提交');
    expect(submit).toMatchObject({ isMine: true, roles: expect.arrayContaining(['业务员']) });
    expect(submit?.happens.join()).toContain('按审核流程逐级审核');
    expect(sections.flatMap(({ fields }) => fields.map(({ title }) => title))).not.toContain(
      '风险等级（内部）',
    );
  });
});

describe('people who hand over', () => {
  it('a transferred partner takes its open documents along, not the finished ones', async () => {
    const successor = await rules.idOf('tm.aa');
    const partner = await rules.aPartner();
    const own = {
      partner_id: partner,
      business_type: 'agency',
      sales_id: rules.example.masters.sales,
      dept_code: 'AA',
    };
    const open = await rules.given('export_order', { ...own, status: 'draft' });
    const done = await rules.given('export_order', { ...own, status: 'cancelled' });
    await must(
      rules.act('tm.aa', 'partner', partner, 'transfer', {
        inputs: { new_sales_id: successor, with_records: true },
      }),
    );
    const owners = await Promise.all([
      rules.stored('partner', partner),
      rules.stored('export_order', open),
      rules.stored('export_order', done),
    ]);
    expect(owners.map((row) => row['sales_id'])).toEqual([successor, successor, rules.example.masters.sales]);
  });

  it('a partner that is claimed takes its open documents along, not the finished ones', async () => {
    const before = await rules.idOf('dm2.aa');
    const own = { sales_id: before, dept_code: 'AA02' };
    const partner = await rules.aPartner({ ...own, open_pool: true });
    const about = { ...own, partner_id: partner, business_type: 'agency' };
    const open = await rules.given('export_order', { ...about, status: 'draft' });
    const done = await rules.given('export_order', { ...about, status: 'cancelled' });
    await must(rules.act('sp.aa', 'partner', partner, 'claim'));
    const taken = { sales_id: rules.example.masters.sales, dept_code: 'AA01' };
    expect(await rules.stored('partner', partner)).toMatchObject(taken);
    expect(await rules.stored('export_order', open)).toMatchObject(taken);
    expect((await rules.stored('export_order', done))['sales_id']).not.toBe(await rules.idOf('sp.aa'));
  });

  it('the credit line, the pool and the claims of a receipt go where the partner goes', async () => {
    const { db } = rules.example.services;
    const [first, next] = [await aColleagueOf('sp3.aa'), await aColleagueOf('sp3.aa')];
    const partner = await rules.aPartner({ sales_id: first, dept_code: 'AA02' });
    const other = await rules.aPartner();
    const application = await rules.given('credit_line_application', {
      partner_id: partner,
      status: 'approved',
    });
    const line = await rules.given('credit_line', {
      ...{ partner_id: partner, purpose: 'shipment_risk', amount: '1000', application_id: application },
      ...{
        valid_from: '2026-01-01',
        valid_to: '2099-01-01',
        sales_id: first,
        dept_code: 'AA02',
        status: 'active',
      },
    });
    const pool = await rules.given('fund_pool', {
      ...{
        pool_type: 'partner',
        account_kind: 'general',
        partner_id: partner,
        currency: 'USD',
        status: 'active',
      },
    });
    const receipt = await rules.given('receipt', {
      ...{
        bank_account_id: rules.example.masters.account,
        currency: 'USD',
        gross_amount: '100.00',
        status: 'claimed',
      },
      claims: [
        { partner_id: partner, amount: '40.00' },
        { partner_id: other, amount: '60.00' },
      ],
    });
    const ownersNow = async () => {
      const claims = await db.query(
        'select sales_id from receipt__claims where parent_id = $1::uuid and partner_id = $2::uuid',
        [receipt, partner],
      );
      const { sales_id, dept_code } = await rules.stored('credit_line', line);
      return [
        sales_id,
        dept_code,
        (await rules.stored('fund_pool', pool))['sales_id'],
        claims[0]?.['sales_id'],
      ];
    };
    expect(await ownersNow()).toEqual([first, 'AA02', first, first]);
    const inputs = { new_sales_id: next, with_records: false };
    await must(rules.act('tm.aa', 'partner', partner, 'transfer', { inputs }));
    expect(await ownersNow()).toEqual([next, 'AA02', next, next]);
    const successor = await rules.idOf('sp.aa');
    await must(rules.act('ad.aa', 'person', next, 'disable', { inputs: { successor_id: successor } }));
    expect(await ownersNow()).toEqual([successor, 'AA01', successor, successor]);
    expect((await rules.as('sp.aa', 'GET', `/data/credit_line/${line}`)).status).toBe(200);
  });

  it('a disabled person with open documents needs a successor, who gets them', async () => {
    const leaver = await rules.idOf('sp2.aa');
    const successor = await rules.idOf('sp.aa');
    const partner = await rules.aPartner({ sales_id: leaver });
    const refused = await rules.act('ad.aa', 'person', leaver, 'disable');
    expect(refused.problems.map(({ path: at }) => at)).toEqual(['successor_id']);
    await must(rules.act('ad.aa', 'person', leaver, 'disable', { inputs: { successor_id: successor } }));
    expect((await rules.stored('partner', partner))['sales_id']).toBe(successor);
    expect((await rules.stored('person', leaver))['status']).toBe('disabled');
  });

  it('what a successor takes over is of the department of the successor from then on', async () => {
    const leaver = await aColleagueOf('sp3.aa');
    const successor = await rules.idOf('sp.aa');
    const partner = await rules.aPartner({ sales_id: leaver, dept_code: 'AA02' });
    const statement = await rules.given('commission_statement', {
      person_id: leaver,
      period: '202601',
      dept_code: 'AA02',
      status: 'draft',
    });
    const seenBy = (who: string) => rules.as(who, 'GET', `/data/partner/${partner}`);
    expect([(await seenBy('dm.aa')).status, (await seenBy('dm2.aa')).status]).toEqual([404, 200]);
    await must(rules.act('ad.aa', 'person', leaver, 'disable', { inputs: { successor_id: successor } }));
    expect(await rules.stored('partner', partner)).toMatchObject({ sales_id: successor, dept_code: 'AA01' });
    expect([(await seenBy('dm.aa')).status, (await seenBy('dm2.aa')).status]).toEqual([200, 404]);
    // What the one who left has earned is handed over to nobody.
    const own = { sales_id: leaver, dept_code: 'AA02' };
    expect(await rules.stored('commission_statement', statement)).toMatchObject(own);
  });

  it('whoever managed a project hands it over with its pool and the claims for it', async () => {
    const leaver = await aColleagueOf('sp3.aa');
    const successor = await rules.idOf('sp.aa');
    const own = { business_type: 'self', sales_id: successor, dept_code: 'AA01' };
    const project = await rules.given('project', {
      ...{ ...own, name: '移交的自营项目', manager_id: leaver, fund_limit: '1000', status: 'active' },
    });
    const pool = await rules.given('fund_pool', {
      ...{ pool_type: 'project', account_kind: 'general', project_id: project, currency: 'USD' },
      status: 'active',
    });
    const receipt = await rules.given('receipt', {
      ...{
        bank_account_id: rules.example.masters.account,
        currency: 'USD',
        gross_amount: '100.00',
        status: 'claimed',
      },
      claims: [{ project_id: project, amount: '100.00' }],
    });
    const claimOf = async () =>
      (await rules.example.services.db.query('select sales_id from receipt__claims where parent_id = $1::uuid', [receipt]))[0]; // prettier-ignore
    expect((await rules.stored('fund_pool', pool))['sales_id']).toBe(leaver);
    expect(await claimOf()).toEqual({ sales_id: leaver });
    const refused = await rules.act('ad.aa', 'person', leaver, 'disable');
    expect(refused.problems.map(({ path: at, message }) => [at, message])).toEqual([
      ['successor_id', '还有负责的项目未关闭，请选择接任人'],
    ]);
    await must(rules.act('ad.aa', 'person', leaver, 'disable', { inputs: { successor_id: successor } }));
    expect((await rules.stored('project', project))['manager_id']).toBe(successor);
    expect((await rules.stored('fund_pool', pool))['sales_id']).toBe(successor);
    expect(await claimOf()).toEqual({ sales_id: successor });
    expect((await rules.as('sp.aa', 'GET', `/data/fund_pool/${pool}`)).status).toBe(200);
    expect(await rules.toldOf(leaver, 'sp.aa')).toContain('RECORDS_HANDED_OVER');
  });

  it('a password is reset by a short message, and the old one is over', async () => {
    const id = await rules.idOf('fn2.aa');
    const before = await rules.stored('person', id);
    const answer = await must(rules.act('ad.aa', 'person', id, 'reset_password'));
    expect(JSON.stringify(answer)).not.toContain('argon2');
    expect((await rules.stored('person', id))['password']).not.toBe(before['password']);
    const [text] = await rules.smsTo(String(before['mobile']));
    expect(text).toMatch(/重置为 \w{10}，/);
    expect((await rules.as('fn2.aa', 'GET', '/sys/session')).status).toBe(401);
    const sent = /重置为 (\w{10})，/.exec(text ?? '')?.[1] ?? '';
    const { call, signIn } = rules.example;
    const token = await signIn('fn2.aa', 'FN', sent);
    expect((await call(token, 'GET', '/sys/session')).data['mustChangePassword']).toBe(true);
    for (const [method, path] of [
      ['POST', '/data/shipment/query'],
      ['GET', '/meta/resources'],
      ['GET', '/self/sessions'],
    ] as const) {
      const refused = await call(token, method, path, method === 'POST' ? {} : undefined);
      expect([path, refused.status, refused.msg]).toEqual([path, 403, '请先修改登录密码']);
    }
    const changed = await call(token, 'POST', '/self/password', {
      password: sealEnvelope(sent, DEMO_AES_KEY),
      newPassword: sealEnvelope('Chosen-2026', DEMO_AES_KEY),
    });
    expect([changed.status, changed.msg]).toEqual([200, '密码修改成功']);
    expect((await call(token, 'GET', '/sys/session')).data['mustChangePassword']).toBe(false);
    expect((await call(token, 'POST', '/data/shipment/query', {})).status).toBe(200);
  });
});
