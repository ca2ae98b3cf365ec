import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';
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

const STORY = { timeout: 300_000 };
const TODAY = companyToday(new Date());

/** How often somebody was told something of a record. */
async function toldOf(record: string, event: string, who: string): Promise<number> {
  const [row] = await rules.example.services.db.query<{ n: number }>(
    `select count(*)::int as n from sys_notice n join person p on p.id = n.person_id
     where n.record_id = $1::uuid and n.event = $2 and p.personid = $3`,
    [record, event, who],
  );
  return row?.n ?? 0;
}
const dayEnd = () => runDailyActions(rules.example.services);

it('a pool whose money has run out is told of every day, once', STORY, async () => {
  const { db } = rules.example.services;
  const of = await moves.funded('负余额甲A', '100.00');
  // What the company charges may drive it below zero.
  await moves.done(
    'tr.aa',
    'finance_charge',
    {
      ...{
        kind: 'lc',
        charge_date: TODAY,
        bank_account_id: money.accounts.cny,
        currency: 'CNY',
        bearer: 'partner',
      },
      ...{ amount: '1000.00', allocations: [{ pool_id: of.pool, amount: '1000.00' }] },
    },
    ['fn.aa'],
  );
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'tr.aa')).toBe(1);
  await dayEnd();
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'tr.aa')).toBe(2);
  // Who approved the charge had caused it, and was told by the clock only.
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'fn.aa')).toBe(1);
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'sp.aa')).toBe(2);
  await dayEnd();
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'tr.aa')).toBe(2);
  await db.query('update fund_pool set negative_told_on = $2 where id = $1::uuid', [
    of.pool,
    addDays(TODAY, -1),
  ]);
  await dayEnd();
  expect(await toldOf(of.pool, 'POOL_NEGATIVE', 'tr.aa')).toBe(3);
});

it('an advance that stays unapplied for long asks for a report on trade credit', STORY, async () => {
  const { db } = rules.example.services;
  const of = await money.trader('贸易信贷甲A');
  const contract = await money.contract(of);
  const receive = async (daysAgo: number): Promise<{ receipt: string; split: string }> => {
    const value_date = addDays(TODAY, -daysAgo);
    const receipt = await money.receipt({ gross_amount: '500.00', payer_name: of.buyerName, value_date });
    const claim = await money.claim(receipt, of, '500.00');
    const split = await money.split(receipt, claim, {
      ...{ split_date: value_date, settle_rate: '7.100000' },
      lines: [{ nature: 'advance', settle_mode: 'spot', contract_id: contract, amount: '500.00' }],
    });
    return { receipt, split };
  };
  const late = await receive(31);
  const young = await receive(30);
  const reported = await receive(40);
  const { version } = await rules.stored('receipt', reported.receipt);
  const body = { version, credit_report_no: 'MX2026001' };
  await must(rules.as('fn.aa', 'PATCH', `/data/receipt/${reported.receipt}`, body));
  expect(await rules.stored('receipt', late.receipt)).toMatchObject({ advance_left: '500.00' });
  const applied = await receive(50);
  const shipment = await money.shipment(of, contract, { quantity: '50' });
  const line = await db.query<{ id: string }>(
    'select id from receipt_split__lines where parent_id = $1::uuid',
    [applied.split],
  );
  const inputs = { split_line: line[0]?.id, shipment_id: shipment, amount: '500.00' };
  await must(rules.act('fn.aa', 'receipt_split', applied.split, 'apply_advance', { inputs }));
  expect(await rules.stored('receipt', applied.receipt)).toMatchObject({ advance_left: '0.00' });
  await dayEnd();
  await dayEnd();
  const told = (of: { receipt: string }) => toldOf(of.receipt, 'TRADE_CREDIT_ADVANCE', 'tr.aa');
  expect([await told(late), await told(young), await told(reported), await told(applied)]).toEqual([
    1, 0, 0, 0,
  ]);
  // A company of class B or C reports every advance.
  const always = { co_code: 'AA', param: 'TRADE_CREDIT_ALWAYS', label: 'B、C类', kind: 'bool', value: '1' };
  await rules.given('system_default', { ...always, effective_from: '2021-01-01', status: 'active' });
  await rules.example.services.definitions.refreshOverrides();
  await dayEnd();
  expect([await told(young), await told(reported), await told(applied)]).toEqual([1, 0, 0]);
});

it('goods that sailed long ago and are not paid ask for one too', STORY, async () => {
  const of = await money.trader('延期收款甲A');
  const contract = await money.contract(of);
  const sailed = (daysAgo: number) =>
    money.shipment(of, contract, { quantity: '10' }, { status: 'shipped', atd: addDays(TODAY, -daysAgo) });
  const [late, young] = [await sailed(91), await sailed(90)];
  await dayEnd();
  expect(await toldOf(late, 'TRADE_CREDIT_DEFERRED', 'fn.aa')).toBe(1);
  expect(await toldOf(young, 'TRADE_CREDIT_DEFERRED', 'fn.aa')).toBe(0);
});
