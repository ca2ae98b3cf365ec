import { expect } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

test('a document is still there, and can be written on, whenever its tab is shown again', async ({
  page,
}) => {
  await signIn(page, 'tm.aa');
  const made = await callApi<{ readonly data: { readonly id: string } }>(page, 'POST', '/data/news', {
    title: `换标签${Date.now()}`,
    category: '公告',
    content: '<p>第一段</p>',
  });
  const address = `/gggl/xwbj?id=${made.body.data.id}`;
  const area = page.locator('.richtext-editor [contenteditable="true"]').locator('visible=true');
  for (let turn = 1; turn <= 4; turn += 1) {
    await open(page, address);
    await area.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(`第${turn}次`);
    // At once: what was typed last is not lost on the way.
    await open(page, '/index/message');
    await page.getByRole('heading', { name: '消息中心' }).waitFor();
  }
  await open(page, address);
  await expect(area).toHaveText('第一段第1次第2次第3次第4次');
  // The steps can be undone that were made before the tab was left.
  await area.click();
  await page.keyboard.press('Control+KeyZ');
  await expect(area).toHaveText('第一段');
  await page.keyboard.press('Control+KeyY');
  await expect(area).toHaveText('第一段第1次第2次第3次第4次');
  await page.getByRole('button', { name: '保存', exact: true }).click();
  await expect(page.getByText('已保存')).toBeVisible();
  const saved = await callApi<{ readonly data: { readonly content: string } }>(
    page,
    'GET',
    `/data/news/${made.body.data.id}`,
  );
  expect(saved.body.data.content).toBe('<p>第一段第1次第2次第3次第4次</p>');
});
