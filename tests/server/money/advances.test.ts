import { multiplyDecimals } from '#engine/values/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
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

/** A slip for a part of what is held of an advance: on the contract, or on a shipment when one is named. */
async function slip(
  { split }: Advance,
  amount: string,
  rate: string,
  shipment: string | null = null,
): Promise<string> {
  const [holding] = await rules.example.services.db.query<{ id: string }>(
    'select id from fx_holding where split_id = $1::uuid and shipment_id is not distinct from $2::uuid',
    [split, shipment],
  );
  return moves.draft('tr.aa', 'fx_settlement', {
    ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
    ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, bank_rate: rate },
    ...{ amount, amount_cny: multiplyDecimals(amount, rate) },
    lines: [{ source_kind: 'hold', holding_id: holding?.id, amount }],
  });
}

async function sell(
  given: Advance,
  amount: string,
  rate: string,
  shipment: string | null = null,
): Promise<string> {
  const id = await slip(given, amount, rate, shipment);
  await must(rules.act('tr.aa', 'fx_settlement', id, 'submit'));
  await money.approve('fx_settlement', id, ['fn.aa']);
  return id;
}

/** What stands on a shipment or a contract without one, by kind of entry and currency; nothing of what is even. */
async function standing(column: 'shipment_id' | 'contract_id', id: string): Promise<readonly string[]> {
  const rows = await rules.example.services.db.query<{ text: string }>(
    `select concat(net_type, ' ', sum(amount), ' ', currency) as text from fund_ledger_entry
     where ${column} = $1::uuid group by net_type, currency having sum(amount) <> 0 order by 1`,
    [id],
  );
  return rows.map(({ text }) => text);
}

