import type { Page } from 'playwright/test';
import { day } from './support/bought-shipment.ts';
import { expect, expectStatus, type Fields, find, list, newest, recordOf } from './support/flow-api.ts';
import {
  act,
  agree,
  fillIn,
  gridOf,
  idInFront,
  pickCell,
  pickIn,
  save,
  shot,
  show,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

const SERIAL = Date.now();

/** An entrusted shipment whose declarations are closed and for which nobody has asked for a certificate. */
async function exported(sp: Page): Promise<Fields> {
  const asked = await find(sp, 'agent_invoice_application', { kind: { eq: 'export_cert' } });
  const taken = new Set<unknown>();
  for (const { id } of asked)
    for (const item of list((await recordOf(sp, 'agent_invoice_application', String(id)))['items']))
      taken.add(item['shipment_id']);
  const shipments = await find(sp, 'shipment', {
    ...{
      export_mode: { eq: 'entrusted' },
      status: { in: ['shipped', 'settled'] },
      business_type: { eq: 'agency' },
    },
  });
  for (const shipment of shipments.filter(({ id }) => !taken.has(id))) {
    const declarations = await find(sp, 'customs_declaration', { shipment_id: { eq: shipment['id'] } });
    if (declarations.length > 0 && declarations.every(({ status }) => status === 'closed')) return shipment;
  }
  throw new TypeError('no entrusted shipment with closed declarations');
}

/** What the level fills in on the page of its approval. */
async function fillLevel(
  page: Page,
  resource: string,
  id: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await show(page, `/check/dshList?resource=${resource}&id=${id}`);
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`#level-${name}`);
    await field.fill(value);
    await field.press('Tab');
  }
  await page.getByLabel('审核意见').fill('同意');
  await page.getByRole('button', { name: '同意', exact: true }).click();
}

test('the certificate of goods exported for a customer is asked for and issued with its number', async ({
  browser,
}) => {
  const { sp, fn } = await staff(browser, ['sp', 'fn']);
  const shipment = await exported(sp);
  const labels = shipment['_labels'] as Fields;
  await show(sp, '/qymanage/dlkpsq');
  await sp.getByRole('button', { name: '新增', exact: true }).filter({ visible: true }).click();
  await pickIn(sp, '委托方', String(labels['partner_id']));
  await pickIn(sp, '申请类型', '代理出口货物证明');
  await fillIn(sp, { 接收邮箱: 'cert@example.com' });
  const items = await gridOf(sp, '开票明细');
  await sp.locator('.line-grid', { has: items }).getByRole('button', { name: '添加行' }).click();
  await pickCell(items, '明细单', String(shipment['shipment_no']));
  await save(sp);
  const id = String((await newest(sp, 'agent_invoice_application', {}))['id']);
  expect((await recordOf(sp, 'agent_invoice_application', id))['cert_due']).toMatch(/^\d{4}-04-15$/);
  await show(sp, `/qymanage/dlkpxq?id=${id}`);
  await act(sp, '提交');
  await fillLevel(fn, 'agent_invoice_application', id, {
    cert_no: `DLZM${String(SERIAL)}`,
    cert_date: day(0),
  });
  await expectStatus(fn, 'agent_invoice_application', id, 'approved');
  await show(sp, `/qymanage/dlkpxq?id=${id}`);
  await expect(
    sp
      .getByText(`DLZM${String(SERIAL)}`)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await shot(sp, 'cert');
});

test('an invoice of our own gets its number at the approval and is taken back in red; what else is owed is registered', async ({
  browser,
}) => {
  const { sp, fn, fn2 } = await staff(browser, ['sp', 'fn', 'fn2']);

  const invoice = await test.step('finance writes it, another one agrees and types its number', async () => {
    await show(fn, '/qymanage/xsfpbj');
    await pickIn(fn, '发票类别', '其他');
    await fillIn(fn, { 购买方: '宁波北仑废料回收有限公司', 购买方税号: '91330206MA0DEM0038' });
    await fillIn(fn, { 不含税金额: '1000', 税率: '13' });
    await save(fn);
    const id = await idInFront(fn);
    expect((await recordOf(fn, 'sales_invoice', id))['total_amount']).toBe('1130.00');
    await act(fn, '提交');
    await fillLevel(fn2, 'sales_invoice', id, { invoice_number: String(SERIAL).padStart(20, '2') });
    await expectStatus(fn, 'sales_invoice', id, 'approved');
    return id;
  });

  await test.step('it is taken back with the number of the red letter', async () => {
    await show(fn, `/qymanage/xsfpbj?id=${invoice}`);
    await act(fn, '红冲', { 红字发票信息确认单编号: `HZ${String(SERIAL)}` }, async (dialog) => {
      await dialog.getByRole('textbox').last().fill('开错购买方');
    });
    await expectStatus(fn, 'sales_invoice', invoice, 'void');
    await shot(fn, 'invoice-red');
  });

  await test.step('a customer owes a penalty: registered by sales, agreed to by finance', async () => {
    const shipment = await newest(sp, 'shipment', {
      status: { eq: 'shipped' },
      business_type: { eq: 'agency' },
    });
    const labels = shipment['_labels'] as Fields;
    await show(sp, '/qymanage/qtysfpdj');
    await pickIn(sp, '委托方', String(labels['partner_id']));
    await pickIn(sp, '应收事由', '滞箱费');
    await fillIn(sp, { 应收对象: String(labels['partner_id']), 不含税金额: '500', 税率: '6' });
    await save(sp);
    const id = await idInFront(sp);
    await act(sp, '提交');
    await agree(fn, 'other_receivable_invoice', id);
    await expectStatus(sp, 'other_receivable_invoice', id, 'approved');
    expect((await recordOf(sp, 'other_receivable_invoice', id))['total_amount']).toBe('530.00');
  });
});
