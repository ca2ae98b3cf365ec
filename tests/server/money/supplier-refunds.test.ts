import { addDays, companyToday } from '#engine/values/dates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type Funded, type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };
const GOODS = ['dm.aa', 'tm.aa', 'fn.aa'];

/** A fee of the shipment, paid by who bears it. */
async function freight(of: Funded, bearer: 'partner' | 'company'): Promise<string> {
  const line = { fee_item: 'inland', shipment_id: of.shipment, amount: '100.00' };
  const id = await money.payment(of, {
    ...{ pay_type: 'freight', bearer, ...(bearer === 'partner' ? { pool_id: of.pool } : {}) },
    fee_lines: [{ ...line, invoice_due: addDays(companyToday(new Date()), 5) }],
  });
  await must(rules.act('sp.aa', 'payment_request', id, 'submit'));
  await money.pay(id, ['dm.aa', 'fn2.aa']);
  return id;
}

async function comesBack(of: Funded, payment_request_id: string, more: Fields): Promise<string> {
  const id = await moves.draft('fn.aa', 'domestic_receipt', {
    ...{ kind: 'supplier_refund', payer_kind: 'supplier', payer_name: '供应商', partner_id: of.partner },
    ...{ value_date: '2026-11-24', bank_account_id: money.accounts.cny, bank_ref: money.key() },
    ...{ payment_request_id, ...more },
  });
  await must(rules.act('fn.aa', 'domestic_receipt', id, 'submit'));
  return id;
}

/** A purchase for the contract of the shipment, 1,000 in all. */
async function bought(of: Funded): Promise<string> {
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [of.contract],
  );
  return money.purchase(of, of.contract, {
    items: [{ export_line: line?.id, goods_id: of.goods, quantity: '1', unit: '007', unit_price: '1000' }],
  });
}

describe('money that a payee gives back', () => {
  it('for a fee of an entrusted partner is his again, in pool and books', STORY, async () => {
    const of = await moves.funded('退款代理A', '1000.00');
    const payment = await freight(of, 'partner');
    const [before] = await money.pool(of);
    const back = await comesBack(of, payment, { amount: '60.00', shipment_id: of.shipment });
    await money.approve('domestic_receipt', back, ['fn2.aa']);
    expect([before, (await money.pool(of))[0]]).toEqual(['6955.00', '7015.00']);
    expect(await moves.vouchers(back)).toEqual([
      ['BANK_CNY', '60.00', ''],
      ['POOL', '', '60.00'],
    ]);
  });

  it(
    'for a fee that the company bore is the company’s, and no cost of the shipment any more',
    STORY,
    async () => {
      const of = await moves.funded('退款公司A', '1000.00');
      const payment = await freight(of, 'company');
      expect(await rules.stored('shipment', of.shipment)).toMatchObject({ company_cost: '100.00' });
      const pool = await money.pool(of);
      const back = await comesBack(of, payment, { amount: '60.00', shipment_id: of.shipment });
      await money.approve('domestic_receipt', back, ['fn2.aa']);
      expect(await money.pool(of)).toEqual(pool);
      expect(await moves.vouchers(back)).toEqual([
        ['BANK_CNY', '60.00', ''],
        ['AP_FEE', '', '60.00'],
      ]);
      expect(await rules.stored('shipment', of.shipment)).toMatchObject({ company_cost: '40.00' });
      await must(rules.act('fn.aa', 'domestic_receipt', back, 'reverse', { opinion: '记错' }));
      expect(await rules.stored('shipment', of.shipment)).toMatchObject({ company_cost: '100.00' });
    },
  );

  it('of an advance is not offset any more, nor given back when it was offset', STORY, async () => {
    const of = await moves.funded('退款预付A', '1000.00', { export_mode: 'buyout' });
    const purchase = await bought(of);
    const advance = await money.payment(of, {
      ...{ pay_type: 'advance', goods_lines: [{ purchase_contract_id: purchase, amount: '300.00' }] },
    });
    await must(rules.act('sp.aa', 'payment_request', advance, 'submit'));
    await money.pay(advance, GOODS);
    await money.invoice(of, { purchase, shipment: of.shipment, quantity: '1', net: '884.96', tax: '115.04' });
    const offset = (offset_advance: string) =>
      money.payment(of, {
        pay_type: 'goods',
        goods_lines: [
          { purchase_contract_id: purchase, shipment_id: of.shipment, amount: '10.00', offset_advance },
        ],
      });
    const back = await comesBack(of, advance, { amount: '200.00' });
    await money.approve('domestic_receipt', back, ['fn2.aa']);
    expect((await moves.vouchers(back))[1]).toEqual(['PREPAID', '', '200.00']);
    const submit = (id: string) => rules.act('sp.aa', 'payment_request', id, 'submit');
    expect(await refusal(submit(await offset('100.01')))).toEqual([400, '预付款已冲抵或已退回']);
    await must(submit(await offset('60.00')));
    await expect(comesBack(of, advance, { amount: '40.01' })).rejects.toThrow('预付款已冲抵或已退回');
  });
});

