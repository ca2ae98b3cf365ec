import { multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

afterEach(expectEven);

/** Both accounts hold what is still held in them (INV-14), and the books are even, after every story. */
async function expectEven(): Promise<void> {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
}

const STORY = { timeout: 300_000 };

interface Holder extends Trader {
  readonly contract: string;
  readonly shipment: string;
}

async function holder(name: string, mode = 'entrusted', rate: Fields = {}): Promise<Holder> {
  const of = await money.trader(name, { export_mode: mode, rate });
  const contract = await money.contract(of, { export_mode: mode });
  const shipment = await money.shipment(of, contract, { quantity: '1000' }, { export_mode: mode });
  return { ...of, contract, shipment };
}

/** A receipt of a day whose currency is held: for the shipment, or as an advance on the contract. */
async function held(of: Holder, amount: string, day: string, line: Fields = {}): Promise<string> {
  const receipt = await money.receipt({ gross_amount: amount, payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, amount);
  const goods = { nature: 'goods', shipment_id: of.shipment, settle_mode: 'hold', amount };
  return money.split(receipt, claim, {
    ...{ split_date: day, settle_rate: '7.100000', lines: [{ ...goods, ...line }] },
  });
}

async function sale(holding: string, amount: string): Promise<string> {
  const id = await draftSale(holding, amount);
  await must(rules.act('tr.aa', 'fx_settlement', id, 'submit'));
  return id;
}

function draftSale(holding: string, amount: string): Promise<string> {
  return moves.draft('tr.aa', 'fx_settlement', {
    ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate: '7.100000' },
    ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
    ...{ amount, amount_cny: multiplyDecimals(amount, '7.1') },
    lines: [{ source_kind: 'hold', holding_id: holding, amount }],
  });
}

async function transfer(from: Holder, to: Holder, amount: string, more: Fields = {}): Promise<string> {
  const [from_pool_id, to_pool_id] = await Promise.all(
    [from, to].map(({ partner }) => moves.poolOf(partner, 'fx_hold')),
  );
  const id = await moves.draft('fn.aa', 'fund_transfer', {
    ...{ kind: 'pool_to_pool', from_pool_id, to_pool_id, amount },
    ...more,
  });
  const consent = 'update fund_transfer set consent_file = array[gen_random_uuid()] where id = $1::uuid';
  await rules.example.services.db.query(consent, [id]);
  return id;
}

/** Submitted and approved, unless it is refused before. */
async function moved(from: Holder, to: Holder, amount: string, more: Fields = {}): Promise<string> {
  const id = await transfer(from, to, amount, more);
  await must(rules.act('fn.aa', 'fund_transfer', id, 'submit'));
  await money.approve('fund_transfer', id, more['kind'] === undefined ? ['fn2.aa', 'rk.aa'] : ['fn2.aa']);
  return id;
}

type Holding = {
  readonly id: string;
  readonly text: string;
};

/** What a partner's holdings are, the oldest first: what is left, state, and whether it was moved in. */
async function holdings(of: Holder): Promise<readonly Holding[]> {
  return rules.example.services.db.query<Holding>(
    `select id, concat_ws(' ', left_amount, status, case when transfer_id is not null then 'moved' end) as text
     from fx_holding where partner_id = $1::uuid order by hold_date, holding_no`,
    [of.partner],
  );
}

const texts = async (of: Holder): Promise<readonly string[]> => (await holdings(of)).map(({ text }) => text);
const balance = async (of: Holder): Promise<string> => (await money.pool(of, 'fx_hold'))[0];
const reverse = (id: string) => rules.act('tm.aa', 'fund_transfer', id, 'reverse', { opinion: '划错' });

describe('held currency that goes to another partner', () => {
  it('takes the oldest holdings along, the last in part, and brings them back', STORY, async () => {
    const [a, b] = [await holder('暂划甲A'), await holder('暂划甲B')];
    await held(a, '600.00', '2026-11-20');
    await held(a, '400.00', '2026-11-19');
    await held(b, '10.00', '2026-11-21');
    const id = await moved(a, b, '700.00');
    expect([await balance(a), await balance(b)]).toEqual(['300.00', '710.00']);
    expect(await texts(a)).toEqual(['0.00 settled', '300.00 holding']);
    expect(await texts(b)).toEqual(['400.00 holding moved', '300.00 holding moved', '10.00 holding']);
    const book = roundDecimal(
      multiplyDecimals('700', String((await rules.stored('fund_transfer', id))['book_rate'])),
      2,
    );
    expect((await moves.vouchers(id)).map(([key, debit, credit]) => [key, debit || credit])).toEqual([
      ['POOL_FX', book],
      ['POOL_FX', book],
    ]);
    await must(reverse(id));
    expect([await balance(a), await balance(b)]).toEqual(['1000.00', '10.00']);
    expect(await texts(a)).toEqual(['400.00 holding', '600.00 holding']);
    expect(await texts(b)).toEqual(['400.00 void moved', '300.00 void moved', '10.00 holding']);
    expect(await refusal(reverse(id))).toEqual([409, expect.any(String)]);
  });

  it('is sold by its new owner, and neither taken back nor unsplit once it is', STORY, async () => {
    const [a, b] = [await holder('暂划乙A'), await holder('暂划乙B', 'entrusted', { fee_rate: '0' })];
    const split = await held(a, '1000.00', '2026-11-20');
    await held(b, '10.00', '2026-11-21');
    const id = await moved(a, b, '400.00');
    const unsplit = () => rules.act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '分错' });
    expect(await refusal(unsplit())).toEqual([400, '分割款项已结汇、退汇或使用，不能冲销']);
    const [first] = await holdings(b);
    const slip = await sale(first?.id ?? '', '150.00');
    expect(await refusal(reverse(id))).toEqual([400, '划入的暂挂外币已结汇、退汇或再划转，不能冲销']);
    await money.approve('fx_settlement', slip, ['fn.aa']);
    expect(await texts(b)).toEqual(['250.00 partial moved', '10.00 holding']);
    expect(await money.pool(b)).toEqual(['1065.00', '0.00', '1065.00']);
    expect(await refusal(reverse(id))).toEqual([400, '划入的暂挂外币已结汇、退汇或再划转，不能冲销']);
    await must(rules.act('fn.aa', 'fx_settlement', slip, 'reverse', { opinion: '重做' }));
    await money.approve('fx_settlement', slip, ['tm.aa']);
    await must(reverse(id));
    expect([await texts(a), await balance(b)]).toEqual([['1000.00 holding'], '10.00']);
    await must(unsplit());
    await money.approve('receipt_split', split, ['tm.aa']);
    expect(await balance(a)).toBe('0.00');
  });

  const PER_USD = { fee_basis: 'per_usd', fee_rate: '0.05' };
  const percent = (fee_rate: string): Fields => ({ fee_basis: 'pct_cny', fee_rate });
  it.each([
    ['at the split already', 'A', PER_USD, percent('2'), '-50.00', null],
    ['per cent, at the sale', 'B', percent('1'), PER_USD, null, '-28.40'],
    ['per cent of both, as the new owner pays', 'C', percent('1'), percent('2'), null, '-56.80'],
  ])('bears its fee once: %s', STORY, async (_, key, ofOld, ofNew, atSplit, atSale) => {
    const [a, b] = [
      await holder(`暂划庚甲${key}`, 'entrusted', ofOld),
      await holder(`暂划庚乙${key}`, 'entrusted', ofNew),
    ];
    const split = await held(a, '1000.00', '2026-11-20');
    await held(b, '10.00', '2026-11-21', { nature: 'sample' });
    await moved(a, b, '400.00');
    const [first] = await holdings(b);
    const slip = await sale(first?.id ?? '', '400.00');
    await money.approve('fx_settlement', slip, ['fn.aa']);
    const fee = async (id: string) =>
      (await money.entries(id)).find(([type]) => type === 'AGENCY_FEE')?.[1] ?? null;
    expect([await fee(split), await fee(slip)]).toEqual([atSplit, atSale]);
  });

  it('is not what a slip or an advance waits for, and goes once when two ask for it', STORY, async () => {
    const [a, b] = [await holder('暂划丙A'), await holder('暂划丙B')];
    const split = await held(a, '600.00', '2026-11-20');
    const advance = { nature: 'advance', shipment_id: null, contract_id: a.contract };
    await held(a, '500.00', '2026-11-18', advance);
    await held(b, '10.00', '2026-11-21');
    const submit = (id: string) => rules.act('fn.aa', 'fund_transfer', id, 'submit');
    const much = await submit(await transfer(a, b, '600.01'));
    expect(much.problems).toMatchObject([{ path: 'amount' }]);
    expect(much.msg).toContain('可划转的暂挂外币不足：600.00');
    const both = [await transfer(a, b, '600.00'), await transfer(a, b, '450.00')];
    for (const id of both) {
      await must(submit(id));
      await money.approve('fund_transfer', id, ['fn2.aa']);
    }
    const answers = await Promise.all(both.map((id) => money.decide('rk.aa', 'fund_transfer', id)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ msg }) => msg)).toEqual(['可划转的暂挂外币不足']);
    const [holding] = await rules.example.services.db.query<{ left_amount: string }>(
      'select left_amount from fx_holding where split_id = $1::uuid',
      [split],
    );
    expect(['0.00', '150.00']).toContain(holding?.left_amount);
  });

  it('of a shipment goes to another of the same partner, and no more than is held of it', STORY, async () => {
    const a = await holder('暂划丁A');
    const other = await money.shipment(a, a.contract, { quantity: '1000' });
    await held(a, '600.00', '2026-11-20');
    await held(a, '50.00', '2026-11-20', { shipment_id: other });
    const between = { kind: 'shipment_to_shipment', from_shipment_id: a.shipment, to_shipment_id: other };
    const much = await transfer(a, a, '600.01', between);
    expect(await refusal(rules.act('fn.aa', 'fund_transfer', much, 'submit'))).toEqual([
      400,
      expect.stringContaining('明细单可划转的暂挂外币不足：600.00'),
    ]);
    const id = await moved(a, a, '200.00', between);
    const on = async (shipment: string): Promise<unknown> =>
      (await rules.stored('shipment', shipment))['held_free'];
    expect([await on(a.shipment), await on(other), await balance(a)]).toEqual(['400.00', '250.00', '650.00']);
    await must(reverse(id));
    expect([await on(a.shipment), await on(other), await balance(a)]).toEqual(['600.00', '50.00', '650.00']);
  });

  it('of a buyout is in no account of the books, before and after', STORY, async () => {
    const [a, b] = [await holder('暂划戊A', 'buyout'), await holder('暂划戊B', 'buyout')];
    await held(a, '600.00', '2026-11-20');
    await held(b, '10.00', '2026-11-21');
    const id = await moved(a, b, '100.00');
    expect([await balance(a), await balance(b), await moves.vouchers(id)]).toEqual(['500.00', '110.00', []]);
  });
});

