import type { Page } from 'playwright/test';
import { approved, create, expect, expectStatus, find, list, newest, recordOf } from './support/flow-api.ts';
import {
  act,
  agree,
  fillCell,
  fillIn,
  gridOf,
  idInFront,
  pickCell,
  pickIn,
  save,
  shot,
  show,
  showRecord,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

type Desks = Awaited<ReturnType<typeof staff<'sp' | 'dm' | 'fn' | 'fn2' | 'gm' | 'tr'>>>;

/** They ask for no payments: a plan that runs holds up what its department pays outside it. */
const QUIET = ['风控部', '贸管部', '财务部', '客服部'];
const TOO_MUCH = '超出资金计划，需总经理放行';

/** An approved payment like one that was approved before, of another amount. */
async function asked({ sp, dm, fn }: Desks, amount: string): Promise<{ id: string; number: string }> {
  const like = await newest(sp, 'payment_request', {
    ...{ status: { in: ['approved', 'paid'] }, pay_type: { eq: 'other' }, purpose: { ne: '资金计划' } },
  });
  const {
    pay_type,
    partner_id,
    payee_kind,
    payee_name,
    payee_account,
    payee_bank,
    cnaps,
    currency,
    ...rest
  } = await recordOf(sp, 'payment_request', String(like['id']));
  const [line] = list(rest['fee_lines']);
  const made = await create(sp, 'payment_request', {
    ...{ pay_type, partner_id, payee_kind, payee_name, payee_account, payee_bank, cnaps, currency },
    ...{ purpose: '资金计划', need_date: rest['need_date'] },
    fee_lines: [
      {
        ...{ fee_item: line?.['fee_item'], shipment_id: line?.['shipment_id'] },
        ...{ amount, invoice_due: line?.['invoice_due'] },
      },
    ],
  });
  const id = String(made['id']);
  await approved(sp, 'payment_request', id, [dm, fn]);
  await expectStatus(sp, 'payment_request', id, 'approved');
  return { id, number: String(made['pay_no']) };
}

/** The Monday of this week: what is paid is measured against the plan that runs. */
function thisMonday(): string {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

async function payout(tr: Page, id: string): Promise<void> {
  await show(tr, `/payment/qtfdetails?id=${id}`);
  await act(tr, '付款');
  const account = await newest(tr, 'company_bank_account', {
    ...{ currency: { eq: 'CNY' }, status: { eq: 'active' } },
  });
  await act(tr, '付款成功', { 付款银行: String(account['account_no']), 银行流水号: `JH${Date.now()}` });
  await expectStatus(tr, 'payment_request', id, 'paid');
}

test('a week is planned, kept above the least cash, approved and paid; what is above the plan waits for the manager', async ({
  browser,
}) => {
  const desks = await staff(browser, ['sp', 'dm', 'fn', 'fn2', 'gm', 'tr']);
  const { fn, gm, tr } = desks;
  const within = await asked(desks, '60.00');
  const above = await asked(desks, '50.00');
  const week = thisMonday();
  const planned = JSON.stringify(await find(tr, 'fund_plan', { week_start: { eq: week } }));
  const department = QUIET.find((name) => !planned.includes(name)) ?? '';

  const id = await test.step('treasury plans the week with the payments that are asked for', async () => {
    await show(tr, '/index/djbj?resource=fund_plan');
    await pickIn(tr, '部门', department);
    await fillIn(tr, { 周起始: week, 期初可用资金: '500050.00' });
    const outs = await gridOf(tr, '计划支出');
    const add = tr.locator('.line-grid', { has: outs }).getByRole('button', { name: '添加行' });
    for (const [place, { number, amount }] of [
      { ...within, amount: '60.00' },
      { ...above, amount: '40.00' },
    ].entries()) {
      const line = place + 1;
      await add.click();
      await pickCell(outs, '付款类型', '其他', line);
      await pickCell(outs, '付款单', number, line);
      await fillCell(outs, '计划日期', week, line);
      await fillCell(outs, '金额', amount, line);
    }
    await shot(tr, 'plan-form');
    await save(tr);
    return idInFront(tr);
  });

  await test.step('it is not handed in below the least cash', async () => {
    expect(await recordOf(tr, 'fund_plan', id)).toMatchObject({ plan_out: '100.00', closing: '499950.00' });
    await tr.getByRole('button', { name: '提交', exact: true }).filter({ visible: true }).first().click();
    await expect(tr.getByText('预计期末低于资金下限').filter({ visible: true }).first()).toBeVisible();
    await shot(tr, 'plan-low');
    await show(tr, `/index/djbj?resource=fund_plan&id=${id}`);
    await fillIn(tr, { 期初可用资金: '900000.00' });
    await save(tr);
    await showRecord(tr, 'fund_plan', id);
    await act(tr, '提交');
    for (const approver of [fn, gm]) await agree(approver, 'fund_plan', id);
    await expectStatus(tr, 'fund_plan', id, 'executing');
  });

  await test.step('what is planned is paid, what is above the plan waits until the manager lets it go', async () => {
    await payout(tr, within.id);
    await show(tr, `/payment/qtfdetails?id=${above.id}`);
    await tr.getByRole('button', { name: '付款', exact: true }).filter({ visible: true }).first().click();
    await expect(tr.getByText(TOO_MUCH).filter({ visible: true }).first()).toBeVisible();
    await shot(tr, 'plan-above');
    await show(gm, `/payment/qtfdetails?id=${above.id}`);
    await act(gm, '计划外放行', {}, async (dialog) => dialog.getByRole('textbox').first().fill('急用'));
    await payout(tr, above.id);
  });

  await test.step('plan against actual, on its page and in the report', async () => {
    expect(await recordOf(tr, 'fund_plan', id)).toMatchObject({ actual_out: '110.00' });
    await showRecord(tr, 'fund_plan', id);
    await expect(tr.getByText('110.00 CNY').filter({ visible: true }).first()).toBeVisible();
    await shot(tr, 'plan-actual');
    await show(fn, '/zjgl/syjhbb');
    await expect(fn.getByText(week).filter({ visible: true }).first()).toBeVisible();
    await shot(fn, 'plan-report');
  });
});
