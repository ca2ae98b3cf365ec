import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from './financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

async function totals(resource: string, filters: Fields, who = 'fn.aa'): Promise<unknown> {
  const answer = await must(rules.as(who, 'POST', `/data/${resource}/query`, { filters, pageSize: 50 }));
  return answer['totals'];
}

const put = (table: string, id: string, status: string) =>
  rules.example.services.db.query(`update ${table} set status = $2 where id = $1::uuid`, [id, status]);

describe('the total of a list', () => {
  it('owes only what was drawn, and counts nothing that is void', STORY, async () => {
    const loans = financingSteps(rules, money);
    const of = await loans.borrower('合计融资A', '50000.00');
    await loans.drawn(of, { amount: '1000.00' });
    await loans.draft(of, { amount: '200.00' });
    for (const status of ['void', 'rejected', 'approved'])
      await put('financing', await loans.draft(of, { amount: '30.00' }), status);
    const owed = await totals('financing', { partner_id: { eq: of.partner } });
    expect(owed).toMatchObject({ principal_left: { CNY: '7100.00' }, amount: { USD: '1260.00' } });
    const void_ = { partner_id: { eq: of.partner }, status: { eq: 'void' } };
    expect(await totals('financing', void_)).toEqual({});
  });

  it('claims no receipt that is void, and pays no purchase that is not agreed', STORY, async () => {
    const of = await money.trader('合计采购A');
    const receipts = await Promise.all(
      ['300.00', '40.00'].map((gross_amount) => money.receipt({ gross_amount, payer_name: of.buyerName })),
    );
    await put('receipt', receipts[1] ?? '', 'void');
    expect(await totals('receipt', { id: { in: receipts } })).toMatchObject({
      ...{ amount: { USD: '300.00' }, unclaimed_amount: { USD: '300.00' } },
    });
    const purchase = async (): Promise<string> => money.purchase(of, await money.contract(of));
    const agreed = await purchase();
    for (const status of ['draft', 'rejected', 'void', 'terminated'])
      await put('purchase_contract', await purchase(), status);
    const { total_amount } = await rules.stored('purchase_contract', agreed);
    expect(await totals('purchase_contract', { partner_id: { eq: of.partner } })).toMatchObject({
      unpaid: { CNY: total_amount },
    });
  });

  it('stands below the columns of a page of its own', STORY, async () => {
    const of = await money.trader('合计单笔A');
    const contract = await money.contract(of);
    const shipment = await money.shipment(of, contract, { quantity: '100' });
    const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    await money.split(receipt, claim, {
      settle_rate: '7.100000',
      lines: [{ nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '1000.00' }],
    });
    expect(await totals('shipment', { partner_id: { eq: of.partner } })).toMatchObject({
      ...{ total_amount: { USD: '1000.00' }, received_cny: { CNY: '7100.00' }, pool_sum: { CNY: '7050.00' } },
    });
  });
});
