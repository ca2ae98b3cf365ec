import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type Funded, type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };
const TODAY = companyToday(new Date());

describe('a report on a buyer', () => {
  /** An approved order of a report, and the draft of its payment. */
  async function ordered(of: Funded, bearer: string): Promise<string> {
    const id = await moves.done(
      'sp.aa',
      'credit_investigation',
      {
        ...{ business_type: 'agency', partner_id: of.partner, buyer_id: of.buyer, purpose: '新客户' },
        ...{ payment_term: 'OA', term_days: 60, fee: '600.00', fee_bearer: bearer },
      },
      ['rk.aa'],
    );
    const [made] = await rules.example.services.db.query<{ to_id: string }>(
      `select to_id::text from sys_chain where from_id::text = $1`,
      [id],
    );
    return made?.to_id ?? '';
  }
  /** What only people know of it. */
  async function completed(payment: string): Promise<void> {
    const { as } = rules;
    const draft = await must(as('sp.aa', 'GET', `/data/payment_request/${payment}`));
    const [line] = draft['fee_lines'] as readonly Fields[];
    expect([draft['pay_type'], line?.['amount'], line?.['shipment_id']]).toEqual(['other', '600.00', null]);
    await must(
      as('sp.aa', 'PATCH', `/data/payment_request/${payment}`, {
        ...{
          version: draft['version'],
          payee_account: '62229901',
          payee_bank: '中国银行',
          cnaps: '104332000019',
        },
        fee_lines: [{ id: line?.['id'], invoice_due: addDays(TODAY, 20) }],
      }),
    );
  }

  it('is paid without a shipment, from the partner’s pool, and its invoice comes later', STORY, async () => {
    const { act, as, stored } = rules;
    const of = await moves.funded('资信调查甲A', '1000.00');
    const payment = await ordered(of, 'partner');
    await completed(payment);
    const [before] = await money.pool(of);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'fn2.aa']);
    expect(await money.entries(payment)).toEqual([['PAY_OTHER', '-600.00']]);
    expect(Number(before) - Number((await money.pool(of))[0])).toBe(600);
    const [fee] = await rules.example.services.db.query<{ id: string }>(
      'select id from payment_request__fee_lines where parent_id = $1::uuid',
      [payment],
    );
    const facts = {
      ...{ business_type: 'agency', invoice_type: '32', invoice_number: '26332000000000000601' },
      ...{ billing_date: TODAY, issuer_kind: 'other', issuer_name: '中国信保', partner_id: of.partner },
      ...{ bearer: 'partner', net_amount: '566.04', tax_amount: '33.96' },
    };
    await rules.given('invoice_check', {
      ...{
        invoice_type: '32',
        invoice_number: facts.invoice_number,
        billing_date: TODAY,
        outcome: 'verified',
      },
      ...{ sales_name: '中国信保', amount_tax: '600.00', purchaser_tax_no: '91330200MA2AAAAA1X' },
    });
    const made = await must(
      as('sp.aa', 'POST', '/data/business_invoice', {
        ...facts,
        allocations: [{ fee_item: 'other', amount: '600.00' }],
      }),
    );
    const refused = await act('sp.aa', 'business_invoice', String(made['id']), 'submit');
    expect(refused.problems).toMatchObject([{ path: 'allocations.0.shipment_id' }]);
    const [line] = made['allocations'] as readonly Fields[];
    const changed = await must(
      as('sp.aa', 'PATCH', `/data/business_invoice/${String(made['id'])}`, {
        version: made['version'],
        allocations: [{ id: line?.['id'], fee_line: fee?.id }],
      }),
    );
    await must(act('sp.aa', 'business_invoice', String(changed['id']), 'submit'));
    await money.approve('business_invoice', String(changed['id']), ['dc.aa', 'fn.aa']);
    expect(await stored('payment_request__fee_lines', fee?.id ?? '')).toMatchObject({
      business_invoice_id: changed['id'],
      is_late: false,
    });
  });

  it('that the company bears touches no pool', STORY, async () => {
    const of = await moves.funded('资信调查乙B', '1000.00');
    const payment = await ordered(of, 'company');
    await completed(payment);
    const before = await money.pool(of);
    await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
    expect(await money.pool(of)).toEqual(before);
    await money.pay(payment, ['dm.aa', 'fn2.aa']);
    expect(await money.pool(of)).toEqual(before);
    expect(await moves.vouchers(payment)).toEqual([
      ['AP_FEE', '600.00', ''],
      ['BANK_CNY', '', '600.00'],
    ]);
  });

  it('of a shipment, with what the bank took for it, is a cost of the company there', STORY, async () => {
    const of = await moves.funded('资信调查丁D', '1000.00');
    const fee_lines = [
      {
        fee_item: 'ocean',
        amount: '100.00',
        shipment_id: of.shipment,
        invoice_due: addDays(TODAY, 5),
      },
    ];
    const payment = await money.payment(of, { pay_type: 'freight', bearer: 'company', fee_lines });
    await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'fn2.aa'], { bank_fee: '15.50' });
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({
      ...{ company_fees: '115.50', company_cost: '115.50' },
    });
  });

  it('freight belongs to a shipment as before', async () => {
    const of = await moves.funded('资信调查丙C', '1000.00');
    const fee = { fee_item: 'ocean', amount: '100.00', invoice_due: addDays(TODAY, 5) };
    const payment = await money.payment(of, { pay_type: 'freight', fee_lines: [fee] });
    const { problems } = await rules.act('sp.aa', 'payment_request', payment, 'submit');
    expect(problems[0]).toMatchObject({ path: 'fee_lines.0.shipment_id' });
  });
});

