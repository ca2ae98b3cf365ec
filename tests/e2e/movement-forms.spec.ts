import type { Page } from 'playwright/test';
import {
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  newest,
  recordOf,
  run,
} from './support/flow-api.ts';
import { agree, fillIn, formField, idInFront, pickIn, save, shot, show, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

const PDF = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') };

/** A partner with money, a current agreement, and another one to give some to. */
async function partners(
  fn: Page,
  sp: Page,
): Promise<{ readonly rich: Fields; readonly other: Fields; readonly agreement: Fields }> {
  const general = { account_kind: { eq: 'general' }, pool_type: { eq: 'partner' }, status: { eq: 'active' } };
  const pools = await find(fn, 'fund_pool', { ...general, available: { gt: '3000' } });
  const all = await find(fn, 'fund_pool', general);
  for (const rich of pools) {
    const [agreement] = await find(sp, 'cooperation_agreement', {
      ...{ partner_id: { eq: rich['partner_id'] }, status: { in: ['effective', 'expiring'] } },
    });
    const other = all.find(({ id }) => id !== rich['id']);
    if (agreement !== undefined && other !== undefined) return { rich, other, agreement };
  }
  throw new TypeError('no partner with money and an agreement');
}

const labelOf = (record: Fields, field: string): string => String((record['_labels'] as Fields)[field]);

async function attach(page: Page, title: string): Promise<void> {
  const field = formField(page, title);
  await field.locator('input[type=file]').setInputFiles({ ...PDF, name: `${title}.pdf` });
  await expect(field.getByText(`${title}.pdf`)).toBeVisible();
  await expect(field.locator('.ant-progress')).toHaveCount(0);
}

/** Saves the form, hands the document in as the page does, and lets the others agree on theirs. */
async function through(
  page: Page,
  resource: string,
  { others, state }: { readonly others: readonly Page[]; readonly state: string },
): Promise<string> {
  await save(page);
  const id = await idInFront(page);
  await shot(page, `form-${resource}`);
  await page.getByRole('button', { name: '提交', exact: true }).filter({ visible: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^(确认)?提交$/ }).click();
  await expect(dialog).toBeHidden();
  for (const other of others) await agree(other, resource, id);
  await expectStatus(page, resource, id, state);
  return id;
}

test('money from home, a transfer, a deposit and money that goes back: each on its form, and undone again', async ({
  browser,
}) => {
  const { sp, fn, fn2, rk, tm, tr } = await staff(browser, ['sp', 'fn', 'fn2', 'rk', 'tm', 'tr']);
  const { rich, other, agreement } = await partners(fn, sp);
  const partner = labelOf(rich, 'partner_id');
  const balance = async (): Promise<string> =>
    String((await recordOf(fn, 'fund_pool', String(rich['id'])))['balance']);
  const before = await balance();
  const cny = { currency: { eq: 'CNY' }, status: { eq: 'active' } };
  const account = String((await newest(fn, 'company_bank_account', cny))['account_no']);

  await show(fn, '/shmanage/gnskdj');
  await pickIn(fn, '收款银行', account);
  await pickIn(fn, '委托方', partner);
  await fillIn(fn, { 银行流水号: `DF${Date.now()}`, 付款方: '别人', 收款金额: '321.00' });
  await fn.keyboard.press('Control+s');
  await expect(
    fn.getByText('委托方转入的付款方须为委托方本人').filter({ visible: true }).first(),
  ).toBeVisible();
  await fillIn(fn, { 付款方: partner });
  const receipt = await through(fn, 'domestic_receipt', { others: [fn2], state: 'posted' });
  expect(Number(await balance())).toBe(Number(before) + 321);

  await show(fn, '/index/djbj?resource=fund_transfer');
  await pickIn(fn, '转出资金池', String(rich['pool_no']));
  await pickIn(fn, '转入资金池', String(other['pool_no']));
  await fillIn(fn, { 金额: '21.00' });
  await attach(fn, '双方同意书');
  const transfer = await through(fn, 'fund_transfer', { others: [fn2, rk], state: 'posted' });
  expect(Number(await balance())).toBe(Number(before) + 300);

  await show(sp, '/zjc/bzjdj');
  await pickIn(sp, '委托方', partner);
  await pickIn(sp, '合作协议', String(agreement['agreement_no']));
  await fillIn(sp, { 金额: '100.00' });
  const deposit = await through(sp, 'deposit', { others: [fn2], state: 'held' });
  expect(Number(await balance())).toBe(Number(before) + 200);

  const usd = await newest(fn, 'company_bank_account', { currency: { eq: 'USD' }, status: { eq: 'active' } });
  const country = await newest(fn, 'country', { name: { eq: '德国' } });
  const wrong = await create(fn, 'receipt', {
    ...{ bank_account_id: usd['id'], currency: 'USD', value_date: await today(fn), gross_amount: '88.00' },
    ...{ payer_name: 'IRRLÄUFER GMBH', payer_country_id: country['id'], bank_ref: `IR${Date.now()}` },
  });
  await show(fn, '/payment/thkbj');
  await pickIn(fn, '原收汇', String(wrong['receipt_no']));
  await pickIn(fn, '退汇原因', '误汇');
  await fillIn(fn, { 退汇说明: '客户误汇', 退汇金额: '88.00', 收款人: 'IRRLÄUFER GMBH' });
  await fillIn(fn, { 收款账号: 'DE02120300000000202051', 收款银行: 'DKB BERLIN', SWIFT代码: 'BYLADEM1001' });
  await attach(fn, '退款协议');
  const back = await through(fn, 'remittance_return', { others: [tm, fn2, rk], state: 'approved' });
  const paid = { paid_date: await today(fn), bank_account_id: usd['id'], bank_ref: `RT${Date.now()}` };
  await run(tr, 'remittance_return', back, { action: 'confirm', inputs: paid });
  await expectStatus(fn, 'receipt', String(wrong['id']), 'returned');

  // All as it was for whoever comes next.
  await run(fn, 'deposit', deposit, { action: 'give_back', inputs: { move_amount: '100.00' } });
  await run(tm, 'fund_transfer', transfer, { action: 'reverse', opinion: '流程试验' });
  await run(fn, 'domestic_receipt', receipt, { action: 'reverse', opinion: '流程试验' });
  expect(await balance()).toBe(before);
});

/** The company's day. */
const today = (page: Page): Promise<string> =>
  page.evaluate(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date()));
