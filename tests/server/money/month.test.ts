import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, isoWeek } from '#engine/values/dates.ts';
import { addDecimals, subtractDecimals } from '#engine/values/decimal.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { runDailyActions } from '#server/workflow/jobs/day-end.ts';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
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

/** A line of 结账检查: where it leads holds as many records as it counts. */
interface OpenCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly count: number;
  readonly of: string;
  readonly which: object;
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
    // One of its days is in the book already, as the night leaves it.
    await rules.given('bank_balance', { account_id: money.accounts.cny, balance_date: '2026-11-20' });
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

    const first = String((await balanceOf('2026-11-18'))['id']);
    await must(act('tr.aa', 'bank_balance', first, 'check'));
    expect(await balanceOf('2026-11-18')).toMatchObject({ status: 'done', is_moved: false });
    await topup(of.partner, '对账甲', '100.00', { ...received, bank_ref: 'BK003' });
    // What was checked is another figure now.
    expect(await balanceOf('2026-11-18')).toMatchObject({ status: 'done', is_moved: true });
    await must(act('tr.aa', 'bank_balance', first, 'uncheck'));
    expect(await balanceOf('2026-11-18')).toMatchObject({ status: 'open', is_moved: false });
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

  it('is that of the statement that goes on longer, whichever is confirmed first', STORY, async () => {
    const { act } = rules;
    const made = async (text: string) => String((await must(statement(text)))['id']);
    // Downloaded at noon, and the day after.
    const noon = await made('日期,金额,余额,流水号\n2026-11-24,10.00,5300.00,P1\n');
    const later = await made(
      '日期,金额,余额,流水号\n2026-11-24,40.00,5340.00,P2\n2026-11-25,1.00,5341.00,P3\n',
    );
    await must(act('tr.aa', 'bank_statement', later, 'confirm'));
    await must(act('tr.aa', 'bank_statement', noon, 'confirm'));
    expect((await balanceOf('2026-11-24'))['statement']).toBe('5340.00');
    // What is taken back stands in nobody's way.
    for (const id of [later, noon])
      await must(act('tr.aa', 'bank_statement', id, 'reopen', { opinion: '重新核对' }));
    await must(act('tr.aa', 'bank_statement', noon, 'confirm'));
    expect((await balanceOf('2026-11-24'))['statement']).toBe('5300.00');
  });

  it('takes each movement of the bank once, also of two imports at once', STORY, async () => {
    const again = await statement('日期,金额,余额,流水号\n2026-11-18,5000.00,5000.00,BK001\n');
    expect([again.status, again.msg]).toEqual([400, '对账单中的流水均已导入']);
    const text = '日期,金额,余额,流水号\n2026-11-20,-20.00,5280.00,FEE1\n2026-11-20,7.00,5287.00,N1\n';
    const both = await Promise.all([statement(text), statement(text)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const done = both.find(({ status }) => status === 200);
    expect(done?.data).toMatchObject({ line_count: 1, skipped: 1 });
    const broken = await statement('日期,金额,余额,流水号\n2026-11-31,1.00,,A\n2026-11-20,x,,B\n');
    expect([broken.status, broken.msg]).toEqual([
      400,
      '对账单有 2 行无法读取：第2行：日期“2026-11-31”无法识别',
    ]);
  });
});

