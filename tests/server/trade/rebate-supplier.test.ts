import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from '../money/money-steps.ts';
import { aContract } from './trade-example.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

it('a contract of 代办退税 is submitted for what the partner makes itself', async () => {
  const { as, act, given, example } = rules;
  const of = await money.trader('代办自产甲A', { export_mode: 'rebate_agent' });
  const own = { sales_id: example.masters.sales, dept_code: 'AA', business_type: 'agency', status: 'active' };
  const relation = await given('relation', {
    ...{ ...own, partner_id: of.partner, buyer_id: of.buyer, supplier_id: of.supplier },
    ...{ business_desc: '展会', payment_term: 'TT_ADV', valid_to: '2099-12-31' },
    goods_lines: [{ goods_id: of.goods }],
  });
  const { items, ...head } = aContract(example, { quantity: '100' });
  const made = await must(
    as('sp.aa', 'POST', '/data/export_contract', {
      ...{ ...head, partner_id: of.partner, buyer_id: of.buyer, relation_id: relation },
      export_mode: 'rebate_agent',
      items: (items as readonly Fields[]).map((item) => ({
        ...item,
        goods_id: of.goods,
        supplier_id: of.supplier,
      })),
    }),
  );
  const id = String(made['id']);
  const refused = await act('sp.aa', 'export_contract', id, 'submit');
  expect(refused.problems.map(({ path, message }) => [path, message])).toContainEqual([
    'items.0.supplier_id',
    '代办退税的供应商须为委托方自产（与委托方为同一企业）',
  ]);
  await example.services.db.query('update supplier set is_partner_self = true where id = $1::uuid', [
    of.supplier,
  ]);
  const taken = await act('sp.aa', 'export_contract', id, 'submit');
  expect([taken.status, taken.msg, taken.problems]).toEqual([200, expect.any(String), expect.any(Array)]);
});
