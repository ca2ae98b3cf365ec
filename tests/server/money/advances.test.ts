import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

/** An advance of USD 1,000.00 on a contract, posted with a bank charge of 10.00. */
interface Advance {
  readonly of: Trader;
  readonly contract: string;
  readonly split: string;
  readonly line: string;
}

async function advance(name: string, settle_mode: 'spot' | 'hold', rate: Fields = {}): Promise<Advance> {
  const of = await money.trader(name, { rate });
  const contract = await money.contract(of);
  const receipt = await money.receipt({
    ...{ gross_amount: '1000.00', payer_name: of.buyerName },
    ...{ bank_charge_cny: '10.00', charge_account_id: money.accounts.cny },
  });
  const claim = await money.claim(receipt, of, '1000.00');
  const lines = [{ nature: 'advance', settle_mode, contract_id: contract, amount: '1000.00' }];
  const settle = settle_mode === 'spot' ? { settle_rate: '7.100000' } : {};
  const split = await money.split(receipt, claim, { ...settle, lines });
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from receipt_split__lines where parent_id = $1::uuid',
    [split],
  );
  return { of, contract, split, line: line?.id ?? '' };
}

const apply = ({ split, line }: Advance, shipment_id: string, amount: string) =>
  rules.act('sp.aa', 'receipt_split', split, 'apply_advance', {
    inputs: { split_line: line, shipment_id, amount },
  });

/** What stands on a shipment or a contract without one, by kind of entry and currency; nothing of what is even. */
async function standing(column: 'shipment_id' | 'contract_id', id: string): Promise<readonly string[]> {
  const rows = await rules.example.services.db.query<{ text: string }>(
    `select concat(net_type, ' ', sum(amount), ' ', currency) as text from fund_ledger_entry
     where ${column} = $1::uuid group by net_type, currency having sum(amount) <> 0 order by 1`,
    [id],
  );
  return rows.map(({ text }) => text);
}

describe('an advance', () => {
  it('goes to a shipment of its own contract and to no other', STORY, async () => {
    const given = await advance('预收合同A', 'spot');
    const { of, contract } = given;
    const own = await money.shipment(of, contract, { quantity: '100' });
    const other = await money.shipment(of, await money.contract(of), { quantity: '100' });
    expect(await refusal(apply(given, other, '1000.00'))).toEqual([
      400,
      '明细单不是该预收货款的外销合同所出运',
    ]);
    await must(apply(given, own, '1000.00'));
    expect(await standing('contract_id', contract)).toEqual([]);
    expect(await standing('shipment_id', own)).toEqual([
      'AGENCY_FEE -50.00 CNY',
      'BANK_FEE -10.00 CNY',
      'RCV_SETTLE 7100.00 CNY',
    ]);
  });
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