describe('T-19 the month end', () => {
  const AUGUST = { period: '202608', start_date: '2026-08-01', end_date: '2026-08-31', status: 'open' };
  const SEPTEMBER = { period: '202609', start_date: '2026-09-01', end_date: '2026-09-30', status: 'open' };
  const rateOf = async (currency: string, rate: string): Promise<void> => {
    const { given } = rules;
    await given('currency_rate', { currency, kind: 'mid', date: '2026-08-31', rate, source: '手工' });
    await given('currency_rate', { currency, kind: 'mid', date: '2026-09-30', rate, source: '手工' });
  };
  const codeOf = async (key: string): Promise<string> => {
    const rows = await rules.example.services.db.query<{ code: string }>(
      `select code from account where co_code = 'AA' and posting_key = $1`,
      [key],
    );
    return rows[0]?.code ?? key;
  };
  const checkBalances = async (day: string): Promise<void> => {
    const accounts = await rules.example.services.db.query<{ id: string }>(
      `select id from company_bank_account where co_code = 'AA' and status = 'active'`,
      [],
    );
    for (const { id } of accounts)
      await rules.given('bank_balance', { account_id: id, balance_date: day, status: 'done', checked: true });
  };
  let period = '';
  const revaluation = async (): Promise<readonly (readonly string[])[]> => {
    const rows = await rules.example.services.db.query<{
      key: string;
      debit: string;
      credit: string;
      day: string;
    }>(
      `select e.posting_key as key, coalesce(e.debit, 0)::text as debit, coalesce(e.credit, 0)::text as credit, v.voucher_date::text as day
       from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       where v.source_id = $1 order by v.voucher_no, e.line_order`,
      [period],
    );
    return rows.map(({ key, debit, credit, day }) => [key, debit, credit, day]);
  };
  const LINES = [
    ['FX_GAIN', '6235.00', '0'],
    ['BANK_FC', '0', '3960.00'],
    ['AR_FOREIGN', '0', '1650.00'],
    ['RCV_UNCLAIMED', '660.00', '0'],
    ['FX_GAIN', '0', '660.00'],
    ['POOL_FX', '0', '625.00'],
  ];
  const dated = (lines: readonly (readonly string[])[]) => lines.map((line) => [...line, '2026-08-31']);

  it('balances in foreign currency go to the closing rate, once, and back on its day', STORY, async () => {
    const { given, act, stored, as } = rules;
    const of = await money.trader('调汇甲A');
    await given('currency', { code: 'EUR', name: '欧元', symbol: '€', decimals: 2, status: 'active' });
    await rateOf('USD', '7.062000');
    await rateOf('EUR', '7.812500');
    const entry = async (key: string, side: 'debit' | 'credit', cny: string, more: Fields) => ({
      posting_key: key,
      subject_code: await codeOf(key),
      [side]: cny,
      ...more,
    });
    const usd = { currency: 'USD' };
    period = await given('accounting_period', AUGUST);
    await given('finance_voucher', {
      voucher_date: '2026-08-10',
      event_code: 'MANUAL',
      status: 'generated',
      entries: [
        await entry('BANK_FC', 'debit', '851400.00', {
          ...usd,
          fc_amount: '120000.00',
          bank_account_id: money.accounts.usd,
        }),
        await entry('AR_FOREIGN', 'debit', '354750.00', {
          ...usd,
          fc_amount: '50000.00',
          buyer_id: of.buyer,
        }),
        await entry('RCV_UNCLAIMED', 'credit', '141900.00', { ...usd, fc_amount: '20000.00' }),
        await entry('POOL_FX', 'credit', '77500.00', {
          currency: 'EUR',
          fc_amount: '10000.00',
          partner_id: of.partner,
        }),
        await entry('REV_OTHER', 'credit', '986750.00', { currency: 'CNY' }),
      ],
    });
    await must(act('fn.aa', 'accounting_period', period, 'revalue'));
    expect(await stored('accounting_period', period)).toMatchObject({
      status: 'revalued',
      total_difference: '-5575.00',
    });
    const { revaluations } = await must(as('fn.aa', 'GET', `/data/accounting_period/${period}`));
    const gains = (revaluations as readonly Fields[]).map(({ gain }) => Number(gain));
    expect(gains.toSorted((a, b) => a - b)).toEqual([-3960, -1650, -625, 660]);
    expect((await stored('accounting_period', period))['voucher_id']).not.toBeNull();
    expect(await revaluation()).toEqual(dated(LINES));
    const numbered = await rules.example.services.db.query<{ no: string }>(
      'select voucher_no as no from finance_voucher where source_id = $1',
      [period],
    );
    expect(numbered.map(({ no }) => no.slice(0, -5))).toEqual(['AAPZ202608']);
    const late = await as('fn.aa', 'POST', '/data/receipt', {
      bank_ref: money.key(),
      bank_account_id: money.accounts.usd,
      currency: 'USD',
      value_date: '2026-08-15',
      gross_amount: '100.00',
      payer_name: of.buyerName,
      payer_country_id: rules.example.masters.country,
    });
    expect([late.status, late.msg]).toEqual([400, '会计期间已结账，不能操作（2026-08）']);
    expect(late.problems.map(({ path }) => path)).toEqual(['value_date']);
    // Nor in a month behind the first one, which would be opened by it.
    const behind = await as('fn.aa', 'POST', '/data/receipt', {
      ...{ bank_ref: money.key(), bank_account_id: money.accounts.usd, currency: 'USD' },
      ...{ value_date: '2026-06-15', gross_amount: '100.00', payer_name: of.buyerName },
      payer_country_id: rules.example.masters.country,
    });
    expect([behind.status, behind.msg]).toEqual([400, '会计期间已结账，不能操作（2026-06）']);
    const opened = `select 1 from accounting_period where period < '202608'`;
    expect(await rules.example.services.db.query(opened)).toEqual([]);
    // What waits for its approval is told at once, not when the last has agreed.
    const charge = await moves.draft('tr.aa', 'finance_charge', {
      ...{ charge_date: '2026-08-31', bank_account_id: money.accounts.cny, currency: 'CNY' },
      ...{ amount: '10.00', bearer: 'company' },
    });
    const refused = await act('tr.aa', 'finance_charge', charge, 'submit');
    expect([refused.msg, refused.problems[0]?.path]).toEqual([
      '会计期间已结账，不能操作（2026-08）',
      'charge_date',
    ]);
    // Nor an invoice that books nothing itself.
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '10' });
    const zero = await moves.draft('fn.aa', 'sales_invoice', {
      ...{
        kind: 'export_zero',
        shipment_id: shipment,
        billing_date: '2026-08-31',
        purchaser_name: of.buyerName,
      },
      ...{ currency: 'USD', fc_amount: '100.00', rate: '7.000000', net_amount: '700.00', tax_rate: '0' },
    });
    expect((await act('fn.aa', 'sales_invoice', zero, 'submit')).problems).toMatchObject([
      { path: 'billing_date', message: expect.stringMatching(/^会计期间已结账，不能操作/) },
    ]);
    // One made by hand neither.
    const byHand = await given('finance_voucher', {
      ...{ voucher_date: '2026-08-31', event_code: 'MANUAL' },
      entries: [
        await entry('REV_OTHER', 'debit', '10.00', { currency: 'CNY' }),
        await entry('FX_GAIN', 'credit', '10.00', { currency: 'CNY' }),
      ],
    });
    expect(await refusal(act('fn.aa', 'finance_voucher', byHand, 'generate'))).toEqual([
      400,
      '会计期间已结账，不能操作',
    ]);
    const { version } = await stored('finance_voucher', byHand);
    await must(as('fn.aa', 'DELETE', `/data/finance_voucher/${byHand}?version=${String(version)}`));
    await must(act('fn.aa', 'accounting_period', period, 'undo_revalue'));
    const mirror = LINES.map(([key = '', debit = '', credit = '']) => [key, credit, debit]);
    expect(await revaluation()).toEqual(dated([...LINES, ...mirror]));
    expect(await stored('accounting_period', period)).toMatchObject({
      status: 'open',
      total_difference: '0.00',
    });
    await must(act('fn.aa', 'accounting_period', period, 'revalue'));
    expect((await stored('accounting_period', period))['total_difference']).toBe('-5575.00');
    // By the book rate of the next month, where the company says so: 120,000 and 50,000 and 20,000 USD, 10,000 EUR.
    await must(act('fn.aa', 'accounting_period', period, 'undo_revalue'));
    const next = { param: 'REVALUE_RATE', label: '调汇汇率', value: 'next_book', kind: 'text' };
    const { db, definitions } = rules.example.services;
    const chosen = await given('system_default', { ...next, effective_from: '2026-08-01' });
    await definitions.refreshOverrides();
    for (const [currency, rate] of [
      ['USD', '7.100000'],
      ['EUR', '7.800000'],
    ])
      await given('currency_rate', { currency, kind: 'book', date: '2026-09-01', rate, source: 'manual' });
    await must(act('fn.aa', 'accounting_period', period, 'revalue'));
    expect((await stored('accounting_period', period))['total_difference']).toBe('250.00');
    await must(act('fn.aa', 'accounting_period', period, 'undo_revalue'));
    await db.query('update system_default set is_deleted = true where id = $1::uuid', [chosen]);
    await definitions.refreshOverrides();
    await must(act('fn.aa', 'accounting_period', period, 'revalue'));
  });

  it('its vouchers leave in the format of an accounting package', STORY, async () => {
    const { as, act, stored } = rules;
    const columns = [
      { title: '日期', source: 'voucher_date' },
      { title: '科目', source: 'subject_code' },
      { title: '借方', source: 'debit' },
      { title: '贷方', source: 'credit' },
      { title: '账套', source: 'fixed', value: '001' },
    ];
    const format = await must(
      as('fn.aa', 'POST', '/data/voucher_format', {
        name: '总账导入',
        day_form: 'plain',
        separator: 'bar',
        columns,
      }),
    );
    const written = async (): Promise<readonly string[]> => {
      const made = await must(
        as('fn.aa', 'POST', '/data/voucher_export', { period_id: period, format_id: format['id'] }),
      );
      const id = String(made['id']);
      await must(act('fn.aa', 'voucher_export', id, 'write'));
      const [file] = (await stored('voucher_export', id))['file'] as readonly string[];
      const { files } = rules.example.services;
      const found = await files.find(file ?? '');
      const text = found === null ? '' : new TextDecoder('gbk').decode(await buffer(await files.open(found)));
      return text.trim().split('\r\n');
    };
    const [head, ...rows] = await written();
    expect(head).toBe('日期|科目|借方|贷方|账套');
    // What was reversed before it left leaves with its mirror: the package has what the books have.
    const { db } = rules.example.services;
    const booked = await db.query<{ code: string; net: string }>(
      `select l.subject_code as code, trim_scale(sum(coalesce(l.debit, 0) - coalesce(l.credit, 0)))::text as net
       from finance_voucher__entries l join finance_voucher v on v.id = l.parent_id
       where v.period_id = $1::uuid and v.status <> 'draft' and not v.is_deleted group by 1 order by 1`,
      [period],
    );
    const nets = new Map<string, string>();
    for (const row of rows) {
      const [, code = '', debit = '', credit = ''] = row.split('|');
      nets.set(code, addDecimals(nets.get(code) ?? '0', subtractDecimals(debit || '0', credit || '0')));
    }
    expect([...nets].toSorted(([a], [b]) => a.localeCompare(b))).toEqual(
      booked.map(({ code, net }) => [code, net]),
    );
    const gone = await db.query<{ id: string }>(
      `select id from finance_voucher where period_id = $1::uuid and status = 'reversed'`,
      [period],
    );
    const [first] = gone.map(({ id }) => id);
    await must(act('fn.aa', 'finance_voucher', first ?? '', 'push'));
    expect((await stored('finance_voucher', first ?? ''))['status']).toBe('reversed');
    expect((await act('fn.aa', 'finance_voucher', first ?? '', 'push')).msg).toBe('凭证已推送');
    expect((await written()).length).toBeLessThan(rows.length + 1);
    // The package did not take it: it leaves once more, is found by its mark, and is entered in the package at last.
    const refused = { inputs: { push_msg: '科目不存在' } };
    await must(act('fn.aa', 'finance_voucher', first ?? '', 'fail', refused));
    expect(await stored('finance_voucher', first ?? '')).toMatchObject({
      status: 'reversed',
      is_push_due: true,
      push_msg: '科目不存在',
    });
    expect(await written()).toEqual([head, ...rows]);
    const due = { is_push_due: { eq: true }, status: { eq: 'reversed' } };
    expect((await as('fn.aa', 'POST', '/data/finance_voucher/query', { filters: due })).data).toMatchObject({
      total: gone.length,
    });
    expect((await act('fn.aa', 'finance_voucher', first ?? '', 'fail', refused)).msg).toBe(
      '凭证待推送或已记账',
    );
    await must(act('fn.aa', 'finance_voucher', first ?? '', 'push'));
    await must(act('fn.aa', 'finance_voucher', first ?? '', 'post', { inputs: { ext_no: '记-1' } }));
    expect(await stored('finance_voucher', first ?? '')).toMatchObject({
      status: 'reversed',
      ext_no: '记-1',
    });
    expect((await act('fn.aa', 'finance_voucher', first ?? '', 'fail', refused)).msg).toBe(
      '凭证待推送或已记账',
    );
    expect(rows).toContain(`20260831|${await codeOf('BANK_FC')}||3960.00|001`);
    expect(rows).toContain(`20260810|${await codeOf('BANK_FC')}|851400.00||001`);
  });

  it(
    'a month is closed when everything is there, by one of two, and opened again in the right order',
    STORY,
    async () => {
      const { as, given, act, stored } = rules;
      const early = await act('fn.aa', 'accounting_period', period, 'close');
      expect([early.status, early.msg]).toEqual([400, expect.stringContaining('期末余额未核对的银行账户')]);
      await must(act('fn.aa', 'accounting_period', period, 'list_checks'));
      const { checks } = await must(as('fn.aa', 'GET', `/data/accounting_period/${period}`));
      const failed = (checks as readonly OpenCheck[]).filter(({ passed }) => !passed);
      expect(failed.map(({ name }) => name)).toContain('期末余额未核对的银行账户');
      for (const { of, which, count } of failed)
        expect((await as('fn.aa', 'POST', `/data/${of}/query`, { filters: which })).data).toMatchObject({
          total: count,
        });
      await checkBalances('2026-08-31');
      // A balance that moved after it was checked counts as one that is not.
      const { db } = rules.example.services;
      const moved = `update bank_balance set is_moved = $2 where account_id = $1::uuid and balance_date = '2026-08-31'`;
      await db.query(moved, [money.accounts.cny, true]);
      await must(act('fn.aa', 'accounting_period', period, 'list_checks'));
      const { checks: again } = await must(as('fn.aa', 'GET', `/data/accounting_period/${period}`));
      expect((again as readonly OpenCheck[]).filter(({ passed }) => !passed)).toMatchObject([
        { name: '期末余额未核对的银行账户', count: 1, of: 'bank_balance' },
      ]);
      expect((await act('fn.aa', 'accounting_period', period, 'close')).msg).toMatch(
        /核对后有变动的银行余额/,
      );
      await db.query(moved, [money.accounts.cny, false]);
      // What waits with a date of the month would be booked in another one, and not at all in this.
      const scope = { sales_id: rules.example.masters.sales, dept_code: 'AA', status: 'pending' };
      const waiting = {
        warehouse_entry: { doc_type: 'in', entry_date: '2026-08-31', warehouse: '一号仓' },
        fund_transfer: { kind: 'bank_to_bank', transfer_date: '2026-08-01', amount: '1.00' },
        other_receivable_invoice: {
          bill_date: '2026-08-20',
          debtor_name: '货代',
          reason: '滞箱费',
          net_amount: '1.00',
        },
        sales_invoice: {
          kind: 'agency_fee',
          billing_date: '2026-08-20',
          purchaser_name: '内销客户',
          net_amount: '1.00',
        },
      };
      const ids = new Map<string, string>();
      for (const [key, fields] of Object.entries(waiting))
        ids.set(key, await given(key, { ...scope, ...fields }));
      await must(act('fn.aa', 'accounting_period', period, 'list_checks'));
      const listed = await must(as('fn.aa', 'GET', `/data/accounting_period/${period}`));
      const found = (listed['checks'] as readonly OpenCheck[]).filter(({ passed }) => !passed);
      expect(found.map(({ of, count }) => [of, count])).toEqual(Object.keys(waiting).map((key) => [key, 1]));
      for (const { of, which } of found)
        expect((await as('fn.aa', 'POST', `/data/${of}/query`, { filters: which })).data).toMatchObject({
          total: 1,
        });
      for (const [key, id] of ids) {
        const refused = await act('fn.aa', 'accounting_period', period, 'close');
        expect([refused.status, refused.msg]).toEqual([
          400,
          expect.stringMatching(/^会计期间检查未通过，不能结账/),
        ]);
        await rules.example.services.db.query(`update ${key} set status = 'draft' where id = $1::uuid`, [id]);
      }
      const both = await Promise.all(
        ['fn.aa', 'fn2.aa'].map((who) => act(who, 'accounting_period', period, 'close')),
      );
      expect(both.map(({ status }) => status === 200).toSorted((a, b) => Number(a) - Number(b))).toEqual([
        false,
        true,
      ]);
      expect((await stored('accounting_period', period))['status']).toBe('closed');
      // What was not passed on before may still be: that books nothing.
      const [left] = await db.query<{ id: string }>(
        `select id from finance_voucher where period_id = $1::uuid and status = 'generated' and event_code = 'MANUAL'`,
        [period],
      );
      await must(act('fn.aa', 'finance_voucher', left?.id ?? '', 'push'));
      const next = await given('accounting_period', SEPTEMBER);
      await must(act('fn.aa', 'accounting_period', next, 'revalue'));
      const reopen = { inputs: { reopen_reason: '补记' }, opinion: '补记' };
      expect((await act('fn.aa', 'accounting_period', period, 'reopen', reopen)).msg).toBe(
        '下一期间已调汇或已结账，只能反结账最后一个期间',
      );
      await must(act('fn.aa', 'accounting_period', next, 'undo_revalue'));
      await must(act('fn.aa', 'accounting_period', period, 'reopen', reopen));
      await money.approve('accounting_period', period, ['gm.aa']);
      expect(await stored('accounting_period', period)).toMatchObject({
        status: 'open',
        total_difference: '0.00',
      });
      expect((await act('fn.aa', 'accounting_period', next, 'revalue')).msg).toBe(
        '上一期间尚未结账，请按顺序调汇',
      );
      // Whoever revalues the next month while the last decision on this one is under way waits for it.
      const turn = `update accounting_period set status = $2 where id = $1::uuid`;
      await db.query(turn, [period, 'closed']);
      const other = await db.pool.connect();
      try {
        await other.query('begin');
        await other.query(turn, [period, 'open']);
        const revalued = act('fn.aa', 'accounting_period', next, 'revalue');
        await expect.poll(() => db.query(WAITING), { timeout: 20_000 }).not.toEqual([]);
        await other.query('commit');
        expect((await revalued).msg).toBe('上一期间尚未结账，请按顺序调汇');
      } finally {
        await other.query('rollback');
        other.release();
      }
      // One that is shut before the one in front of it is found at night.
      await db.query(turn, [next, 'revalued']);
      await checkInvariants(rules.example.services, INVARIANTS);
      await db.query(turn, [next, 'open']);
      const told = await db.query(
        `delete from sys_notice where event = 'DATA_INVARIANT' returning record_id::text as id`,
      );
      expect(told).toContainEqual({ id: next });
    },
  );
});

