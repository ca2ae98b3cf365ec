import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from '../money/financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, type Trader } from '../money/money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

let mobiles = 13_900_000_100;

/** The session of an account of a partner. */
async function signedIn(of: Trader): Promise<string> {
  const { call, services } = rules.example;
  const mobile = String((mobiles += 1));
  await services.db.query(
    `insert into partner__accounts (id, co_code, parent_id, line_order, mobile, name, status, password)
     values (gen_random_uuid(), 'AA', $1, 1, $2, '客户', 'active', $3)`,
    [of.partner, mobile, await hashPassword(DEMO_PASSWORD)],
  );
  const login = { personid: mobile, password: sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY) };
  return String((await must(call('', 'POST', '/sys/loginByAgcustMobileNo', login)))['authorization']);
}

it('T-16: of a receipt for two partners each sees its own claim and split, and the payer by its beginning', async () => {
  const [a, b] = [await money.trader('合收甲A'), await money.trader('合收乙B')];
  const stranger = await money.trader('合收丙C');
  const shipment = await money.shipment(a, await money.contract(a), { quantity: '3000' });
  const receipt = await money.receipt({
    ...{ gross_amount: '50000.00', foreign_charge: '25.00', payer_name: 'CHAIN STORE HOLDING AG' },
    remittance_info: 'A 30000 B 20000',
  });
  const claim = await money.claim(receipt, a, '29985.00');
  await money.claim(receipt, b, '19990.00');
  const split = await money.split(
    receipt,
    claim,
    {
      settle_rate: '7.100000',
      lines: [{ nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '29985.00' }],
    },
    ['fn2.aa', 'rk.aa'],
  );
  const call = async (of: Trader, path: string, body?: Fields) =>
    rules.example.call(await signedIn(of), body === undefined ? 'GET' : 'POST', path, body);
  for (const [of, own, charge] of [
    [a, '29985.00', '15.00'],
    [b, '19990.00', '10.00'],
  ] as const) {
    const record = await must(call(of, `/data/receipt/${receipt}`));
    expect(record).toMatchObject({ payer_shown: 'CHAI******************', currency: 'USD' });
    expect(record['claims']).toMatchObject([{ partner_id: of.partner, amount: own, charge_amount: charge }]);
    for (const name of [
      'payer_name',
      'amount',
      'gross_amount',
      'unclaimed_amount',
      'remittance_info',
      'book_rate',
    ])
      expect([name, Object.hasOwn(record, name)]).toEqual([name, false]);
    const other = of === a ? '19990.00' : '29985.00';
    expect(JSON.stringify(record)).not.toContain(other);
    const list = await must(call(of, '/data/receipt/query', {}));
    expect((list['records'] as readonly Fields[]).map(({ id }) => id)).toEqual([receipt]);
    // What others claimed cannot be found out by searching either.
    const searched = await call(of, '/data/receipt/query', { filters: { 'claims.amount': { eq: other } } });
    expect(searched.status).toBe(400);
  }
  const lines = (await must(call(a, `/data/receipt_split/${split}`)))['lines'];
  expect(lines).toMatchObject([{ amount: '29985.00', charge_amount: '15.00', counted_amount: '30000.00' }]);
  expect((await call(b, `/data/receipt_split/${split}`)).status).toBe(404);
  expect((await call(stranger, `/data/receipt/${receipt}`)).status).toBe(404);
});

