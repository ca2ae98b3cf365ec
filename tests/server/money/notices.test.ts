import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

it('a contract of 代办退税 warns of a partner who may not have his tax refunded so', STORY, async () => {
  const of = await money.trader('代办提醒A', { export_mode: 'rebate_agent' });
  const contract = await money.contract(of, { export_mode: 'rebate_agent', status: 'draft' });
  const told = async (): Promise<readonly unknown[]> => {
    const { version } = await rules.stored('export_contract', contract);
    const asked = { id: contract, version, action: 'submit' };
    const { plan } = await must(rules.as('sp.aa', 'POST', '/data/export_contract/preview', asked));
    const { problems } = plan as { problems: readonly { message: string; level?: string }[] };
    return problems.map(({ message, level }) => [message, level]);
  };
  const warning = ['代办退税的委托方须为一般纳税人的生产企业，并已办理代办退税备案', 'warning'];
  expect(await told()).toContainEqual(warning);
  const { db } = rules.example.services;
  await db.query('update partner set refund_filed = true where id = $1::uuid', [of.partner]);
  expect(await told()).not.toContainEqual(warning);
  await db.query(`update partner set taxpayer_type = 'small' where id = $1::uuid`, [of.partner]);
  expect(await told()).toContainEqual(warning);
});