const WAITING = `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and a.datname = current_database()`;

describe('the plan of a week', () => {
  it('shows what was paid against it; what is outside waits for 总经理', STORY, async () => {
    const { act, as, stored } = rules;
    const of = await moves.funded('资金计划A', '10000.00');
    const asked = async (amount: string): Promise<string> => {
      const id = await money.payment(of, {
        pay_type: 'freight',
        fee_lines: [{ fee_item: 'ocean', shipment_id: of.shipment, amount, invoice_due: '2026-12-20' }],
      });
      await must(act('sp.aa', 'payment_request', id, 'submit'));
      await money.approve('payment_request', id, ['dm.aa', 'fn.aa']);
      return id;
    };
    const confirm = (id: string) =>
      act('tr.aa', 'payment_request', id, 'confirm', {
        inputs: { paid_date: today(), bank_account_id: money.accounts.cny, bank_ref: money.key() },
      });
    const planned = await asked('100.00');
    const outside = await asked('70.00');
    const [department] = await rules.example.services.db.query<{ id: string }>(
      'select d.id from department d join payment_request r on d.code = r.dept_code and d.co_code = r.co_code where r.id = $1::uuid',
      [planned],
    );
    const week = monday();
    const midweek = { dept_id: department?.id, week_start: addDays(week, 2), opening: '900000.00' };
    expect(await refusal(rules.as('tr.aa', 'POST', '/data/fund_plan', midweek))).toEqual([
      400,
      '周起始须为星期一',
    ]);
    const poor = await must(
      rules.as('tr.aa', 'POST', '/data/fund_plan', {
        ...midweek,
        week_start: addDays(week, 28),
        opening: '5.00',
      }),
    );
    const later = isoWeek(addDays(week, 28));
    expect(poor['plan_no']).toBe(`AAJH${later.year}W${String(later.week).padStart(2, '0')}01`);
    expect((await refusal(rules.act('tr.aa', 'fund_plan', String(poor['id']), 'submit')))[1]).toBe(
      '预计期末低于资金下限（500,000 CNY）',
    );
    const plan = await moves.done(
      'tr.aa',
      'fund_plan',
      {
        dept_id: department?.id,
        week_start: week,
        opening: '900000.00',
        outs: [{ pay_type: 'freight', payment_request_id: planned, plan_date: week, amount: '95.00' }],
      },
      ['fn.aa', 'gm.aa'],
    );
    await runDailyActions(rules.example.services);
    expect((await stored('fund_plan', plan))['status']).toBe('executing');
    // The same clock opens the month after one that is over.
    const opened = await rules.example.services.db.query(
      `select start_date::text, end_date::text from accounting_period where period = '202610'`,
      [],
    );
    expect(opened).toEqual([{ start_date: '2026-10-01', end_date: '2026-10-31' }]);
    await must(act('tr.aa', 'payment_request', planned, 'pay'));
    await must(confirm(planned));
    expect(await stored('fund_plan', plan)).toMatchObject({ actual_out: '100.00' });
    expect((await act('tr.aa', 'payment_request', outside, 'pay')).msg).toBe('超出资金计划，需总经理放行');
    await must(act('gm.aa', 'payment_request', outside, 'release_plan', { opinion: '急用' }));
    await must(act('tr.aa', 'payment_request', outside, 'pay'));
    await must(confirm(outside));
    const report = await must(
      as('gm.aa', 'POST', '/data/fund_plan_actual/query', {
        currentPage: 1,
        pageSize: 10,
        filters: { pay_type: { eq: 'freight' } },
      }),
    );
    expect(report).toMatchObject({
      records: [
        { week_start: week, planned: '95.00', actual: '170.00', outside: '70.00', difference: '75.00' },
      ],
    });
    // A week whose successor is decided already ends without moving what was not paid into it.
    const before = await moves.done(
      'tr.aa',
      'fund_plan',
      {
        dept_id: department?.id,
        week_start: addDays(week, -7),
        opening: '900000.00',
        outs: [{ pay_type: 'freight', plan_date: addDays(week, -6), amount: '40.00' }],
      },
      ['fn.aa', 'gm.aa'],
    );
    await runDailyActions(rules.example.services);
    await runDailyActions(rules.example.services);
    expect(await stored('fund_plan', before)).toMatchObject({ status: 'closed', next_decided: '1' });
    expect(await stored('fund_plan', plan)).toMatchObject({ plan_out: '95.00' });
  });
});

