import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/demo/import-organisation.ts';
import { insertRecord } from '#server/operations/system-write.ts';
import { type Answer, startTradeExample, type TradeExample } from '../trade/trade-example.ts';

type Fields = Record<string, unknown>;

let example: TradeExample;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  example = await startTradeExample();
  for (const [name, role] of [
    ['sp.aa', 'SP'],
    ['tm.aa', 'TM'],
    ['rk.aa', 'RK'],
    ['fn.aa', 'FN'],
    ['fn2.aa', 'FN'],
    ['ad.aa', 'AD'],
  ] as const)
    tokens[name] = await example.signIn(name, role);
}, 120_000);
afterAll(() => example.close());

const as = (who: string, method: string, address: string, body?: unknown): Promise<Answer> =>
  example.call(tokens[who] ?? '', method, address, body);

async function must(answer: Promise<Answer>): Promise<Fields> {
  const done = await answer;
  expect([done.status, done.msg, done.problems]).toEqual([200, expect.any(String), []]);
  return done.data;
}

/** Writes a record of company AA as the system. */
function given(key: string, values: Fields): Promise<string> {
  const caller = systemCaller(example.services, 'AA');
  return example.services.db.transaction(async (tx) => {
    const saved = await insertRecord({ tx, services: example.services, caller }, key, values);
    return String(saved['id']);
  });
}

const stored = async (table: string, id: string): Promise<Fields> =>
  (await example.services.db.query<Fields>(`select * from ${table} where id = $1::uuid`, [id]))[0] ?? {};

const act = (who: string, key: string, id: string, action: string, body: Fields = {}): Promise<Answer> =>
  stored(key, id).then(({ version }) =>
    as(who, 'POST', `/data/${key}/${id}/actions/${action}`, { version, ...body }),
  );

let partners = 0;
function aPartner(values: Fields = {}): Promise<string> {
  partners += 1;
  return given('partner', {
    name: `宁波领取${partners}有限公司`,
    corp_type: '1',
    enterprise_kind: 'manufacturer',
    taxpayer_type: 'general',
    export_modes: ['buyout'],
    source: 'sales',
    risk_level: 'B',
    sales_id: example.masters.sales,
    dept_code: 'AA',
    status: 'active',
    ...values,
  });
}

async function smsTo(mobile: string): Promise<readonly string[]> {
  const file = path.join(example.services.config.dataDir, 'outbox', 'sms.jsonl');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { to: string; text: string })
    .filter(({ to }) => to === mobile)
    .map(({ text }) => text);
}

describe('claiming partners', () => {
  it('stops at the daily limit, also when all claims come at once', async () => {
    const pool = await Promise.all(Array.from({ length: 7 }, () => aPartner({ open_pool: true })));
    const answers = await Promise.all(pool.map((id) => act('sp.aa', 'partner', id, 'claim')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ msg }) => msg)).toEqual(['今日领取数量已达上限', '今日领取数量已达上限']);
    const rows = await Promise.all(pool.map((id) => stored('partner', id)));
    expect(rows.filter((row) => row['open_pool'] === false)).toHaveLength(5);
  });
});

describe('bank accounts', () => {
  it('are verified by somebody else than who wrote them, and again after a change', async () => {
    const [cnaps] = await Promise.all([
      given('cnaps', {
        code: '102332000008',
        branch_name: '试验支行',
        bank_name: '试验银行',
        status: 'active',
      }),
    ]);
    const name = '宁波账户有限公司';
    const id = await aPartner({
      name,
      credit_code: '91310115MA0DEM0077',
      legal_person: '张三',
      reg_address: '宁波',
      license_file: [randomUUID()],
    });
    const { version } = await stored('partner', id);
    const line = { account_name: name, cnaps_id: cnaps, is_default: true };
    const saved = await must(
      as('fn.aa', 'PATCH', `/data/partner/${id}`, {
        version,
        banks: [{ ...line, account_no: '6222000011112222' }],
      }),
    );
    expect((await act('fn.aa', 'partner', id, 'verify_bank', { inputs: { method: 'letter' } })).msg).toBe(
      '不能验证本人修改的账户',
    );
    await must(act('fn2.aa', 'partner', id, 'verify_bank', { inputs: { method: 'letter' } }));
    const verified = await must(as('fn.aa', 'GET', `/data/partner/${id}`));
    const [bank] = verified['banks'] as readonly Fields[];
    expect(bank?.['verified']).toBe(true);
    expect(saved['id']).toBe(id);
    const changed = await must(
      as('fn.aa', 'PATCH', `/data/partner/${id}`, {
        version: verified['version'],
        banks: [{ id: bank?.['id'], account_no: '6222000011113333' }],
      }),
    );
    expect((changed['banks'] as readonly Fields[])[0]?.['verified']).toBe(false);
  });
});

