import type { Page } from 'playwright/test';
import {
  approved,
  call,
  change,
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  list,
  newest,
  recordOf,
  run,
} from './support/flow-api.ts';
import { act, agree, shot, showRecord, staff } from './support/flow-desk.ts';
import { checkBalances, enterRates, freeMonth, monthsToClose, sendBackWaiting } from './support/month-end.ts';
import { test } from './support/test.ts';

type Desks = Awaited<ReturnType<typeof staff<'sp' | 'fn' | 'fn2' | 'gm' | 'tr' | 'ad' | 'tm'>>>;

/** The line of a paid statement of a month whose settlement still stands, with that statement. */
async function paidLine(fn: Page, month: Fields): Promise<{ statement: string; settlement: string } | null> {
  for (const { id } of await find(fn, 'commission_statement', {
    ...{ status: { eq: 'paid' }, period: { eq: month['period'] } },
  })) {
    const statement = String(id);
    const lines = list((await recordOf(fn, 'commission_statement', statement))['lines']);
    const line = lines.find((each) => each['kind'] === 'settle' && each['is_reversed'] !== true);
    if (line !== undefined) return { statement, settlement: String(line['settlement_id']) };
  }
  return null;
}

/** The last month that is closed. */
async function lastClosed(fn: Page): Promise<Fields> {
  const closed = await find(fn, 'accounting_period', { status: { eq: 'closed' } });
  const [last] = closed.toSorted((a, b) => (String(a['period']) < String(b['period']) ? 1 : -1));
  if (last === undefined) throw new TypeError('no month is closed');
  return last;
}

/** Closes a month that is over. */
async function close(desks: Desks, month: Fields): Promise<void> {
  const { fn, ad, tr } = desks;
  const id = String(month['id']);
  await sendBackWaiting(desks, month);
  await enterRates({ ad }, month);
  if (month['status'] === 'open') await run(fn, 'accounting_period', id, { action: 'revalue' });
  await checkBalances({ tr }, month['end_date'], 0);
  await run(fn, 'accounting_period', id, { action: 'close' });
}

async function open(desks: Desks, month: Fields): Promise<void> {
  const { fn, gm } = desks;
  const id = String(month['id']);
  await run(fn, 'accounting_period', id, { action: 'reopen', inputs: { reopen_reason: '运费漏记' } });
  const { task } = await call(gm, 'GET', `/approval/record/accounting_period/${id}`);
  const { id: taskId, version } = task as Fields;
  await call(gm, 'POST', `/approval/${String(taskId)}/approve`, { version, opinion: '同意' });
  await expectStatus(fn, 'accounting_period', id, 'open');
}

/** Approves a statement and pays it out of an account in CNY. */
async function paid({ fn, fn2, gm }: Desks, id: string): Promise<void> {
  await approved(fn, 'commission_statement', id, [fn2, gm]);
  const account = await newest(fn, 'company_bank_account', {
    ...{ currency: { eq: 'CNY' }, status: { eq: 'active' } },
  });
  const day = await recordOf(fn, 'commission_statement', id);
  await run(fn, 'commission_statement', id, {
    action: 'pay',
    inputs: { bank_account_id: account['id'], paid_date: String(day['approved_at']).slice(0, 10) },
  });
}

