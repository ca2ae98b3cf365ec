import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#engine/values/dates.ts';
import { subtractDecimals } from '#engine/values/decimal.ts';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { runSystemAction } from '#server/records/write/system-write.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { refreshDerived } from '#server/workflow/jobs/refresh-derived.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from './financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let loans: ReturnType<typeof financingSteps>;
let steps: ReturnType<typeof refundSteps>;

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  loans = financingSteps(rules, money);
  steps = refundSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

describe('T-06 a loan on what a shipment is still to bring in', () => {
  it(
    'is drawn, repaid by a receipt, given back with its reversal and paid off late, to the cent',
    STORY,
    async () => {
      const { act } = rules;
      const of = await loans.borrower('融资甲A', '40000');
      const over = await loans.draft(of, { amount: '32000.01' });
      expect(await refusal(act('sp.aa', 'financing', over, 'submit'))).toEqual([
        400,
        '融资金额超过可融资金额',
      ]);
      const loan = await loans.drawn(of, { amount: '32000.00' });
      expect(await money.entries(loan)).toEqual([['FIN_DRAW', '227200.00']]);
      expect(await rules.stored('credit_line', of.line)).toMatchObject({
        used: '227200.00',
        occupied: '0.00',
      });
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
      // Where money comes from only the document that brings it says.
      const forged = {
        repay_amount: '1.00',
        repay_date: loans.from(0),
        source: '收汇入池',
        from_split_id: split,
      };
      expect(await refusal(act('tr.aa', 'financing', loan, 'repay', { inputs: forged }))).toEqual([
        400,
        '未知字段“source”',
      ]);
      // What is less than penalty and interest moves no date and is not lost.
      await must(loans.repay(loan, '1000.00'));
      await must(loans.repay(loan, '129703.96'));
      expect((await money.entries(loan)).slice(-4)).toEqual([
        ['FIN_PENALTY', '-350.07'],
        ['FIN_INTEREST', '-649.93'],
        ['FIN_INTEREST', '-50.20'],
        ['FIN_REPAY', '-129653.76'],
      ]);
      // Each row of repayment leads to its entry of principal, or of interest where that took all.
      const rows = await rules.example.services.db.query<{ amount: string; net_type: string }>(
        `select l.amount, e.net_type from financing__repayments l join fund_ledger_entry e
           on e.id = l.ledger_id and e.source_line = l.id::text and e.financing_id = l.parent_id
         where l.parent_id = $1::uuid order by l.line_order`,
        [loan],
      );
      expect(rows.map((row) => [row.amount, row.net_type])).toEqual([
        ['100000.00', 'FIN_REPAY'],
        ['100000.00', 'FIN_REPAY'],
        ['1000.00', 'FIN_INTEREST'],
        ['129703.96', 'FIN_REPAY'],
      ]);
      expect(await loans.read(loan)).toMatchObject({ status: 'repaid', principal_left: '0.00' });
      expect(await rules.stored('credit_line', of.line)).toMatchObject({
        used: '0.00',
        available: '500000.00',
      });
      const vouchers = await moves.vouchers(loan);
      expect(vouchers).toContainEqual(['REV_PENALTY', '', '330.25']);
      expect(vouchers.filter(([key]) => key === 'AR_FINANCING')).toEqual([
        ...[['AR_FINANCING', '227200.00', ''], ['AR_FINANCING', '', '97546.24'], ['AR_FINANCING', '97546.24', '']], // prettier-ignore
        ...[
          ['AR_FINANCING', '', '97546.24'],
          ['AR_FINANCING', '', '129653.76'],
        ],
      ]);
    },
  );
});

describe('days of grace', () => {
  // 227,200.00 at 0.018 % bears 40.896 a day; it is due on day 90, after which a day costs one and a half times as much.
  it.each([
    { grace: 30, day: 30, owed: ['0.00', '0.00'], settle: '227200.00' },
    { grace: 30, day: 31, owed: ['40.90', '0.00'], settle: '227240.90' },
    { grace: 30, day: 90, owed: ['2453.76', '0.00'], settle: '229653.76' },
    { grace: 30, day: 100, owed: ['2453.76', '613.44'], settle: '230267.20' },
    { grace: 120, day: 100, owed: ['0.00', '613.44'], settle: '227813.44' },
    // 100,000.00 of it came back on day 20, free: 127,200.00 bear 22.896 a day from day 30.
    { grace: 30, back: 20, day: 30, owed: ['0.00', '0.00'], settle: '127200.00' },
    { grace: 30, back: 20, day: 60, owed: ['686.88', '0.00'], settle: '127886.88' },
    // On day 60 the same takes 1,226.88 for 30 days first: 128,426.88 bear 23.1168384 a day from then on, 30 days before it is due.
    { grace: 30, back: 60, day: 100, owed: ['693.51', '346.75'], settle: '129467.14' },
  ])('$grace, $back repaid, on day $day owe $owed', STORY, async ({ grace, back, day, owed, settle }) => {
    const of = await loans.borrower(`免息${String(grace)}-${String(back ?? 0)}-${String(day)}A`, '40000');
    await rules.example.services.db.query('update partner_rate set fin_grace_days = $2 where partner_id = $1::uuid', [of.partner, grace]); // prettier-ignore
    const loan = await loans.drawn(of, { amount: '32000.00' });
    expect(await loans.read(loan)).toMatchObject({ grace_days: String(grace) });
    await loans.pass(loan, back ?? 0);
    if (back !== undefined) await must(loans.repay(loan, '100000.00'));
    await loans.pass(loan, day - (back ?? 0));
    const shown = await must(rules.as('tr.aa', 'GET', `/data/financing/${loan}`));
    expect(shown).toMatchObject({ settle_amount: settle });
    // What it costs is what is taken, to the cent; only what is overdue may take more than the pool has.
    if (day > 90) await rules.example.services.db.query(`update financing set status = 'overdue' where id = $1::uuid`, [loan]); // prettier-ignore
    expect((await refusal(loans.repay(loan, (Number(settle) + 0.01).toFixed(2))))[0]).toBe(400);
    await must(loans.repay(loan, settle));
    expect(await loans.read(loan)).toMatchObject({ status: 'repaid', principal_left: '0.00' });
    const last = (await money.entries(loan)).slice(-3).filter(([, amount]) => Number(amount) < 0);
    const taken = (key: string) => last.find(([name]) => name === key)?.[1] ?? '-0.00';
    expect([taken('FIN_INTEREST'), taken('FIN_PENALTY')]).toEqual(owed.map((amount) => `-${amount}`));
  });
});

