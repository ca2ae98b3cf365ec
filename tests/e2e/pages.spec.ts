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
