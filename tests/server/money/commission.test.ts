import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let trader: Trader;
let contract: string;
let scheme: string;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  trader = await money.trader('提成乙');
  contract = await money.contract(trader);
  scheme = await rules.given('commission_scheme', {
    ...{ name: '业务员提成', person_kind: 'salesperson', base: 'profit', progressive: true },
    ...{ overdue_factor: '0.5', valid_from: '2026-01-01', status: 'active' },
    tiers: [
      { from_amount: '0', to_amount: '50000', rate: '10' },
      { from_amount: '50000', to_amount: '200000', rate: '15' },
      { from_amount: '200000', rate: '20' },
    ],
  });
}, 600_000);
afterAll(() => rules.example.close());

const MOVED = '负数结转或应扣回已变动，请重新计算';

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

const stored = (id: string) => rules.stored('commission_statement', id);

/** A closed month. */
async function month(period: string): Promise<string> {
  const [year, number] = [period.slice(0, 4), period.slice(4)];
  const end_date = new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10);
  return rules.given('accounting_period', {
    ...{ period, start_date: `${year}-${number}-01`, end_date, status: 'closed' },
  });
}

/** A settlement of the salesperson that was approved on a day with a profit, its money late by so many days. */
async function settled(day: string, profit: string, { late = 0, shipment = '' } = {}): Promise<string> {
  const of = shipment === '' ? await money.shipment(trader, contract, { quantity: '1' }) : shipment;
  const { db } = rules.example.services;
  await db.query(`update shipment set status = 'settled', atd = '2026-01-05' where id = $1::uuid`, [of]);
  const id = await moves.draft('sp.aa', 'project_settlement', {
    ...{ object_kind: 'shipment', shipment_id: of, settle_date: day },
  });
  await db.query(
    `update project_settlement set status = 'approved', company_profit = $2, days_late = $3, settled_on = $4::date where id = $1::uuid`,
    [id, profit, late, day],
  );
  return id;
}

async function calculated(period: string): Promise<string> {
  const id = await moves.draft('fn.aa', 'commission_statement', {
    ...{ period, person_id: rules.example.masters.sales, scheme_id: scheme },
  });
  await must(rules.act('fn.aa', 'commission_statement', id, 'calculate'));
  return id;
}

async function approved(id: string): Promise<void> {
  await must(rules.act('fn.aa', 'commission_statement', id, 'submit'));
  await money.approve('commission_statement', id, ['fn2.aa', 'gm.aa']);
}

const pay = (id: string) =>
  rules.act('fn.aa', 'commission_statement', id, 'pay', {
    inputs: { bank_account_id: money.accounts.cny, paid_date: '2026-11-20' },
  });

