import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import type { Answer } from '../trade/trade-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, type Trader } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let account: string;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  account = await yen();
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

/** A currency without decimals, with its rates and an account of the company. */
async function yen(): Promise<string> {
  const { given } = rules;
  const { services } = rules.example;
  await given('currency', { code: 'JPY', name: '日元', symbol: 'JPY', decimals: 0, status: 'active' });
  const [currency] = await services.db.query<{ id: string }>(
    `select id from currency where code = 'JPY'`,
    [],
  );
  for (const [kind, rate] of Object.entries({
    buy: '0.047',
    book: '0.048',
    usd_cross: '0.0067',
    sell: '0.049',
  }))
    await given('currency_rate', {
      ...{ currency: 'JPY', currency_id: currency?.id, kind, date: '2024-01-01', rate, source: '手工' },
    });
  await services.definitions.refreshOverrides();
  const { bank_id } = await rules.stored('company_bank_account', money.accounts.usd);
  return given('company_bank_account', {
    ...{ account_name: '试验公司', account_no: money.key(), bank_id, currency: 'JPY', status: 'active' },
  });
}

async function idOf(table: string, column: string, value: string): Promise<string> {
  const text = `select id from ${table} where ${column} = $1::uuid`;
  return (await rules.example.services.db.query<{ id: string }>(text, [value]))[0]?.id ?? '';
}

/** JPY 1,000,000 for a shipment, of which 400,000 are held. */
async function received(
  name: string,
): Promise<Trader & { split: string; holding: string; receipt: string; shipment: string }> {
  const of = await money.trader(name);
  const contract = await money.contract(of, { currency: 'JPY' }, '1000');
  const shipment = await money.shipment(of, contract, { quantity: '1000' }, { currency: 'JPY' });
  const receipt = await money.receipt({
    ...{ currency: 'JPY', bank_account_id: account, payer_name: of.buyerName, gross_amount: '1000000' },
  });
  const claim = await money.claim(receipt, of, '1000000');
  const goods = { nature: 'goods', shipment_id: shipment };
  const split = await money.split(receipt, claim, {
    settle_rate: '0.0471',
    lines: [
      { ...goods, settle_mode: 'spot', amount: '600001' },
      { ...goods, settle_mode: 'hold', amount: '399999' },
    ],
  });
  return { ...of, split, receipt, shipment, holding: await idOf('fx_holding', 'split_id', split) };
}

const slip = (lines: readonly Fields[], amount: string, amount_cny: string): Fields => ({
  ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate: '0.0472', lines },
  ...{ bank_account_id: account, cny_account_id: money.accounts.cny, amount, amount_cny },
});

describe('a currency without decimals', () => {
  it('is held, sold, moved and asked for in whole yen alone', STORY, async () => {
    const of = await received('日元甲A');
    const other = await received('日元乙B');
    expect((await money.pool(of, 'fx_hold'))[0]).toBe('399999.00');
    const sold = await moves.done(
      'tr.aa',
      'fx_settlement',
      slip([{ source_kind: 'hold', holding_id: of.holding, amount: '100001' }], '100001', '4720.05'),
      ['fn.aa'],
    );
    const [from_pool_id, to_pool_id] = await Promise.all(
      [of, other].map(({ partner }) => moves.poolOf(partner, 'fx_hold')),
    );
    const transfer = (amount: string) =>
      rules.as('fn.aa', 'POST', '/data/fund_transfer', {
        kind: 'pool_to_pool',
        from_pool_id,
        to_pool_id,
        amount,
      });
    const ask = (request_amount: string) =>
      rules.act('sp.aa', 'fx_holding', of.holding, 'request_settle', { inputs: { request_amount } });
    const attempts: readonly (readonly [string, () => Promise<Answer>])[] = [
      ['transfer', () => transfer('10.5')],
      ['request', () => ask('10.5')],
      [
        'slip',
        () =>
          rules.as(
            'tr.aa',
            'POST',
            '/data/fx_settlement',
            slip([{ source_kind: 'hold', holding_id: of.holding, amount: '10.5' }], '10.5', '0.50'),
          ),
      ],
      [
        'return',
        () =>
          rules.as('sp.aa', 'POST', '/data/remittance_return', {
            receipt_id: of.receipt,
            source_kind: 'hold',
            split_id: of.split,
            amount: '0.5',
          }),
      ],
    ];
    for (const [name, attempt] of attempts) {
      const { status, problems } = await attempt();
      expect([name, status, problems.map(({ message }) => message).join()]).toEqual([
        name,
        400,
        expect.stringContaining('整数'),
      ]);
    }
    await must(ask('10'));
    const id = String((await must(transfer('200000')))['id']);
    await rules.example.services.db.query(
      'update fund_transfer set consent_file = array[gen_random_uuid()] where id = $1::uuid',
      [id],
    );
    await must(rules.act('fn.aa', 'fund_transfer', id, 'submit'));
    await money.approve('fund_transfer', id, ['fn2.aa', 'rk.aa']);
    expect([(await money.pool(of, 'fx_hold'))[0], (await money.pool(other, 'fx_hold'))[0]]).toEqual([
      '99998.00',
      '599999.00',
    ]);
    await must(rules.act('fn.aa', 'fx_settlement', sold, 'reverse', { opinion: '重做' }));
    await money.approve('fx_settlement', sold, ['tm.aa']);
    expect((await money.pool(of, 'fx_hold'))[0]).toBe('199999.00');
    expect(await rules.stored('fx_holding', of.holding)).toMatchObject({
      status: 'holding',
      left_amount: '199999.00',
    });
  });
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