describe('of what is worked out from what the house keeps to itself', () => {
  let token: string;
  const ids = new Map<string, string>();
  const ask = (path: string, body?: Fields) =>
    rules.example.call(token, body === undefined ? 'GET' : 'POST', path, body);

  beforeAll(async () => {
    const { given, act, example } = rules;
    const { db } = example.services;
    const loans = financingSteps(rules, money);
    const scope = { sales_id: example.masters.sales, dept_code: 'AA' };
    const of = await loans.borrower('所示A', '100000');
    await db.execute('update partner set service_id = $2::uuid where id = $1::uuid', [
      of.partner,
      await rules.idOf('cs.aa'),
    ]);
    token = await signedIn(of);
    const purchase = await money.purchase(of, await money.contract(of));
    const receipt = await money.receipt({
      ...{ gross_amount: '10000.00', payer_name: of.buyerName },
      ...{ bank_charge_cny: '100.00', charge_account_id: money.accounts.cny },
    });
    const claim = await money.claim(receipt, of, '10000.00');
    const line = { nature: 'goods', settle_mode: 'spot', shipment_id: of.shipment, amount: '4000.00' };
    const advance = { nature: 'advance', settle_mode: 'spot', contract_id: of.contract, amount: '2000.00' };
    const split = await money.split(receipt, claim, { settle_rate: '7.100000', lines: [line, advance] });
    const loan = await loans.drawn(of, { ratio: '10' });
    await loans.pass(loan, 200);
    const { version } = await loans.read(loan);
    await must(rules.as('tr.aa', 'PATCH', `/data/financing/${loan}`, { version, remark: '逾期' }));
    const asked = await loans.draft(of, { ratio: '5' });
    await must(act('sp.aa', 'financing', asked, 'submit'));
    await money.approve('financing', asked, ['rk.aa', 'fn.aa']);
    const customer = await given('scf_customer', {
      ...{ partner_id: of.partner, name: '链上甲', credit_code: '91330201MA2AAAAA1X', chain_role: 'core' },
      ...{ contact: '甲', mobile: '13900001111', rating: 'B', quota: '500000', quota_to: '2099-12-31' },
      ...{ status: 'active', ...scope },
    });
    const order = await given('scf_financing', {
      ...{ customer_id: customer, amount: '100000', annual_rate: '6', start_date: '2026-01-01' },
      ...{ due_date: '2099-01-01', purpose: '周转', status: 'drawn', ...scope },
    });
    const cover = await given('insurance_application', {
      ...{ kind: 'sinosure', shipment_id: of.shipment, partner_id: of.partner, buyer_id: of.buyer },
      ...{ currency: 'USD', insured_amount: '100000', payment_term: 'OA', term_days: 60, rate: '0.5' },
      ...{ cover_ratio: '90', ship_date: '2026-10-10', premium_bearer: 'partner', status: 'underwritten' },
      ...{ declared_date: '2026-10-12', ...scope },
    });
    const invoice = await given('agent_invoice_application', {
      ...{
        partner_id: of.partner,
        kind: 'fee_invoice',
        invoice_type: '08',
        title: '所示',
        tax_no: '1',
        bank_info: 'x',
        address_tel: 'x',
      },
      ...{ email: 'a@b.cn', items: [{ shipment_id: of.shipment }], status: 'pending', ...scope },
    });
    const back = await given('remittance_return', {
      ...{ receipt_id: receipt, source_kind: 'unsplit', claim_line: claim, payee_name: of.buyerName },
      ...{ reason_kind: '多汇', reason: '多汇', amount: '500.00', payee_account: 'DE1', payee_bank: 'DB' },
      ...{ swift: 'DEUTDEFF', status: 'approved', ...scope },
    });
    await given('news', { title: '新税率', category: '公告', content: '<p>x</p>', audience: 'partner', status: 'published', publish_at: '2026-01-01T00:00:00Z' }); // prettier-ignore
    const made = {
      receipt,
      receipt_split: split,
      financing: loan,
      credit_line: of.line,
      scf_customer: customer,
    };
    const more = { scf_financing: order, insurance_application: cover, agent_invoice_application: invoice };
    const rest = { remittance_return: back, shipment: of.shipment, purchase_contract: purchase };
    for (const [key, id] of Object.entries({ ...made, ...more, ...rest, partner: of.partner }))
      ids.set(key, id);
  }, 120_000);

  it.each<readonly [key: string, told: string, kept: string]>([
    ['receipt', 'claims.left_amount claims.returning_amount', 'left_amount bank_charge_cny book_rate'],
    [
      'receipt_split',
      'total_cny bank_charge_cny agency_fee advance_left lines.rate lines.amount_cny lines.fee_cny lines.agency_fee lines.fee_vat lines.unapplied',
      'buy_rate book_rate rate_id lines.book_cny lines.risk',
    ],
    ['credit_line', 'used available', 'exposure funding receivable'],
    ['scf_customer', 'used available', 'rating'],
    [
      'financing',
      'interest_accrued penalty_accrued settle_amount overdue_multiplier grace_days cap',
      'rate_id exposed base_room',
    ],
    ['scf_financing', 'interest', 'exposed accrued_on'],
    [
      'insurance_application',
      'premium declare_due loss_notice_due used_usd late_declared',
      'policy_id tariff_id received_after',
    ],
    ['agent_invoice_application', 'total_amount items.agency_fee items.posted_fee', 'remark'],
    [
      'remittance_return',
      'shipment_id contract_id buyer_id partner_id payee_shown sum_cny',
      'payee_name book_rate book_cny claim_line',
    ],
    ['shipment', 'filing_status refund_status', 'filing_progress refund_progress exchange_cost'],
    [
      'purchase_contract',
      'purchase_no items.quantity',
      'total_amount unpaid invoiced_total advance_paid goods_paid in_payment goods_requested items.unit_price items.amount items.invoiced_amount',
    ],
  ])('a customer reads in his %s what is his, as the house does: %s', async (key, told, kept) => {
    const address = `/data/${key}/${ids.get(key) ?? ''}`;
    const own = await must(ask(address));
    const known = await must(rules.as('fn.aa', 'GET', address));
    for (const path of told.split(' ')) {
      expect([path, valuesAt(known, path).length > 0]).toEqual([path, true]);
      expect([path, valuesAt(own, path)]).toEqual([path, valuesAt(known, path)]);
    }
    for (const path of kept.split(' ')) expect([path, valuesAt(own, path)]).toEqual([path, []]);
  });

  it('worked it out for him: his rate, his fees, his interest', async () => {
    const read = (key: string) => must(ask(`/data/${key}/${ids.get(key) ?? ''}`));
    expect(await read('receipt_split')).toMatchObject({
      ...{ total_cny: '42600.00', advance_left: '2000.00', bank_charge_cny: '60.00' },
      lines: [{ rate: '7.100000', amount_cny: '28400.00' }, { unapplied: '2000.00' }],
    });
    expect(await read('receipt')).toMatchObject({ claims: [{ left_amount: '3500.00' }] });
    for (const [key, name] of [
      ['financing', 'interest_accrued'],
      ['financing', 'penalty_accrued'],
      ['scf_financing', 'interest'],
      ['credit_line', 'used'],
      ['scf_customer', 'used'],
      ['insurance_application', 'premium'],
      ['agent_invoice_application', 'total_amount'],
    ] as const)
      expect([name, Number((await read(key))[name]) > 0]).toEqual([name, true]);
    expect((await read('remittance_return'))['payee_shown']).toMatch(/^.{4}\*+$/);
  });

  it('he finds who looks after him, and nobody else of the house', async () => {
    const { records } = (await must(ask('/data/person/query', {}))) as {
      readonly records: readonly Fields[];
    };
    const { masters } = rules.example;
    const service = await rules.idOf('cs.aa');
    expect(new Set(records.map(({ id }) => id))).toEqual(new Set([masters.sales, service]));
    expect(records).toHaveLength(2);
    for (const person of records)
      expect(person).toMatchObject({ name: expect.any(String), mobile: expect.any(String) });
    expect((await ask(`/data/person/${await rules.idOf('gm.aa')}`)).status).toBe(404);
  });

  it('his first page asks for what he has to confirm and has the news', async () => {
    const home = JSON.stringify(await must(ask('/face/home')));
    for (const text of ['融资待确认放款', '申请融资订单', '新税率']) expect(home).toContain(text);
  });

  it('an invoice for a fee leaves out what the company earned at its own risk', async () => {
    const { db } = rules.example.services;
    await db.execute(`update shipment set risk_bearer = 'company' where id = $1::uuid`, [
      ids.get('shipment'),
    ]);
    const draft = await must(
      rules.as('sp.aa', 'POST', '/data/agent_invoice_application/preview', {
        ...{ partner_id: ids.get('partner'), kind: 'fee_invoice' },
        items: [{ shipment_id: ids.get('shipment') }],
      }),
    );
    expect(JSON.stringify(draft)).toMatch(/"posted_fee":"0(\.00)?"/);
    await db.execute(`update shipment set risk_bearer = 'partner' where id = $1::uuid`, [
      ids.get('shipment'),
    ]);
  });
});

