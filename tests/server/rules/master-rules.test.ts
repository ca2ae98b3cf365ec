import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from './rules-example.ts';

let rules: RulesExample;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'tm.aa': 'TM',
    'rk.aa': 'RK',
    'gm.aa': 'GM',
    'fn.aa': 'FN',
    'fn2.aa': 'FN',
    'ad.aa': 'AD',
  });
}, 600_000);
afterAll(() => rules.example.close());

describe('claiming partners', () => {
  it('stops at the daily limit, also when all claims come at once', async () => {
    const pool = await Promise.all(Array.from({ length: 7 }, () => rules.aPartner({ open_pool: true })));
    const answers = await Promise.all(pool.map((id) => rules.act('sp.aa', 'partner', id, 'claim')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ msg }) => msg)).toEqual(['今日领取次数已达上限', '今日领取次数已达上限']);
    const rows = await Promise.all(pool.map((id) => rules.stored('partner', id)));
    expect(rows.filter((row) => row['open_pool'] === false)).toHaveLength(5);
  });
});

/** A partner in force whose papers are complete, so that it can be changed. */
const inForce = (name: string, credit_code: string, values: Fields = {}): Promise<string> =>
  rules.aPartner({
    ...{ name, credit_code, legal_person: '张三', reg_address: '宁波', license_file: [randomUUID()] },
    ...values,
  });

const amendPartner = (id: string, changes: Fields): ReturnType<RulesExample['act']> =>
  rules.act('tm.aa', 'partner', id, 'amend', { opinion: '资料变更', inputs: { changes } });

describe('a partner in force', () => {
  it('is filed for refunds by 变更, with the day and the receipt of it', async () => {
    const id = await inForce('宁波备案有限公司', '91310115MA0DEM011M');
    const filed = { refund_filed: true, refund_file: [randomUUID()] };
    const undated = await amendPartner(id, filed);
    expect([undated.status, undated.problems.map(({ path }) => path)]).toEqual([400, ['refund_filed_date']]);
    await must(amendPartner(id, { ...filed, refund_filed_date: '2026-10-08' }));
    expect((await rules.stored('partner', id))['refund_filed']).toBe(true);
  });

  it('changes its name together with that of its accounts, which are verified anew', async () => {
    const cnaps_id = await rules.given('cnaps', {
      ...{ code: '102332000016', branch_name: '更名支行', bank_name: '更名银行', status: 'active' },
    });
    const yuan = { code: 'CNY', name: '人民币', symbol: '¥', decimals: 2, status: 'active' };
    await rules.given('currency', yuan);
    const account = { account_no: '6222000022223333', cnaps_id, is_default: true };
    const id = await inForce('宁波旧名有限公司', '91310115MA0DEM012Q', {
      banks: [{ ...account, account_name: '宁波旧名有限公司' }],
    });
    const { db } = rules.example.services;
    const [bank] = await db.query<{ id: string }>(
      'update partner__banks set verified = true where parent_id = $1::uuid returning id',
      [id],
    );
    await rules.given('payment_request', {
      ...{ business_type: 'agency', partner_id: id, pay_type: 'other', payee_kind: 'partner' },
      ...{
        partner_account: bank?.id,
        sales_id: rules.example.masters.sales,
        dept_code: 'AA',
        status: 'paid',
      },
    });
    const name = '宁波新名有限公司';
    const alone = await amendPartner(id, { name });
    expect(alone.problems).toMatchObject([{ message: expect.stringContaining('户名须与委托方名称一致') }]);
    const changed = await must(amendPartner(id, { name, banks: [{ id: bank?.id, account_name: name }] }));
    expect(changed['name']).toBe(name);
    expect(changed['banks']).toMatchObject([{ id: bank?.id, account_name: name, verified: false }]);
  });
});