describe('a payment in the name of a forwarder', () => {
  it('goes to an account that finance has verified, also while his record is changed, whoever he is said to be', async () => {
    const { act, given, example } = rules;
    const name = '宁波变更中货代有限公司';
    const [account_no, other] = ['622255550001', '622255550002'];
    const forwarder = await given('forwarder', {
      ...{ business_type: 'agency', name, settle_cycle: '票结', taxpayer_type: 'general', status: 'active' },
      banks: [{ account_name: name, account_no, currency: 'CNY' }],
    });
    const { db } = example.services;
    await db.query('update forwarder__banks set verified = true where parent_id = $1::uuid', [forwarder]);
    const of = await moves.funded('变更中货代甲A', '1000.00');
    const due = { invoice_due: addDays(TODAY, 5) };
    const fee_lines = [{ fee_item: 'ocean', amount: '100.00', shipment_id: of.shipment, ...due }];
    const asked = async (payee_kind: string, payee_account: string) => {
      const to = { payee_kind, payee_name: name, payee_account, payee_bank: '中国银行' };
      const ask = { pay_type: 'freight', bearer: 'company', fee_lines, ...to };
      const payment = await money.payment(of, ask);
      return { payment, answer: act('sp.aa', 'payment_request', payment, 'submit') };
    };
    const refused = [400, '收款账号不是该货代已由财务验证的账户'];
    expect(await refusal((await asked('supplier', other)).answer)).toEqual(refused);
    for (const status of ['pending', 'disabled']) {
      const set = 'update forwarder set status = $2, approved_at = now() where id = $1::uuid';
      await db.query(set, [forwarder, status]);
      expect(await refusal((await asked('forwarder', other)).answer)).toEqual(refused);
    }
    const { payment, answer } = await asked('forwarder', account_no);
    await must(answer);
    await must(money.decide('dm.aa', 'payment_request', payment));
    // Finance takes its word back while the request waits.
    const doubt = 'update forwarder__banks set verified = false where parent_id = $1::uuid';
    await db.query(doubt, [forwarder]);
    expect(await refusal(money.decide('fn2.aa', 'payment_request', payment))).toEqual(refused);
  });
});

