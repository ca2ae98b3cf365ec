import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;
let serial = 0;

beforeAll(async () => {
  rules = await startRulesExample({ 'fn.aa': 'FN', 'sp.aa': 'SP', 'dc.aa': 'DC', 'cs.aa': 'CS' });
}, 600_000);
afterAll(() => rules.example.close());

const today = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());

const LINE = {
  row_no: 1,
  commodity_name: '保温杯',
  unit: '只',
  quantity: '3',
  unit_price: '33.33333333',
  amount: '100.00',
  tax_rate: '13',
  tax: '13.00',
};

function body(changes: Fields = {}): Fields {
  serial += 1;
  return {
    business_type: 'agency',
    invoice_type: '01',
    invoice_code: '3302261130',
    invoice_number: String(20_000_000 + serial),
    billing_date: today(),
    supplier_id: rules.example.masters.supplier,
    net_amount: '100.00',
    tax_amount: '13.00',
    items: [LINE],
    ...changes,
  };
}

const create = (changes: Fields = {}) => rules.as('fn.aa', 'POST', '/data/goods_invoice', body(changes));

const flagAndRelease = async (id: string): Promise<unknown> => {
  expect((await rules.act('fn.aa', 'goods_invoice', id, 'flag', { opinion: '失控发票' })).status).toBe(200);
  expect((await rules.act('fn.aa', 'goods_invoice', id, 'unflag', { opinion: '税局解除' })).status).toBe(200);
  return (await rules.stored('goods_invoice', id))['status'];
};

const feeInvoice = (changes: Fields = {}): Fields => ({
  ...body(),
  items: undefined,
  supplier_id: undefined,
  issuer_kind: 'forwarder',
  issuer_name: '宁波某货代有限公司',
  partner_id: rules.example.masters.partner,
  currency: 'USD',
  fc_amount: '15.00',
  allocations: [],
  ...changes,
});

