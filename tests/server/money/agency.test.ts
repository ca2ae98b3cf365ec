import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 180_000);
afterAll(() => rules.example.close());

const GOODS_APPROVERS = ['dm.aa', 'tm.aa', 'fn.aa'] as const;
const LARGE_APPROVERS = ['dm.aa', 'tm.aa', 'rk.aa', 'fn.aa'] as const;

/** A long story on a busy machine. */
const STORY = { timeout: 180_000 };

describe('T-01 agency buyout down to the goods payment', () => {
  it('ends with 66,506.00 in the pool', STORY, async () => {
    const { act, stored } = rules;
    const of = await money.trader('宁波丁方D', { export_mode: 'buyout' });
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
    await money.invoice(of, { purchase, shipment, quantity: '10000', net: '550000.00', tax: '71500.00' });
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
  });
});
