import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from './financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

const GOODS_APPROVERS = ['dm.aa', 'tm.aa', 'fn.aa'] as const;
const LARGE_APPROVERS = ['dm.aa', 'tm.aa', 'rk.aa', 'fn.aa'] as const;

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

/** The documents of T-01, for what comes after it. */
const story: Record<string, string> = {};

describe('T-01 agency buyout, end to end', () => {
  it('ends with 137,426.85 in the pool', STORY, async () => {
    const { act, stored } = rules;
    const rate = { rebate_adv_ratio: '90', fin_daily_rate: '0.02', rebate_service_rate: '0' };
    const of = await money.trader('宁波丁方D', { export_mode: 'buyout', rate });
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const purchase = await money.purchase(of, contract);
    const shipment = await money.shipment(
      of,
      contract,
      { quantity: '10000', purchase_contract_id: purchase },
      { export_mode: 'buyout' },
    );
    // Split 1: an advance of 30,000.00.
    const first = await money.receipt({
      gross_amount: '30000.00',
      bank_charge_cny: '100.00',
      charge_account_id: money.accounts.cny,
      payer_name: of.buyerName,
    });
    const claim1 = await money.claim(first, of, '30000.00');
    const split1 = await money.split(first, claim1, {
      settle_rate: '7.105000',
      lines: [{ nature: 'advance', contract_id: contract, settle_mode: 'spot', amount: '30000.00' }],
    });
    expect(await money.entries(split1)).toEqual([
      ['RCV_SETTLE', '213150.00'],
      ['BANK_FEE', '-100.00'],
      ['AGENCY_FEE', '-1500.00'],
    ]);
    expect(await money.pool(of)).toEqual(['211550.00', '0.00', '211550.00']);
    // The advance of 30 % to the supplier.
    const advance = await money.payment(of, {
      pay_type: 'advance',
      goods_lines: [{ purchase_contract_id: purchase, amount: '186450.00' }],
    });
    await must(act('sp.aa', 'payment_request', advance, 'submit'));
    expect(await money.pool(of)).toEqual(['211550.00', '186450.00', '25100.00']);
    await money.pay(advance, GOODS_APPROVERS, { bank_fee: '20.00' });
    expect(await money.entries(advance)).toEqual([
      ['PAY_ADVANCE', '-186450.00'],
      ['BANK_FEE', '-20.00'],
    ]);
    expect(await money.pool(of)).toEqual(['25080.00', '0.00', '25080.00']);
    expect(await stored('purchase_contract', purchase)).toMatchObject({
      advance_paid: '186450.00',
      status: 'executing',
    });
    // Split 2: 50,000.00 sold, 20,000.00 held.
    const second = await money.receipt({ gross_amount: '70000.00', payer_name: of.buyerName });
    const claim2 = await money.claim(second, of, '70000.00');
    const goods = { nature: 'goods', shipment_id: shipment };
    const split2 = await money.split(second, claim2, {
      settle_rate: '7.112000',
      lines: [
        { ...goods, settle_mode: 'spot', amount: '50000.00' },
        { ...goods, settle_mode: 'hold', amount: '20000.00' },
      ],
    });
    expect(await money.entries(split2)).toEqual([
      ['RCV_SETTLE', '355600.00'],
      ['RCV_HOLD', '20000.00'],
      ['AGENCY_FEE', '-2500.00'],
      ['AGENCY_FEE', '-1000.00'],
    ]);
    expect(await money.pool(of)).toEqual(['377180.00', '0.00', '377180.00']);
    expect(await money.pool(of, 'fx_hold')).toEqual(['20000.00', '0.00', '20000.00']);
    // Freight.
    const freight = await money.payment(of, {
      pay_type: 'freight',
      fee_lines: [
        { fee_item: 'ocean', shipment_id: shipment, amount: '18600.00', invoice_due: '2026-12-20' },
      ],
    });
    await must(act('sp.aa', 'payment_request', freight, 'submit'));
    await money.pay(freight, ['dm.aa', 'fn.aa']);
    expect(await money.pool(of)).toEqual(['358580.00', '0.00', '358580.00']);
    // Goods are paid against the supplier's invoice, and the payment is more than there is.
    await money.enter(of, purchase, '10000');
    const refunds = refundSteps(rules, money);
    const sold = { net: '550000.00', fob: '100000.00', quantity: '10000', exportDate: '2026-10-12' };
    await rules.example.services.db.query(`update shipment set atd = '2026-10-12', bl_no = 'COSU1' where id = $1::uuid`, [shipment]); // prettier-ignore
    const { refund } = await refunds.closedExport(sold, { of, shipment, purchase });
    const payment = await money.payment(of, {
      pay_type: 'goods',
      goods_lines: [
        {
          purchase_contract_id: purchase,
          shipment_id: shipment,
          amount: '435050.00',
          offset_advance: '186450.00',
        },
      ],
    });
    expect(await refusal(act('sp.aa', 'payment_request', payment, 'submit'))).toEqual([400, '可用余额不足']);
    // The held currency is sold.
    const [holding] = await rules.example.services.db.query<{ id: string }>(
      'select id from fx_holding where split_id = $1::uuid',
      [split2],
    );
    const sale = await must(
      rules.as('tr.aa', 'POST', '/data/fx_settlement', {
        deal_date: '2026-11-20',
        value_date: '2026-11-20',
        bank_account_id: money.accounts.usd,
        cny_account_id: money.accounts.cny,
        amount: '20000.00',
        bank_rate: '7.148800',
        amount_cny: '142976.00',
        bank_ref: money.key(),
        lines: [{ source_kind: 'hold', holding_id: holding?.id, amount: '20000.00' }],
      }),
    );
    const slip = String(sale['id']);
    await must(act('tr.aa', 'fx_settlement', slip, 'submit'));
    expect(await money.pool(of, 'fx_hold')).toEqual(['20000.00', '20000.00', '0.00']);
    await money.approve('fx_settlement', slip, ['fn.aa']);
    expect(await money.entries(slip)).toEqual([
      ['HOLD_OUT', '-20000.00'],
      ['HOLD_IN', '142976.00'],
    ]);
    expect((await stored('fx_holding', holding?.id ?? ''))['status']).toBe('settled');
    const told = await rules.example.services.db.query<{ event: string }>(
      `select distinct event from sys_notice where event in ('FX_SETTLED', 'RECEIPT_POSTED', 'PAID', 'PAY_APPROVED', 'RECEIPT_CLAIMED') order by 1`,
      [],
    );
    expect(told.map(({ event }) => event)).toEqual([
      'FX_SETTLED',
      'PAID',
      'PAY_APPROVED',
      'RECEIPT_CLAIMED',
      'RECEIPT_POSTED',
    ]);
    expect(await money.pool(of)).toEqual(['501556.00', '0.00', '501556.00']);
    // The advance moves to the shipment, then the goods are paid with the advance offset.
    const [line] = await rules.example.services.db.query<{ id: string }>(
      'select id from receipt_split__lines where parent_id = $1::uuid',
      [split1],
    );
    await must(
      act('sp.aa', 'receipt_split', split1, 'apply_advance', {
        inputs: { split_line: line?.id, shipment_id: shipment, amount: '30000.00' },
      }),
    );
    expect(await stored('shipment', shipment)).toMatchObject({
      received_amount: '100000.00',
      recv_progress: 'full',
      pool_sum: '688026.00',
    });
    expect(await money.pool(of)).toEqual(['501556.00', '0.00', '501556.00']);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, LARGE_APPROVERS);
    expect(await money.pool(of)).toEqual(['66506.00', '0.00', '66506.00']);
    expect(await stored('purchase_contract', purchase)).toMatchObject({
      goods_paid: '435050.00',
      advance_offset: '186450.00',
    });
    // 90 % of the refund is lent until it comes 45 days later.
    await must(refunds.run(refund, 'ready'));
    const loans = financingSteps(rules, money);
    const advances = await loans.lineOf(of, '100000.00', 'rebate');
    const lent = { financing_type: 'rebate', refund_id: refund, ratio: '90', amount: '64350.00' };
    const terms = { daily_rate: '0.02', rate: null, repay_source: '退税款' };
    const loan = await loans.drawn({ ...of, line: advances, contract: '', shipment }, { ...lent, ...terms });
    expect((await money.pool(of))[0]).toBe('130856.00');
    await loans.pass(loan, 45);
    await must(refunds.declare(refund));
    await must(refunds.accept(refund));
    await must(refunds.receive(refund, '71500.00'));
    expect(await money.entries(refund)).toEqual([['REBATE_RCV', '71500.00']]);
    expect(await money.entries(loan)).toEqual([
      ['REBATE_ADV', '64350.00'],
      ['FIN_INTEREST', '-579.15'],
      ['REBATE_BACK', '-64350.00'],
    ]);
    expect(await money.pool(of)).toEqual(['137426.85', '0.00', '137426.85']);
    Object.assign(story, { ...of, shipment, split1, split2, advance, freight, payment, slip, refund, loan });
  });
});