describe('a payment that was approved', () => {
  it('prints who handed it in and who agreed at each level, and when', STORY, async () => {
    const { act, as, example } = rules;
    const of = await moves.funded('付款单签字甲A', '1000.00');
    const payment = await money.payment(of, { pay_type: 'other', payee_kind: 'other', payee_name: '甲', supplier_id: null, supplier_account: null, fee_lines: [{ fee_item: 'other', amount: '100.00', invoice_due: addDays(TODAY, 20) }] }); // prettier-ignore
    /** The texts under the head of the signatures: label, name and day of each. */
    const signed = async (): Promise<readonly string[]> => {
      const { pages } = await must(as('sp.aa', 'GET', `/data/payment_request/${payment}/print/slip`));
      const marks = (pages as readonly (readonly { kind: string; text?: string }[])[]).flat();
      const texts = marks.flatMap(({ kind, text }) => (kind === 'text' && text !== undefined && text !== '' ? [text] : [])); // prettier-ignore
      return texts.slice(texts.indexOf('提交'), texts.indexOf('出纳') + 1);
    };
    const labels = ['提交', '部门经理审核', '财务审核', '出纳'];
    expect(await signed()).toEqual(labels);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.decide('dm.aa', 'payment_request', payment);
    const name = async (code: string): Promise<string> =>
      String((await example.services.db.query<{ name: string }>('select name from person where personid = $1', [code]))[0]?.name); // prettier-ignore
    const [sp, dm] = [await name('sp.aa'), await name('dm.aa')];
    expect(await signed()).toEqual(['提交', sp, TODAY, '部门经理审核', dm, TODAY, '财务审核', '出纳']);
  });

  /** Approved and handed to the bank. */
  async function paying(of: Funded, changes: Fields): Promise<string> {
    const payment = await money.payment(of, changes);
    await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
    await money.approve('payment_request', payment, ['dm.aa', 'fn2.aa']);
    await must(rules.act('tr.aa', 'payment_request', payment, 'pay'));
    return payment;
  }
  const freight = (of: Funded): Fields => {
    const line = { fee_item: 'ocean', shipment_id: of.shipment, amount: '100.00' };
    return { pay_type: 'freight', fee_lines: [{ ...line, invoice_due: addDays(TODAY, 5) }] };
  };
  const confirmed = (payment: string, paid_date: string) =>
    rules.act('tr.aa', 'payment_request', payment, 'confirm', {
      inputs: { paid_date, bank_account_id: money.accounts.cny, bank_ref: money.key() },
    });

  it('was handed in while its partner and supplier were in force', STORY, async () => {
    const { act, example } = rules;
    const of = await moves.funded('付款冻结甲A', '1000.00');
    const purchase = await money.purchase(of, await money.contract(of, { export_mode: 'buyout' }));
    const lines = [{ purchase_contract_id: purchase, amount: '100.00' }];
    const payment = await money.payment(of, { pay_type: 'advance', goods_lines: lines });
    const turn = (table: 'partner' | 'supplier', status: string) =>
      example.services.db.query(`update ${table} set status = $2 where id = $1::uuid`, [of[table], status]);
    const told = async (): Promise<unknown> =>
      (await act('sp.aa', 'payment_request', payment, 'submit')).problems?.map(({ path, message }) => [path, message]); // prettier-ignore
    await turn('partner', 'frozen');
    expect(await told()).toEqual([['partner_id', '委托方须已生效且未冻结']]);
    await turn('partner', 'active');
    await turn('supplier', 'disabled');
    expect(await told()).toEqual([['supplier_id', '供应商须已启用']]);
    await turn('supplier', 'active');
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
  });

  it('was not paid before it was asked for', STORY, async () => {
    const of = await moves.funded('付款日期甲A', '1000.00');
    const payment = await paying(of, freight(of));
    const { problems } = await confirmed(payment, addDays(TODAY, -1));
    expect(problems).toMatchObject([
      { path: 'inputs.paid_date', message: `付款日期不能早于申请日期（${TODAY}）` },
    ]);
    await must(confirmed(payment, TODAY));
  });

  it('goes to another account after 付款失败 only when that is approved again', STORY, async () => {
    const { act, as, stored } = rules;
    const of = await moves.funded('付款账户甲A', '1000.00');
    const payment = await paying(of, freight(of));
    await must(act('tr.aa', 'payment_request', payment, 'fail', { inputs: { fail_reason: '户名不符' } }));
    const unchanged = await act('sp.aa', 'payment_request', payment, 'submit');
    expect(unchanged.msg).toContain('收款账户没有变更，请直接重新付款');
    const change = async (body: Fields) =>
      must(
        as('fn.aa', 'PATCH', `/data/payment_request/${payment}`, {
          ...{ version: (await stored('payment_request', payment))['version'], ...body },
        }),
      );
    await change({ payee_account: '62220000' });
    const retried = await act('tr.aa', 'payment_request', payment, 'retry');
    expect(retried.problems).toMatchObject([
      { path: 'payee_account', message: '收款账户在审核后变更，且不是已核验的账户，须重新提交审核' },
    ]);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    // The money stays held while it is decided on again.
    expect((await money.pool(of))[1]).toBe('100.00');
    await money.approve('payment_request', payment, ['dm.aa', 'fn2.aa']);
    await must(act('tr.aa', 'payment_request', payment, 'pay'));
    await must(confirmed(payment, TODAY));
    expect(await stored('payment_request', payment)).toMatchObject({
      status: 'paid',
      payee_account: '62220000',
    });
  });

  it('goes to another verified account of its payee at once', STORY, async () => {
    const { act, as, stored } = rules;
    const { db } = rules.example.services;
    const of = await moves.funded('付款账户乙B', '1000.00');
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const purchase = await money.purchase(of, contract);
    const lines = [{ purchase_contract_id: purchase, amount: '1000.00' }];
    const payment = await money.payment(of, { pay_type: 'advance', goods_lines: lines });
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.approve('payment_request', payment, ['dm.aa', 'tm.aa', 'fn2.aa']);
    await must(act('tr.aa', 'payment_request', payment, 'pay'));
    await must(act('tr.aa', 'payment_request', payment, 'fail', { inputs: { fail_reason: '账户已销户' } }));
    const [other] = await db.query<{ id: string }>(
      `insert into supplier__banks (id, co_code, parent_id, line_order, account_name, account_no, cnaps_id, verified)
       select gen_random_uuid(), co_code, parent_id, 2, account_name, '62220002', cnaps_id, true
         from supplier__banks where parent_id = $1::uuid returning id`,
      [of.supplier],
    );
    await must(
      as('fn.aa', 'PATCH', `/data/payment_request/${payment}`, {
        version: (await stored('payment_request', payment))['version'],
        supplier_account: other?.id,
      }),
    );
    expect(await stored('payment_request', payment)).toMatchObject({ payee_account: '62220002' });
    await must(act('tr.aa', 'payment_request', payment, 'retry'));
    await must(confirmed(payment, TODAY));
  });
});

