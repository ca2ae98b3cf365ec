import { readFileSync } from 'node:fs';
import { expect } from 'playwright/test';
import { pdfText } from './support/pdf-text.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

test('news are written, published, noticed, read once and withdrawn', async ({ page, browser }) => {
  await signIn(page, 'tm.aa');
  await open(page, '/gggl/xwlb');
  await page.getByRole('button', { name: '写新闻' }).click();
  await page.getByRole('textbox', { name: '标题', exact: true }).fill('台风期间港口作业安排');
  const body = page.locator('.richtext-editor [contenteditable="true"]').first();
  await body.click();
  await page.keyboard.type('宁波港明日停止收箱，请相关业务员提前通知客户。');
  await page.getByRole('button', { name: '保存' }).first().click();
  await expect(page.getByText('已保存').first()).toBeVisible();
  const found = await callApi<{ readonly data: { readonly records: readonly { readonly id: string }[] } }>(
    page,
    'POST',
    '/data/news/query',
    { filters: { title: { eq: '台风期间港口作业安排' } } },
  );
  const id = found.body.data.records[0]?.id ?? '';

  const reader = await (await browser.newContext()).newPage();
  await signIn(reader, 'dc.aa');
  await open(page, `/gggl/xwxq?id=${id}`);
  // The form that was left has the button too.
  await expect(page.getByRole('article').filter({ visible: true })).toContainText('宁波港明日停止收箱');
  await page.getByRole('button', { name: '发布', exact: true }).filter({ visible: true }).click();
  const sure = page.getByRole('dialog').getByRole('button', { name: /发布|确定/ });
  if (await sure.isVisible().catch(() => false)) await sure.click();
  await expect(page.getByRole('button', { name: '撤回', exact: true })).toBeEnabled();
  await expect(reader.getByText('公告：台风期间港口作业安排').first()).toBeVisible();

  await open(reader, '/gggl/xwlb');
  const row = reader.getByRole('listitem').filter({ hasText: '台风期间港口作业安排' });
  await expect(row.getByRole('img', { name: '未读' })).toBeVisible();
  await row.getByRole('button').click();
  await expect(reader.getByRole('article')).toContainText('宁波港明日停止收箱');
  await open(reader, '/gggl/xwlb');
  await expect(row.getByRole('img', { name: '未读' })).toHaveCount(0);

  await page.getByRole('button', { name: '撤回', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /撤回|确定/ })
    .click();
  await expect(page.getByRole('button', { name: '发布', exact: true })).toBeEnabled();
  await open(reader, `/gggl/xwxq?id=${id}`);
  const gone = await callApi(reader, 'GET', `/data/news/${id}`);
  expect(gone.status).toBe(404);
});

test('help is found by its words', async ({ page }) => {
  await signIn(page, 'sp.aa');
  await open(page, '/index/help');
  const tree = page.getByRole('navigation', { name: '帮助目录' });
  await expect(tree.getByRole('button', { name: '快捷键' })).toBeVisible();
  // Key by key: none waits for the address.
  await tree.getByLabel('搜索帮助').pressSequentially('溢短装');
  await expect(tree.getByLabel('搜索帮助')).toHaveValue('溢短装');
  await expect(tree.getByRole('listitem')).toHaveCount(1);
  await tree.getByRole('button', { name: /从合同到明细单/ }).click();
  await expect(page.getByRole('article').locator('mark')).toHaveText('溢短装');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出PDF' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('从合同到明细单.pdf');
  const bytes = readFileSync(await download.path());
  const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(bytes.toString('latin1')) ?? [];
  expect(Number(box[1])).toBeCloseTo(595.28, 3);
  expect(Number(box[2])).toBeCloseTo(841.89, 3);
  const { pages, text } = pdfText(bytes);
  expect(pages).toBe(1);
  expect(text.replaceAll('\n', '')).toContain('出运数量不能超过合同数量加溢短装比例');
});