describe('two at once', () => {
  it.each([
    ['of one base', '500000.00', '融资金额超过可融资金额'],
    ['of one line', '200000.00', '授信额度不足'],
  ])('%s: one borrows', STORY, async (name, line, told) => {
    const of = await loans.borrower(
      `融资乙${line.length}${name.endsWith('base') ? 'B' : 'D'}`,
      '40000',
      line,
    );
    const other = { ...of, shipment: line === '200000.00' ? (await loans.borrower('融资乙C', '40000')).shipment : of.shipment }; // prettier-ignore
    await rules.example.services.db.query('update shipment set partner_id = $2::uuid where id = $1::uuid', [other.shipment, of.partner]); // prettier-ignore
    const drafts = [
      await loans.draft(of, { amount: '20000' }),
      await loans.draft(other, { amount: '20000' }),
    ];
    const answers = await Promise.all(drafts.map((id) => rules.act('sp.aa', 'financing', id, 'submit')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.msg).toContain(told);
    expect(await rules.stored('credit_line', of.line)).toMatchObject({ occupied: '142000.00' });
  });

  it('of one insured limit: one borrows', STORY, async () => {
    const of = await loans.borrower('融资己F', '40000');
    const policy = await insured({ limits: [] });
    const id = await application(of, { policy_id: policy, status: 'underwritten' });
    await rules.example.services.db.query('update insurance_application set limit_available = 30000 where id = $1::uuid', [id]); // prettier-ignore
    await rules.example.services.db.query('update shipment set insurance_id = $2::uuid where id = $1::uuid', [of.shipment, id]); // prettier-ignore
    // 80 % of 90 % of the 30,000.00 that the insurer covers.
    const drafts = [
      await loans.draft(of, { financing_type: 'sinosure', amount: '10800.01' }),
      await loans.draft(of, { financing_type: 'sinosure', amount: '10800.00' }),
    ];
    expect(await loans.read(drafts[0] ?? '')).toMatchObject({ base_amount: '27000.00' });
    const answers = await Promise.all(
      drafts.map((draft) => rules.act('sp.aa', 'financing', draft, 'submit')),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.msg).toBe('融资金额超过可融资金额');
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

it(
  'of a loan beyond the line for shipments warns before it is submitted, and stops nothing (L30)',
  STORY,
  async () => {
    const of = await loans.borrower('融资戊E', '40000');
    const told = async (amount: string): Promise<readonly unknown[]> => {
      const id = await loans.draft(of, { amount });
      const { version } = await loans.read(id);
      const asked = { id, version, action: 'submit' };
      const { plan } = await must(rules.as('sp.aa', 'POST', '/data/financing/preview', asked));
      const { problems } = plan as { problems: readonly { message: string; level?: string }[] };
      await must(rules.act('sp.aa', 'financing', id, 'submit'));
      return problems.map((one) => [one.message, one.level]);
    };
    const beyond = ['超过出运敞口额度', 'warning'];
    expect(await told('1000')).not.toContainEqual(beyond);
    const line = await loans.lineOf(of, '71000.00', 'shipment_risk');
    expect(await told('10000.00')).not.toContainEqual(beyond);
    expect(await told('10000.01')).toContainEqual(beyond);
    // What is lent already counts, and what is still to be received on the company's risk.
    await rules.example.services.db.query('update credit_line set funding = 0, receivable = 71000.01 where id = $1::uuid', [line]); // prettier-ignore
    expect(await told('100')).toContainEqual(beyond);
  },
);

describe('the clock', () => {
  it(
    'reminds, takes what there is on the day after the due date, and calls the rest overdue',
    STORY,
    async () => {
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
      const reported = async (report: number, params: object): Promise<unknown> => {
        const body = { params: { ...params, partner: [of.partner] } };
        const { total } = await must(rules.as('tr.aa', 'POST', `/report/${report}/run`, body));
        return total;
      };
      expect(await reported(38, {})).toMatchObject({
        count: 1,
        cells: { amount: '71000.00', principal: '1150.20' },
      });
      // What was lent, came back, is left and is late; a day before the loan there is nothing.
      expect(await reported(64, { from: '2020-01-01' })).toMatchObject({
        cells: { lent: '71000.00', repaid: '69849.80', balance: '1150.20', late: '1150.20' },
      });
      expect(await reported(38, { as_of: '2020-01-01' })).toMatchObject({ count: 0 });
      const told = await db.query<{ event: string; count: string }>(
        `select event, count(distinct record_id)::text as count from sys_notice where event in ('FINANCING_DUE', 'FINANCING_OVERDUE', 'FINANCING_DRAWN', 'FINANCING_APPROVED') and record_id = $1::uuid group by 1 order by 1`,
        [loan],
      );
      expect(told.map(({ event }) => event)).toEqual(['FINANCING_APPROVED', 'FINANCING_DRAWN', 'FINANCING_DUE', 'FINANCING_OVERDUE']); // prettier-ignore
      // That it might be extended does not hand it in again.
      expect(await must(rules.as('rk.aa', 'GET', `/approval/record/financing/${loan}`))).toMatchObject({
        checks: [],
      });
      // An extension needs the general manager and takes the penalty away; a third one is refused.
      for (const days of [30, 60]) {
        const inputs = { new_due_date: loans.from(days), reason: '买家延期付款' };
        await must(rules.act('sp.aa', 'financing', loan, 'extend', { inputs }));
        await money.approve('financing', loan, ['rk.aa', 'fn.aa', 'gm.aa']);
        expect(await loans.read(loan)).toMatchObject({
          status: 'extended',
          due_date: expect.anything() as unknown,
        });
      }
      const third = rules.act('sp.aa', 'financing', loan, 'extend', { inputs: { new_due_date: loans.from(90), reason: '再展期' } }); // prettier-ignore
      expect(await refusal(third)).toEqual([400, '展期次数不能超过2次']);
      const shown = await must(rules.as('tr.aa', 'GET', `/data/financing/${loan}`));
      expect(shown).toMatchObject({ penalty_accrued: '0.00' });
    },
  );
});

describe('a loan of which only the base is told', () => {
  const worked = { ratio: null, rate: null, daily_rate: null };
  const open = { ratio: undefined, rate: undefined, daily_rate: undefined, amount: undefined };
  it.each([
    [
      'all of it is worked out',
      {},
      { ratio: '80.0000', amount: '32000.00', rate: '7.100000', daily_rate: '0.018000' },
    ],
    [
      'the amount follows the ratio that was typed',
      { ratio: '60' },
      { ratio: '60.0000', amount: '24000.00' },
    ],
    ['the amount that was typed stays', { amount: '5000' }, { ratio: '80.0000', amount: '5000.00' }],
    ['what was emptied stays empty', { ...worked, amount: '5000' }, { ...worked, amount: '5000.00' }],
  ])('%s', STORY, async (name, given, expected) => {
    const of = await loans.borrower(`融资庚${name.length}${name.slice(0, 4)}`, '40000');
    expect(await loans.read(await loans.draft(of, { ...open, ...given }))).toMatchObject(expected);
  });

  it(
    'may take all of it: the treasury files its papers, it is put off, and remarked on when it is late',
    STORY,
    async () => {
      const of = await loans.borrower('融资辛A', '40000');
      const loan = await loans.draft(of, open);
      await must(rules.act('sp.aa', 'financing', loan, 'submit'));
      await money.approve('financing', loan, ['rk.aa', 'fn.aa']);
      const note = async (remark: string) => {
        const { version } = await loans.read(loan);
        return must(rules.as('tr.aa', 'PATCH', `/data/financing/${loan}`, { version, remark }));
      };
      expect(await note('协议已归档')).toMatchObject({ remark: '协议已归档', status: 'approved' });
      await rules.example.services.db.query('update financing set attachments = array[gen_random_uuid()] where id = $1::uuid', [loan]); // prettier-ignore
      await must(rules.act('tr.aa', 'financing', loan, 'draw'));
      await must(rules.act('sp.aa', 'financing', loan, 'extend', { inputs: { new_due_date: loans.from(99), reason: '买家延期' } })); // prettier-ignore
      await money.approve('financing', loan, ['rk.aa', 'fn.aa', 'gm.aa']);
      await loans.pass(loan, 100);
      expect(await note('已电话催收')).toMatchObject({ remark: '已电话催收' });
    },
  );
});

describe('T-01 the refund of an export, lent before it comes', () => {
  it('gives 90 % of 71,500.00 and takes it back with 45 days of interest', STORY, async () => {
    const terms = { rebate_adv_ratio: '90', fin_daily_rate: '0.02', rebate_service_rate: '0' };
    const { of, refund, shipment } = await steps.exported({ net: '550000.00', exportDate: '2026-06-01', rate: terms }); // prettier-ignore
    await must(steps.run(refund, 'ready'));
    const line = await loans.lineOf(of, '100000.00', 'rebate');
    const loan = await loans.drawn(
      { ...of, line, contract: '', shipment },
      { financing_type: 'rebate', refund_id: refund, ratio: '90', amount: '64350.00', daily_rate: '0.02', rate: null, repay_source: '退税款' }, // prettier-ignore
    );
    expect(await rules.stored('tax_refund', refund)).toMatchObject({ advance_amount: '64350.00' });
    await loans.pass(loan, 45);
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '71500.00'));
    expect(await money.entries(loan)).toEqual([
      ...[
        ['REBATE_ADV', '64350.00'],
        ['FIN_INTEREST', '-579.15'],
        ['REBATE_BACK', '-64350.00'],
      ],
    ]);
    // With the 66,506.00 that the goods payment left: 137,426.85.
    expect((await money.pool(of))[0]).toBe('70920.85');
    expect(await rules.stored('tax_refund', refund)).toMatchObject({ advance_amount: '0.00', status: 'received' }); // prettier-ignore
    expect(await moves.vouchers(loan)).toContainEqual(['REV_INTEREST', '', '546.37']);
  });

  it(
    'that came before its loan was drawn is written down on its day and bears no interest',
    STORY,
    async () => {
      const terms = { rebate_adv_ratio: '90', fin_daily_rate: '0.02', rebate_service_rate: '0' };
      const { of, refund, shipment } = await steps.exported({ net: '10000.00', exportDate: '2026-06-01', rate: terms }); // prettier-ignore
      await must(steps.run(refund, 'ready'));
      const line = await loans.lineOf(of, '100000.00', 'rebate');
      const loan = await loans.drawn(
        { ...of, line, contract: '', shipment },
        { financing_type: 'rebate', refund_id: refund, ratio: '90', amount: '1000.00', daily_rate: '0.02', rate: null, repay_source: '退税款' }, // prettier-ignore
      );
      await must(steps.declare(refund));
      await must(steps.accept(refund));
      await must(steps.receive(refund, '1300.00', money.key(), loans.from(-1)));
      expect(await money.entries(loan)).toEqual([
        ['REBATE_ADV', '1000.00'],
        ['REBATE_BACK', '-1000.00'],
      ]);
      expect(await loans.read(loan)).toMatchObject({ status: 'repaid' });
    },
  );
});

describe('a refund that is refused', () => {
  it('makes what was lent on it due today, and leaves a loan alone that was due before', STORY, async () => {
    const terms = { rebate_adv_ratio: '90', fin_daily_rate: '0.02' };
    const lent = async (): Promise<readonly [refund: string, loan: string]> => {
      const { of, refund, shipment } = await steps.exported({ net: '10000.00', exportDate: '2026-06-01', rate: terms }); // prettier-ignore
      await must(steps.run(refund, 'ready'));
      const line = await loans.lineOf(of, '100000.00', 'rebate');
      const loan = await loans.drawn(
        { ...of, line, contract: '', shipment },
        { financing_type: 'rebate', refund_id: refund, ratio: '90', amount: '1000.00', daily_rate: '0.02', rate: null, repay_source: '退税款' }, // prettier-ignore
      );
      await must(steps.declare(refund));
      return [refund, loan];
    };
    const [refund, loan] = await lent();
    await loans.pass(loan, 30);
    expect(await rules.stored('financing', loan)).toMatchObject({ due_date: loans.from(60) });
    await must(steps.run(refund, 'reject', { reject_reason: '供应商走逃' }));
    expect(await rules.stored('financing', loan)).toMatchObject({ due_date: loans.from(0), status: 'drawn' });
    // What is paid a day late bears the penalty of that day: 1,000.00 at 0.02 % for 30 days, then 1.5 times for one.
    await loans.pass(loan, 1);
    await must(loans.repay(loan, '1006.30'));
    expect(await money.entries(loan)).toEqual([
      ['REBATE_ADV', '1000.00'],
      ['FIN_PENALTY', '-0.30'],
      ['FIN_INTEREST', '-6.00'],
      ['REBATE_BACK', '-1000.00'],
    ]);
    const [other, overdue] = await lent();
    await loans.pass(overdue, 91);
    await must(steps.run(other, 'reject', { reject_reason: '供应商走逃' }));
    expect(await rules.stored('financing', overdue)).toMatchObject({ due_date: loans.from(-1) });
  });
});

describe('T-07 a shipment on open account, insured', () => {
  it(
    'is declared over the limit, reports its loss in time and is paid at most what is covered',
    STORY,
    async () => {
      const { act, as, given, stored } = rules;
      const { db } = rules.example.services;
      const of = await loans.borrower('信保甲A', '120000', '600000.00');
      await db.query(`update shipment set payment_term = 'OA', term_days = 60, atd = '2025-03-10' where id = $1::uuid`, [of.shipment]); // prettier-ignore
      const clause = { working_days: true, base: 'known', notice_days: 10 };
      const policy = await given('insurance_policy', {
        ...{ policy_no: money.key(), insurer: '信保', kind: 'sinosure', product: '综合险', insured: '试验', business_types: ['agency'] }, // prettier-ignore
        ...{ valid_from: '2025-01-01', valid_to: '2030-12-31', declare_days: 10, status: 'approved' },
        clauses: [
          { cause: 'default', base: 'due', notice_days: 60, working_days: false, cover_ratio: '90' },
          { ...clause, cause: 'rejection', cover_ratio: '80' },
        ],
      });
      const terms = { buyer_id: of.buyer, payment_term: 'OA', term_days: 60 };
      await must(act('rk.aa', 'insurance_policy', policy, 'apply_limit', { inputs: { ...terms, apply_amount: '150000' } })); // prettier-ignore
      const lineOf = async (): Promise<unknown> => {
        const { limits } = await must(as('rk.aa', 'GET', `/data/insurance_policy/${policy}`));
        return (limits as readonly Record<string, unknown>[])[0]?.['id'];
      };
      const granted = {
        limit_line: await lineOf(),
        limit_no: 'SX1',
        limit_amount: '100000',
        cover_ratio: '90',
      };
      await must(act('rk.aa', 'insurance_policy', policy, 'grant_limit', { inputs: granted }));
      const { limits } = await must(as('rk.aa', 'GET', `/data/insurance_policy/${policy}`));
      expect(limits).toMatchObject([{ limit_no: 'SX1', amount: '100000.00', cover_ratio: '90.0000' }]);
      expect(await stored('buyer', of.buyer)).toMatchObject({ limit_amount: '100000.00', limit_available: '100000.00' }); // prettier-ignore
      // Another partner sells to the same buyer: his record has the limit once it has the buyer's code too.
      const second = await loans.borrower('信保乙A', '10000', '50000.00');
      const shared = async (buyer: string) => {
        const { limit_amount, limit_available, live_limits } = await stored('buyer', buyer);
        return [limit_amount, limit_available, live_limits];
      };
      expect(await shared(second.buyer)).toEqual(['0.00', '0.00', '0']);
      const recoded = async (buyer: string, sinosure_buyer_no: string) => {
        const inputs = { changes: { sinosure_buyer_no } };
        await must(act('sp.aa', 'buyer', buyer, 'amend', { opinion: '信保代码', inputs }));
      };
      for (const buyer of [of.buyer, second.buyer]) {
        // A change that nobody has agreed to yet moves nothing: what it names is not shown, what it is stays counted.
        const before = await shared(buyer);
        await recoded(buyer, 'CN12345');
        expect(await shared(buyer)).toEqual(before);
        await money.approve('buyer', buyer, ['tm.aa']);
      }
      for (const buyer of [of.buyer, second.buyer])
        expect(await shared(buyer)).toEqual(['100000.00', '100000.00', '1']);
      await recoded(second.buyer, 'CN99999');
      expect(await shared(second.buyer)).toEqual(['100000.00', '100000.00', '1']);
      await must(as('sp.aa', 'POST', `/approval/record/buyer/${second.buyer}/withdraw`, {}));
      expect(await shared(second.buyer)).toEqual(['100000.00', '100000.00', '1']);
      // A code that nobody has agreed to shows nothing of it.
      const typed = await must(
        as('sp.aa', 'POST', '/data/buyer', {
          ...{ business_type: 'agency', partner_id: second.partner, name_en: 'NORDWIND HANDEL GMBH' },
          ...{ country_id: rules.example.masters.country, address: 'Hafenstr. 9', is_related: false },
          sinosure_buyer_no: 'CN12345',
        }),
      );
      const third = String(typed['id']);
      expect(await shared(third)).toEqual(['0.00', '0.00', '0']);
      await must(act('sp.aa', 'buyer', third, 'submit'));
      expect(await shared(third)).toEqual(['0.00', '0.00', '0']);
      await money.approve('buyer', third, ['tm.aa']);
      expect(await shared(third)).toEqual(['100000.00', '100000.00', '1']);
      const made = await must(
        as('sp.aa', 'POST', '/data/insurance_application', {
          ...{ business_type: 'agency', kind: 'sinosure', shipment_id: of.shipment, currency: 'USD' },
          ...{ insured_amount: '120000', rate: '0.35', payment_term: 'OA', term_days: 60, ship_date: '2025-03-10' }, // prettier-ignore
        }),
      );
      const id = String(made['id']);
      const run = (action: string, inputs: Record<string, unknown>, opinion?: string) =>
      act('rk.aa', 'insurance_application', id, action, { inputs, ...(opinion === undefined ? {} : { opinion }) }); // prettier-ignore
      await must(act('sp.aa', 'insurance_application', id, 'submit'));
      await money.approve('insurance_application', id, ['rk.aa']);
      await must(run('declare', { declared_date: '2025-03-18' }));
      await must(run('underwrite', { underwrite_no: 'CB1' }));
      expect(await must(as('rk.aa', 'GET', `/data/insurance_application/${id}`))).toMatchObject({
        ...{ over_limit: true, premium: '2982.00', max_indemnity: '90000.00', used_usd: '120000.00' },
        ...{
          declare_due: '2025-03-20',
          due_date: '2025-05-09',
          loss_notice_due: '2025-07-08',
          limit_line: 'SX1',
        },
      });
      // Its premium is paid once; another amount than its own is told of.
      const payment = (await db.query<{ parent_id: string }>('select parent_id from payment_request__fee_lines where insurance_id = $1::uuid', [id]))[0]?.parent_id; // prettier-ignore
      const { version: asked } = await stored('payment_request', String(payment));
      const insurer = {
        payee_name: '信保',
        payee_account: '62229999',
        payee_bank: '银行',
        cnaps: '104332000019',
        bearer: 'company',
      };
      await must(
        as('sp.aa', 'PATCH', `/data/payment_request/${String(payment)}`, { version: asked, ...insurer }),
      );
      await must(act('sp.aa', 'payment_request', String(payment), 'submit'));
      const again = await money.payment(of, {
        ...{ pay_type: 'premium', payee_kind: 'insurer', payee_name: '信保', bearer: 'company' },
        fee_lines: [{ fee_item: 'sinosure', shipment_id: of.shipment, insurance_id: id, amount: '3000.00' }],
      });
      expect(await refusal(act('sp.aa', 'payment_request', again, 'submit'))).toEqual([400, '该投保单的保费已有付款申请']); // prettier-ignore
      for (const buyer of [of.buyer, second.buyer])
        expect(await stored('buyer', buyer)).toMatchObject({ limit_available: '-20000.00' });
      // Records of before, that had no key, come to the same behind the start.
      await db.query(
        'update buyer set limit_key = null, own_limit = null, own_limit_used = null, limit_amount = 0, limit_used = 0, limit_available = 0',
      );
      await db.query(
        `update sys_derived set fields = fields - '{limit_key,own_limit,own_limit_used,limit_amount,limit_used}'::text[] where resource = 'buyer'`,
      );
      await refreshDerived(rules.example.services);
      for (const buyer of [of.buyer, second.buyer])
        expect(await stored('buyer', buyer)).toMatchObject({ limit_amount: '100000.00', limit_available: '-20000.00' }); // prettier-ignore
      // What the second one ships now is declared on the same line, and nothing of it is left.
      await db.query(`update shipment set payment_term = 'OA', term_days = 60, atd = '2025-03-12' where id = $1::uuid`, [second.shipment]); // prettier-ignore
      const next = await must(
        as('sp.aa', 'POST', '/data/insurance_application', {
          ...{ business_type: 'agency', kind: 'sinosure', shipment_id: second.shipment, currency: 'USD' },
          ...{ insured_amount: '10000', rate: '0.35', payment_term: 'OA', term_days: 60, ship_date: '2025-03-12' }, // prettier-ignore
        }),
      );
      await must(act('sp.aa', 'insurance_application', String(next['id']), 'submit'));
      expect(await stored('insurance_application', String(next['id']))).toMatchObject({
        limit_line: 'SX1',
        over_limit: true,
      });
      // What is lent on it.
      const loan = await loans.draft(of, { financing_type: 'sinosure', amount: '72000' });
      expect(await loans.read(loan)).toMatchObject({ base_amount: '90000.00', most_amount: '72000.00' });
      await must(act('sp.aa', 'financing', loan, 'submit'));
      await money.approve('financing', loan, ['rk.aa', 'fn.aa', 'gm.aa']);
      await db.query('update financing set attachments = array[gen_random_uuid()] where id = $1::uuid', [
        loan,
      ]);
      await must(act('tr.aa', 'financing', loan, 'draw'));
      // The insurer takes the limit back: what was declared stays covered, nothing new is.
      await must(act('rk.aa', 'insurance_policy', policy, 'revoke_limit', { inputs: { limit_line: await lineOf() }, opinion: '保险人通知' })); // prettier-ignore
      expect(await stored('buyer', of.buyer)).toMatchObject({
        limit_amount: '0.00',
        limit_used: '120000.00',
      });
      expect(await stored('buyer', second.buyer)).toMatchObject({
        limit_amount: '0.00',
        revoked_limits: '1',
      });
      const loss = { loss_reason: 'rejection', known_date: '2025-04-10', loss_amount: '120000' };
      const late = await refusal(run('notify_loss', { ...loss, loss_notice_date: '2025-04-25' }));
      expect(late).toEqual([400, '报损日期超过报损截止日']);
      await must(run('notify_loss', { ...loss, loss_notice_date: '2025-04-24' }));
      expect(await stored('insurance_application', id)).toMatchObject({ max_indemnity: '80000.00', status: 'claim_notice' }); // prettier-ignore
      expect(await stored('partner', of.partner)).toMatchObject({ open_losses: '1' });
      expect(await refusal(run('claim', { claim_date: '2025-05-10' }))).toEqual([400, '请先上传索赔单证']);
      await db.query('update insurance_application set attachments = array[gen_random_uuid()] where id = $1::uuid', [id]); // prettier-ignore
      await must(run('claim', { claim_date: '2025-05-10' }));
      const pay = (indemnity: string) => act('fn.aa', 'insurance_application', id, 'indemnify', { inputs: { indemnity } }); // prettier-ignore
      expect(await refusal(pay('80000.01'))).toEqual([400, '赔付金额超过可赔金额']);
      await must(pay('70000'));
      expect(await stored('buyer', of.buyer)).toMatchObject({ limit_used: '0.00' });
      // It is less than what was lent: all of it repays, the rest stays due.
      const [paid] = await db.query<{ id: string; version: number }>('select id, version from domestic_receipt where insurance_id = $1::uuid', [id]); // prettier-ignore
      const bank = { bank_account_id: money.accounts.cny, bank_ref: money.key(), payer_name: '信保', value_date: loans.from(0) }; // prettier-ignore
      await must(
        as('fn.aa', 'PATCH', `/data/domestic_receipt/${paid?.id}`, { version: paid?.version, ...bank }),
      );
      await must(act('fn.aa', 'domestic_receipt', paid?.id ?? '', 'submit'));
      await money.approve('domestic_receipt', paid?.id ?? '', ['fn2.aa']);
      expect(await money.entries(loan)).toEqual([
        ['FIN_DRAW', '511200.00'],
        ['FIN_REPAY', '-497000.00'],
      ]);
      expect(await loans.read(loan)).toMatchObject({ status: 'partial_repaid', principal_left: '14200.00' });
      expect(await stored('insurance_application', id)).toMatchObject({ indemnity_received: '497000.00' });
      // The receipt was wrong: the loan is owed again.
      // What it repaid comes back into the pool, so that a part of the rest may be spoken for.
      const fee = { fee_item: 'other', amount: '100000.00', invoice_due: loans.from(5) };
      const payee = { payee_kind: 'other', payee_name: '甲', supplier_id: null, supplier_account: null };
      const spent = await money.payment(of, { pay_type: 'other', ...payee, fee_lines: [fee] });
      await must(act('sp.aa', 'payment_request', spent, 'submit'));
      await must(act('fn.aa', 'domestic_receipt', paid?.id ?? '', 'reverse', { opinion: '银行记错' }));
      expect(await loans.read(loan)).toMatchObject({ status: 'drawn', principal_left: '511200.00' });
      // The buyer's salesperson heard of it, by the buyer's name.
      const told = await db.query(
        `select n.event, n.level, n.record_id, n.title from sys_notice n join person p on p.id = n.person_id
          where n.event in ('LIMIT_GRANTED', 'LIMIT_REVOKED', 'LOSS_NOTICE') and p.personid = 'sp.aa' order by 1`,
        [],
      );
      const { name_en: name } = await stored('buyer', of.buyer);
      const buyer = { record_id: of.buyer };
      expect(told).toEqual([
        { ...buyer, event: 'LIMIT_GRANTED', level: 'info', title: `信保限额已批复：${String(name)}` },
        { ...buyer, event: 'LIMIT_REVOKED', level: 'urgent', title: `信保限额被撤销：${String(name)}` },
        expect.objectContaining({ event: 'LOSS_NOTICE', level: 'urgent', record_id: id }),
      ]);
    },
  );
});

describe('an insured shipment', () => {
  it(
    'takes the limit on the bank that pays or confirms its credit, else the one on the buyer',
    STORY,
    async () => {
      const { given, example, as } = rules;
      const { db } = example.services;
      const of = await loans.borrower('信保银行B', '50000');
      const bank = async (swift: string) =>
        given('bank', { name: swift, name_en: swift, swift, status: 'active' });
      const [issuing, confirming, other] = [
        await bank('BKAACNBJ'),
        await bank('BKBBCNBJ'),
        await bank('BKDDCNBJ'),
      ];
      const line = {
        buyer_id: of.buyer,
        payment_term: 'LC_SIGHT',
        term_days: 30,
        apply_amount: '90000',
        status: 'active',
      };
      await insured({
      valid_from: '2024-01-01',
      valid_to: '2024-12-31',
      limits: [
        { ...line, limit_no: '买方', amount: '90000' },
        { ...line, limit_no: '买方小', amount: '60000' },
        { ...line, limit_no: '开证行', amount: '50000', bank_id: issuing },
        { ...line, limit_no: '保兑行', amount: '70000', bank_id: confirming },
        { ...line, limit_no: '已撤销', amount: '99000', bank_id: other, status: 'revoked' },
      ],
    }); // prettier-ignore
      const lc = await given('letter_of_credit', {
      ...{ lc_no: money.key(), partner_id: of.partner, buyer_id: of.buyer, business_type: 'agency', currency: 'USD', amount: '50000' },
      ...{ latest_shipment: '2024-06-01', expiry_date: '2024-07-01', status: 'examined' },
    }); // prettier-ignore
      await db.query(`update shipment set payment_term = 'LC_SIGHT', term_days = 0, atd = '2024-05-10', lc_id = $2::uuid where id = $1::uuid`, [of.shipment, lc]); // prettier-ignore
      const asked = {
        business_type: 'agency',
        kind: 'sinosure',
        shipment_id: of.shipment,
        currency: 'USD',
        insured_amount: '50000',
      };
      const terms = { rate: '0.35', payment_term: 'LC_SIGHT', term_days: 0, ship_date: '2024-05-10' };
      const made = await must(as('sp.aa', 'POST', '/data/insurance_application', { ...asked, ...terms }));
      const found: unknown[] = [];
      for (const [issuer, confirmer] of [[null, null], [issuing, null], [other, null], [other, confirming]]) {
      await db.query('update letter_of_credit set issuing_bank_id = $2::uuid, confirming_bank_id = $3::uuid where id = $1::uuid', [lc, issuer, confirmer]);
      const { version } = await rules.stored('insurance_application', String(made['id']));
      const saved = await must(as('sp.aa', 'PATCH', `/data/insurance_application/${String(made['id'])}`, { version, rate: '0.36' }));
      found.push(saved['limit_line']);
    } // prettier-ignore
      expect(found).toEqual(['买方', '开证行', '买方', '保兑行']);
    },
  );

  it(
    'reports a loss after the last day only by risk control, with a reason, and is marked',
    STORY,
    async () => {
      const of = await loans.borrower('信保逾期A', '50000');
      // Due 60 days after it sailed, the notice 60 days later: yesterday.
      const id = await application(of, { ship_date: loans.from(-121), status: 'underwritten' });
      const run = (action: string, who = 'rk.aa', opinion?: string) =>
        rules.act(who, 'insurance_application', id, action, {
          inputs: { loss_reason: 'default', loss_amount: '1000', loss_notice_date: loans.from(0) },
          ...(opinion === undefined ? {} : { opinion }),
        });
      expect(await refusal(run('notify_loss'))).toEqual([400, '报损日期超过报损截止日']);
      expect((await refusal(run('notify_late', 'sp.aa', '买家失联')))[0]).toBe(403);
      expect((await refusal(run('notify_late')))[0]).toBe(400);
      await must(run('notify_late', 'rk.aa', '买家失联，保险人已同意受理'));
      expect(await rules.stored('insurance_application', id)).toMatchObject({ status: 'claim_notice', late_notice: true }); // prettier-ignore
    },
  );

  it('whose loss is open holds back a loan on its buyer, of another partner too', STORY, async () => {
    const lost = await loans.borrower('信保买方A', '50000');
    const of = await loans.borrower('信保买方B', '50000');
    await rules.example.services.db.query('update shipment set buyer_id = $2::uuid where id = $1::uuid', [
      of.shipment,
      lost.buyer,
    ]);
    const id = await application(lost, { ship_date: loans.from(-65), status: 'underwritten' });
    const loss = { loss_reason: 'default', loss_amount: '1000', loss_notice_date: loans.from(0) };
    await must(rules.act('rk.aa', 'insurance_application', id, 'notify_loss', { inputs: loss }));
    const loan = await loans.draft(of, { amount: '10000' });
    await must(rules.act('sp.aa', 'financing', loan, 'submit'));
    await money.approve('financing', loan, ['rk.aa']);
    const why = '存在未结案的报损或逾期融资，需风控放行';
    expect(await refusal(money.decide('fn.aa', 'financing', loan))).toEqual([400, why]);
  });

  it(
    'of which the insurer refuses the claim is closed with his reason, and nothing waits for it any more',
    STORY,
    async () => {
      const of = await loans.borrower('信保拒赔A', '50000');
      const { db } = rules.example.services;
      const limit = { buyer_id: of.buyer, payment_term: 'OA', term_days: 60, amount: '90000', apply_amount: '90000', limit_no: money.key() }; // prettier-ignore
      const policy = await insured({ limits: [{ ...limit, status: 'active' }] });
      const [line] = await db.query<{ id: string }>('select id from insurance_policy__limits where parent_id = $1::uuid', [policy]); // prettier-ignore
      const id = await application(of, {
        ...{ policy_id: policy, limit_id: line?.id, limit_available: '90000.00', ship_date: loans.from(-65) },
        ...{ declared_date: loans.from(-60), status: 'underwritten' },
      });
      const run = (action: string, inputs: Record<string, unknown>, who = 'rk.aa') =>
        rules.act(who, 'insurance_application', id, action, { inputs });
      const refused = { refused_date: loans.from(0), refusal: '买卖双方有贸易纠纷，未经仲裁' };
      await must(run('notify_loss', { loss_reason: 'default', loss_amount: '50000', loss_notice_date: loans.from(-2) })); // prettier-ignore
      expect((await refusal(run('refuse', refused)))[0]).toBe(409);
      await db.query('update insurance_application set attachments = array[gen_random_uuid()] where id = $1::uuid', [id]); // prettier-ignore
      await must(run('claim', { claim_date: loans.from(-1) }));
      expect(await rules.stored('insurance_application', id)).toMatchObject({ used_usd: '50000.00', max_indemnity: '45000.00' }); // prettier-ignore
      expect(await rules.stored('buyer', of.buyer)).toMatchObject({ limit_used: '50000.00', open_losses: '1' }); // prettier-ignore
      expect((await refusal(run('refuse', refused, 'sp.aa')))[0]).toBe(403);
      expect((await refusal(run('refuse', { refused_date: loans.from(0) })))[0]).toBe(400);
      for (const day of [-2, 1])
        expect(await refusal(run('refuse', { ...refused, refused_date: loans.from(day) }))).toEqual([
          400,
          '拒赔日期须在索赔日期与今天之间',
        ]);
      await must(run('refuse', refused));
      expect(await rules.stored('insurance_application', id)).toMatchObject({
        ...{ status: 'closed', ...refused, used_usd: '0.00', max_indemnity: '0.00' },
        ...{ loss_amount: '50000.00', indemnity: null },
      });
      expect(await rules.stored('buyer', of.buyer)).toMatchObject({ limit_used: '0.00', open_losses: '0' });
      expect(await rules.stored('partner', of.partner)).toMatchObject({ open_losses: '0' });
      const [used] = await db.query<{ used: string }>('select used from insurance_policy__limits where id = $1::uuid', [line?.id]); // prettier-ignore
      expect(used).toEqual({ used: '0.00' });
      // What the shipment is still to bring in stays due, and nothing comes in from the insurer.
      expect(await rules.stored('shipment', of.shipment)).toMatchObject({ unreceived: '50000.00' });
      expect((await refusal(run('indemnify', { indemnity: '1' }, 'fn.aa')))[0]).toBe(409);
      const told = await db.query<{ personid: string }>(
        `select distinct p.personid from sys_notice n join person p on p.id = n.person_id
          where n.event = 'CLAIM_REFUSED' and p.personid in ('rk.aa', 'fn.aa', 'tm.aa') order by 1`,
        [],
      );
      // Whoever enters the refusal need not be told.
      expect(told.map(({ personid }) => personid)).toEqual(['fn.aa']);
    },
  );

  it('does not sail on a limit that was taken back before it was declared', STORY, async () => {
    const of = await loans.borrower('信保撤销A', '50000');
    const { db } = rules.example.services;
    const line = { buyer_id: of.buyer, payment_term: 'OA', term_days: 60, apply_amount: '90000', amount: '90000', limit_no: money.key() }; // prettier-ignore
    const policy = await insured({ limits: [{ ...line, status: 'active' }] });
    await db.query(`update shipment set status = 'declared', payment_term = 'OA', term_days = 60, bl_no = 'COSU9', atd = $2 where id = $1::uuid`, [of.shipment, loans.from(0)]); // prettier-ignore
    const [limit] = await db.query<{ id: string }>('select id from insurance_policy__limits where parent_id = $1::uuid', [policy]); // prettier-ignore
    await must(rules.act('rk.aa', 'insurance_policy', policy, 'revoke_limit', { inputs: { limit_line: limit?.id }, opinion: '保险人通知' })); // prettier-ignore
    const ship = () => rules.act('dc.aa', 'shipment', of.shipment, 'ship');
    expect(await refusal(ship())).toEqual([400, '信保限额已撤销，不能出运']);
    await application(of, { policy_id: policy, status: 'declared' });
    // Without a declaration at customs the touched shipment went back.
    await db.query(`update shipment set status = 'declared' where id = $1::uuid`, [of.shipment]);
    // What is declared is covered: nothing of the limit stands in the way any more.
    expect((await ship()).msg).not.toBe('信保限额已撤销，不能出运');
  });
});

/** A policy in force, with what is given. */
function insured(values: Record<string, unknown>): Promise<string> {
  return rules.given('insurance_policy', {
    ...{ policy_no: money.key(), insurer: '信保', kind: 'sinosure', product: '综合险', insured: '试验', business_types: ['agency'] },
    ...{ valid_from: '2023-01-01', valid_to: '2023-12-31', declare_days: 10, status: 'approved' },
    ...values,
  }); // prettier-ignore
}

/** An application for the borrower's shipment as it stands after its steps. */
function application(
  of: { readonly partner: string; readonly buyer: string; readonly shipment: string },
  values: Record<string, unknown>,
): Promise<string> {
  return rules.given('insurance_application', {
    ...{ business_type: 'agency', kind: 'sinosure', shipment_id: of.shipment, partner_id: of.partner, buyer_id: of.buyer },
    ...{ currency: 'USD', insured_amount: '50000', cover_ratio: '90', rate: '0.35', payment_term: 'OA', term_days: 60 },
    ...{ ship_date: loans.from(-5), declared_date: loans.from(-2), sales_id: rules.example.masters.sales, dept_code: 'AA' },
    ...values,
  }); // prettier-ignore
}

it('a loan goes straight to the supplier: the pool only passes it on', STORY, async () => {
  const of = await loans.borrower('直付甲A', '40000');
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const purchase = await money.purchase(of, contract);
  const bought = { quantity: '2000', purchase_contract_id: purchase };
  const shipment = await money.shipment(of, contract, bought, { export_mode: 'buyout' });
  const line = await loans.lineOf(of, '200000.00', 'advance');
  const lent = {
    financing_type: 'advance',
    payee_kind: 'supplier',
    purchase_contract_id: purchase,
    shipment_id: shipment,
  };
  const terms = { amount: '100000.00', ratio: '100', rate: null, repay_source: '自有资金' };
  const loan = await loans.draft({ ...of, line }, { ...lent, ...terms });
  await must(rules.act('sp.aa', 'financing', loan, 'submit'));
  await money.approve('financing', loan, ['rk.aa', 'fn.aa']);
  await rules.example.services.db.query('update financing set attachments = array[gen_random_uuid()] where id = $1::uuid', [loan]); // prettier-ignore
  const before = await moves.bank(money.accounts.cny);
  await must(
    rules.act('tr.aa', 'financing', loan, 'draw', { inputs: { bank_account_id: money.accounts.cny } }),
  );
  expect(await money.entries(loan)).toEqual([
    ['FIN_DRAW', '100000.00'],
    ['PAY_GOODS', '-100000.00'],
  ]);
  expect((await money.pool(of))[0]).toBe('0.00');
  expect(subtractDecimals(before, await moves.bank(money.accounts.cny))).toBe('100000');
  expect(await rules.stored('purchase_contract', purchase)).toMatchObject({
    goods_paid: '100000.00',
    status: 'executing',
  });
  expect(await loans.read(loan)).toMatchObject({ status: 'drawn', principal_left: '100000.00' });
  // Of 124,300.00.
  expect(await rules.stored('shipment', shipment)).toMatchObject({ pay_progress: 'partial' });
});

it('a loan of any kind pays a supplier no more than his contract leaves (INV-06)', STORY, async () => {
  const of = await loans.borrower('直付乙B', '40000');
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [contract],
  );
  const item = { export_line: line?.id, goods_id: of.goods, unit: '007', unit_price: '71' };
  const purchase = await money.purchase(of, contract, { items: [{ ...item, quantity: '1000' }] });
  const lent = { payee_kind: 'supplier', purchase_contract_id: purchase };
  const granted = async (amount: string): Promise<string> => {
    const loan = await loans.draft(of, { ...lent, amount });
    await must(rules.act('sp.aa', 'financing', loan, 'submit'));
    await money.approve('financing', loan, ['rk.aa', 'fn.aa']);
    await rules.example.services.db.query('update financing set attachments = array[gen_random_uuid()] where id = $1::uuid', [loan]); // prettier-ignore
    return loan;
  };
  const drawn = (loan: string) =>
    rules.act('tr.aa', 'financing', loan, 'draw', { inputs: { bank_account_id: money.accounts.cny } });
  // 71,000.00 are 10,000 dollars at 7.1: two loans were granted before either was drawn.
  const [first, second] = [await granted('9000'), await granted('1001')];
  await must(drawn(first));
  const [status, why] = await refusal(drawn(second));
  expect([status, why]).toEqual([400, '付款金额超过合同未付金额']);
  await must(drawn(await granted('1000')));
  expect(await rules.stored('purchase_contract', purchase)).toMatchObject({ goods_paid: '71000.00' });
});

describe('T-12 supply-chain finance', () => {
  it(
    'lends on registered receivables within quota and value, and bears interest by the year',
    STORY,
    async () => {
      const { act, as, given, stored } = rules;
      const { db } = rules.example.services;
      const scope = { sales_id: rules.example.masters.sales, dept_code: 'AA' };
      const customer = await given('scf_customer', {
        ...{ ...scope, name: '链上客户甲', credit_code: '91330203MA7XYAA274', chain_role: 'core', contact: '王', mobile: '13900000009' }, // prettier-ignore
        ...{ rating: 'B', quota: '800000', quota_to: '2099-12-31', status: 'active' },
      });
      const pledge = await given('receivable_pledge', {
        ...{ ...scope, customer_id: customer, debtor: '核心厂', invoice_no: money.key(), currency: 'CNY', amount: '1500000', due_date: loans.from(80), pledge_ratio: '80', status: 'registered' }, // prettier-ignore
      });
      const order = async (amount: string): Promise<string> =>
      moves.draft('sp.aa', 'scf_financing', { customer_id: customer, pledge_ids: [{ pledge_id: pledge }], amount, annual_rate: '4.35', due_date: loans.from(90), purpose: '备料' }); // prettier-ignore
      const two = [await order('500000'), await order('500000')];
      const answers = await Promise.all(two.map((id) => act('sp.aa', 'scf_financing', id, 'submit')));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 400)?.msg).toContain('融资额度不足');
      const closing = act('rk.aa', 'scf_customer', customer, 'disable', { opinion: '停止合作' });
      expect(await refusal(closing)).toEqual([400, '客户还有未结清的融资订单，不能停用']);
      const id = two.find((_one, place) => answers[place]?.status === 200) ?? '';
      await money.approve('scf_financing', id, ['rk.aa', 'fn.aa', 'gm.aa']);
      await must(
        act('tr.aa', 'scf_financing', id, 'draw', { inputs: { bank_account_id: money.accounts.cny } }),
      );
      expect((await refusal(act('rk.aa', 'receivable_pledge', pledge, 'release')))[1]).toContain('不能解押');
      await db.query('update scf_financing set start_date = start_date - 90, due_date = due_date - 91 where id = $1::uuid', [id]); // prettier-ignore
      await runDailyActions(rules.example.services);
      expect(await stored('scf_financing', id)).toMatchObject({ status: 'overdue', interest: '5437.50' });
      const repay = (principal: string, repaid_interest: string) =>
      act('fn.aa', 'scf_financing', id, 'repay', { inputs: { repay_date: loans.from(0), principal, repaid_interest, account_id: money.accounts.cny, bank_ref: money.key() } }); // prettier-ignore
      expect((await refusal(repay('500000.01', '5437.50')))[1]).toBe('还款金额超过未还本金');
      // The interest comes as a transfer of its own, after the principal.
      await must(repay('500000', '0'));
      expect(await stored('scf_financing', id)).toMatchObject({ status: 'repaid', interest: '5437.50' });
      expect((await refusal(repay('0.01', '5437.50')))[1]).toBe('还款金额超过未还本金');
      await must(repay('0', '5437.50'));
      expect(await stored('scf_financing', id)).toMatchObject({ status: 'repaid', interest: '0.00' });
      expect((await refusal(repay('0', '1')))[1]).toContain('本金和利息已还清');
      expect(await stored('scf_customer', customer)).toMatchObject({ used: '0.00', available: '800000.00' });
      expect(await moves.vouchers(id)).toContainEqual(['REV_INTEREST', '', '5129.72']);
      await must(act('rk.aa', 'receivable_pledge', pledge, 'release'));
      expect(await must(as('rk.aa', 'GET', `/data/receivable_pledge/${pledge}`))).toMatchObject({ status: 'released' }); // prettier-ignore
    },
  );
});