describe('bank accounts', () => {
  it('are verified by somebody else than who wrote them, and again after a change', async () => {
    const cnaps = await rules.given('cnaps', {
      code: '102332000008',
      branch_name: '试验支行',
      bank_name: '试验银行',
      status: 'active',
    });
    const name = '宁波账户有限公司';
    const id = await rules.aPartner({
      name,
      credit_code: '91310115MA0DEM0077',
      legal_person: '张三',
      reg_address: '宁波',
      license_file: [randomUUID()],
    });
    const { version } = await rules.stored('partner', id);
    const line = { account_name: name, cnaps_id: cnaps, is_default: true };
    const saved = await must(
      rules.as('fn.aa', 'PATCH', `/data/partner/${id}`, {
        version,
        banks: [{ ...line, account_no: '6222000011112222' }],
      }),
    );
    expect(
      (await rules.act('fn.aa', 'partner', id, 'verify_bank', { inputs: { method: 'letter' } })).msg,
    ).toBe('不能验证本人修改的账户');
    await must(rules.act('fn2.aa', 'partner', id, 'verify_bank', { inputs: { method: 'letter' } }));
    const verified = await must(rules.as('fn.aa', 'GET', `/data/partner/${id}`));
    const [bank] = verified['banks'] as readonly Fields[];
    expect(bank?.['verified']).toBe(true);
    expect(saved['id']).toBe(id);
    const changed = await must(
      rules.as('fn.aa', 'PATCH', `/data/partner/${id}`, {
        version: verified['version'],
        banks: [{ id: bank?.['id'], account_no: '6222000011113333' }],
      }),
    );
    expect((changed['banks'] as readonly Fields[])[0]?.['verified']).toBe(false);
  });
});

describe('a blacklist entry in force', () => {
  it('freezes partners and disables other masters that match, whatever the spelling', async () => {
    const partner = await rules.aPartner({ name: 'Ningbo Shady Metal Co., Ltd.' });
    const buyer = await rules.given('buyer', {
      name_en: 'NINGBO SHADY METAL CO LTD',
      country_id: rules.example.masters.country,
      address: 'X',
      is_related: false,
      business_type: 'self',
      sales_id: rules.example.masters.sales,
      dept_code: 'AA',
      status: 'active',
    });
    const entry = await must(
      rules.as('tm.aa', 'POST', '/data/blacklist', {
        kind: 'partner',
        name: 'NINGBO SHADY METAL CO.,LTD',
        source: '公司内部',
        reason: '骗税',
      }),
    );
    await must(rules.act('tm.aa', 'blacklist', String(entry['id']), 'submit'));
    const state = await must(rules.as('rk.aa', 'GET', `/approval/record/blacklist/${String(entry['id'])}`));
    const task = state['task'] as { id: string; version: number };
    await must(
      rules.as('rk.aa', 'POST', `/approval/${task.id}/approve`, { version: task.version, opinion: '同意' }),
    );
    expect([
      (await rules.stored('partner', partner))['status'],
      (await rules.stored('buyer', buyer))['status'],
    ]).toEqual(['frozen', 'disabled']);
    expect((await rules.stored('partner', rules.example.masters.partner))['status']).toBe('active');
  });

  it('stops who is named until the general manager has agreed to its release, and is not shortened', async () => {
    const entry = await rules.given('blacklist', {
      ...{ kind: 'partner', name: '宁波列名有限公司', source: '公司内部', reason: '骗税' },
      ...{ valid_from: '2024-01-01', valid_to: '2029-12-31', status: 'active' },
    });
    const path = `/data/blacklist/${entry}`;
    const until = async (valid_to: string | null) => {
      const { version } = await rules.stored('blacklist', entry);
      return rules.as('tm.aa', 'PATCH', path, { version, valid_to });
    };
    expect((await until('2026-01-01')).problems).toMatchObject([{ path: 'valid_to' }]);
    await must(until('2031-12-31'));
    await must(until(null));
    expect((await until('2031-12-31')).problems).toMatchObject([{ path: 'valid_to' }]);
    const partner = await inForce('宁波清白有限公司', '91310115MA0DEM013U');
    const rename = () => amendPartner(partner, { name: '宁波列名有限公司' });
    await must(rules.act('rk.aa', 'blacklist', entry, 'release', { opinion: '误列' }));
    expect((await rename()).problems).toMatchObject([{ message: expect.stringContaining('命中黑名单') }]);
    const state = await must(rules.as('gm.aa', 'GET', `/approval/record/blacklist/${entry}`));
    const task = state['task'] as { id: string; version: number };
    const agreed = { version: task.version, opinion: '同意' };
    await must(rules.as('gm.aa', 'POST', `/approval/${task.id}/approve`, agreed));
    expect((await rules.stored('blacklist', entry))['status']).toBe('disabled');
    await must(rename());
  });
});

describe('versions of an HS code', () => {
  it('do not overlap', async () => {
    const version = { code: '8481100001', name: '减压阀', unit1: '035', vat_rate: '13', refund_rate: '13' };
    await must(
      rules.as('ad.aa', 'POST', '/data/hs_code', {
        ...version,
        valid_from: '2024-01-01',
        valid_to: '2024-12-31',
      }),
    );
    const overlapping = await rules.as('ad.aa', 'POST', '/data/hs_code', {
      ...version,
      valid_from: '2024-12-31',
    });
    expect(overlapping.problems.map(({ path: at, message }) => [at, message])).toEqual([
      ['valid_from', '与该编码的其他版本有效期重叠'],
    ]);
    await must(rules.as('ad.aa', 'POST', '/data/hs_code', { ...version, valid_from: '2025-01-01' }));
  });
});