it('of a slip a salesperson reads the lines of the own partners, in their money, without what the bank gave', async () => {
  const { db } = rules.example.services;
  const sold = async (name: string) => {
    const of = await money.trader(name);
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '1000' });
    const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    const line = { nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '1000.00' };
    const split = await money.split(receipt, claim, { settle_rate: '7.100000', lines: [line] });
    const [stored] = await db.query('select id from receipt_split__lines where parent_id = $1::uuid', [
      split,
    ]);
    return {
      of,
      line: { source_kind: 'spot', split_id: split, split_line: stored?.['id'], amount: '1000.00' },
    };
  };
  const own = await sold('结汇甲A');
  const other = await sold('结汇乙B');
  await db.execute('update partner set sales_id = $2::uuid where id = $1::uuid', [
    other.of.partner,
    await rules.idOf('cs.aa'),
  ]);
  const made = await must(
    rules.as('tr.aa', 'POST', '/data/fx_settlement', {
      ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate: '7.105000' },
      ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
      ...{ amount: '2000.00', amount_cny: '14210.00', lines: [own.line, other.line] },
    }),
  );
  const address = `/data/fx_settlement/${String(made['id'])}`;
  expect(((await must(rules.as('tr.aa', 'GET', address)))['lines'] as readonly Fields[]).length).toBe(2);
  const seen = await must(rules.as('sp.aa', 'GET', address));
  expect(seen['lines']).toMatchObject([{ partner_id: own.of.partner, pool_cny: '7100.00' }]);
  expect(valuesAt(seen, 'lines.agency_fee')).toHaveLength(1);
  for (const path of ['bank_rate', 'gain', 'amount_cny', 'pool_cny', 'lines.bank_cny', 'lines.gain'])
    expect([path, valuesAt(seen, path)]).toEqual([path, []]);
});

/** What stands at a path of a record or of its lines, nothing left out that is empty. */
function valuesAt(record: Fields, path: string): readonly unknown[] {
  const [head = '', column] = path.split('.');
  if (column === undefined) return Object.hasOwn(record, head) ? [record[head]] : [];
  return ((record[head] ?? []) as readonly Fields[]).flatMap((line) =>
    Object.hasOwn(line, column) ? [line[column]] : [],
  );
}