it('money of a request for two contracts comes back to the one that it was paid for', STORY, async () => {
  const of = await moves.funded('退款两份A', '1000.00', { export_mode: 'buyout' });
  const [first, second, other] = [await bought(of), await bought(of), await bought(of)];
  const refunded = async () =>
    Promise.all(
      [first, second].map(async (id) => (await rules.stored('purchase_contract', id)).supplier_refunded),
    );
  const paid = async (pay_type: string, more: Fields) => {
    const goods_lines = [
      { purchase_contract_id: first, amount: '100.00', ...more },
      { purchase_contract_id: second, amount: '200.00', ...more },
    ];
    const id = await money.payment(of, { pay_type, goods_lines });
    await must(rules.act('sp.aa', 'payment_request', id, 'submit'));
    await money.pay(id, GOODS);
    return id;
  };
  const advance = await paid('advance', {});
  const back = await comesBack(of, advance, { purchase_contract_id: second, amount: '150.00' });
  await money.approve('domestic_receipt', back, ['fn2.aa']);
  expect(await refunded()).toEqual(['0.00', '150.00']);
  await expect(comesBack(of, advance, { purchase_contract_id: second, amount: '50.01' })).rejects.toThrow(
    '预付款已冲抵或已退回',
  );
  await expect(comesBack(of, advance, { purchase_contract_id: other, amount: '1.00' })).rejects.toThrow(
    /采购合同/,
  );
  // Unless somebody says so it is of the first.
  const unsaid = await comesBack(of, advance, { amount: '100.00' });
  await money.approve('domestic_receipt', unsaid, ['fn2.aa']);
  expect(await refunded()).toEqual(['100.00', '150.00']);

  for (const purchase of [first, second])
    await money.invoice(of, { purchase, shipment: of.shipment, quantity: '1', net: '884.96', tax: '115.04' });
  const goods = await paid('goods', { shipment_id: of.shipment });
  await expect(comesBack(of, goods, { purchase_contract_id: first, amount: '100.01' })).rejects.toThrow(
    '退款金额超过该合同已付金额',
  );
});