describe('a blacklist entry in force', () => {
  it('freezes partners and disables other masters that match, whatever the spelling', async () => {
    const partner = await aPartner({ name: 'Ningbo Shady Metal Co., Ltd.' });
    const buyer = await given('buyer', {
      name_en: 'NINGBO SHADY METAL CO LTD',
      country_id: example.masters.country,
      address: 'X',
      is_related: false,
      business_type: 'self',
      sales_id: example.masters.sales,
      dept_code: 'AA',
      status: 'active',
    });
    const entry = await must(
      as('tm.aa', 'POST', '/data/blacklist', {
        kind: 'partner',
        name: 'NINGBO SHADY METAL CO.,LTD',
        source: '公司内部',
        reason: '骗税',
      }),
    );
    await must(act('tm.aa', 'blacklist', String(entry['id']), 'submit'));
    const state = await must(as('rk.aa', 'GET', `/approval/record/blacklist/${String(entry['id'])}`));
    const task = state['task'] as { id: string; version: number };
    await must(
      as('rk.aa', 'POST', `/approval/${task.id}/approve`, { version: task.version, opinion: '同意' }),
    );
    expect([(await stored('partner', partner))['status'], (await stored('buyer', buyer))['status']]).toEqual([
      'frozen',
      'disabled',
    ]);
    expect((await stored('partner', example.masters.partner))['status']).toBe('active');
  });
});

describe('versions of an HS code', () => {
  it('do not overlap', async () => {
    const version = { code: '8481100001', name: '减压阀', unit1: '035', vat_rate: '13', refund_rate: '13' };
    await must(
      as('tm.aa', 'POST', '/data/hs_code', { ...version, valid_from: '2024-01-01', valid_to: '2024-12-31' }),
    );
    const overlapping = await as('tm.aa', 'POST', '/data/hs_code', { ...version, valid_from: '2024-12-31' });
    expect(overlapping.problems.map(({ path: at, message }) => [at, message])).toEqual([
      ['valid_from', '与该编码的其他版本有效期重叠'],
    ]);
    await must(as('tm.aa', 'POST', '/data/hs_code', { ...version, valid_from: '2025-01-01' }));
  });
});

describe('approval flows', () => {
  const flow = (values: Fields): Fields => ({
    name: '采购合同',
    resource: 'purchase_contract',
    co_code: 'AA',
    priority: 901,
    amount_field: 'total_amount',
    levels: [{ level_no: 1, title: '经理', approver_kind: 'dept_manager', mode: 'any' }],
    ...values,
  });

  it('have consecutive levels and fields that exist', async () => {
    const gap = await as('ad.aa', 'POST', '/data/approval_flow', {
      ...flow({}),
      levels: [{ level_no: 2, title: '经理', approver_kind: 'dept_manager', mode: 'any' }],
    });
    expect(gap.problems.map(({ path: at }) => at)).toEqual(['levels']);
    const unknown = await as('ad.aa', 'POST', '/data/approval_flow', flow({ amount_field: 'amuont' }));
    expect(unknown.problems.map(({ path: at }) => at)).toEqual(['amount_field']);
  });

  it('are not enabled over a band that another one has', async () => {
    const low = await must(
      as('ad.aa', 'POST', '/data/approval_flow', flow({ priority: 902, amount_from: '0', amount_to: '100' })),
    );
    await must(act('ad.aa', 'approval_flow', String(low['id']), 'disable'));
    await must(
      as(
        'ad.aa',
        'POST',
        '/data/approval_flow',
        flow({ priority: 903, amount_from: '50', amount_to: '200' }),
      ),
    );
    const refused = await act('ad.aa', 'approval_flow', String(low['id']), 'enable');
    expect([refused.status === 200, refused.problems.map(({ path: at }) => at)]).toEqual([
      false,
      ['amount_from'],
    ]);
  });
});

describe('a login link', () => {
  it('lets the account in once, from the short message', async () => {
    const mobile = '13900001234';
    const id = await aPartner({ accounts: [{ mobile, name: '张三', status: 'active' }] });
    await must(act('sp.aa', 'partner', id, 'login_link', { inputs: { mobile } }));
    const [text] = await smsTo(mobile);
    const query = new URLSearchParams((text ?? '').split('?')[1]);
    const login = {
      personid: Buffer.from(query.get('id') ?? '', 'base64url').toString(),
      code: query.get('code'),
    };
    expect(login.personid).toBe(mobile);
    const other = await example.call('', 'POST', '/sys/loginByAgcustMobileNo', {
      ...login,
      personid: '13900001235',
    });
    expect(other.status).not.toBe(200);
    const person = await must(example.call('', 'POST', '/sys/loginByAgcustMobileNo', login));
    expect(person['authorization']).toEqual(expect.any(String));
    const again = await example.call('', 'POST', '/sys/loginByAgcustMobileNo', login);
    expect(again.status).not.toBe(200);
  });
});

describe('a book rate', () => {
  it('becomes the rate of its currency', async () => {
    const today = new Date().toISOString().slice(0, 7);
    await must(
      as('fn.aa', 'POST', '/data/currency_rate', {
        currency: 'USD',
        kind: 'book',
        date: `${today}-01`,
        rate: '7.123400',
        source: '手工',
      }),
    );
    const [usd] = await example.services.db.query<Fields>(
      `select current_book_rate from currency where code = 'USD'`,
      [],
    );
    expect(usd?.['current_book_rate']).toBe('7.123400');
  });
});
