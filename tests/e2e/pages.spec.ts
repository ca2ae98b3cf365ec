import { expect, test } from 'playwright/test';
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