it('a purchase that is paid again after its money came back is executed until it is', STORY, async () => {
  const of = await moves.funded('退款再付A', '1000.00', { export_mode: 'buyout' });
  const purchase = await bought(of);
  await money.invoice(of, { purchase, shipment: of.shipment, quantity: '1', net: '884.96', tax: '115.04' });
  const status = async () => (await rules.stored('purchase_contract', purchase))['status'];
  const paid = async (amount: string): Promise<string> => {
    const goods_lines = [{ purchase_contract_id: purchase, shipment_id: of.shipment, amount }];
    const id = await money.payment(of, { pay_type: 'goods', goods_lines });
    await must(rules.act('sp.aa', 'payment_request', id, 'submit'));
    await money.pay(id, GOODS);
    return id;
  };
  const first = await paid('1000.00');
  expect(await status()).toBe('completed');
  await must(rules.act('fn.aa', 'payment_request', first, 'bounce', { opinion: '银行退回' }));
  expect(await status()).toBe('executing');
  const second = await paid('1000.00');
  expect(await status()).toBe('completed');
  const back = await comesBack(of, second, { purchase_contract_id: purchase, amount: '100.00' });
  await money.approve('domestic_receipt', back, ['fn2.aa']);
  expect(await status()).toBe('executing');
  // Whoever says that it is complete all the same is believed.
  await must(rules.act('tm.aa', 'purchase_contract', purchase, 'force_complete', { opinion: '不再补付' }));
  await must(rules.act('fn.aa', 'domestic_receipt', back, 'reverse', { opinion: '记错' }));
  expect(await rules.stored('purchase_contract', purchase)).toMatchObject({ status: 'completed', unpaid: '0.00' }); // prettier-ignore
  const again = await comesBack(of, second, { purchase_contract_id: purchase, amount: '50.00' });
  await money.approve('domestic_receipt', again, ['fn2.aa']);
  expect(await rules.stored('purchase_contract', purchase)).toMatchObject({ status: 'completed', unpaid: '50.00' }); // prettier-ignore
});

const INVOICED = '付款金额超过已回票或已进仓金额';
it.each([
  { payment_terms: 'on_invoice', name: '再付甲A', most: '1000.00', cent: '1000.01', over: INVOICED },
  { payment_terms: 'advance', name: '再付乙B', most: '1000.00', cent: '1000.01', over: INVOICED },
  {
    ...{ payment_terms: 'on_receipt', name: '再付丙S', most: '1421.00', cent: '1421.01' },
    over: '付款金额超过已收汇金额',
  },
])(
  'what came back of goods is paid again, and not a cent more ($payment_terms)',
  STORY,
  async ({ payment_terms, name, most, cent, over }) => {
    const { act } = rules;
    const of = await moves.funded(name, '200.00', { export_mode: 'buyout' });
    // One of the two that were bought is delivered and invoiced, and the pool has more than was received for it.
    const [item] = await rules.example.services.db.query<{ id: string }>('select id from export_contract__items where parent_id = $1::uuid', [of.contract]); // prettier-ignore
    const two = { export_line: item?.id, goods_id: of.goods, quantity: '2', unit: '007', unit_price: '1000' };
    const purchase = await money.purchase(of, of.contract, { payment_terms, items: [two] });
    await money.invoice(of, { purchase, shipment: of.shipment, quantity: '1', net: '884.96', tax: '115.04' });
    const other = await money.shipment(of, of.contract, { quantity: '1' }, { export_mode: 'buyout' });
    const receipt = await money.receipt({ gross_amount: '200.00', payer_name: of.buyerName });
    const lines = [{ nature: 'goods', settle_mode: 'spot', shipment_id: other, amount: '200.00' }];
    await money.split(receipt, await money.claim(receipt, of, '200.00'), { settle_rate: '7.105000', lines });

    const asked = async (amount: string) => {
      const goods_lines = [{ purchase_contract_id: purchase, shipment_id: of.shipment, amount }];
      const id = await money.payment(of, { pay_type: 'goods', goods_lines });
      return { id, submit: () => act('sp.aa', 'payment_request', id, 'submit') };
    };
    const first = await asked(most);
    await must(first.submit());
    await money.pay(first.id, GOODS);
    const back = await comesBack(of, first.id, { amount: most, shipment_id: of.shipment });
    expect(await refusal((await asked('0.01')).submit())).toEqual([400, over]);
    await money.approve('domestic_receipt', back, ['fn2.aa']);
    expect(await refusal((await asked(cent)).submit())).toEqual([400, over]);
    await must((await asked(most)).submit());
  },
);

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  // The invoice of the story above is written without its lines.
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT' and content not like '%INV-09%'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