describe('a commission', () => {
  /** A contract with 2 % commission, and what asks for it in the currency of a payment. */
  async function owed(name: string, currency: string, changes: Fields = {}) {
    const of = await moves.funded(name, '10000.00');
    const rate = 'update export_contract set commission_rate = 2 where id = $1::uuid';
    await rules.example.services.db.query(rate, [of.contract]);
    const shipment = await money.shipment(of, of.contract, { quantity: '1' }, { invoice_no: money.key() });
    expect(await rules.stored('shipment', shipment)).toMatchObject({ commission_cap: '200.00' });
    const asked = async (amount: string) => {
      const line = { fee_item: 'foreign_comm', shipment_id: shipment, amount };
      const id = await money.payment(of, {
        ...{
          pay_type: 'commission',
          payee_kind: 'other',
          payee_name: name,
          currency,
          swift: 'DEUTDEFF',
          cnaps: null,
        },
        ...changes,
        fee_lines: [{ ...line, invoice_due: addDays(TODAY, 5) }],
      });
      return rules.act('sp.aa', 'payment_request', id, 'submit');
    };
    return { of, rate, shipment, asked };
  }

  it('is paid up to the rate of the contract, whatever was asked for before', STORY, async () => {
    const { of, rate, shipment, asked } = await owed('外佣比例甲A', 'USD');
    const over = [400, '外佣超过合同的佣金率'];
    expect(await refusal(asked('200.01'))).toEqual(over);
    const first = await must(asked('150.00'));
    expect(await refusal(asked('50.01'))).toEqual(over);
    await must(asked('50.00'));
    // A rate that is lowered takes back nothing that was asked for, but none of it is approved any more; a freight is.
    await rules.example.services.db.query(rate.replace('= 2', '= 1'), [of.contract]);
    const freight = {
      ...{ fee_item: 'ocean', shipment_id: shipment, amount: '100.00', invoice_due: addDays(TODAY, 5) },
    };
    const id = await money.payment(of, { pay_type: 'freight', payee_name: '外佣货代', fee_lines: [freight] });
    await must(rules.act('sp.aa', 'payment_request', id, 'submit'));
    await money.approve('payment_request', id, ['dm.aa', 'fn2.aa']);
    expect(await rules.stored('shipment', shipment)).toMatchObject({ commission_cap: '100.00' });
    await money.approve('payment_request', String(first['id']), ['dm.aa', 'tm.aa']);
    expect(await refusal(money.decide('fn2.aa', 'payment_request', String(first['id'])))).toEqual(over);
  });

  it(
    'in a third currency is held against the rate by the rates of the day it was to be paid',
    STORY,
    async () => {
      const euro = { code: 'EUR', name: '欧元', symbol: '€', decimals: 2, status: 'active' };
      const currency_id = await rules.given('currency', euro);
      for (const [date, rate] of [
        ['2024-01-01', '7.800000'],
        [TODAY, '8.200000'],
      ])
        await rules.given('currency_rate', {
          ...{ currency: 'EUR', currency_id, kind: 'book', date, rate, source: '手工' },
        });
      await rules.example.services.definitions.refreshOverrides();
      const { shipment, asked } = await owed('外佣欧元甲A', 'EUR', { need_date: addDays(TODAY, -1) });
      const paid = String((await must(asked('182.05')))['id']);
      await money.pay(paid, ['dm.aa', 'tm.aa', 'fn2.aa'], { actual_rate: '8.250000' });
      expect(await rules.stored('shipment', shipment)).toMatchObject({ commission_claimed: '200.00' });
    },
  );
});

