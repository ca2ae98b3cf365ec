import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';
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
const SPOT = { settle_mode: 'spot' };

async function firstLine(table: string, parent: string): Promise<Fields> {
  const [line] = await rules.example.services.db.query<Fields>(
    `select * from "${table}" where parent_id = $1::uuid order by line_order limit 1`,
    [parent],
  );
  return line ?? {};
}

/** A trader with money in the pool and goods bought. */
async function purchased(name: string): Promise<{ readonly of: Trader; readonly purchase: string }> {
  const of = await money.trader(name, { export_mode: 'buyout' });
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const receipt = await money.receipt({ gross_amount: '5000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '5000.00');
  await money.split(receipt, claim, {
    settle_rate: '7.100000',
    lines: [{ ...SPOT, nature: 'advance', contract_id: contract, amount: '5000.00' }],
  });
  const terms = {
    delivery_date: '2026-12-20',
    delivery_place: '宁波',
    quality_terms: '按样品',
    invoice_terms: '货到开票',
  };
  return { of, purchase: await money.purchase(of, contract, terms) };
}

it('a claim that is split keeps its line and whom it is of, also while the split waits', STORY, async () => {
  const { act, stored } = rules;
  const of = await money.trader('占用认领甲A', { export_mode: 'buyout' });
  const other = await money.trader('占用认领乙B', { export_mode: 'buyout' });
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '1000.00');
  const split = await money.draftSplit(receipt, claim, {
    settle_rate: '7.100000',
    lines: [{ ...SPOT, nature: 'advance', contract_id: contract, amount: '400.00' }],
  });
  await must(act('fn.aa', 'receipt_split', split, 'submit'));
  const unclaim = () =>
    act('sp.aa', 'receipt', receipt, 'unclaim', {
      opinion: '认错了',
      inputs: { changes: { claims: [{ id: claim, _delete: true }] } },
    });
  expect(await refusal(unclaim())).toEqual([400, '第1行已被收汇分割引用，不能删除']);
  const moved = { id: claim, partner_id: other.partner, buyer_id: other.buyer };
  const reassign = () =>
    act('tm.aa', 'receipt', receipt, 'reassign', {
      opinion: '改派',
      inputs: { changes: { claims: [moved] } },
    });
  expect(await refusal(reassign())).toEqual([400, '该认领已分割或退汇，不能改派']);
  await money.approve('receipt_split', split, ['fn2.aa']);
  expect(await refusal(unclaim())).toEqual([400, '第1行已被收汇分割引用，不能删除']);
  expect(await stored('receipt', receipt)).toMatchObject({ left_amount: '600.00' });
});

it('a change of a purchase that is withdrawn leaves it as it was', STORY, async () => {
  const { act, as, stored } = rules;
  const { purchase } = await purchased('撤回变更甲A');
  const before = await stored('purchase_contract', purchase);
  const line = await firstLine('purchase_contract__items', purchase);
  const amend = (changes: Fields) =>
    act('sp.aa', 'purchase_contract', purchase, 'amend', { opinion: '供应商调价', inputs: { changes } });
  const dearer = { id: line['id'], unit_price: '64.000000' };
  await must(amend({ items: [dearer], remark: '涨价' }));
  const pending = await stored('purchase_contract', purchase);
  expect(pending).toMatchObject({ status: 'pending', remark: '涨价' });
  expect(pending['total_amount']).not.toBe(before['total_amount']);
  await must(as('sp.aa', 'POST', `/approval/record/purchase_contract/${purchase}/withdraw`, {}));
  const { status, total_amount, remark } = before;
  expect(await stored('purchase_contract', purchase)).toMatchObject({ status, total_amount, remark });
  expect((await firstLine('purchase_contract__items', purchase))['unit_price']).toBe(line['unit_price']);
});

it('a purchase that was paid is not voided after its change was rejected', STORY, async () => {
  const { act, as, stored } = rules;
  const { of, purchase } = await purchased('驳回作废甲A');
  const payment = await money.payment(of, {
    pay_type: 'advance',
    goods_lines: [{ purchase_contract_id: purchase, amount: '100.00' }],
  });
  await must(act('sp.aa', 'payment_request', payment, 'submit'));
  await money.pay(payment, ['dm.aa', 'tm.aa', 'fn2.aa']);
  await must(
    act('sp.aa', 'purchase_contract', purchase, 'amend', {
      opinion: '改交货地',
      inputs: { changes: { remark: '改交货地' } },
    }),
  );
  const { task } = (await must(as('dm.aa', 'GET', `/approval/record/purchase_contract/${purchase}`))) as {
    readonly task: { readonly id: string; readonly version: number } | null;
  };
  await must(
    as('dm.aa', 'POST', `/approval/${task?.id}/reject`, { version: task?.version, opinion: '不同意' }),
  );
  expect(await refusal(act('sp.aa', 'purchase_contract', purchase, 'void', { opinion: '不要了' }))).toEqual([
    400,
    '合同已有后续业务，不能作废',
  ]);
  expect((await stored('purchase_contract', purchase))['status']).toBe('rejected');
});

it('a refused change opens of a contract in force what a change may change, no more', STORY, async () => {
  const { act, as, stored } = rules;
  const { of, purchase } = await purchased('驳回开放甲A');
  const contract = String((await stored('purchase_contract', purchase))['export_contract_id']);
  const other = await money.trader('驳回开放乙B', { export_mode: 'buyout' });
  const { db } = rules.example.services;
  const tryPatch = async (resource: string, id: string, values: Fields) => {
    const { version } = await stored(resource, id);
    return as('sp.aa', 'PATCH', `/data/${resource}/${id}`, { version, ...values });
  };
  for (const [resource, id] of [
    ['purchase_contract', purchase],
    ['export_contract', contract],
  ] as const)
    await db.query(`update ${resource} set status = 'rejected', approved_at = now() where id = $1::uuid`, [
      id,
    ]);
  for (const [resource, id, values] of [
    ['purchase_contract', purchase, { supplier_id: other.supplier }],
    ['purchase_contract', purchase, { sign_date: '2026-09-01' }],
    ['export_contract', contract, { currency: 'EUR' }],
    ['export_contract', contract, { buyer_id: other.buyer }],
  ] as const)
    expect([
      Object.keys(values),
      (await tryPatch(resource, id, values)).problems.map(({ path }) => path),
    ]).toEqual([Object.keys(values), expect.arrayContaining(Object.keys(values))]);
  await must(tryPatch('purchase_contract', purchase, { delivery_date: '2026-12-21' }));
  await must(tryPatch('export_contract', contract, { latest_shipment: '2026-12-25' }));
  // What was handed in again and withdrawn is a draft, and the contract as much in force.
  await db.query(`update purchase_contract set status = 'draft' where id = $1::uuid`, [purchase]);
  expect((await tryPatch('purchase_contract', purchase, { sign_date: '2026-09-01' })).status).toBe(400);
  await db.query(`update purchase_contract set approved_at = null where id = $1::uuid`, [purchase]);
  await must(tryPatch('purchase_contract', purchase, { sign_date: '2026-09-01' }));
  expect((await act('sp.aa', 'purchase_contract', purchase, 'amend', { opinion: '否' })).status).toBe(409);
  expect(of.partner).not.toBe(other.partner);
});

it(
  'a refused change opens of a buyer, supplier or goods in force what a change may change, no more',
  STORY,
  async () => {
    const of = await money.trader('驳回主档甲A');
    const other = await money.trader('驳回主档乙B');
    const { db } = rules.example.services;
    const tryPatch = async (resource: string, id: string, values: Fields) => {
      const { version } = await rules.stored(resource, id);
      return rules.as('sp.aa', 'PATCH', `/data/${resource}/${id}`, { version, ...values });
    };
    const partner = { partner_id: other.partner };
    const tried = [
      ['buyer', of.buyer, partner, { address: 'Hafenstr. 3' }],
      ['supplier', of.supplier, partner, { address: '宁波' }],
      ['goods', of.goods, { ...partner, unit: '035' }, { unit1_factor: '0.6' }],
    ] as const;
    // What was handed in again and withdrawn is a draft.
    for (const [resource, id, closed, open] of tried)
      for (const status of ['rejected', 'draft']) {
        await db.query(`update ${resource} set status = $2, approved_at = now() where id = $1::uuid`, [
          id,
          status,
        ]);
        const { problems } = await tryPatch(resource, id, closed);
        const paths = Object.keys(closed);
        expect([resource, status, problems.map(({ path }) => path)]).toEqual([
          resource,
          status,
          expect.arrayContaining(paths),
        ]);
        await must(tryPatch(resource, id, open));
      }
    await db.query(`update buyer set approved_at = null where id = $1::uuid`, [of.buyer]);
    await must(tryPatch('buyer', of.buyer, partner));
  },
);

it('a payment of which money came back is not bounced', STORY, async () => {
  const { act, as } = rules;
  const of = await moves.funded('退票重复甲A', '1000.00');
  const line = { fee_item: 'ocean', shipment_id: of.shipment, amount: '100.00' };
  const payment = await money.payment(of, {
    pay_type: 'freight',
    fee_lines: [{ ...line, invoice_due: addDays(companyToday(new Date()), 5) }],
  });
  await must(act('sp.aa', 'payment_request', payment, 'submit'));
  await money.pay(payment, ['dm.aa', 'fn2.aa']);
  const back = await must(
    as('fn.aa', 'POST', '/data/domestic_receipt', {
      kind: 'supplier_refund',
      payer_kind: 'supplier',
      value_date: companyToday(new Date()),
      bank_account_id: money.accounts.cny,
      partner_id: of.partner,
      payment_request_id: payment,
      amount: '60.00',
      payer_name: '船公司',
      bank_ref: money.key(),
    }),
  );
  await must(act('fn.aa', 'domestic_receipt', String(back['id']), 'submit'));
  expect(await refusal(act('fn.aa', 'payment_request', payment, 'bounce', { opinion: '退票' }))).toEqual([
    400,
    '已登记供应商退款，须先冲销该收款',
  ]);
});