const flow = (values: Fields): Fields => ({
  name: '采购合同',
  resource: 'purchase_contract',
  co_code: 'AA',
  priority: 901,
  amount_field: 'total_amount',
  levels: [{ level_no: 1, title: '经理', approver_kind: 'dept_manager', mode: 'any' }],
  ...values,
});

describe('approval flows', () => {
  it('have consecutive levels and fields that exist', async () => {
    const gap = await rules.as('ad.aa', 'POST', '/data/approval_flow', {
      ...flow({}),
      levels: [{ level_no: 2, title: '经理', approver_kind: 'dept_manager', mode: 'any' }],
    });
    expect(gap.problems.map(({ path: at }) => at)).toEqual(['levels']);
    const unknown = await rules.as('ad.aa', 'POST', '/data/approval_flow', flow({ amount_field: 'amuont' }));
    expect(unknown.problems.map(({ path: at }) => at)).toEqual(['amount_field']);
  });

  it('are not enabled over a band that another one has', async () => {
    const low = await must(
      rules.as(
        'ad.aa',
        'POST',
        '/data/approval_flow',
        flow({ priority: 902, amount_from: '0', amount_to: '100' }),
      ),
    );
    // It waits for a second person, disabled.
    expect(low['status']).toBe('disabled');
    await rules.given('approval_flow', {
      ...flow({ priority: 903, amount_from: '50', amount_to: '200' }),
      status: 'active',
    });
    const refused = await rules.act('ad.aa', 'approval_flow', String(low['id']), 'enable');
    expect([refused.status === 200, refused.problems.map(({ path: at }) => at)]).toEqual([
      false,
      ['amount_from'],
    ]);
  });
});

describe('a parameter', () => {
  const write = (param: string, kind: string, value: string): ReturnType<RulesExample['as']> => {
    const row = { co_code: 'AA', param, label: param, kind, value, effective_from: '2031-01-01' };
    return rules.as('ad.aa', 'POST', '/data/system_default', row);
  };

  it.each([
    ['EXPOSURE_MODE', 'text', 'recievable', '参数值只能选“垫付与应收取大”、“垫付”、“应收”'],
    ['SETTLE_NEEDS_FX_SOLD', 'number', '2', '参数值只能选“否”、“是”'],
    ['REFUND_DEADLINE', 'month_day', '4-30', '参数值须为每年都有的月-日，如 04-30'],
    ['REFUND_DEADLINE', 'text', '02-29', '参数值须为每年都有的月-日，如 04-30'],
  ])('%s of kind %s is not %s', async (param, kind, value, message) => {
    const { status, problems } = await write(param, kind, value);
    expect({ status, problems }).toMatchObject({ status: 400, problems: [{ path: 'value', message }] });
  });

  it.each([
    ['EXPOSURE_MODE', 'text', 'receivable', '应收'],
    ['LETTER_BLOCKS_PAYMENT', 'bool', '0', '否'],
    ['REFUND_DEADLINE', 'month_day', '04-15', '04-15'],
    ['MIN_CASH', 'number', '12.50', '12.50'],
  ])('%s of kind %s may be %s, which reads %s', async (param, kind, value, label) => {
    const { id } = await must(write(param, kind, value));
    const row = await must(rules.as('ad.aa', 'GET', `/data/system_default/${String(id)}`));
    expect(row).toMatchObject({ value, _labels: { value: label } });
  });
});

describe('a book rate', () => {
  it('becomes the rate of its currency', async () => {
    const today = new Date().toISOString().slice(0, 7);
    await must(
      rules.as('ad.aa', 'POST', '/data/currency_rate', {
        currency: 'USD',
        kind: 'book',
        date: `${today}-01`,
        rate: '7.123400',
        source: '手工',
      }),
    );
    const [usd] = await rules.example.services.db.query<Fields>(
      `select current_book_rate from currency where code = 'USD'`,
      [],
    );
    expect(usd?.['current_book_rate']).toBe('7.123400');
  });
});

const usdRate = (date: string, value: string, more: Fields = {}): Fields => ({
  currency: 'USD',
  kind: 'sell',
  date,
  rate: value,
  ...more,
});
const postRate = (body: Fields): ReturnType<RulesExample['as']> =>
  rules.as('ad.aa', 'POST', '/data/currency_rate', body);