describe('T-20 the reversal chain', () => {
  const { act, stored, done, undone } = {
    act: (...args: Parameters<RulesExample['act']>) => rules.act(...args),
    stored: (...args: Parameters<RulesExample['stored']>) => rules.stored(...args),
    /** The bank buys what a split received spot. */
    done: async (split: string, amount: string, rate: string, cny: string): Promise<string> => {
      const [line] = await rules.example.services.db.query<{ id: string }>(
        `select id from receipt_split__lines where parent_id = $1::uuid and settle_mode = 'spot'`,
        [split],
      );
      const sale = await must(
        rules.as('tr.aa', 'POST', '/data/fx_settlement', {
          deal_date: '2026-11-20',
          value_date: '2026-11-20',
          bank_account_id: money.accounts.usd,
          cny_account_id: money.accounts.cny,
          amount,
          bank_rate: rate,
          amount_cny: cny,
          bank_ref: money.key(),
          lines: [{ source_kind: 'spot', split_id: split, split_line: line?.id, amount }],
        }),
      );
      await must(rules.act('tr.aa', 'fx_settlement', String(sale['id']), 'submit'));
      await money.approve('fx_settlement', String(sale['id']), ['fn.aa']);
      return String(sale['id']);
    },
    /** Reversed by finance, approved by trade management. */
    undone: async (resource: string, id: string): Promise<void> => {
      await must(rules.act('fn.aa', resource, id, 'reverse', { opinion: '分错明细单' }));
      await money.approve(resource, id, ['tm.aa']);
    },
  };
  const poolNow = async (): Promise<string> => (await money.pool({ ...trader() }))[0];
  const trader = () => ({
    partner: story['partner'] ?? '',
    buyer: '',
    buyerName: '',
    supplier: '',
    goods: '',
  });
  /** What a carrier's invoice says. */
  const carrierInvoice = (partner: string, [net, tax]: readonly [string, string]) => ({
    ...{ business_type: 'agency', partner_id: partner, issuer_kind: 'forwarder', issuer_name: '货代' },
    ...{
      invoice_type: '32',
      invoice_number: money.key().slice(1).padStart(20, '3'),
      billing_date: '2026-11-10',
    },
    ...{ net_amount: net, tax_amount: tax, bearer: 'partner' },
  });
  /** The carrier's invoice of a fee that was paid before, verified. */
  const invoiced = async (
    of: { readonly partner: string; readonly shipment: string; readonly fee: string | undefined },
    [net, tax, total]: readonly [string, string, string],
  ): Promise<string> => {
    const facts = carrierInvoice(of.partner, [net, tax]);
    const { invoice_type, invoice_number, billing_date, issuer_name } = facts;
    await rules.given('invoice_check', {
      ...{ invoice_type, invoice_number, billing_date, sales_name: issuer_name, amount_tax: total },
      ...{ purchaser_tax_no: '91330200MA2AAAAA1X', outcome: 'verified' },
    });
    const line = { fee_item: 'ocean', shipment_id: of.shipment, amount: total, fee_line: of.fee };
    const made = await must(
      rules.as('sp.aa', 'POST', '/data/business_invoice', { ...facts, allocations: [line] }),
    );
    return String(made['id']);
  };
  const refused = (resource: string, id: string) =>
    refusal(act('fn.aa', resource, id, 'reverse', { opinion: '分错明细单' }));

  it('undoes everything step by step, down to empty balances', STORY, async () => {
    const {
      shipment = '',
      split1 = '',
      split2 = '',
      slip = '',
      payment = '',
      freight = '',
      advance = '',
      refund = '',
      partner = '',
    } = story;
    await rules.example.services.db.query(
      `update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`,
      [shipment],
    );
    const spot1 = await done(split1, '30000.00', '7.105000', '213150.00');
    const spot2 = await done(split2, '50000.00', '7.112000', '355600.00');
    const made = await must(
      rules.as('sp.aa', 'POST', '/data/project_settlement', {
        object_kind: 'shipment',
        shipment_id: shipment,
        settle_date: '2026-11-22',
      }),
    );
    const settlement = String(made['id']);
    expect(await refusal(act('sp.aa', 'project_settlement', settlement, 'calculate'))).toEqual([
      400,
      '存在未完结业务，不能结算：先付后票的费用尚未到票',
    ]);
    // The carrier's invoice has come: for less than was paid, then for what was paid.
    const [fee] = await rules.example.services.db.query<{ id: string }>(
      'select id from payment_request__fee_lines where parent_id = $1::uuid',
      [freight],
    );
    const short = await invoiced({ partner, shipment, fee: fee?.id }, ['17547.16', '1052.83', '18599.99']);
    expect(await refusal(act('sp.aa', 'business_invoice', short, 'submit'))).toEqual([
      400,
      '先付的金额超过发票的分摊金额',
    ]);
    const carrier = await invoiced({ partner, shipment, fee: fee?.id }, ['17547.17', '1052.83', '18600.00']);
    await must(act('sp.aa', 'business_invoice', carrier, 'submit'));
    await money.approve('business_invoice', carrier, ['dc.aa', 'fn.aa']);
    expect(await stored('payment_request__fee_lines', fee?.id ?? '')).toMatchObject({
      business_invoice_id: carrier,
      is_late: false,
    });
    expect(await stored('business_invoice', carrier)).toMatchObject({
      paid_amount: '18600.00',
      claimed_amount: '18600.00',
    });
    // What is invoiced is not invoiced again.
    const again = await rules.as('sp.aa', 'POST', '/data/business_invoice', {
      ...carrierInvoice(partner, ['17547.17', '1052.83']),
      allocations: [{ fee_item: 'ocean', shipment_id: shipment, amount: '18600.00', fee_line: fee?.id }],
    });
    expect(again.problems).toMatchObject([{ path: 'allocations.0.fee_line' }]);
    await must(act('sp.aa', 'project_settlement', settlement, 'calculate'));
    expect(await stored('project_settlement', settlement)).toMatchObject({
      received_cny: '711726.00',
      fee_charged: '5000.00',
      ...{
        goods_cost: '621500.00',
        freight_cost: '18600.00',
        finance_cost: '699.15',
        refund_amount: '71500.00',
      },
      fee_trueup: '0.00',
      residual: '137426.85',
      company_profit: '5263.35',
      accrued_cost: '143006.00',
    });
    await must(act('sp.aa', 'project_settlement', settlement, 'submit'));
    await money.approve('project_settlement', settlement, ['dm.aa', 'fn.aa']);
    expect((await stored('shipment', shipment))['status']).toBe('settled');

    expect(await refused('receipt_split', split2)).toEqual([400, '分割款项已结汇、退汇或使用，不能冲销']);
    expect(await refused('fx_settlement', slip)).toEqual([400, '结汇款已使用或明细单已结算，不能冲销']);
    await must(act('fn.aa', 'project_settlement', settlement, 'reverse', { opinion: '分错明细单' }));
    await money.approve('project_settlement', settlement, ['gm.aa']);
    expect([await poolNow(), (await stored('shipment', shipment))['status']]).toEqual([
      '137426.85',
      'shipped',
    ]);
    // Used money: the slip waits for the payment, the split for the slip.
    expect(await refused('fx_settlement', slip)).toEqual([400, '结汇款已使用或明细单已结算，不能冲销']);
    await must(act('fn.aa', 'payment_request', payment, 'bounce', { opinion: '银行退回' }));
    expect(await poolNow()).toBe('572476.85');
    expect(await refused('receipt_split', split2)).toEqual([400, '分割款项已结汇、退汇或使用，不能冲销']);
    await undone('fx_settlement', slip);
    expect([await poolNow(), (await money.pool(trader(), 'fx_hold'))[0]]).toEqual(['429500.85', '20000.00']);
    await undone('fx_settlement', spot2);
    await undone('receipt_split', split2);
    expect([await poolNow(), (await money.pool(trader(), 'fx_hold'))[0]]).toEqual(['77400.85', '0.00']);
    expect(await stored('shipment', shipment)).toMatchObject({ received_amount: '30000.00' });
    await must(act('fn.aa', 'payment_request', freight, 'bounce', { opinion: '银行退回' }));
    await must(act('fn.aa', 'payment_request', advance, 'bounce', { opinion: '银行退回' }));
    // The refund goes back to the office, and what was lent on it is repaid with its interest: the partner bears that.
    const back = { clawback_amount: '71500.00', clawback_date: '2026-11-22', clawback_account_id: money.accounts.cny }; // prettier-ignore
    await must(act('fn.aa', 'tax_refund', refund, 'clawback', { inputs: back, opinion: '货款冲回' }));
    await must(money.decide('gm.aa', 'tax_refund', refund));
    await undone('fx_settlement', spot1);
    const topUp = { kind: 'topup', payer_kind: 'partner', partner_id: partner, amount: '579.15', payer_name: '宁波丁方D' }; // prettier-ignore
    const paid = await must(
      rules.as('fn.aa', 'POST', '/data/domestic_receipt', {
        ...topUp,
        ...{ value_date: '2026-11-22', bank_account_id: money.accounts.cny, bank_ref: money.key() },
      }),
    );
    await must(act('fn.aa', 'domestic_receipt', String(paid['id']), 'submit'));
    await money.approve('domestic_receipt', String(paid['id']), ['fn2.aa']);
    await undone('receipt_split', split1);
    expect(await money.pool(trader())).toEqual(['0.00', '0.00', '0.00']);
    const left = await rules.example.services.db.query(
      `select e.subject_code, sum(coalesce(e.debit, 0) - coalesce(e.credit, 0))::text as left
       from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       where v.source_id = any($1) group by 1 having sum(coalesce(e.debit, 0) - coalesce(e.credit, 0)) <> 0`,
      [[settlement, slip, spot1, spot2, split1, split2, payment, freight, advance]],
    );
    expect(left).toEqual([]);
  });
});
