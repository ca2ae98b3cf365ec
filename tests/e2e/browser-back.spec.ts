import { expect } from 'playwright/test';
import { signIn } from './support/session.ts';
import { test } from './support/test.ts';

test('Back closes what is in front, asks about what was typed, and leaves the page only then', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await page.goto(new URL('/customer/buyer', page.url()).href);
  await page.getByRole('row').filter({ hasText: '已启用' }).first().getByRole('link').first().click();
  await expect(page).toHaveURL(/buyerdetails/);
  const address = page.url();
  await page.getByRole('button', { name: '变更', exact: true }).click();
  const drawer = page.getByRole('dialog').filter({ has: page.getByLabel('原因') });
  const question = page.getByRole('dialog').filter({ hasText: '内容尚未保存，确定关闭吗？' });
  await drawer.getByLabel('城市').fill('Kumasi');
  await page.goBack();
  await expect(question).toBeVisible();
  expect(page.url()).toBe(address);
  // The question is in front now: Back answers it with no.
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(drawer.getByLabel('城市')).toHaveValue('Kumasi');
  await page.goBack();
  await question.getByRole('button', { name: '关闭' }).click();
  await expect(drawer).toBeHidden();
  await expect(question).toBeHidden();
  expect(page.url()).toBe(address);
  await page.goBack();
  await expect(page).not.toHaveURL(address);
  await page.goForward();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('button', { name: '变更', exact: true })).toBeVisible();
  await expect(page.getByRole('dialog').filter({ visible: true })).toHaveCount(0);
  // The next record of the list comes in the same tab, and Back leads to the list.
  const tabs = page.locator('.tab-bar .tab');
  const count = await tabs.count();
  await page.getByRole('button', { name: '下一条', exact: true }).click();
  await expect(page).not.toHaveURL(address);
  await expect(tabs).toHaveCount(count);
  await page.goBack();
  await expect(page).toHaveURL(/\/customer\/buyer(\?|$)/);
});

test('on a phone, Back on the first page of a window closes filters and menu and stays in the program', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await page.setViewportSize({ width: 390, height: 800 });
  // A link in a message opens a window of its own.
  const link = await page.context().newPage();
  await link.setViewportSize({ width: 390, height: 800 });
  await link.goto(new URL('/customer/buyer', page.url()).href);
  await link.getByRole('button', { name: /筛选/ }).first().click();
  const filters = link.getByRole('dialog').filter({ visible: true });
  await expect(filters).toBeVisible();
  await link.goBack();
  await expect(filters).toBeHidden();
  await expect(link).toHaveURL(/\/customer\/buyer$/);
  await link.getByRole('button', { name: /菜单/ }).first().click();
  await expect(link.getByRole('button', { name: '收起菜单' })).toBeVisible();
  await link.goBack();
  await expect(link.getByRole('button', { name: '收起菜单' })).toBeHidden();
  await expect(link).toHaveURL(/\/customer\/buyer$/);
  // With nothing open one step leaves the program, whatever stood in.
  await link.goBack();
  await expect(link).toHaveURL('about:blank');
});

test('a page that is called up as a dialog closes comes, and no step back after it', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  const origin = new URL(page.url()).origin;
  await page.goto(`${origin}/customer/buyer`);
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^导入/ });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: '关闭' }).first().click();
  await expect(dialog).toBeHidden();
  await page.goto(`${origin}/details/list`);
  await expect(page.getByRole('tab', { name: '明细单列表' })).toBeVisible();
  await page.locator('tbody').getByRole('link').filter({ visible: true }).first().click();
  await expect(page).toHaveURL(/listdetails/);
  await page.goBack();
  await expect(page).toHaveURL(/\/details\/list$/);
});