test('a settlement is undone after its commission was paid: the next statement takes it back, the salesperson sees why', async ({
  browser,
}) => {
  const desks = await staff(browser, ['sp', 'fn', 'fn2', 'gm', 'tr', 'ad', 'tm']);
  const { sp, fn, fn2, gm } = desks;
  const { month: following, wasRevalued } = await monthsToClose(fn);
  // Only the last month that is shut can be opened.
  if (wasRevalued) await run(fn, 'accounting_period', String(following['id']), { action: 'undo_revalue' });
  const month = await lastClosed(fn);
  const { person } = await freeMonth(fn, sp);
  const scheme = await newest(fn, 'commission_scheme', {
    ...{ status: { eq: 'active' }, person_kind: { eq: 'salesperson' }, base: { eq: 'profit' } },
  });
  const begin = async (period: unknown) => {
    const made = await create(fn, 'commission_statement', {
      ...{ period, person_id: person['id'], scheme_id: scheme['id'] },
    });
    return String(made['id']);
  };

  if ((await paidLine(fn, month)) === null) {
    const [begun] = await find(fn, 'commission_statement', {
      ...{ person_id: { eq: person['id'] }, period: { eq: month['period'] } },
      status: { in: ['draft', 'calculated'] },
    });
    const id = begun === undefined ? await begin(month['period']) : String(begun['id']);
    await run(fn, 'commission_statement', id, { action: 'calculate' });
    await paid(desks, id);
  }
  const line = await paidLine(fn, month);
  if (line === null) throw new TypeError('no settlement of the month was paid');
  const before = await recordOf(fn, 'commission_statement', line.statement);

  await test.step('as long as the month is closed, the dialog leads to it', async () => {
    await showRecord(fn, 'project_settlement', line.settlement);
    await fn
      .getByRole('button', { name: '反结算', exact: true })
      .or(fn.getByRole('button', { name: /^更多/ }))
      .filter({ visible: true })
      .first()
      .click();
    const entry = fn.getByRole('menuitem', { name: '反结算', exact: true });
    if (await entry.isVisible()) await entry.click();
    const dialog = fn.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('运费漏记');
    await expect(dialog.getByText('不能反结算').first()).toBeVisible();
    await expect(dialog.getByText(String(month['period'])).first()).toBeVisible();
    await shot(fn, 'clawback-closed');
  });

  await test.step('it is opened, the settlement undone with the manager', async () => {
    await open(desks, month);
    await showRecord(fn, 'project_settlement', line.settlement);
    await act(fn, '反结算', {}, async (dialog) => dialog.getByRole('textbox').first().fill('运费漏记'));
    await agree(gm, 'project_settlement', line.settlement);
    await expectStatus(fn, 'project_settlement', line.settlement, 'reversed');
  });

  await test.step('the paid statement keeps what was paid and says what is to be taken back', async () => {
    const after = await recordOf(fn, 'commission_statement', line.statement);
    expect(after['payable']).toBe(before['payable']);
    expect(Number(after['clawback'])).toBeGreaterThan(Number(before['clawback']));
    await showRecord(fn, 'commission_statement', line.statement);
    await shot(fn, 'clawback-due');
  });

  const { period } = await freeMonth(fn, sp);
  const next = await begin(period);
  await test.step('the next calculation has it; no more is taken than is paid', async () => {
    await showRecord(fn, 'commission_statement', next);
    await act(fn, '计算');
    const { clawback_due: due } = await recordOf(fn, 'commission_statement', next);
    expect(Number(due)).toBeGreaterThan(0);
    await change(fn, 'commission_statement', next, { adjust: '2000.00', adjust_reason: '开发新客户' });
    const { deduct, payable, commission } = await recordOf(fn, 'commission_statement', next);
    expect([deduct, Number(payable).toFixed(2)]).toEqual([
      due,
      (Number(commission) + 2000 - Number(due)).toFixed(2),
    ]);
    await showRecord(fn, 'commission_statement', next);
    await shot(fn, 'clawback-taken');
  });

  await test.step('two agree, finance pays, the salesperson reads it', async () => {
    await act(fn, '提交');
    for (const approver of [fn2, gm]) await agree(approver, 'commission_statement', next);
    await showRecord(fn, 'commission_statement', next);
    const account = await newest(fn, 'company_bank_account', {
      ...{ currency: { eq: 'CNY' }, status: { eq: 'active' } },
    });
    await act(fn, '发放', { 发放账户: String(account['account_no']) });
    await expectStatus(fn, 'commission_statement', next, 'paid');
    await showRecord(sp, 'commission_statement', next);
    await shot(sp, 'clawback-own');
  });
  await close(desks, await recordOf(fn, 'accounting_period', String(month['id'])));
  if (wasRevalued) await run(fn, 'accounting_period', String(following['id']), { action: 'revalue' });
});
