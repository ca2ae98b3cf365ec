import { expect, type Page } from 'playwright/test';
import { ATTACKS } from '../support/attack-strings.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

const WAIT_MS = 400;

/** True when one of the attacks ran in the page or moved it elsewhere. */
async function isHit(page: Page): Promise<boolean> {
  await page.waitForTimeout(WAIT_MS);
  return page.evaluate(() => 'hit' in window);
}

test('no attack runs: shown, loaded, previewed, applied as source, or pasted', async ({ page }) => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(60);
  await signIn(page, 'tm.aa');
  const { body } = await callApi<{ readonly data: { readonly id: string } }>(page, 'POST', '/data/news', {
    title: '攻击样本',
    category: '公告',
    audience: 'staff',
    content: `<p>正文</p>${ATTACKS.join('')}`,
  });
  const { id } = body.data;
  const saved = await callApi<{ readonly data: { readonly content: string } }>(
    page,
    'GET',
    `/data/news/${id}`,
  );
  expect(saved.body.data.content).toContain('正文');
  expect(saved.body.data.content).not.toMatch(/<script|onerror\s*=\s*["']?window|href="javascript/i);

  // A server that had let everything through: the page cleans what it shows by itself.
  await page.route(`**/erp/api/data/news/${id}`, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { data: { content: string } };
    answer.data.content = `<p>正文</p>${ATTACKS.join('')}`;
    await route.fulfill({ response, json: answer });
  });
  await open(page, `/gggl/xwxq?id=${id}`);
  await expect(page.getByRole('article').getByText('正文').first()).toBeVisible();
  expect(await isHit(page)).toBe(false);

  await open(page, `/gggl/xwbj?id=${id}`);
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await expect(area).toContainText('正文');
  expect(await isHit(page)).toBe(false);
  await page.getByRole('button', { name: '预览', exact: true }).click();
  expect(await isHit(page)).toBe(false);
  await page.locator('.ant-modal-close').click();

  await page.getByRole('button', { name: '源代码' }).click();
  const dialog = page.getByRole('dialog', { name: '源代码' });
  await dialog.getByRole('textbox').fill(`<p>源码</p>${ATTACKS.join('\n')}`);
  await dialog.getByRole('button', { name: /应\s*用/ }).click();
  await expect(area).toContainText('源码');
  expect(await isHit(page)).toBe(false);

  for (const attack of ATTACKS)
    await area.evaluate((element, html) => {
      const data = new DataTransfer();
      data.setData('text/html', `<p>粘贴</p>${html}`);
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    }, attack);
  await expect(area).toContainText('粘贴');
  expect(await isHit(page)).toBe(false);
  expect(page.url()).toContain('/gggl/xwbj');
});