// The last: whoever is away is not signed in again.
describe('what the only holder of a level makes himself', () => {
  let of: Funded;
  beforeAll(async () => {
    of = await moves.funded('独任审核', '1000.00');
    await rules.example.services.db.execute(
      `update person set status = 'disabled' where personid not in ('rk.aa', 'fn.aa')
         and role_ids && array(select id from role where code in ('RK', 'FN'))`,
    );
  }, 400_000);
  const report = {
    business_type: 'agency',
    purpose: '新客户',
    payment_term: 'OA',
    term_days: 60,
    fee_bearer: 'company',
  };
  const claim = {
    business_type: 'agency',
    reason: '违约金',
    bill_date: TODAY,
    due_date: TODAY,
    net_amount: '100.00',
    tax_rate: '6',
  };

  it.each([
    [
      'rk.aa',
      'credit_investigation',
      () => ({ ...report, partner_id: of.partner, buyer_id: of.buyer }),
      'ordered',
    ],
    [
      'fn.aa',
      'other_receivable_invoice',
      () => ({ ...claim, partner_id: of.partner, debtor_name: '独任' }),
      'approved',
    ],
  ])('%s: %s goes to the general manager', STORY, async (maker, resource, values, approved) => {
    const id = await moves.done(maker, resource, values(), ['gm.aa']);
    expect((await rules.stored(resource, id))['status']).toBe(approved);
  });
});
