import type { Page } from 'playwright/test';
import { day } from './support/bought-shipment.ts';
import { create, expect, expectStatus, type Fields, find, list, recordOf } from './support/flow-api.ts';
import { act, agree, customer, LOGINS, shot, show, showRecord, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

interface Settled {
  readonly settlement: Fields;
  readonly split: Fields;
  /** With what its customer logs in, and what he is called. */
  readonly mobile: string;
  readonly company: string;
}

/** A settled shipment of a customer who logs in, and a division of money that it stands on. */
async function whatIsSettled(sales: Page): Promise<Settled> {
  const settled = await find(sales, 'project_settlement', {
    ...{ status: { eq: 'approved' }, object_kind: { eq: 'shipment' }, residual_to: { eq: 'keep' } },
    // This month and the one before are open.
    settled_on: { gte: `${day(-28).slice(0, 8)}01` },
  });
  for (const { id: settlementId, partner_id, shipment_id } of settled.toReversed()) {
    const partner = await recordOf(sales, 'partner', String(partner_id));
    const account = list(partner['accounts']).find(({ mobile }) => LOGINS.includes(mobile));
    if (account === undefined) continue;
    const login = { mobile: String(account['mobile']), company: String(partner['name']) };
    const splits = await find(sales, 'receipt_split', {
      ...{ status: { eq: 'posted' }, partner_id: { eq: partner_id } },
    });
    for (const { id } of splits) {
      const split = await recordOf(sales, 'receipt_split', String(id));
      if (list(split['lines']).some((line) => line['shipment_id'] === shipment_id))
        return {
          settlement: await recordOf(sales, 'project_settlement', String(settlementId)),
          split,
          ...login,
        };
    }
  }
  throw new TypeError('no settled shipment of the customer');
}

test('what must be undone before money is taken back is named; the settlement is undone, made again and shown to the customer', async ({
  browser,
}) => {
  // It only ends what hangs: several people on a busy machine.
  const { sp, dm, fn, fn2, gm } = await staff(browser, ['sp', 'dm', 'fn', 'fn2', 'gm']);
  const { settlement, split, mobile, company } = await whatIsSettled(sp);
  const settlementId = String(settlement['id']);
  const shipmentId = String(settlement['shipment_id']);
  const { shipment_no: shipmentNo } = await recordOf(sp, 'shipment', shipmentId);

  await test.step('money of a settled shipment is not taken back: the dialog leads to it', async () => {
    await show(fn, `/shmanage/fgedit?id=${String(split['id'])}`);
    await fn.getByRole('button', { name: '更多操作' }).filter({ visible: true }).first().click();
    await fn.getByRole('menuitem', { name: '冲销' }).click();
    const dialog = fn.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('入账有误');
    await expect(dialog.getByText('分割款项已结汇、退汇或使用，不能冲销').first()).toBeVisible();
    await shot(fn, 'undo-blocked');
    await dialog.getByText(String(shipmentNo), { exact: true }).first().click();
    // The reason that was typed goes with the dialog: that is asked first.
    const question = fn.getByRole('dialog').filter({ hasText: '内容尚未保存，确定关闭吗？' });
    await question.filter({ visible: true }).getByRole('button', { name: '关闭' }).click();
    await expect(fn.getByRole('tab', { name: String(shipmentNo), selected: true })).toBeVisible();
  });

  await test.step('its settlement is undone first, with the manager', async () => {
    await showRecord(fn, 'project_settlement', settlementId);
    await act(fn, '反结算', {}, async (dialog) => {
      await dialog.getByRole('textbox').first().fill('运费漏记');
      await shot(fn, 'unsettle');
    });
    await agree(gm, 'project_settlement', settlementId);
    await expectStatus(sp, 'project_settlement', settlementId, 'reversed');
    await expectStatus(sp, 'shipment', shipmentId, 'shipped');
  });

  const again = await test.step('it is made again and approved', async () => {
    const made = await create(sp, 'project_settlement', {
      object_kind: 'shipment',
      shipment_id: shipmentId,
      settle_date: settlement['settle_date'],
      refund_excluded: settlement['refund_excluded'],
      refund_excluded_reason: settlement['refund_excluded_reason'],
    });
    const id = String(made['id']);
    await showRecord(sp, 'project_settlement', id);
    await act(sp, '测算');
    await expectStatus(sp, 'project_settlement', id, 'calculated');
    await act(sp, '提交');
    for (const approver of [dm, fn2]) await agree(approver, 'project_settlement', id);
    const settled = await recordOf(sp, 'project_settlement', id);
    expect([settled['status'], settled['company_profit']]).toEqual([
      'approved',
      settlement['company_profit'],
    ]);
    return String(made['settle_no']);
  });

  await test.step('the customer finds it on his home page', async () => {
    const home = await customer(browser, mobile, company);
    await expect(home.getByText(again, { exact: true }).first()).toBeVisible();
    await shot(home, 'settled');
  });
});
