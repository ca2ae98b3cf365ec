import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 400_000 };
const USED = '分割款项已结汇、退汇或使用，不能冲销';

it('B06: a split whose money was paid out is not undone, unless risk control lets it', STORY, async () => {
  const { act, stored } = rules;
  const of = await moves.funded('用款冲销甲A', '1000.00');
  const line = { fee_item: 'ocean', shipment_id: of.shipment, amount: '100.00' };
  const invoice_due = addDays(companyToday(new Date()), 5);
  const payment = await money.payment(of, { pay_type: 'freight', fee_lines: [{ ...line, invoice_due }] });
  await must(act('sp.aa', 'payment_request', payment, 'submit'));
  // Held money is used money too.
  expect(await refusal(act('fn.aa', 'receipt_split', of.split, 'reverse', { opinion: '分错' }))).toEqual([
    400,
    USED,
  ]);
  await money.pay(payment, ['dm.aa', 'fn2.aa']);
  expect(await refusal(act('fn.aa', 'receipt_split', of.split, 'reverse', { opinion: '分错' }))).toEqual([
    400,
    USED,
  ]);
  await must(act('rk.aa', 'receipt_split', of.split, 'release_risk', { opinion: '委托方已承诺补足' }));
  await must(act('fn.aa', 'receipt_split', of.split, 'reverse', { opinion: '分错' }));
  await money.approve('receipt_split', of.split, ['tm.aa']);
  expect(await stored('receipt_split', of.split)).toMatchObject({ status: 'reversed' });
  expect((await money.pool(of))[0]).toBe('-100.00');
});

it('B06: money that is still there is taken back whole', STORY, async () => {
  const { act } = rules;
  const of = await moves.funded('用款冲销乙B', '1000.00');
  await must(act('fn.aa', 'receipt_split', of.split, 'reverse', { opinion: '分错' }));
  await money.approve('receipt_split', of.split, ['tm.aa']);
  expect(await money.pool(of)).toEqual(['0.00', '0.00', '0.00']);
});

it('L10: what is matched with an advance counts against the money received as well', STORY, async () => {
  const { act } = rules;
  const of = await moves.funded('到款付款甲A', '1000.00', { export_mode: 'buyout' });
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [of.contract],
  );
  const item = { export_line: line?.id, goods_id: of.goods, unit: '007' };
  const purchase = await money.purchase(of, of.contract, {
    payment_terms: 'on_receipt',
    items: [{ ...item, quantity: '100', unit_price: '500.000000' }],
  });
  // Another shipment of the partner fills the pool, so that only the limit of this one is in the way.
  const other = await money.shipment(of, of.contract, { quantity: '1' }, { export_mode: 'buyout' });
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  await money.split(receipt, await money.claim(receipt, of, '1000.00'), {
    settle_rate: '7.105000',
    lines: [{ nature: 'goods', settle_mode: 'spot', shipment_id: other, amount: '1000.00' }],
  });
  const advance = await money.payment(of, {
    pay_type: 'advance',
    goods_lines: [{ purchase_contract_id: purchase, amount: '2500.00' }],
  });
  await must(act('sp.aa', 'payment_request', advance, 'submit'));
  await money.pay(advance, ['dm.aa', 'tm.aa', 'fn2.aa']);
  const goods = async (amount: string) => {
    const id = await money.payment(of, {
      pay_type: 'goods',
      goods_lines: [
        { purchase_contract_id: purchase, shipment_id: of.shipment, amount, offset_advance: '2500.00' },
      ],
    });
    return act('sp.aa', 'payment_request', id, 'submit');
  };
  // 7,105.00 were received: 4,605.00 besides the advance, and not a cent more.
  expect(await refusal(goods('4605.01'))).toEqual([400, '付款金额超过已收汇金额']);
  await must(goods('4605.00'));
});
