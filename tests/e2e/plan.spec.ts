import { expect, type Page } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

async function rows(page: Page, resource: string, filters: object): Promise<readonly Row[]> {
  const { body } = await callApi<{ data: { records: readonly Row[] } }>(
    page,
    'POST',
    `/data/${resource}/query`,
    {
      currentPage: 1,
      pageSize: 50,
      filters,
    },
  );
  return body.data.records;
}

async function firstOf(
  all: readonly Row[],
  isFitting: (row: Row) => Promise<boolean>,
): Promise<Row | undefined> {
  for (const row of all) if (await isFitting(row)) return row;
  return undefined;
}

async function countOf(page: Page, resource: string): Promise<number> {
  const { body } = await callApi<{ data: { total: number } }>(page, 'POST', `/data/${resource}/query`, {
    currentPage: 1,
    pageSize: 1,
  });
  return body.data.total;
}

test('a shipment begun from a contract is a filled form; once it is saved both show their chain and what is shipped', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  // Of those that other tests write today all may be shipped.
  const [contract] = await rows(page, 'export_contract', {
    status: { in: ['approved', 'signed'] },
    sign_date: { lt: { $: 'today' } },
  });
  const before = await countOf(page, 'shipment');
  await open(page, `/details/wxhtxq?id=${String(contract?.id)}`);
  await page.getByRole('button', { name: '生成明细单' }).click();
  await expect(page.getByRole('note', { name: '来源' })).toContainText(String(contract?.['contract_no']));
  expect(await countOf(page, 'shipment')).toBe(before);

  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: /^AAMX\d{9}/, selected: true })).toBeVisible();
  expect(await countOf(page, 'shipment')).toBe(before + 1);

  await open(page, `/details/wxhtxq?id=${String(contract?.id)}`);
  await page.reload();
  const chain = page.getByRole('list', { name: '单据链' });
  await expect(chain.getByRole('button', { name: /明细单.*草稿/ }).first()).toBeVisible();
  await expect(page.getByRole('meter').first()).toBeVisible();
});

test('a form opened empty takes over the document that is picked in it, beside what was typed', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const signed = await rows(page, 'purchase_contract', { status: { in: ['signed', 'executing'] } });
  // Of those that other tests took goods of today one may have nothing left.
  const contract = await firstOf(signed, async ({ id }) => {
    const _from = { resource: 'purchase_contract', id, make: 'entry' };
    return (await callApi(page, 'POST', '/data/warehouse_entry/preview', { _from })).status === 200;
  });
  await open(page, '/qymanage/jcdedit');
  await page.getByRole('textbox', { name: '备注' }).fill('周一送货');
  await expect(page.getByRole('button', { name: '带入采购合同' })).toBeHidden();
  const picked = page.locator('[data-field=purchase_contract_id]').getByRole('combobox');
  await picked.fill(String(contract?.['purchase_no']));
  await page.locator('.ant-select-item-option', { hasText: String(contract?.['purchase_no']) }).click();
  await page.getByRole('button', { name: '添加行' }).click();
  await page.getByRole('grid').getByRole('textbox', { name: '件数' }).fill('3');
  await page.getByRole('button', { name: '带入采购合同' }).click();
  await page
    .getByRole('dialog', { name: '用采购合同的明细替换已填的明细？' })
    .getByRole('button', { name: '替换' })
    .click();
  await expect(page.getByRole('note', { name: '来源' })).toContainText(String(contract?.['purchase_no']));
  await expect(page.getByRole('textbox', { name: '备注' })).toHaveValue('周一送货');
  await expect(page.getByRole('grid').first()).not.toHaveAttribute('aria-rowcount', '1');
  await expect(page.getByRole('button', { name: '带入采购合同' })).toBeHidden();
});

test('what stands against an action is listed with links before it is tried', async ({ page }) => {
  await signIn(page, 'tm.aa');
  const shipments = await rows(page, 'shipment', {
    forwarder_id: { null: false },
    status: { nin: ['settled', 'cancelled'] },
  });
  const forwarder = shipments[0]?.['forwarder_id'];
  await open(page, `/customer/forwarddetails?id=${String(forwarder)}`);
  await page.getByRole('button', { name: '停用' }).click();
  const plan = page.getByRole('dialog', { name: '停用' }).getByRole('region', { name: '将会发生什么' });
  await expect(plan).toContainText('存在未完结业务，不能停用');
  await plan.getByRole('button', { name: /^AAMX/ }).first().click();
  await expect(page.getByRole('tab', { name: /^AAMX\d{9}/, selected: true })).toBeVisible();
});