describe('a payment that is carried over', () => {
  it('counts in the plan of the week that runs, and was paid in one week', STORY, async () => {
    const { act, stored } = rules;
    const { db } = rules.example.services;
    const of = await moves.funded('资金计划B', '10000.00');
    const fees = [
      { fee_item: 'ocean', shipment_id: of.shipment, amount: '120.00', invoice_due: '2026-12-20' },
    ];
    const payment = await money.payment(of, { pay_type: 'freight', fee_lines: fees });
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.approve('payment_request', payment, ['dm.aa', 'fn.aa']);
    const [department] = await db.query<{ id: string }>(
      `select d.id from department d where d.co_code = 'AA'
         and not exists (select 1 from fund_plan p where p.dept_id = d.id) limit 1`,
      [],
    );
    const week = monday();
    const day = addDays(week, -6);
    const last = await moves.done(
      'tr.aa',
      'fund_plan',
      {
        ...{ dept_id: department?.id, week_start: addDays(week, -7), opening: '900000.00' },
        outs: [{ pay_type: 'freight', payment_request_id: payment, plan_date: day, amount: '100.00' }],
      },
      ['fn.aa', 'gm.aa'],
    );
    // Its week has begun: it runs from its approval on.
    expect(await stored('fund_plan', last)).toMatchObject({ status: 'executing' });
    await runDailyActions(rules.example.services);
    expect(await stored('fund_plan', last)).toMatchObject({ status: 'closed' });
    const [next] = await db.query<{ id: string }>(
      'select id from fund_plan where dept_id = $1::uuid and week_start = $2',
      [department?.id, week],
    );
    const plan = next?.id ?? '';
    await must(act('tr.aa', 'fund_plan', plan, 'submit'));
    await money.approve('fund_plan', plan, ['fn.aa', 'gm.aa']);
    expect(await stored('payment_request', payment)).toMatchObject({ planned_amount: '100.00' });
    // 120.00 is over 110 % of the one line that runs.
    expect((await act('tr.aa', 'payment_request', payment, 'pay')).msg).toBe('超出资金计划，需总经理放行');
    await must(act('gm.aa', 'payment_request', payment, 'release_plan', { opinion: '急用' }));
    await must(act('tr.aa', 'payment_request', payment, 'pay'));
    const paid = { paid_date: today(), bank_account_id: money.accounts.cny, bank_ref: money.key() };
    await must(act('tr.aa', 'payment_request', payment, 'confirm', { inputs: paid }));
    expect(await stored('fund_plan', plan)).toMatchObject({ actual_out: '120.00' });
    expect(await stored('fund_plan', last)).toMatchObject({ actual_out: '0.00' });
  });

  it('is left out when it was paid already or is not paid any more', STORY, async () => {
    const { stored } = rules;
    const { db } = rules.example.services;
    const of = await money.trader('资金计划C');
    const request = () => money.payment(of, { pay_type: 'freight', fee_lines: [{ amount: '10.00' }] });
    const [open, gone, early] = [await request(), await request(), await request()];
    const turn = (ids: readonly string[], status: string) =>
      db.query('update payment_request set status = $2 where id = any($1::uuid[])', [ids, status]);
    await turn([open, gone, early], 'approved');
    const [department] = await db.query<{ id: string }>(
      `select id from department where co_code = 'AA' limit 1`,
      [],
    );
    const week = addDays(monday(), -28);
    const plan = await moves.done(
      'tr.aa',
      'fund_plan',
      {
        ...{ dept_id: department?.id, week_start: week, opening: '900000.00' },
        outs: [open, gone, early, null].map((id) => ({
          ...{ pay_type: 'freight', payment_request_id: id, plan_date: week, amount: '10.00' },
        })),
      },
      ['fn.aa', 'gm.aa'],
    );
    await turn([gone], 'void');
    await turn([early], 'paid');
    await runDailyActions(rules.example.services);
    expect(await stored('fund_plan', plan)).toMatchObject({ status: 'closed' });
    const carried = await db.query<{ id: string | null }>(
      `select l.payment_request_id as id from fund_plan__outs l join fund_plan p on p.id = l.parent_id
       where p.dept_id = $1::uuid and p.week_start = $2 order by l.line_order`,
      [department?.id, addDays(week, 7)],
    );
    expect(carried.map(({ id }) => id)).toEqual([open, null]);
    await turn([open, gone, early], 'draft');
  });
});

/** The company's day, and the Monday of its week. */
function today(): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
}

function monday(): string {
  const day = new Date(`${today()}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = await services.db.query(
    `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
    [],
  );
  expect(told).toEqual([]);
});
