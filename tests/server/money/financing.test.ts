import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from './financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let loans: ReturnType<typeof financingSteps>;

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  loans = financingSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

describe('T-06 a loan on what a shipment is still to bring in', () => {
  it('is drawn, repaid by a receipt, given back with its reversal and paid off late, to the cent', STORY, async () => {
    const { act } = rules;
    const of = await loans.borrower('融资甲A', '40000');
    const over = await loans.draft(of, { amount: '32000.01' });
    expect(await refusal(act('sp.aa', 'financing', over, 'submit'))).toEqual([400, '融资金额超过可融资金额']);
    const loan = await loans.drawn(of, { amount: '32000.00' });
    expect(await money.entries(loan)).toEqual([['FIN_DRAW', '227200.00']]);
    expect(await rules.stored('credit_line', of.line)).toMatchObject({ used: '227200.00', occupied: '0.00' });
    await loans.pass(loan, 60);
    const split = await loans.arriving(of, '14000.00', '7.142857');
    await money.approve('receipt_split', split, ['fn2.aa']);
    expect(await money.entries(loan)).toEqual([
      ['FIN_DRAW', '227200.00'],
      ['FIN_INTEREST', '-2453.76'],
      ['FIN_REPAY', '-97546.24'],
    ]);
    expect(await loans.read(loan)).toMatchObject({ status: 'partial_repaid', principal_left: '129653.76' });
    // The split was wrong: everything of it comes back, and comes again.
    await must(act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '分错明细单' }));
    await money.approve('receipt_split', split, ['tm.aa']);
    expect(await loans.read(loan)).toMatchObject({ status: 'drawn', principal_left: '227200.00' });
    expect(await rules.stored('credit_line', of.line)).toMatchObject({ used: '227200.00' });
    expect((await money.pool(of))[0]).toBe('227200.00');
    await must(loans.repay(loan, '100000.00'));
    expect(await loans.read(loan)).toMatchObject({ principal_left: '129653.76' });
    await loans.pass(loan, 40);
    await rules.example.services.db.query(`update financing set status = 'overdue' where id = $1::uuid`, [loan]); // prettier-ignore
    const shown = await must(rules.as('tr.aa', 'GET', `/data/financing/${loan}`));
    expect(shown).toMatchObject({ settle_amount: '130703.96' }); // prettier-ignore
    expect(await refusal(loans.repay(loan, '130703.97'))).toEqual([400, '还款金额超过未还本金']);
    // What is less than penalty and interest moves no date and is not lost.
    await must(loans.repay(loan, '1000.00'));
    await must(loans.repay(loan, '129703.96'));
    expect((await money.entries(loan)).slice(-4)).toEqual([
      ['FIN_PENALTY', '-350.07'],
      ['FIN_INTEREST', '-649.93'],
      ['FIN_INTEREST', '-50.20'],
      ['FIN_REPAY', '-129653.76'],
    ]);
    expect(await loans.read(loan)).toMatchObject({ status: 'repaid', principal_left: '0.00' });
    expect(await rules.stored('credit_line', of.line)).toMatchObject({ used: '0.00', available: '500000.00' });
    const vouchers = await moves.vouchers(loan);
    expect(vouchers).toContainEqual(['REV_PENALTY', '', '330.25']);
    expect(vouchers.filter(([key]) => key === 'AR_FINANCING')).toEqual([
      ...[['AR_FINANCING', '227200.00', ''], ['AR_FINANCING', '', '97546.24'], ['AR_FINANCING', '97546.24', '']], // prettier-ignore
      ...[['AR_FINANCING', '', '97546.24'], ['AR_FINANCING', '', '129653.76']],
    ]);
  });
});

