import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { INVARIANTS } from '#server/business/rules/invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
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

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

/** A file as treasury has uploaded it. */
async function uploaded(text: string): Promise<string> {
  const { files } = rules.example.services;
  const stored = await files.save({
    bytes: Buffer.from(text),
    name: '对账单.csv',
    coCode: 'AA',
    createdBy: await rules.idOf('tr.aa'),
    resource: 'bank_statement',
    field: 'file',
  });
  return stored.id;
}

async function statement(text: string) {
  const file = await uploaded(text);
  return rules.as('tr.aa', 'POST', '/data/bank_statement', { account_id: money.accounts.cny, file: [file] });
}

async function topup(partner: string, payer: string, amount: string, changes: Fields): Promise<string> {
  return moves.done(
    'fn.aa',
    'domestic_receipt',
    {
      kind: 'topup',
      partner_id: partner,
      payer_kind: 'partner',
      payer_name: payer,
      bank_account_id: money.accounts.cny,
      amount,
      ...changes,
    },
    ['fn2.aa'],
  );
}

async function balanceOf(day: string): Promise<Fields> {
  const [row] = await rules.example.services.db.query<Fields>(
    'select * from bank_balance where account_id = $1::uuid and balance_date = $2::date',
    [money.accounts.cny, day],
  );
  return row ?? {};
}

describe('the balance of a bank account', () => {
  it('is compared with the statement: what matches, what is proposed, what is missing', STORY, async () => {
    const { act, as, stored } = rules;
    const of = await money.trader('对账甲');
    const received = { value_date: '2026-11-18' };
    await topup(of.partner, '对账甲', '5000.00', { ...received, bank_ref: 'BK001' });
    await topup(of.partner, '对账甲', '300.00', { value_date: '2026-11-19', bank_ref: 'XX9' });
    await must(
      as('fn.aa', 'POST', '/data/bank_format', {
        name: '网银导出',
        bank_id: (await stored('company_bank_account', money.accounts.cny))['bank_id'],
        date_title: '日期',
        amount_kind: 'signed',
        amount_title: '金额',
        balance_title: '余额',
        ref_title: '流水号',
      }),
    );
    const text =
      '日期,金额,余额,流水号\n2026-11-18,5000.00,5000.00,BK001\n2026-11-20,300.00,5300.00,\n2026-11-20,-20.00,5280.00,FEE1\n';
    const id = String((await must(statement(text)))['id']);
    const states = async () => {
      const record = await must(as('tr.aa', 'GET', `/data/bank_statement/${id}`));
      return (record['lines'] as readonly Fields[]).map((line) => line['match_state']);
    };
    expect(await states()).toEqual(['matched', 'proposed', 'open']);
    await must(act('tr.aa', 'bank_statement', id, 'accept'));
    expect(await states()).toEqual(['matched', 'matched', 'open']);
    await must(act('tr.aa', 'bank_statement', id, 'confirm'));
    expect(await balanceOf('2026-11-18')).toMatchObject({
      opening: '0.00',
      closing: '5000.00',
      statement: '5000.00',
    });
    const last = await balanceOf('2026-11-20');
    expect(last).toMatchObject({ closing: '5300.00', statement: '5280.00', difference: '-20.00' });

    const unmatched = await must(
      as('tr.aa', 'POST', '/data/bank_unmatched/query', { currentPage: 1, pageSize: 10 }),
    );
    expect(unmatched).toMatchObject({ records: [{ side: 'bank', amount: '-20.00', reference: 'FEE1' }] });
    expect((await act('tr.aa', 'bank_balance', String(last['id']), 'check')).problems).toMatchObject([
      { path: 'remark', message: '账面与对账单有差异，请在备注中注明未达账项' },
    ]);

    await topup(of.partner, '对账甲', '100.00', { ...received, bank_ref: 'BK003' });
    expect([(await balanceOf('2026-11-18'))['closing'], (await balanceOf('2026-11-20'))['opening']]).toEqual([
      '5100.00',
      '5400.00',
    ]);
    await runDailyActions(rules.example.services);
    const [{ today } = { today: '' }] = await rules.example.services.db.query<{ today: string }>(
      'select max(balance_date)::text as today from bank_balance',
      [],
    );
    expect((await balanceOf(today))['closing']).toBe(await moves.bank(money.accounts.cny));
  });

  it('takes each movement of the bank once, also of two imports at once', STORY, async () => {
    const again = await statement('日期,金额,余额,流水号\n2026-11-18,5000.00,5000.00,BK001\n');
    expect([again.status, again.msg]).toEqual([400, '对账单中的流水均已导入']);
    const text = '日期,金额,余额,流水号\n2026-11-20,-20.00,5280.00,FEE1\n2026-11-20,7.00,5287.00,N1\n';
    const both = await Promise.all([statement(text), statement(text)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const done = both.find(({ status }) => status === 200);
    expect(done?.data).toMatchObject({ line_count: 1, skipped: 1 });
    const broken = await statement('日期,金额,余额,流水号\n2026-11-31,1.00,,A\n2026-11-20,x,,B\n');
    expect([broken.status, broken.msg]).toEqual([
      400,
      '对账单有 2 行无法读取：第2行：日期“2026-11-31”无法识别',
    ]);
  });
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = await services.db.query(
    `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
    [],
  );
  expect(told).toEqual([]);
});
