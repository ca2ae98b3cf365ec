import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';
import { movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

it('a shipment that was presented whole says so before a form is filled', async () => {
  const of = await movementSteps(rules, money).funded('交单甲A', '1000.00');
  const values = { business_type: 'agency', shipment_id: of.shipment };
  const first = await must(rules.as('sp.aa', 'POST', '/data/document_submission', values));
  expect(first).toMatchObject({ amount: '1000.00' });
  const again = await rules.act('sp.aa', 'shipment', of.shipment, 'to_submission');
  expect(again.msg).toContain('发票金额已全部交单，不能再交单');
  const shown = await must(rules.as('sp.aa', 'POST', '/data/document_submission/preview', values));
  const problems = shown['problems'] as readonly Fields[];
  const { shipment_no } = await rules.stored('shipment', of.shipment);
  const told = problems.filter(({ path }) => path === 'shipment_id' || path === 'amount');
  expect(told).toMatchObject([
    { path: 'shipment_id', message: `明细单${String(shipment_no)}的金额已全部交单，不能再交单` },
  ]);
  const shipment = await must(rules.as('sp.aa', 'GET', `/data/shipment/${of.shipment}`));
  const actions = shipment['_actions'] as readonly { readonly action: string; readonly allowed: boolean }[];
  expect(actions.filter(({ action }) => action === 'to_submission')).toMatchObject([{ allowed: false }]);
});

it('a shipment is presented whole from its own page, and no second time', async () => {
  const of = await movementSteps(rules, money).funded('交单甲B', '1000.00');
  const _from = { resource: 'shipment', id: of.shipment, make: 'submission' };
  const body = { business_type: 'agency', _from };
  const whole = await must(rules.as('sp.aa', 'POST', '/data/document_submission', body));
  expect(whole).toMatchObject({ amount: '1000.00', shipment_id: of.shipment });
  const again = await rules.as('sp.aa', 'POST', '/data/document_submission', body);
  expect([again.status, again.msg]).toEqual([409, expect.stringContaining('发票金额已全部交单，不能再交单')]);
});