describe('two at once', () => {
  it.each([
    ['of one base', '500000.00', '融资金额超过可融资金额'],
    ['of one line', '200000.00', '授信额度不足'],
  ])('%s: one borrows', STORY, async (name, line, told) => {
    const of = await loans.borrower(`融资乙${name.length}B`, '40000', line);
    const other = { ...of, shipment: line === '200000.00' ? (await loans.borrower('融资乙C', '40000')).shipment : of.shipment }; // prettier-ignore
    await rules.example.services.db.query('update shipment set partner_id = $2::uuid where id = $1::uuid', [other.shipment, of.partner]); // prettier-ignore
    const drafts = [await loans.draft(of, { amount: '20000' }), await loans.draft(other, { amount: '20000' })];
    const answers = await Promise.all(drafts.map((id) => rules.act('sp.aa', 'financing', id, 'submit')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.msg).toContain(told);
    expect(await rules.stored('credit_line', of.line)).toMatchObject({ occupied: '142000.00' });
  });

  it('splits repay one loan, overdue first, never more than it is', STORY, async () => {
    const of = await loans.borrower('融资丙C', '40000');
    const late = await loans.drawn(of, { amount: '10000.00' });
    const next = await loans.drawn(of, { amount: '10000.00' });
    await loans.pass(late, 100);
    await rules.example.services.db.query(`update financing set status = 'overdue' where id = $1::uuid`, [late]); // prettier-ignore
    const splits = [await loans.arriving(of, '11000.00', '7.1'), await loans.arriving(of, '11000.00', '7.1')];
    await Promise.all(splits.map((split) => must(money.decide('fn2.aa', 'receipt_split', split))));
    expect(await loans.read(late)).toMatchObject({ status: 'repaid', principal_left: '0.00' });
    expect(await loans.read(next)).toMatchObject({ status: 'repaid', principal_left: '0.00' });
    const given = (await Promise.all([late, next].map((id) => money.entries(id)))).flat();
    const back = given.filter(([, amount]) => amount.startsWith('-'));
    const cents = back.reduce((sum, [, amount]) => sum + Math.round(Number(amount) * -100), 0);
    // 1,150.20 interest of 90 days, penalty from the due date to the day of the splits; nothing of the younger one.
    expect(cents).toBeGreaterThan(14_315_020);
    expect(cents).toBeLessThanOrEqual(14_334_190);
  });
});

describe('the clock', () => {
  it('reminds, takes what there is on the day after the due date, and calls the rest overdue', STORY, async () => {
    const { db } = rules.example.services;
    const of = await loans.borrower('融资丁D', '40000');
    const loan = await loans.drawn(of, { amount: '10000.00' });
    await loans.pass(loan, 85);
    await runDailyActions(rules.example.services);
    await runDailyActions(rules.example.services);
    await loans.pass(loan, 6);
    await runDailyActions(rules.example.services);
    expect(await loans.read(loan)).toMatchObject({ status: 'overdue', principal_left: '1150.20' });
    expect((await money.pool(of))[0]).toBe('0.00');
    const told = await db.query<{ event: string; count: string }>(
      `select event, count(distinct record_id)::text as count from sys_notice where event in ('FINANCING_DUE', 'FINANCING_OVERDUE', 'FINANCING_DRAWN', 'FINANCING_APPROVED') and record_id = $1::uuid group by 1 order by 1`,
      [loan],
    );
    expect(told.map(({ event }) => event)).toEqual(['FINANCING_APPROVED', 'FINANCING_DRAWN', 'FINANCING_DUE', 'FINANCING_OVERDUE']); // prettier-ignore
    // An extension needs the general manager and takes the penalty away; a third one is refused.
    for (const days of [30, 60]) {
      const inputs = { new_due_date: loans.from(days), reason: '买家延期付款' };
      await must(rules.act('sp.aa', 'financing', loan, 'extend', { inputs }));
      await money.approve('financing', loan, ['rk.aa', 'fn.aa', 'gm.aa']);
      expect(await loans.read(loan)).toMatchObject({ status: 'extended', due_date: expect.anything() as unknown });
    }
    const third = rules.act('sp.aa', 'financing', loan, 'extend', { inputs: { new_due_date: loans.from(90), reason: '再展期' } }); // prettier-ignore
    expect(await refusal(third)).toEqual([400, '展期次数不能超过2次']);
    const shown = await must(rules.as('tr.aa', 'GET', `/data/financing/${loan}`));
    expect(shown).toMatchObject({ penalty_accrued: '0.00' });
  });
});
