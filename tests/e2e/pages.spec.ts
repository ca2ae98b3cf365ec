import { expect, test } from 'playwright/test';
import { axeFaults } from './support/page-audit.ts';
import { callApi, open, signIn } from './support/session.ts';

interface Made {
  readonly data: { readonly id: string };
}

test('a draft can be deleted by whom its definition allows, and its tab goes with it', async ({ page }) => {
  const name = `DELETED DRAFT ${Date.now()} LTD`;
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<Made>(page, 'POST', '/data/buyer', { name_en: name });
  await open(page, `/customer/buyerdetails?id=${body.data.id}`);
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await page.getByRole('tooltip').getByRole('button', { name: '删除', exact: true }).click();
  await expect(page.getByRole('tab', { name })).toBeHidden();
  expect((await callApi(page, 'GET', `/data/buyer/${body.data.id}`)).status).toBe(404);
});

test('details of many lines hold only those in view, and scroll to the last with head and totals', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const items = Array.from({ length: 200 }, (_, index) => ({
    name_en: `ITEM ${index + 1}`,
    quantity: '10',
    unit_price: '12.5',
  }));
  const { body } = await callApi<Made>(page, 'POST', '/data/export_contract', { items });
  await open(page, `/details/wxhtxq?id=${body.data.id}`);
  const table = page.getByRole('table', { name: '商品明细' });
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await expect(table.getByText('ITEM 1', { exact: true })).toBeVisible();
  expect(await table.locator('tbody tr').count()).toBeLessThan(60);
  await page.getByRole('region', { name: '商品明细' }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(table.getByText('ITEM 200', { exact: true })).toBeVisible();
  await expect(table.locator('tfoot')).toContainText('25,000.00 USD');
});

test('a contract is written as on a work surface: focus, line numbers, problems line by line, nothing empty saved', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/details/wxhtbj');
  await expect(page.getByLabel('出口模式')).toBeFocused();
  await expect(page.locator('[data-field=buyer_id]')).toContainText('请先选择委托方');

  const grid = page.getByRole('grid', { name: '商品明细' });
  await page.getByRole('button', { name: '添加行' }).click();
  const quantity = grid.getByRole('textbox', { name: '数量' });
  await quantity.first().fill('10');
  // In the middle of the last line Enter goes on to the right.
  await quantity.first().press('Enter');
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('button', { name: '添加行' }).click();
  await page.getByRole('button', { name: '添加行' }).click();
  await expect(grid.getByRole('rowheader')).toHaveText(['1', '2', '3']);
  await grid.getByRole('textbox', { name: '英文品名' }).first().fill('CUP');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: /^AAWX\d{9}/, selected: true })).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(grid.getByRole('textbox', { name: '英文品名' }).first()).toBeFocused();

  await page.keyboard.press('Control+Enter');
  const summary = page.locator('[data-problem-summary]');
  await expect(summary.getByRole('listitem').filter({ hasText: '商品明细第1行' })).toContainText('单价');
  await page.keyboard.press('F8');
  await expect(page.getByLabel('出口模式')).toBeFocused();
  await page.keyboard.press('Shift+F8');
  // The last problem stands in a tab that was not in front.
  await expect(page.getByRole('tab', { name: /^装运/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('[data-field=buyer_id] [role=alert]')).toBeVisible();
});

test('every kind of page is readable for all, light and dark, on a desk and in the hand', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<{ readonly data: { readonly records: readonly Made['data'][] } }>(
    page,
    'POST',
    '/data/export_contract/query',
    { pageSize: 1, filters: { business_type: { eq: 'agency' } } },
  );
  const id = String(body.data.records[0]?.id);
  for (const [look, width] of [
    ['light.standard', 1280],
    ['dark.compact', 390],
  ] as const) {
    await page.context().addCookies([{ name: 'erp_look', value: look, url: page.url() }]);
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    for (const address of [
      '/index/index',
      '/details/xwxht',
      `/details/wxhtxq?id=${id}`,
      `/details/wxhtbj?copy=${id}`,
      '/index/sh',
      '/index/self',
      '/index/yj',
      '/index/message',
      '/ywtj/ckywtj',
    ]) {
      await open(page, address);
      await expect(page.locator('.ant-skeleton').filter({ visible: true })).toHaveCount(0);
      await expect
        .poll(() => axeFaults(page), { message: `${address} ${look}`, timeout: 30_000 })
        .toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true);
    }
  }
});