describe('T-10', () => {
  it.each([
    // A leap day is a day of its month.
    ['202402', '2024-02-29', '260000.00', 0, '260000.00', '39500.00'],
    ['202601', '2026-01-31', '-8000.00', 0, '-8000.00', '0.00'],
    ['202603', '2026-03-31', '60000.00', 91, '30000.00', '3000.00'],
    ['202604', '2026-04-30', '60000.00', 90, '60000.00', '6500.00'],
  ] as const)('%s: settled on %s with %s', STORY, async (period, day, profit, late, base, commission) => {
    await month(period);
    await settled(day, profit, { late });
    const id = await calculated(period);
    const months = await stored(id);
    // The month before carries what it lost; here only January has lost.
    expect([period, months['carry'], months['base_amount'], months['commission']]).toEqual([
      period,
      '0.00',
      base,
      commission,
    ]);
  });

  it('a loss is carried into the next month, once it is approved', STORY, async () => {
    const [january] = await rules.example.services.db.query<{ id: string }>(
      `select id from commission_statement where period = '202601'`,
    );
    await approved(january?.id ?? '');
    await month('202602');
    await settled('2026-02-28', '20000.00');
    const id = await calculated('202602');
    expect(await stored(id)).toMatchObject({
      ...{ carry: '-8000.00', base_amount: '12000.00', commission: '1200.00' },
      // Of its month, whenever it is made.
      statement_no: 'AATC2026020001',
    });
    await approved(id);
  });

  it(
    'a settlement is in one statement; who is paid is paid once, and nothing is paid below nothing',
    STORY,
    async () => {
      await month('202605');
      await settled('2026-05-10', '10000.00');
      const id = await calculated('202605');
      await must(rules.act('fn.aa', 'commission_statement', id, 'calculate'));
      const lines = await rules.example.services.db.query(
        `select settlement_id from commission_statement__lines where kind = 'settle' group by 1 having count(*) > 1`,
      );
      expect(lines).toEqual([]);
      const again = await rules.as('fn.aa', 'POST', '/data/commission_statement', {
        ...{ period: '202605', person_id: rules.example.masters.sales, scheme_id: scheme },
      });
      expect(again.msg).toBe('该人员该月已有提成结算单');
      const { version } = await stored(id);
      const more = { version, adjust: '-1000.01' };
      const unexplained = await rules.as('fn.aa', 'PATCH', `/data/commission_statement/${id}`, more);
      expect(unexplained.problems).toMatchObject([{ path: 'adjust_reason' }]);
      const reason = { ...more, adjust_reason: '冲减预支' };
      await must(rules.as('fn.aa', 'PATCH', `/data/commission_statement/${id}`, reason));
      await approved(id);
      expect(await refusal(pay(id))).toEqual([400, '实发提成为负，不能发放']);
      await must(rules.act('gm.aa', 'commission_statement', id, 'reverse', { opinion: '重算' }));
      const next = await calculated('202605');
      expect(await stored(next)).toMatchObject({ base_amount: '10000.00', payable: '1000.00' });
      await approved(next);
      const both = await Promise.all([pay(next), pay(next)]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await moves.vouchers(next)).toHaveLength(4);
    },
  );

  it('a settlement undone after its commission was paid is taken back in the next month', STORY, async () => {
    const june = await month('202606');
    const { shipment } = await moves.funded('提成丙C', '1000.00');
    const kept = await settled('2026-06-10', '40000.00');
    const undone = await settled('2026-06-20', '20000.00', { shipment });
    const id = await calculated('202606');
    // 5,000.00 of the first 50,000.00, and 15 % of the rest.
    expect(await stored(id)).toMatchObject({
      base_amount: '60000.00',
      payable: '6500.00',
      tier_rate: '15.0000',
    });
    await approved(id);
    await must(pay(id));
    const reverse = (settlement: string) =>
      rules.act('fn.aa', 'project_settlement', settlement, 'reverse', { opinion: '运费漏记' });
    expect(await refusal(reverse(undone))).toEqual([400, '结算后已有付款或开票，不能反结算']);
    const { db } = rules.example.services;
    await db.query(`update accounting_period set status = 'open' where id = $1::uuid`, [june]);
    const archive = await rules.given('file_archive', { shipment_id: shipment, status: 'archived' });
    expect(await refusal(reverse(undone))).toEqual([400, '结算后已有付款或开票，不能反结算']);
    await db.query(`update file_archive set status = 'pending' where id = $1::uuid`, [archive]);
    await must(reverse(undone));
    await money.approve('project_settlement', undone, ['gm.aa']);
    expect(await stored(id)).toMatchObject({ status: 'paid', clawback: '2500.00' });
    await db.query(`update accounting_period set status = 'closed' where id = $1::uuid`, [june]);
    await month('202607');
    await settled('2026-07-15', '50000.00');
    const next = await calculated('202607');
    expect(await stored(next)).toMatchObject({
      commission: '5000.00',
      deduct: '2500.00',
      payable: '2500.00',
    });
    await approved(next);
    await must(pay(next));
    // It is taken back once.
    await month('202608');
    expect(await stored(await calculated('202608'))).toMatchObject({ deduct: '0.00' });
    expect((await rules.stored('project_settlement', kept))['status']).toBe('approved');
  });

  it('two months handed in beside each other carry one loss once, whichever is first', STORY, async () => {
    await month('202401');
    await settled('2024-01-15', '-8000.00');
    const lost = await calculated('202401');
    await month('202403');
    await settled('2024-03-15', '20000.00');
    await month('202404');
    await settled('2024-04-15', '30000.00');
    // Nothing is carried of a month that nobody has decided on.
    const early = await calculated('202403');
    expect(await stored(early)).toMatchObject({ carry: '0.00', base_amount: '20000.00' });
    await approved(lost);
    const submit = (id: string) => refusal(rules.act('fn.aa', 'commission_statement', id, 'submit'));
    const again = (id: string) => must(rules.act('fn.aa', 'commission_statement', id, 'calculate'));
    expect(await submit(early)).toEqual([400, MOVED]);
    const later = await calculated('202404');
    await again(early);
    for (const id of [early, later]) expect(await stored(id)).toMatchObject({ carry: '-8000.00' });
    await must(rules.act('fn.aa', 'commission_statement', later, 'submit'));
    expect(await submit(early)).toEqual([400, MOVED]);
    await again(early);
    expect(await stored(early)).toMatchObject({ carry: '0.00', base_amount: '20000.00' });
    await approved(early);
    await money.approve('commission_statement', later, ['fn2.aa', 'gm.aa']);
    expect(await stored(later)).toMatchObject({ base_amount: '22000.00', commission: '2200.00' });
    // What a month took of the loss is free again when that month is undone.
    await must(rules.act('gm.aa', 'commission_statement', later, 'reverse', { opinion: '重算' }));
    const anew = await calculated('202404');
    expect(await stored(anew)).toMatchObject({ carry: '-8000.00' });
    await approved(anew);
  });

  it(
    'a carried loss whose settlement is undone comes back, and one that is undone unpaid is not paid',
    STORY,
    async () => {
      const ninth = await month('202409');
      const { shipment } = await moves.funded('提成丁D', '1000.00');
      const wrong = await settled('2024-09-10', '-10000.00', { shipment });
      await settled('2024-09-20', '4000.00');
      const september = await calculated('202409');
      await approved(september);
      await month('202410');
      await settled('2024-10-10', '50000.00');
      const october = await calculated('202410');
      expect(await stored(october)).toMatchObject({ carry: '-6000.00', commission: '4400.00' });
      await approved(october);
      const { db } = rules.example.services;
      await db.query(`update accounting_period set status = 'open' where id = $1::uuid`, [ninth]);
      await must(rules.act('fn.aa', 'project_settlement', wrong, 'reverse', { opinion: '运费重记' }));
      await money.approve('project_settlement', wrong, ['gm.aa']);
      await db.query(`update accounting_period set status = 'closed' where id = $1::uuid`, [ninth]);
      // What is in the books of the statement stays until it is undone or paid.
      expect(await stored(september)).toMatchObject({ base_amount: '-6000.00' });
      expect(await refusal(pay(september))).toEqual([400, '明细中有结算单已反结算，须冲回后重新计算']);
      await must(rules.act('gm.aa', 'commission_statement', september, 'reverse', { opinion: '反结算' }));
      // October has borne 6,000.00 that are none: 4,000.00 of its own and those.
      const anew = await calculated('202409');
      expect(await stored(anew)).toMatchObject({
        carry: '6000.00',
        base_amount: '10000.00',
        commission: '1000.00',
      });
      await approved(anew);
    },
  );

  it(
    'what is taken back is at most what is paid, the rest later; a line by hand is of the person and the month',
    STORY,
    async () => {
      const { db } = rules.example.services;
      const eleventh = await month('202411');
      const { shipment } = await moves.funded('提成戊E', '1000.00');
      const undone = await settled('2024-11-10', '30000.00', { shipment });
      const paid = await calculated('202411');
      await approved(paid);
      await must(pay(paid));
      await db.query(`update accounting_period set status = 'open' where id = $1::uuid`, [eleventh]);
      await must(rules.act('fn.aa', 'project_settlement', undone, 'reverse', { opinion: '运费漏记' }));
      await money.approve('project_settlement', undone, ['gm.aa']);
      await db.query(`update accounting_period set status = 'closed' where id = $1::uuid`, [eleventh]);
      expect(await stored(paid)).toMatchObject({ commission: '3000.00', clawback: '3000.00' });
      await month('202412');
      await settled('2024-12-10', '12000.00');
      const first = await calculated('202412');
      const part = { clawback_due: '3000.00', deduct: '1200.00', payable: '0.00' };
      expect(await stored(first)).toMatchObject(part);
      await approved(first);
      await must(pay(first));
      await month('202312');
      await settled('2023-12-10', '25000.00');
      const rest = await calculated('202312');
      expect(await stored(rest)).toMatchObject({
        clawback_due: '1800.00',
        deduct: '1800.00',
        payable: '700.00',
      });
      const late = await settled('2024-12-20', '70000.00');
      const put = async (line: object) => {
        const { version } = await stored(rest);
        return rules.as('fn.aa', 'PATCH', `/data/commission_statement/${rest}`, { version, lines: [line] });
      };
      expect((await put({ kind: 'settle', settlement_id: late })).problems).toMatchObject([
        { path: 'lines.0.settlement_id', message: '只能计入该人员截至该月已结算的结算单' },
      ]);
      expect((await put({ kind: 'settle' })).problems).toMatchObject([{ path: 'lines.0.settlement_id' }]);
      await approved(rest);
    },
  );

  it(
    'two months that carry one loss and are handed in at once: one is told to calculate again',
    STORY,
    async () => {
      await month('202307');
      await settled('2023-07-10', '-5000.00');
      await approved(await calculated('202307'));
      const both: string[] = [];
      for (const period of ['202308', '202309']) {
        await month(period);
        await settled(`${period.slice(0, 4)}-${period.slice(4)}-10`, '20000.00');
        both.push(await calculated(period));
      }
      for (const id of both) expect(await stored(id)).toMatchObject({ carry: '-5000.00' });
      const answers = await Promise.all(
        both.map((id) => rules.act('fn.aa', 'commission_statement', id, 'submit')),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.findIndex(({ status }) => status === 400);
      expect(answers[refused]?.msg).toBe(MOVED);
      const late = both[refused] ?? '';
      await must(rules.act('fn.aa', 'commission_statement', late, 'calculate'));
      expect(await stored(late)).toMatchObject({ carry: '0.00', base_amount: '20000.00' });
      await must(rules.act('fn.aa', 'commission_statement', late, 'submit'));
    },
  );
});
