import { expect, type Page, test } from 'playwright/test';
import {
  agree,
  atHome,
  atWork,
  type Fields,
  findRecords,
  handIn,
  press,
  pressAndConfirm,
  readRecord,
  shot,
  written,
} from './support/flow-steps.ts';
import { open } from './support/session.ts';

const MOBILE = '13900000001';

/** A settled shipment of the customer with the login, and a division of money that it stands on. */
async function whatIsSettled(sales: Page): Promise<{ readonly settlement: Fields; readonly split: Fields }> {
  const settled = await findRecords(sales, 'project_settlement', {
    pageSize: 100,
    filters: { status: { eq: 'approved' }, object_kind: { eq: 'shipment' }, residual_to: { eq: 'keep' } },
    sorters: ['settle_date', 'settle_no'],
  });
  const splits = await findRecords(sales, 'receipt_split', {
    pageSize: 500,
    filters: { status: { eq: 'posted' } },
  });
  for (const settlement of settled) {
    const partner = await readRecord(sales, 'partner', String(settlement['partner_id']));
    if (!JSON.stringify(partner['accounts']).includes(MOBILE)) continue;
    for (const { id } of splits.filter((one) => one['partner_id'] === settlement['partner_id'])) {
      const split = await readRecord(sales, 'receipt_split', id);
      const lines = split['lines'] as readonly Fields[];
      if (lines.some((line) => line['shipment_id'] === settlement['shipment_id']))
        return { settlement: await readRecord(sales, 'project_settlement', settlement.id), split };
    }
  }
  throw new TypeError('no settled shipment of the customer');
}

test('what must be undone before money is taken back is named; the settlement is undone, made again and shown to the customer', async ({
  browser,
}) => {
  // It only ends what hangs: several people on a busy machine.
  test.setTimeout(400_000);
  const [sales, finance] = await Promise.all([atWork(browser, 'sp.aa', '业务员'), atWork(browser, 'fn.aa')]);
  const { settlement, split } = await whatIsSettled(sales);
  const shipment = await readRecord(sales, 'shipment', String(settlement['shipment_id']));
  const shipmentNo = String(shipment['shipment_no']);

  await test.step('money of a settled shipment is not taken back: the dialog leads to it', async () => {
    await open(finance, `/shmanage/fgedit?id=${split.id}`);
    await press(finance, '更多操作');
    await finance.getByRole('menuitem', { name: '冲销' }).click();
    const dialog = finance.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('入账有误');
    await expect(dialog.getByText('分割款项已结汇、退汇或使用，不能冲销').first()).toBeVisible();
    await shot(finance, 'undo-blocked');
    await dialog.getByText(shipmentNo, { exact: true }).first().click();
    await expect(finance.getByRole('tab', { name: shipmentNo, selected: true })).toBeVisible();
  });

  await test.step('its settlement is undone first, with the manager', async () => {
    await open(finance, `/index/dj?resource=project_settlement&id=${settlement.id}`);
    await press(finance, '反结算');
    const dialog = finance.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('运费漏记');
    await shot(finance, 'unsettle');
    await dialog.getByRole('button', { name: '反结算' }).click();
    await expect(dialog).toBeHidden({ timeout: 60_000 });
    const manager = await atWork(browser, 'gm.aa');
    await agree(manager, String(settlement['settle_no']));
    await manager.context().close();
    const undone = await readRecord(sales, 'project_settlement', settlement.id);
    const freed = await readRecord(sales, 'shipment', shipment.id);
    expect([undone['status'], freed['status']]).toEqual(['reversed', 'shipped']);
  });

  const again = await test.step('it is made again and approved', async () => {
    const made = await written(sales, 'POST', '/data/project_settlement', {
      object_kind: 'shipment',
      shipment_id: shipment.id,
      settle_date: settlement['settle_date'],
      refund_excluded: settlement['refund_excluded'],
      refund_excluded_reason: settlement['refund_excluded_reason'],
    });
    const number = String(made['settle_no']);
    await open(sales, '/zjc/xmjs');
    await sales.getByRole('link', { name: number }).first().click();
    await pressAndConfirm(sales, '测算');
    await expect
      .poll(async () => (await readRecord(sales, 'project_settlement', made.id))['status'])
      .toBe('calculated');
    await press(sales, '刷新');
    await handIn(sales, /财务审核/);
    for (const who of ['dm.aa', 'fn2.aa']) {
      const approver = await atWork(browser, who);
      await agree(approver, number);
      await approver.context().close();
    }
    const settled = await readRecord(sales, 'project_settlement', made.id);
    expect([settled['status'], settled['company_profit']]).toEqual([
      'approved',
      settlement['company_profit'],
    ]);
    return { id: made.id, number };
  });

  await test.step('the customer finds it on his home page', async () => {
    const customer = await atHome(browser, MOBILE);
    await expect(customer.getByText(again.number, { exact: true }).first()).toBeVisible();
    await shot(customer, 'settled');
  });
});
