import { expect, type Page } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Made {
  readonly data: { readonly id: string; readonly version: number };
}

const gone = (page: Page) =>
  page.getByRole('alert').filter({ hasText: '已被删除，或您已无权查看', visible: true });

async function makeBuyer(page: Page, name: string): Promise<Made['data']> {
  const made = await callApi<Made>(page, 'POST', '/data/buyer', { name_en: name });
  expect(made.status).toBe(200);
  return made.body.data;
}

async function remove(page: Page, { id, version }: Made['data']): Promise<void> {
  expect((await callApi(page, 'DELETE', `/data/buyer/${id}?version=${version}`)).status).toBe(200);
}

test('what was typed into a record that a colleague deleted goes on as a new one, and survives a reload', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const made = await makeBuyer(page, `GONE ${Date.now()} LTD`);
  await open(page, `/customer/buyeredit?id=${made.id}`);
  const name = page.getByLabel(/英文名称/).first();
  await expect(name).toHaveValue(/^GONE/);
  const typed = `TYPED ${Date.now()} LTD`;
  await name.fill(typed);
  await name.press('Tab');
  await remove(page, made);
  await page.keyboard.press('Control+s');
  await expect(gone(page)).toContainText('已填写的内容没有丢失');
  await expect(name).toHaveValue(typed);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  // The record cannot be opened any more; what was typed is there.
  await gone(page).getByRole('button', { name: '复制为新单' }).click();
  await expect(gone(page)).toBeHidden();
  await expect(name).toHaveValue(typed);
  await expect(page.getByText('有未保存的修改')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('已保存')).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(made.id));
  await expect(name).toHaveValue(typed);
});

test('the details of a deleted record say so and lead back to the list', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  const made = await makeBuyer(page, `GONE TOO ${Date.now()} LTD`);
  await open(page, `/customer/buyerdetails?id=${made.id}`);
  await expect(page.getByRole('heading', { level: 1, name: /^GONE TOO/ })).toBeVisible();
  await remove(page, made);
  await page.getByRole('button', { name: '刷新', exact: true }).last().click();
  await gone(page).getByRole('button', { name: '返回列表' }).click();
  await expect(page).toHaveURL(/\/customer\/buyer$/);
});
