import { expect, test } from 'playwright/test';
import { open, signIn } from './support/session.ts';

test('the editor counts words without blocking, names the element and fills the screen with Alt+Z', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/contractedit');
  const area = page.locator('.richtext-editor [contenteditable="true"]');
  await area.scrollIntoViewIfNeeded();
  await area.click();
  await page.keyboard.type('货到付款');
  const bar = page.locator('.richtext-status');
  await expect(bar).toContainText('当前已输入4个字，还可以输入9996个字');
  await expect(bar).toContainText('paragraph');
  await page.keyboard.press('Alt+KeyZ');
  await expect(page.locator('.w-e-full-screen-container')).toBeVisible();
  await expect(bar).toBeVisible();
  await page.keyboard.press('Alt+KeyZ');
  await expect(page.locator('.w-e-full-screen-container')).toHaveCount(0);
  await page.keyboard.insertText('字'.repeat(10_001));
  await expect(bar).toContainText('字数超出最大允许值，已超出5个字');
});
