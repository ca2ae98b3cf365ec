import { multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import type { Answer } from '../trade/trade-example.ts';
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

const STORY = { timeout: 300_000 };

interface Goods extends Trader {
  readonly shipment: string;
  readonly contract: string;
}

/** A shipment of USD 3,000.00 that waits for its money. */
async function goods(name: string, rate: Fields = {}): Promise<Goods> {
  const of = await money.trader(name, { rate });
  const contract = await money.contract(of);
  return { ...of, contract, shipment: await money.shipment(of, contract, { quantity: '300' }) };
}

/** A third of the money of a shipment, handed in to be posted. */
async function third(of: Goods, settle_mode = 'spot'): Promise<string> {
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '1000.00');
  const line = { nature: 'goods', settle_mode, shipment_id: of.shipment, amount: '1000.00' };
  const id = await money.draftSplit(receipt, claim, { settle_rate: '7.100000', lines: [line] });
  await must(rules.act('fn.aa', 'receipt_split', id, 'submit'));
  return id;
}

/** A source of currency that the bank bought, approved. */
async function sold(line: Fields): Promise<string> {
  return moves.done('tr.aa', 'fx_settlement', slipOf(line), ['fn.aa']);
}

const slipOf = (line: Fields): Fields => ({
  ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate: '7.100000' },
  ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount: '1000.00' },
  ...{
    amount_cny: roundDecimal(multiplyDecimals('1000', '7.1'), 2),
    lines: [{ amount: '1000.00', ...line }],
  },
});

async function idOf(table: string, column: string, value: string): Promise<string> {
  const text = `select id from ${table} where ${column} = $1::uuid`;
  return (await rules.example.services.db.query<{ id: string }>(text, [value]))[0]?.id ?? '';
}

/** A sailed shipment whose money came as said and was sold, with its settlement handed in and agreed to by the manager. */
async function settling(of: Goods): Promise<{ readonly id: string; readonly slip: string }> {
  const spots = [await third(of), await third(of)];
  const held = await third(of, 'hold');
  for (const id of [...spots, held]) await money.approve('receipt_split', id, ['fn2.aa']);
  for (const split_id of spots) {
    const split_line = await idOf('receipt_split__lines', 'parent_id', split_id);
    await sold({ source_kind: 'spot', split_id, split_line });
  }
  const slip = await sold({ source_kind: 'hold', holding_id: await idOf('fx_holding', 'split_id', held) });
  await rules.example.services.db.query(
    `update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`,
    [of.shipment],
  );
  const id = await moves.draft('sp.aa', 'project_settlement', {
    ...{ object_kind: 'shipment', shipment_id: of.shipment, settle_date: '2026-11-22' },
  });
  await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
  await must(rules.act('sp.aa', 'project_settlement', id, 'submit'));
  await money.approve('project_settlement', id, ['dm.aa']);
  return { id, slip };
}

const agree = (id: string): Promise<Answer> => money.decide('fn.aa', 'project_settlement', id);

async function fees(of: Goods): Promise<unknown> {
  return (await rules.stored('shipment', of.shipment))['fee_sum'];
}

describe('three splits of one shipment, approved at once', () => {
  it.each([
    ['the fee of a shipment is charged once', { fee_basis: 'per_shipment', fee_rate: '500' }, '-500.00'],
    ['its fee stays below the most', { fee_rate: '0.05', max_fee: '80' }, '-80.00'],
  ])('%s', STORY, async (name, rate, charged) => {
    const of = await goods(`同批${name}`, rate);
    const splits = [await third(of), await third(of), await third(of)];
    await Promise.all(splits.map((id) => must(money.decide('fn2.aa', 'receipt_split', id))));
    expect(await fees(of)).toBe(charged);
  });
});

describe('a settlement that waits for its approval', () => {
  it('and a charge on its shipment are approved at once: one of them is', STORY, async () => {
    const of = await goods('同批结算甲A');
    const { id } = await settling(of);
    const pool_id = await moves.poolOf(of.partner);
    const charge = await moves.draft('tr.aa', 'finance_charge', {
      ...{
        charge_date: '2026-11-20',
        bank_account_id: money.accounts.cny,
        currency: 'CNY',
        amount: '100.00',
      },
      ...{ bearer: 'partner', allocations: [{ pool_id, shipment_id: of.shipment, amount: '100.00' }] },
    });
    await must(rules.act('tr.aa', 'finance_charge', charge, 'submit'));
    const answers = await Promise.all([agree(id), money.decide('fn.aa', 'finance_charge', charge)]);
    const refused = answers.filter(({ status }) => status !== 200).map(({ msg }) => msg);
    expect(refused).toHaveLength(1);
    expect(['结算数据已变化，请重新测算', '明细单已结算，不能操作']).toContain(refused[0]);
  });

  it('is refused while a payment was opened since, and approved once that is gone', STORY, async () => {
    const of = await goods('同批结算乙A');
    const { id } = await settling(of);
    const payment = await money.payment(of, {
      ...{ pay_type: 'freight', pool_id: await moves.poolOf(of.partner), bearer: 'partner' },
      fee_lines: [
        { fee_item: 'ocean', shipment_id: of.shipment, amount: '10.00', invoice_due: '2026-12-10' },
      ],
    });
    await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
    expect(await refusal(agree(id))).toEqual([400, '存在未完结业务，不能结算：付款申请未办结']);
    await must(withdraw('payment_request', payment));
    await must(agree(id));
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ status: 'settled' });
  });

  it('is refused when the sale of what was held is reversed since', STORY, async () => {
    const of = await goods('同批结算丙A');
    const { id, slip } = await settling(of);
    await must(rules.act('fn.aa', 'fx_settlement', slip, 'reverse', { opinion: '重做' }));
    await money.approve('fx_settlement', slip, ['tm.aa']);
    expect(await refusal(agree(id))).toEqual([400, '存在未完结业务，不能结算：暂挂外币尚未结汇']);
  });
});

async function withdraw(resource: string, id: string): Promise<Answer> {
  const { version } = await rules.stored(resource, id);
  return rules.as('sp.aa', 'POST', `/approval/record/${resource}/${id}/withdraw`, {
    version,
    opinion: '改期',
  });
}

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