const aRate = async (fields: Fields): Promise<string> =>
  rules.given('partner_rate', {
    rate_no: randomUUID().slice(0, 18),
    fee_basis: 'pct_cny',
    fee_rate: '1',
    valid_from: '2026-01-01',
    status: 'active',
    co_code: 'AA',
    ...fields,
  });

describe('a rate far from the one before', () => {
  it('is taken only once somebody has looked at it again', async () => {
    const first = await must(postRate(usdRate('2026-05-04', '7')));
    await must(postRate(usdRate('2026-05-05', '7.3')));
    const refused = await postRate(usdRate('2026-05-06', '8'));
    expect(refused.problems).toMatchObject([
      { path: 'confirmed', message: expect.stringContaining('与前一汇率相差超过允许偏差') },
    ]);
    const taken = await must(postRate(usdRate('2026-05-06', '8', { confirmed: true })));
    expect(taken).toMatchObject({ deviation: '9.5890' });
    expect(taken['currency_id']).toBe(first['currency_id']);
    // Beyond a month nothing is compared.
    expect(await must(postRate(usdRate('2026-07-20', '12')))).toMatchObject({
      previous_id: null,
      deviation: null,
    });
  });
});

describe('a rate between two others', () => {
  it('is the one before the later, and so is what is corrected of it', async () => {
    await must(postRate(usdRate('2026-02-02', '7')));
    const later = String((await must(postRate(usdRate('2026-02-20', '7.2'))))['id']);
    const between = await must(postRate(usdRate('2026-02-10', '7.1')));
    const readLater = () => must(rules.as('ad.aa', 'GET', `/data/currency_rate/${later}`));
    expect(await readLater()).toMatchObject({ previous_id: between['id'], deviation: '1.4085' });
    const path = `/data/currency_rate/${String(between['id'])}`;
    await must(rules.as('ad.aa', 'PATCH', path, { version: between['version'], rate: '7.15' }));
    expect(await readLater()).toMatchObject({ previous_id: between['id'], deviation: '0.6993' });
    // What somebody looked at again is taken, though the later one is now far from it.
    const far = await must(postRate(usdRate('2026-02-15', '8', { confirmed: true })));
    expect(await readLater()).toMatchObject({ previous_id: far['id'], deviation: '10.0000' });
  });
});

describe('rates of a file', () => {
  const send = async (address: string, body: FormData | string): Promise<Fields> => {
    const headers = {
      authorization: await rules.example.signIn('ad.aa', 'AD'),
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    };
    const url = `${rules.example.url}/erp/api/data/currency_rate/import${address}`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    return ((await answer.json()) as { data: Fields }).data;
  };
  const check = (...lines: readonly string[]): Promise<Fields> => {
    const form = new FormData();
    form.append('file', new Blob([['币种,汇率类型,日期,汇率', ...lines].join('\n')]), '汇率.csv');
    return send('', form);
  };
  const commit = (checked: Fields): Promise<Fields> => send(`/${String(checked['importId'])}/commit`, '{}');
  const known = (month: string): Promise<readonly Fields[]> =>
    rules.example.services.db.query<Fields>(
      `select r.kind, r.date::text, p.date::text as before from currency_rate r
         left join currency_rate p on p.id = r.previous_id
       where to_char(r.date, 'YYYY-MM') = $1 order by r.kind, r.date`,
      [month],
    );

  it('know the one before, also one of the same file, in whatever order they stand', async () => {
    const checked = await check(
      ...['美元,卖出价,2024-03-05,9', '美元,卖出价,2024-03-04,7.3', '美元,中间价,2024-03-03,8'],
      ...['美元,卖出价,2024-03-02,7', '美元,卖出价,2024-03-03,7.1'],
    );
    expect(checked['counts']).toEqual({ create: 4, update: 0, error: 1 });
    expect(checked['rows']).toContainEqual(
      expect.objectContaining({
        ...{ row: 2, kind: 'error' },
        errors: [expect.objectContaining({ message: expect.stringContaining('与前一汇率相差超过允许偏差') })],
      }),
    );
    expect(await known('2024-03')).toEqual([]);
    expect(await commit(checked)).toMatchObject({ created: 4, skipped: 1 });
    expect((await known('2024-03')).map(({ kind, date, before }) => [kind, date, before])).toEqual([
      ['mid', '2024-03-03', null],
      ['sell', '2024-03-02', null],
      ['sell', '2024-03-03', '2024-03-02'],
      ['sell', '2024-03-04', '2024-03-03'],
    ]);
  });

  it('are measured against the one before in the file, not against an older one that stands', async () => {
    await must(postRate(usdRate('2024-05-01', '7')));
    const checked = await check('美元,卖出价,2024-05-03,7.6', '美元,卖出价,2024-05-02,7.3');
    expect(checked['counts']).toEqual({ create: 2, update: 0, error: 0 });
    expect(await commit(checked)).toMatchObject({ created: 2, skipped: 0 });
  });
});