describe('goods invoices', () => {
  it('take the company as purchaser and the partner of the supplier', async () => {
    const { partner } = rules.example.masters;
    const supplier_id = await rules.given('supplier', {
      business_type: 'agency',
      name: '委托方自己的工厂',
      partner_id: partner,
      is_partner_self: true,
      status: 'active',
    });
    const { status, data } = await create({ remarks: '代办退税专用', supplier_id });
    const region = regionOfCompany(rules.example.services, 'AA');
    expect(status).toBe(200);
    expect(await rules.stored('goods_invoice', String(data['id']))).toMatchObject({
      purchaser_tax_no: region?.taxNo,
      purchaser_name: region?.coName,
      partner_id: partner,
      total_amount: '113.00',
      is_rebate_agent: true,
      status: 'registered',
    });
  });

  it.each<readonly [Fields, string, string]>([
    [{ invoice_code: '12345' }, 'invoice_code', '发票代码应为10位或12位数字'],
    [{ invoice_code: '123456789012' }, 'invoice_code', '该类型的发票代码应为10位数字'],
    [{ invoice_number: '1234567' }, 'invoice_number', '发票号码应为8位数字，数电发票为20位数字'],
    [{ invoice_type: '31' }, 'invoice_number', '该类型的发票号码应为20位数字'],
    [{ billing_date: '2999-01-01' }, 'billing_date', '开票日期不能晚于今天'],
    [{ net_amount: '100.01' }, 'net_amount', '不含税金额与明细合计不符，应为 100.00'],
    [{ tax_amount: '13.01' }, 'tax_amount', '税额与明细合计不符，应为 13.00'],
    [
      { items: [{ ...LINE, amount: '100.02' }], net_amount: '100.02' },
      'items.0.amount',
      '金额应为数量 × 单价 = 100.00',
    ],
    [
      { items: [{ ...LINE, tax: '13.07' }], tax_amount: '13.07' },
      'tax_amount',
      '税额与金额 × 税率相差过大，应为 13.00',
    ],
    [{ purchaser_name: '别家公司' }, 'purchaser_name', '购买方应为本公司名称'],
    [{ items: [{ ...LINE, quantity: '0' }] }, 'items.0.quantity', '数量必须大于0'],
  ])('with %j are refused at %s', async (changes, path, message) => {
    const { status, problems } = await create(changes);
    expect(status).toBe(400);
    expect(problems.find((problem) => problem.path === path)?.message).toContain(message);
  });

  it('are registered once, in all companies; a voided one may be registered again', async () => {
    const first = body();
    const { data } = await rules.as('fn.aa', 'POST', '/data/goods_invoice', first);
    const again = await rules.as('sp.aa', 'POST', '/data/goods_invoice', first);
    expect([again.status, again.msg]).toEqual([409, '该发票已登记']);
    const both = await Promise.all([
      create({ invoice_number: '77777777' }),
      create({ invoice_number: '77777777' }),
    ]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect((await rules.act('fn.aa', 'goods_invoice', String(data['id']), 'void')).status).toBe(200);
    expect((await rules.as('sp.aa', 'POST', '/data/goods_invoice', first)).status).toBe(200);
  });

  it('that are digital have no code and are registered once by their number', async () => {
    const digital = { invoice_type: '31', invoice_code: null };
    const first = body({ ...digital, invoice_number: '26330000000000000001' });
    const { status, data } = await rules.as('fn.aa', 'POST', '/data/goods_invoice', first);
    expect(status).toBe(200);
    for (const type of ['31', '32']) {
      const again = await rules.as('sp.aa', 'POST', '/data/goods_invoice', { ...first, invoice_type: type });
      expect([again.status, again.msg]).toEqual([409, '该发票已登记']);
    }
    const twice = { ...digital, invoice_number: '26330000000000000002' };
    const both = await Promise.all([create(twice), create(twice)]);
    expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect((await rules.act('fn.aa', 'goods_invoice', String(data['id']), 'void')).status).toBe(200);
    expect((await rules.as('sp.aa', 'POST', '/data/goods_invoice', first)).status).toBe(200);
  });

  it('are verified after /cyfp confirmed them, matched, and used as they are marked', async () => {
    const given = body();
    const { data } = await rules.as('fn.aa', 'POST', '/data/goods_invoice', given);
    const id = String(data['id']);
    const early = await rules.act('dc.aa', 'goods_invoice', id, 'verify');
    expect([early.status, early.msg]).toEqual([400, '该发票还没有查验一致的记录，请先在“发票查验”中查验']);
    const query = {
      invoiceType: '01',
      purchaserTaxNo: regionOfCompany(rules.example.services, 'AA')?.taxNo,
      invoiceCode: given['invoice_code'],
      invoiceNumber: given['invoice_number'],
      billingDate: given['billing_date'],
      totalAmount: '100.00',
    };
    expect((await rules.as('fn.aa', 'POST', '/cyfp/search', query)).status).toBe(200);
    expect((await rules.act('sp.aa', 'goods_invoice', id, 'verify')).status).toBe(403);
    expect((await rules.act('dc.aa', 'goods_invoice', id, 'verify')).status).toBe(200);
    expect(await rules.stored('goods_invoice', id)).toMatchObject({ status: 'verified', verify_count: '1' });
    const unmatched = await rules.act('dc.aa', 'goods_invoice', id, 'match');
    expect(unmatched.msg).toBe('请先在配单明细中填写采购合同行与明细单');
  });

  it('that were red or abnormal stay so, with their papers', async () => {
    const { data } = await create();
    const id = String(data['id']);
    expect((await rules.act('fn.aa', 'goods_invoice', id, 'red')).status).toBe(400);
    expect((await rules.act('fn.aa', 'goods_invoice', id, 'flag', { opinion: '失控发票' })).status).toBe(200);
    expect(
      (await rules.act('fn.aa', 'goods_invoice', id, 'red', { inputs: { red_letter_no: 'H1' } })).status,
    ).toBe(200);
    expect(await rules.stored('goods_invoice', id)).toMatchObject({ status: 'red', red_letter_no: 'H1' });
  });
});

describe('abnormal invoices that are released', () => {
  it('go back to where they were; one that was never verified is not verified by it', async () => {
    const { data } = await create();
    expect(await flagAndRelease(String(data['id']))).toBe('registered');
  });

  it('keep their verification; matches are checked anew, since others may have matched meanwhile', async () => {
    const { data } = await create();
    const id = String(data['id']);
    const stand = (status: string) =>
      rules.example.services.db.execute('update goods_invoice set status = $2 where id = $1::uuid', [
        id,
        status,
      ]);
    await stand('verified');
    expect(await flagAndRelease(id)).toBe('verified');
    await stand('matched');
    expect((await rules.act('fn.aa', 'goods_invoice', id, 'flag', { opinion: '失控发票' })).status).toBe(200);
    const refused = await rules.act('fn.aa', 'goods_invoice', id, 'unflag', { opinion: '税局解除' });
    expect([refused.status, refused.msg]).toEqual([400, '请先在配单明细中填写采购合同行与明细单']);
  });
});

describe('fee invoices', () => {
  it('that are digital are registered once by their number, also by two at once', async () => {
    const values = feeInvoice({
      invoice_type: '32',
      invoice_code: null,
      invoice_number: '26330000000000000009',
    });
    const both = await Promise.all(
      ['sp.aa', 'dc.aa'].map((who) => rules.as(who, 'POST', '/data/business_invoice', values)),
    );
    expect(both.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(both.map(({ msg }) => msg)).toContain('该发票已登记');
  });

  it('are submitted when the whole amount is allocated', async () => {
    const values = feeInvoice();
    const { status, data, problems } = await rules.as('sp.aa', 'POST', '/data/business_invoice', values);
    expect([status, problems]).toEqual([200, []]);
    const refused = await rules.act('sp.aa', 'business_invoice', String(data['id']), 'submit');
    expect(refused.status).toBe(400);
    expect(refused.problems.map(({ path }) => path)).toContain('allocations');
  });
});