it('INV-11 and INV-12 hold of every story, and the night tells when one is broken', STORY, async () => {
  const { db } = rules.example.services;
  const told = async (): Promise<readonly string[]> => {
    await db.query(`delete from sys_notice where event = 'DATA_INVARIANT'`, []);
    await checkInvariants(rules.example.services, INVARIANTS);
    const rows = await db.query<{ content: string }>(`select distinct content from sys_notice where event = 'DATA_INVARIANT'`, []); // prettier-ignore
    const codes = rows.map(({ content }) => /INV-\d\d/.exec(content)?.[0] ?? content);
    return [...new Set(codes.filter((code) => code === 'INV-11' || code === 'INV-12'))].toSorted();
  };
  expect(await told()).toEqual([]);
  await db.query(`update financing set principal_left = principal_left + 0.01 where status = 'repaid'`, []);
  expect(await told()).toEqual(['INV-11']);
  await db.query(`update financing set principal_left = principal_left - 0.01 where status = 'repaid'`, []);
  await db.query('update insurance_policy__limits set used = 1', []);
  expect(await told()).toEqual(['INV-12']);
});

it('what could not be taken on its night is taken on the next, and 调汇 waits for it', STORY, async () => {
  const { services } = rules.example;
  const { db } = services;
  const of = await loans.borrower('融资月末F', '40000');
  await loans.drawn(of, { amount: '2000.00' });
  const loan = await loans.drawn(of, { amount: '1000.00' });
  const today = loans.from(0);
  const end = addDays(`${addDays(`${today.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
  await db.query('update financing set start_date = $2::date - 90, due_date = $2::date where id = $1::uuid', [loan, end]); // prettier-ignore
  const [period] = await db.query<{ id: string }>(
    `select id from accounting_period where co_code = 'AA' and $1::date between start_date and end_date`,
    [end],
  );
  const id = period?.id ?? '';
  const turn = (status: string) =>
    db.query('update accounting_period set status = $2 where id = $1::uuid', [id, status]);
  const DAY = 86_400_000;
  const ahead = (Date.parse(end) - Date.parse(today)) / DAY;
  /** So many days after the last one of the month. */
  const later = (days: number) => ({
    ...services,
    clock: () => new Date(Date.now() + (ahead + days) * DAY),
  });
  const last = later(0);
  const revalued = db.transaction((tx) =>
    runSystemAction({ tx, services: last, caller: systemCaller(last, 'AA') }, 'accounting_period', {
      ...{ id, action: 'revalue' },
    }),
  );
  await expect(revalued).rejects.toThrow('本期还有到期未扣款的融资，到期次日扣款后再调汇');
  // Where it was shut all the same nothing can be entered on that day.
  await turn('revalued');
  await runDailyActions(later(1));
  await turn('open');
  expect(await loans.read(loan)).toMatchObject({ status: 'drawn', collected_for: null });
  await runDailyActions(later(2));
  expect(await loans.read(loan)).toMatchObject({ status: 'repaid', penalty_paid: '0.00' });
  const paid = 'select repay_date::text as day from financing__repayments where parent_id = $1::uuid';
  expect(await db.query(paid, [loan])).toEqual([{ day: end }]);
  const told = `select 1 from sys_notice where event = 'FINANCING_OVERDUE' and record_id = $1::uuid`;
  expect(await db.query(told, [loan])).toEqual([]);
});