describe('rates of partners', () => {
  it('below the default of the company are marked, the most particular default first', async () => {
    const partner = await rules.aPartner({});
    await aRate({ fee_rate: '0.5' });
    const particular = await aRate({ fee_rate: '2', currency: 'USD' });
    const body = { partner_id: partner, fee_basis: 'pct_cny', fee_rate: '1.5', valid_from: '2026-02-01' };
    const made = await must(rules.as('tm.aa', 'POST', '/data/partner_rate', { ...body, currency: 'USD' }));
    expect(made).toMatchObject({ below_floor: true, floor_id: particular });
    const other = await must(rules.as('tm.aa', 'POST', '/data/partner_rate', body));
    expect(other).toMatchObject({ below_floor: false });
  });

  it('are not disabled where nothing would hold any more', async () => {
    await rules.example.services.db.execute(`update partner_rate set status = 'disabled'`);
    const partner = await rules.aPartner({});
    const only = await aRate({ partner_id: partner });
    expect((await rules.act('tm.aa', 'partner_rate', only, 'disable')).msg).toBe('停用后没有适用的费率');
    await aRate({});
    await must(rules.act('tm.aa', 'partner_rate', only, 'disable'));
  });
});

describe('parties that business is open with', () => {
  it('a forwarder with an unpaid fee stays, a partner whose money is not split yet too', async () => {
    const { act, given, aPartner, example } = rules;
    const { db } = example.services;
    const own = { business_type: 'agency', sales_id: example.masters.sales, dept_code: 'AA' };
    const forwarder = await given('forwarder', { ...own, name: '宁波未付货代有限公司', status: 'active' });
    const payment = await given('payment_request', {
      ...{ ...own, pay_type: 'freight', payee_kind: 'forwarder', payee_name: '宁波未付货代有限公司' },
      ...{ currency: 'USD', status: 'approved' },
    });
    const disable = () => act('tm.aa', 'forwarder', forwarder, 'disable');
    expect((await disable()).msg).toBe('存在未付的付款申请，不能停用');
    await db.query(`update payment_request set status = 'paid' where id = $1::uuid`, [payment]);
    await must(disable());

    const partner = await aPartner();
    const receipt = await given('receipt', {
      ...{ bank_ref: 'UNSPLIT1', bank_account_id: example.masters.account, value_date: '2026-11-18' },
      ...{
        currency: 'USD',
        gross_amount: '100.00',
        payer_name: 'X',
        payer_country_id: example.masters.country,
      },
      claims: [{ partner_id: partner, amount: '100.00' }],
      status: 'claimed',
    });
    const terminate = () => act('tm.aa', 'partner', partner, 'terminate', { opinion: '不再合作' });
    expect((await terminate()).msg).toBe('委托方有未了结业务，不能终止');
    await db.query(`update receipt set status = 'returned' where id = $1::uuid`, [receipt]);
    await must(terminate());
  });
});

describe('what people are told', () => {
  it('of allocations that do not add up, and of a relation without its evidence, is so', async () => {
    const { act, as, given, example } = rules;
    const own = { business_type: 'agency', sales_id: example.masters.sales, dept_code: 'AA' };
    const invoice = await given('business_invoice', {
      ...{ ...own, invoice_type: '32', invoice_number: '26442000000000000088', billing_date: '2026-11-10' },
      ...{ issuer_kind: 'forwarder', issuer_name: '货代', net_amount: '100.00', tax_amount: '0.00' },
      ...{ currency: 'USD', fc_amount: '14.00', allocations: [{ fee_item: 'other', amount: '90.00' }] },
    });
    const told = ({ problems }: { readonly problems: readonly { readonly message: string }[] }) =>
      problems.map(({ message }) => message);
    expect(told(await act('sp.aa', 'business_invoice', invoice, 'submit'))).toContain(
      '分摊金额与发票合计不符',
    );
    const body = { business_type: 'agency', evidence: null };
    const previewed = await must(as('sp.aa', 'POST', '/data/relation/preview', body));
    const { problems } = previewed as { readonly problems: readonly { readonly message: string }[] };
    expect(told({ problems })).toContain('未上传真实性材料，补齐前不能用于买断出口');
  });
});
