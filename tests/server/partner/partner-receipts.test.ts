import { afterAll, beforeAll, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
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
