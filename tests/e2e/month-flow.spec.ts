import type { Page } from 'playwright/test';
import {
  approved,
  change,
  create,
  expect,
  expectStatus,
  find,
  list,
  newest,
  recordOf,
  run,
} from './support/flow-api.ts';
import { checkBalances, enterRates, freeMonth, monthsToClose, sendBackWaiting } from './support/month-end.ts';
import {
  act,
  agree,
  fillIn,
  idInFront,
  pickIn,
  save,
  shot,
  show,
  showRecord,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

/** Presses the button and agrees; what the server said. */
async function pressClose(page: Page): Promise<string> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/actions/close'));
  await page.getByRole('dialog').getByRole('button', { name: '结账', exact: true }).click();
  return ((await (await answer).json()) as { readonly msg: string }).msg;
}

async function openClose(page: Page, id: string): Promise<void> {
  await showRecord(page, 'accounting_period', id);
  await page.getByRole('button', { name: '结账', exact: true }).filter({ visible: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

test('a month is revalued, checked, closed by one of two, and opened again in the right order', async ({
  browser,
}) => {
  const desks = await staff(browser, ['fn', 'fn2', 'gm', 'tr', 'ad', 'tm']);
  const { fn, fn2, gm, tr } = desks;
  const { month, following, wasRevalued } = await monthsToClose(fn);
  await sendBackWaiting(desks, month);
  const id = String(month['id']);
  for (const each of [month, following]) await enterRates(desks, each);
  if (wasRevalued) await run(fn, 'accounting_period', id, { action: 'undo_revalue' });
  const left = await checkBalances(desks, month['end_date'], 1);

  await test.step('finance revalues: what each account comes to is on the page', async () => {
    await showRecord(fn, 'accounting_period', id);
    await act(fn, '调汇');
    const revalued = await recordOf(fn, 'accounting_period', id);
    expect(revalued['status']).toBe('revalued');
    const lines = list(revalued['revaluations']);
    expect(lines.length).toBeGreaterThan(0);
    await expect(fn.getByText('调汇明细', { exact: true }).filter({ visible: true }).first()).toBeVisible();
    await shot(fn, 'month-revalued');
  });

  await test.step('an entry of that month is refused on the form, with the month', async () => {
    await show(tr, '/zjc/cwfydj');
    await pickIn(tr, '银行账户', '');
    await fillIn(tr, { 发生日期: String(month['end_date']), 原币金额: '12.00' });
    await save(tr);
    await tr.getByRole('button', { name: '提交', exact: true }).filter({ visible: true }).first().click();
    const dialog = tr.getByRole('dialog');
    await dialog.getByRole('button', { name: /^(确认)?提交$/ }).click();
    const text = `会计期间已结账，不能操作（${String(month['start_date']).slice(0, 7)}）`;
    await expect(tr.getByText(text).filter({ visible: true }).first()).toBeVisible();
    await shot(tr, 'month-shut');
  });

  await test.step('the list of checks names what is missing, and the month stays open for it', async () => {
    await act(fn, '结账检查');
    await expect(fn.getByText('期末余额未核对的银行账户').filter({ visible: true }).first()).toBeVisible();
    await openClose(fn, id);
    expect(await pressClose(fn)).toContain('会计期间检查未通过，不能结账');
    await shot(fn, 'month-not-ready');
    const closing = (await recordOf(tr, 'bank_balance', String(left)))['closing'];
    await change(tr, 'bank_balance', String(left), { statement: closing });
    await run(tr, 'bank_balance', String(left), { action: 'check' });
  });

  await test.step('two close it: one does, the other reads why not', async () => {
    await Promise.all([openClose(fn, id), openClose(fn2, id)]);
    const told = await Promise.all([pressClose(fn), pressClose(fn2)]);
    const refused = told.filter((text) => text !== '操作成功');
    expect(refused).toEqual([expect.stringMatching(/已被他人修改|当前状态|已结账/)]);
    await expectStatus(fn, 'accounting_period', id, 'closed');
    await shot(told[0] === refused[0] ? fn : fn2, 'month-second');
  });

  await test.step('the month before one that is revalued does not open', async () => {
    await run(fn, 'accounting_period', String(following['id']), { action: 'revalue' });
    await showRecord(fn, 'accounting_period', id);
    await fn.getByRole('button', { name: '反结账', exact: true }).filter({ visible: true }).first().click();
    const dialog = fn.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('补记费用');
    await expect(dialog.getByText('下一期间已调汇或已结账，只能反结账最后一个期间').first()).toBeVisible();
    await shot(fn, 'month-order');
    await run(fn, 'accounting_period', String(following['id']), { action: 'undo_revalue' });
  });

  await test.step('finance asks to open it again, the manager agrees', async () => {
    await showRecord(fn, 'accounting_period', id);
    await act(fn, '反结账', { 反结账原因: '补记费用' });
    await agree(gm, 'accounting_period', id);
    await expectStatus(fn, 'accounting_period', id, 'open');
    expect(await recordOf(fn, 'accounting_period', id)).toMatchObject({ total_difference: '0.00' });
  });
  if (wasRevalued) await run(fn, 'accounting_period', id, { action: 'revalue' });
});

test('vouchers of a month leave in the format of an accounting package', async ({ browser }) => {
  const { fn } = await staff(browser, ['fn']);
  const name = `总账导入${Date.now()}`;
  const sources = ['voucher_date', 'voucher_no', 'summary', 'subject_code', 'debit', 'credit', 'partner'];
  await create(fn, 'voucher_format', {
    ...{ name, day_form: 'plain', separator: 'bar' },
    columns: sources.map((source, place) => ({ title: `列${place + 1}`, source })),
  });
  const period = await newest(fn, 'accounting_period', { status: { eq: 'closed' } });
  await show(fn, '/index/djbj?resource=voucher_export');
  await pickIn(fn, '会计期间', String(period['period']));
  await pickIn(fn, '文件格式', name);
  await save(fn);
  const id = await idInFront(fn);
  await act(fn, '生成文件');
  const written = await recordOf(fn, 'voucher_export', id);
  expect(written['status']).toBe('done');
  await showRecord(fn, 'voucher_export', id);
  await shot(fn, 'voucher-export');
  await fn.locator('button.attachment-name').filter({ visible: true }).first().click();
  const loading = fn.waitForEvent('download');
  await fn.getByRole('dialog').getByText('下载', { exact: true }).click();
  const download = await loading;
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk as Uint8Array));
  const rows = new TextDecoder('gbk').decode(Buffer.concat(chunks)).trim().split('\r\n');
  expect(rows[0]).toBe('列1|列2|列3|列4|列5|列6|列7');
  expect(rows.length).toBeGreaterThan(Number(written['voucher_count']));
});

/** Holds the answers to reading calls of an address back until what is returned is called. */
async function holdReading(page: Page, address: string): Promise<() => void> {
  let go = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(
    (url) => url.pathname.endsWith(address),
    async (route) => {
      if (route.request().method() === 'GET') await isFree;
      await route.continue();
    },
  );
  return () => go();
}

test('a commission is calculated of a closed month, adjusted, approved, paid, and read by whose it is', async ({
  browser,
}) => {
  const { fn, fn2, gm, sp } = await staff(browser, ['fn', 'fn2', 'gm', 'sp']);

  await test.step('tiers with a gap are not handed in; the scheme is approved and taken out of use again', async () => {
    await show(fn, '/tctj/tcfa');
    const scheme = await create(fn, 'commission_scheme', {
      ...{ name: `单证提成${Date.now()}`, person_kind: 'documents', base: 'shipments', overdue_factor: '1' },
      tiers: [
        { from_amount: '0', to_amount: '100', rate: '1' },
        { from_amount: '200', rate: '2' },
      ],
    });
    const id = String(scheme['id']);
    await show(fn, `/index/djbj?resource=commission_scheme&id=${id}`);
    await fn.getByRole('button', { name: '提交', exact: true }).click();
    await expect(fn.getByText('阶梯须从0开始并且首尾相接').filter({ visible: true }).first()).toBeVisible();
    await shot(fn, 'scheme-gap');
    const [, second] = list((await recordOf(fn, 'commission_scheme', id))['tiers']);
    await change(fn, 'commission_scheme', id, { tiers: [{ id: second?.['id'], from_amount: '100' }] });
    await approved(fn, 'commission_scheme', id, [fn2, gm]);
    await expectStatus(fn, 'commission_scheme', id, 'active');
    await showRecord(gm, 'commission_scheme', id);
    await act(gm, '停用');
    await expectStatus(gm, 'commission_scheme', id, 'disabled');
  });

  const scheme = await newest(fn, 'commission_scheme', {
    ...{ status: { eq: 'active' }, person_kind: { eq: 'salesperson' }, base: { eq: 'profit' } },
  });
  const { period, person } = await freeMonth(fn, sp);
  const id = await test.step('finance makes the statement of a month and calculates it', async () => {
    await show(fn, '/index/djbj?resource=commission_statement');
    await fillIn(fn, { 月份: period });
    await pickIn(fn, '人员', String(person['name']));
    await pickIn(fn, '提成方案', String(scheme['name']));
    await save(fn);
    const made = await idInFront(fn);
    // What is typed while the calculated record is read stays, and a save then waits for it: nobody is in conflict with oneself.
    const letRead = await holdReading(fn, `/data/commission_statement/${made}`);
    await act(fn, '计算');
    await fillIn(fn, { 调整: '88.00' });
    await expectStatus(fn, 'commission_statement', made, 'calculated');
    await fn.keyboard.press('Control+s');
    letRead();
    await expect(fn.getByText('已计算').filter({ visible: true }).first()).toBeVisible();
    await expect(fn.getByText('请填写调整原因').filter({ visible: true }).first()).toBeVisible();
    await fillIn(fn, { 调整原因: '上月漏计' });
    await shot(fn, 'commission-adjusted');
    await save(fn);
    return made;
  });

  await test.step('two agree, finance pays, the book and the bank have it', async () => {
    await run(fn, 'commission_statement', id, { action: 'submit' });
    await agree(fn2, 'commission_statement', id);
    await agree(gm, 'commission_statement', id);
    await expectStatus(fn, 'commission_statement', id, 'approved');
    await showRecord(fn, 'commission_statement', id);
    const account = await newest(fn, 'company_bank_account', {
      ...{ currency: { eq: 'CNY' }, status: { eq: 'active' } },
    });
    await act(fn, '发放', { 发放账户: String(account['account_no']) });
    await expectStatus(fn, 'commission_statement', id, 'paid');
    await showRecord(fn, 'commission_statement', id);
    await shot(fn, 'commission-paid');
    const [entry] = await find(fn, 'bank_entry', { source_id: { eq: id } });
    const { payable } = await recordOf(fn, 'commission_statement', id);
    expect(Number(entry?.['amount'])).toBe(-Number(payable));
  });

  await test.step('the salesperson reads it, and nobody else’s', async () => {
    await show(sp, '/tctj/tcjs');
    const number = String((await recordOf(sp, 'commission_statement', id))['statement_no']);
    await expect(sp.getByText(number).filter({ visible: true }).first()).toBeVisible();
    const seen = await find(sp, 'commission_statement', {});
    expect([...new Set(seen.map((row) => row['person_id']))]).toEqual([person['id']]);
    await shot(sp, 'commission-own');
  });
});