describe('a draft over currency that is gone by now', () => {
  it('is not handed in: its holding or its split was taken back', STORY, async () => {
    const [a, b] = [await holder('暂划己A', 'entrusted', { fee_rate: '0' }), await holder('暂划己B')];
    const split = await held(a, '300.00', '2026-11-20');
    await held(a, '300.00', '2026-11-20');
    await held(b, '300.00', '2026-11-21');
    const id = await moved(a, b, '100.00');
    const [first] = await holdings(b);
    const slip = await draftSale(first?.id ?? '', '100.00');
    await must(reverse(id));
    const submit = (resource: string, draft: string) => rules.act('tr.aa', resource, draft, 'submit');
    expect(await refusal(submit('fx_settlement', slip))).toEqual([400, '暂挂已结汇、划转或冲销']);
    const own = await draftSale((await holdings(a))[0]?.id ?? '', '100.00');
    const spot = await held(a, '200.00', '2026-11-20', { settle_mode: 'spot' });
    const [line] = await rules.example.services.db.query<{ id: string; receipt: string }>(
      `select l.id, s.receipt_id as receipt from receipt_split__lines l join receipt_split s on s.id = l.parent_id
       where s.id = $1::uuid`,
      [spot],
    );
    const back = await moves.draft('sp.aa', 'remittance_return', {
      ...{
        receipt_id: line?.receipt,
        source_kind: 'pool',
        rate: '7.140000',
        split_id: spot,
        split_line: line?.id,
      },
      ...{ reason_kind: '多汇', reason: '客户多汇', payee_name: a.buyerName, payee_account: 'DE001' },
      ...{ payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF', amount: '10.00' },
    });
    const agreement =
      'update remittance_return set agreement_file = array[gen_random_uuid()] where id = $1::uuid';
    await rules.example.services.db.query(agreement, [back]);
    for (const wrong of [split, spot]) {
      await must(rules.act('fn.aa', 'receipt_split', wrong, 'reverse', { opinion: '分错' }));
      await money.approve('receipt_split', wrong, ['tm.aa']);
    }
    expect(await refusal(submit('fx_settlement', own))).toEqual([400, '暂挂已结汇、划转或冲销']);
    const refused = await rules.act('sp.aa', 'remittance_return', back, 'submit');
    expect(refused.problems).toContainEqual(
      expect.objectContaining({ path: 'split_id', message: '收汇分割已冲销' }),
    );
  });

  it('while a slip waits for it, its split is not taken back out of what else is held', STORY, async () => {
    const a = await holder('暂划辛A');
    const split = await held(a, '300.00', '2026-11-20');
    await held(a, '300.00', '2026-11-21');
    await sale((await holdings(a))[0]?.id ?? '', '100.00');
    await must(rules.act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '分错' }));
    const [status, msg] = await refusal(money.decide('tm.aa', 'receipt_split', split));
    expect([status, msg]).toEqual([400, expect.stringContaining('分割款项已结汇、退汇或使用，不能冲销')]);
    expect(await balance(a)).toBe('600.00');
  });

  it('and a reversal at once with the sale of what it takes back: one of them', STORY, async () => {
    const [a, b] = [await holder('暂划庚A'), await holder('暂划庚B')];
    await held(a, '300.00', '2026-11-20');
    await held(b, '300.00', '2026-11-21');
    const id = await moved(a, b, '100.00');
    const slip = await draftSale((await holdings(b))[0]?.id ?? '', '60.00');
    const answers = await Promise.all([reverse(id), rules.act('tr.aa', 'fx_settlement', slip, 'submit')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