const PERCENT = { fee_basis: 'pct_cny', fee_rate: '1', fx_spread: '0.01' };

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
    // Before, what is taken from the contract and given to the shipment is told, not that both come to nothing.
    const [{ version } = { version: 0 }] = await rules.example.services.db.query<{ version: number }>(
      'select version from receipt_split where id = $1::uuid',
      [given.split],
    );
    const inputs = { split_line: given.line, shipment_id: own, amount: '1000.00' };
    const asked = { id: given.split, version, action: 'apply_advance', inputs };
    const { plan } = await must(rules.as('sp.aa', 'POST', '/data/receipt_split/preview', asked));
    const told = (plan as { entries: { type: string; amount: string }[] }).entries;
    expect(told.filter(({ type }) => type === '收汇结汇入池').map(({ amount }) => amount)).toEqual([
      '-7100.00',
      '7100.00',
    ]);
    await must(apply(given, own, '1000.00'));
    expect(await standing('contract_id', contract)).toEqual([]);
    expect(await standing('shipment_id', own)).toEqual([
      'AGENCY_FEE -50.00 CNY',
      'BANK_FEE -10.00 CNY',
      'RCV_SETTLE 7100.00 CNY',
    ]);
  });

  it(
    'that was held and is sold takes the yuan it brought along, never while a part is unsold',
    STORY,
    async () => {
      const given = await advance('预收暂挂A', 'hold', PERCENT);
      const shipment = await money.shipment(given.of, given.contract, { quantity: '100' });
      // The line that is held leads to what it is held as.
      const holding = await rules.example.services.db.query(
        `select h.amount from receipt_split__lines l join fx_holding h on h.id = l.holding_id where l.id = $1::uuid`,
        [given.line],
      );
      expect(holding).toEqual([{ amount: '1000.00' }]);
      const first = await sell(given, '400.00', '7.120000');
      expect(await refusal(apply(given, shipment, '300.00'))).toEqual([
        400,
        '暂挂外币部分结汇，请先全部结汇后再转货款',
      ]);
      await sell(given, '600.00', '7.130000');
      await must(apply(given, shipment, '300.00'));
      expect((await money.entries(given.split)).slice(2)).toEqual([
        ...[
          ['RCV_HOLD', '-300.00'],
          ['RCV_HOLD', '300.00'],
          ['HOLD_IN', '-2134.80'],
          ['HOLD_IN', '2134.80'],
          ['HOLD_OUT', '300.00'],
          ['HOLD_OUT', '-300.00'],
          ['AGENCY_FEE', '21.35'],
          ['AGENCY_FEE', '-21.35'],
          ['BANK_FEE', '3.00'],
          ['BANK_FEE', '-3.00'],
        ],
      ]);
      const applied = await rules.example.services.db.query(
        `select (applied_at at time zone 'Asia/Shanghai')::date = applied_on as is_moment from receipt_split__applications
         where parent_id = $1::uuid`,
        [given.split],
      );
      expect(applied).toEqual([{ is_moment: true }]);
      await must(apply(given, shipment, '700.00'));
      expect(await standing('contract_id', given.contract)).toEqual([]);
      expect(await standing('shipment_id', shipment)).toEqual([
        'AGENCY_FEE -71.16 CNY',
        'BANK_FEE -10.00 CNY',
        'HOLD_IN 7116.00 CNY',
        'HOLD_OUT -1000.00 USD',
        'RCV_HOLD 1000.00 USD',
      ]);
      expect(await moves.balance('shipment', shipment, 'received_cny')).toBe('7116.00');
      // A sale that is undone is not made again while what it brought stands on the shipment.
      await must(rules.act('fn.aa', 'fx_settlement', first, 'reverse', { opinion: '水单错误' }));
      await money.approve('fx_settlement', first, ['tm.aa']);
      const again = await slip(given, '400.00', '7.120000');
      expect(await refusal(rules.act('tr.aa', 'fx_settlement', again, 'submit'))).toEqual([
        400,
        '暂挂的预收款结汇后已转货款，须先冲销收汇分割',
      ]);
    },
  );

  it('that was held is divided while untouched, and its rest moves with its sale later', STORY, async () => {
    const given = await advance('预收暂挂B', 'hold', PERCENT);
    const shipment = await money.shipment(given.of, given.contract, { quantity: '100' });
    await must(apply(given, shipment, '300.00'));
    await sell(given, '700.00', '7.120000');
    await must(apply(given, shipment, '700.00'));
    expect(await standing('contract_id', given.contract)).toEqual([]);
    await sell(given, '300.00', '7.130000', shipment);
    expect(await standing('shipment_id', shipment)).toEqual([
      'AGENCY_FEE -71.13 CNY',
      'BANK_FEE -10.00 CNY',
      'HOLD_IN 7113.00 CNY',
      'HOLD_OUT -1000.00 USD',
      'RCV_HOLD 1000.00 USD',
    ]);
  });

  it(
    'that was held and sold goes back to its payer, from the contract and from a shipment',
    STORY,
    async () => {
      const given = await advance('预收暂挂D', 'hold', { fee_rate: '0' });
      const shipment = await money.shipment(given.of, given.contract, { quantity: '100' });
      await sell(given, '1000.00', '7.120000');
      await must(apply(given, shipment, '600.00'));
      const { db } = rules.example.services;
      const [found] = await db.query<{ application: string; receipt: string }>(
        `select a.id as application, s.receipt_id as receipt from receipt_split__applications a
       join receipt_split s on s.id = a.parent_id where s.id = $1::uuid`,
        [given.split],
      );
      const back = async (application_id: string | null, amount: string): Promise<string> => {
        const id = await moves.draft('sp.aa', 'remittance_return', {
          ...{ receipt_id: found?.receipt, source_kind: 'pool', rate: '7.120000', amount, application_id },
          ...{ split_id: given.split, split_line: given.line, reason_kind: '合同取消', reason: '取消' },
          ...{
            payee_name: given.of.buyerName,
            payee_account: 'DE001',
            payee_bank: 'BANK',
            swift: 'DEUTDEFF',
          },
        });
        const file = `update remittance_return set agreement_file = array[gen_random_uuid()] where id = $1::uuid`;
        await db.query(file, [id]);
        return id;
      };
      const submit = (id: string) => rules.act('sp.aa', 'remittance_return', id, 'submit');
      expect(await refusal(submit(await back(null, '400.01')))).toEqual([400, expect.any(String)]);
      expect(await refusal(submit(await back(found?.application ?? '', '600.01')))).toEqual([
        400,
        expect.any(String),
      ]);
      for (const [application, amount] of [
        [null, '400.00'],
        [found?.application ?? '', '100.00'],
      ] as const) {
        const id = await back(application, amount);
        await must(submit(id));
        await money.approve('remittance_return', id, ['tm.aa', 'fn.aa', 'rk.aa']);
        const inputs = {
          paid_date: '2026-11-21',
          bank_account_id: money.accounts.usd,
          bank_ref: money.key(),
        };
        await must(rules.act('tr.aa', 'remittance_return', id, 'confirm', { inputs }));
      }
      const yuan = async (owner: 'contract_id' | 'shipment_id', id: string) =>
        (await standing(owner, id)).filter((text) => /HOLD_IN|RETURN/.test(text));
      expect(await yuan('contract_id', given.contract)).toEqual([
        'HOLD_IN 2848.00 CNY',
        'RETURN_REMIT -2848.00 CNY',
      ]);
      expect(await yuan('shipment_id', shipment)).toEqual([
        'HOLD_IN 4272.00 CNY',
        'RETURN_REMIT -712.00 CNY',
      ]);
    },
  );

  it('that was held and is divided whole is taken back with its split', STORY, async () => {
    const given = await advance('预收暂挂C', 'hold', PERCENT);
    const shipment = await money.shipment(given.of, given.contract, { quantity: '100' });
    await must(apply(given, shipment, '1000.00'));
    await must(rules.act('fn.aa', 'receipt_split', given.split, 'reverse', { opinion: '分错' }));
    await money.approve('receipt_split', given.split, ['tm.aa']);
    expect([await money.pool(given.of), await money.pool(given.of, 'fx_hold')]).toEqual([
      ['0.00', '0.00', '0.00'],
      ['0.00', '0.00', '0.00'],
    ]);
    const states = `select distinct status from fx_holding where split_id = $1::uuid`;
    expect(await rules.example.services.db.query(states, [given.split])).toEqual([{ status: 'void' }]);
  });
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
