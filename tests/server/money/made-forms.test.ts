import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, type Trader } from './money-steps.ts';
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

/** The form of a document that is made from another, as the page fills it. */
async function form(who: string, resource: string, from: Fields): Promise<Fields> {
  const shown = await must(rules.as(who, 'POST', `/data/${resource}/preview`, { _from: from }));
  return shown['record'] as Fields;
}
const firstOf = (record: Fields, name: string): Fields | undefined =>
  (record[name] as readonly Fields[] | undefined)?.[0];

it('D11: a claim is split to the oldest shipment of the buyer that waits for money, else to its only contract', async () => {
  const of = await money.trader('分割表单甲A');
  const contract = await money.contract(of);
  const receipt = await money.receipt({ gross_amount: '900.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '900.00');
  const from = { resource: 'receipt', id: receipt, make: 'split', line: claim };
  const advance = await form('fn.aa', 'receipt_split', from);
  expect(advance).toMatchObject({ partner_id: of.partner, buyer_id: of.buyer, currency: 'USD' });
  expect(firstOf(advance, 'lines')).toMatchObject({
    nature: 'advance',
    shipment_id: null,
    contract_id: contract,
    amount: '900.00',
  });
  await money.shipment(of, contract, { quantity: '10' }, { invoice_date: '2026-10-12' });
  const older = await money.shipment(of, contract, { quantity: '10' }, { invoice_date: '2026-10-02' });
  const goods = await form('fn.aa', 'receipt_split', from);
  expect(firstOf(goods, 'lines')).toMatchObject({ nature: 'goods', shipment_id: older, amount: '900.00' });
  // A second open contract leaves the choice of an advance to people.
  await money.contract(of);
  await rules.example.services.db.query(`update shipment set buyer_id = null where buyer_id = $1::uuid`, [
    of.buyer,
  ]);
  const open = await form('fn.aa', 'receipt_split', from);
  expect(firstOf(open, 'lines')).toMatchObject({ nature: 'advance', contract_id: null });
});

it('D26: money goes back from a claim and from a posted line, to whom it came from', async () => {
  const of = await money.trader('退汇表单甲A');
  const payer = { payer_name: of.buyerName, payer_bank: 'NORDBANK AG', payer_swift: 'DEUTDEFF' };
  const receipt = await money.receipt({ gross_amount: '500.00', ...payer });
  const claim = await money.claim(receipt, of, '300.00');
  const rest = await form('fn.aa', 'remittance_return', {
    resource: 'receipt',
    id: receipt,
    make: 'give_back',
  });
  expect(rest).toMatchObject({
    ...{ receipt_id: receipt, source_kind: 'unsplit', claim_line: null, amount: '200.00' },
    ...{ payee_name: of.buyerName, payee_bank: 'NORDBANK AG', swift: 'DEUTDEFF' },
  });
  const from = { resource: 'receipt', id: receipt, make: 'give_back_claim', line: claim };
  expect(await form('fn.aa', 'remittance_return', from)).toMatchObject({
    ...{ receipt_id: receipt, source_kind: 'unsplit', claim_line: claim, amount: '300.00' },
    ...{ partner_id: of.partner, payee_name: of.buyerName, payee_bank: 'NORDBANK AG', swift: 'DEUTDEFF' },
  });
  const funded = await moves.funded('退汇表单乙B', '1000.00');
  const posted = await form('fn.aa', 'remittance_return', {
    ...{ resource: 'receipt_split', id: funded.split, make: 'give_back', line: funded.splitLine },
  });
  expect(posted).toMatchObject({
    ...{ receipt_id: funded.receipt, split_id: funded.split, split_line: funded.splitLine },
    ...{ source_kind: 'pool', amount: '1000.00', shipment_id: funded.shipment, payee_name: funded.buyerName },
  });
});

it('D03: a shipment takes the one purchase and the one L/C that fit, and none where two do', async () => {
  const of = await money.trader('出运表单甲A', { export_mode: 'buyout' });
  const contract = await money.contract(of, { export_mode: 'buyout', payment_term: 'LC_SIGHT' });
  const bought = await money.purchase(of, contract);
  const letter = await credit(of, contract);
  const from = { resource: 'export_contract', id: contract, make: 'shipment' };
  const alone = await form('sp.aa', 'shipment', from);
  expect(alone).toMatchObject({ lc_id: letter, payment_term: 'LC_SIGHT' });
  expect(firstOf(alone, 'items')).toMatchObject({ purchase_contract_id: bought, quantity: '10000.0000' });
  expect(firstOf(alone, 'items')?.['purchase_line']).not.toBeNull();
  await credit(of, contract);
  await money.purchase(of, contract, { items: [await halfOf(of, contract)] });
  const several = await form('sp.aa', 'shipment', from);
  expect(several).toMatchObject({ lc_id: null });
  expect(firstOf(several, 'items')).toMatchObject({ purchase_contract_id: null });
});

async function halfOf(of: Trader, contract: string): Promise<Fields> {
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [contract],
  );
  const item = { goods_id: of.goods, unit: '007', unit_price: '62.150000' };
  return { ...item, export_line: line?.id, quantity: '100' };
}

/** An examined L/C of a contract. */
function credit(of: Trader, contract: string): Promise<string> {
  return rules.given('letter_of_credit', {
    ...{ sales_id: rules.example.masters.sales, dept_code: 'AA', business_type: 'agency' },
    ...{ lc_no: money.key(), partner_id: of.partner, buyer_id: of.buyer, contract_id: contract },
    ...{ currency: 'USD', amount: '100000.00', expiry_date: '2099-12-31', latest_shipment: '2099-11-30' },
    status: 'examined',
  });
}
