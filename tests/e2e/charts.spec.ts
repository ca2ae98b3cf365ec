import { readFileSync } from 'node:fs';
import { expect, type Page } from 'playwright/test';
import { pdfText } from './support/pdf-text.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

const TITLE = '出口额：2026; "前四月": 50% <img src=x onerror="document.title=1">';
const WRITTEN = '出口额：2026%3B "前四月"%3A 50%25 %3Cimg src=x onerror="document.title=1"%3E';

test('a chart is made in the dialog, saved with its table, shown to the reader and printed', async ({
  page,
}) => {
  await signIn(page, 'tm.aa');
  await open(page, '/gggl/xwbj');
  await page.getByRole('textbox', { name: '标题', exact: true }).fill('出口额图表');
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await area.click();
  await page.keyboard.type('今年前四个月：');
  await openCharts(page);
  const dialog = page.getByRole('dialog', { name: '图表' });
  await expect
    .poll(async () => (await dialog.locator('.ant-modal-content').boundingBox())?.width)
    .toBe(page.viewportSize()?.width);
  await dialog.getByText('饼图', { exact: true }).click();
  await dialog.getByLabel('主标题').fill(TITLE);
  await dialog.getByLabel('数据单位').fill('万元');
  const preview = dialog.getByRole('region', { name: '图表预览' });
  await expect(preview.locator('canvas')).toBeVisible();
  await expect(preview.getByText(TITLE)).toBeVisible();
  await expect(preview.getByRole('status')).toContainText('饼图只画一组数据：“出口额”');
  await expect(dialog.getByLabel('X轴标题')).toBeDisabled();
  await dialog.getByRole('button', { name: /确\s*定/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(area.locator('[data-chart-mark]')).toBeVisible();
  await page.keyboard.type('报告');
  await expect(area.locator('th').first()).toHaveText('报告月份');
  await page.getByRole('button', { name: '保存' }).first().click();
  await expect(page.getByText('已保存').first()).toBeVisible();

  const saved = await savedNews(page);
  expect(attributeIn(saved.content)).toBe(
    `title:${WRITTEN};subTitle:;xTitle:;yTitle:;suffix:万元;tip:;dataFormat:-1;chartType:5`,
  );
  await open(page, `/gggl/xwxq?id=${saved.id}`);
  const article = page.getByRole('article');
  await expect(article.getByRole('img', { name: /^饼图/ }).locator('canvas')).toBeVisible();
  await expect(article.getByText(TITLE)).toBeVisible();
  expect(await article.locator('.richtext-chart-frame').evaluate((frame) => frame.clientHeight)).toBe(300);
  await expect(article.locator('table')).toBeHidden();
  await article.getByRole('button', { name: '查看数据' }).click();
  await expect(article.locator('table')).toBeVisible();
  expect(await page.title()).not.toBe('1');

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出PDF' }).click();
  const bytes = readFileSync(await (await downloading).path());
  expect(pdfText(bytes).text.replaceAll('\n', '')).toContain('前四月');
  expect(bytes.toString('latin1')).toContain('/Subtype /Image');
});

test('the chart of a table is read again, changed with its table, undone and taken back', async ({
  page,
}) => {
  await signIn(page, 'tm.aa');
  const rows =
    '<tr><th>月</th><th>额</th></tr><tr><td>一月</td><td>1,200</td></tr><tr><td>二月</td><td>待定</td></tr>';
  const made = await callApi<{ readonly data: { readonly id: string } }>(page, 'POST', '/data/news', {
    title: '已有图表',
    category: '公告',
    content: `<table border="1" data-chart="title:旧%3B名;dataFormat:-1;chartType:4;onload:x"><tbody>${rows}</tbody></table><p>后</p>`,
  });
  await open(page, `/gggl/xwbj?id=${made.body.data.id}`);
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await area.getByText(/1,2.*00/).click();
  await openCharts(page);
  const dialog = page.getByRole('dialog', { name: '图表' });
  await expect(dialog.getByLabel('主标题')).toHaveValue('旧;名');
  await expect(dialog.getByRole('radio', { name: '柱形图' })).toBeChecked();
  await expect(dialog.getByRole('status')).toHaveText('1个单元格不是数字，图中没有画出：“待定”');
  await dialog.getByLabel('第3行第2列').fill('900');
  await expect(dialog.getByRole('status')).toHaveText('');
  await dialog.getByText('折线图', { exact: true }).click();
  await dialog.getByText('每行一组数据').click();
  await dialog.getByRole('button', { name: /确\s*定/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(area.locator('[data-chart-mark="折线图：旧;名"]')).toBeVisible();
  await expect(area.locator('td').last()).toHaveText('900');
  await page.keyboard.press('Control+KeyZ');
  await expect(area.locator('td').last()).toHaveText('待定');
  await expect(area.locator('[data-chart-mark="柱形图：旧;名"]')).toBeVisible();
  await page.keyboard.press('Control+KeyY');
  await expect(area.locator('[data-chart-mark="折线图：旧;名"]')).toBeVisible();

  await page.getByRole('button', { name: '预览' }).click();
  const preview = page.getByRole('dialog', { name: '预览' });
  await expect(preview.getByRole('img', { name: '折线图：旧;名' }).locator('canvas')).toBeVisible();
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'detached' });
  // The keyboard is back where it was.
  await page.keyboard.type('5');
  await expect(area.getByText(/1,2.*00/)).toContainText('5');

  await openCharts(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await area.getByText(/1,2.*00/).click();
  await openCharts(page);
  await dialog.getByRole('button', { name: '删除图表' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(area.locator('[data-chart-mark]')).toHaveCount(0);
  await expect(area.locator('table')).toHaveCount(1);
});

test('names that look like markup or code stay text in every kind of chart, also in its hints', async ({
  page,
}) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await signIn(page, 'tm.aa');
  const evil = '&lt;img src=x onerror="document.title=1"&gt;';
  const rows = `<tr><th>{a}</th><th>${evil}</th><th>{1+}</th></tr><tr><td>${evil}</td><td>5</td><td>3</td></tr><tr><td>{}</td><td>6</td><td>4</td></tr>`;
  const charts = [0, 1, 2, 3, 4, 5].map(
    (type) =>
      `<table data-chart="chartType:${type};title:${evil.replaceAll('"', '')};tip:{tip};suffix:{a}"><tbody>${rows}</tbody></table>`,
  );
  const made = await callApi<{ readonly data: { readonly id: string } }>(page, 'POST', '/data/news', {
    title: '名称',
    category: '公告',
    content: charts.join('<p>文</p>'),
  });
  await open(page, `/gggl/xwxq?id=${made.body.data.id}`);
  const canvases = page.locator('.richtext-chart canvas');
  await expect(canvases).toHaveCount(6);
  const shown = page.locator('.richtext-chart');
  for (const index of [0, 4, 5]) {
    const { width, height } = (await canvases.nth(index).boundingBox()) ?? { width: 0, height: 0 };
    // Beside the middle, in the first part: a ring has nothing there.
    await canvases.nth(index).hover({ position: { x: width * 0.6, y: height / 2 } });
    await expect(shown.nth(index).locator('.g2-tooltip')).toContainText('onerror');
    await expect(shown.nth(index).locator('.g2-tooltip')).toBeVisible();
  }
  await expect(page.locator('.richtext-chart img')).toHaveCount(0);
  expect(await page.title()).not.toBe('1');
  expect(faults).toEqual([]);
});

async function openCharts(page: Page): Promise<void> {
  await page.locator('.w-e-toolbar [data-menu-key="dialog:charts"]').click();
  await page.getByRole('dialog', { name: '图表' }).waitFor();
}

async function savedNews(page: Page): Promise<{ readonly id: string; readonly content: string }> {
  const found = await callApi<{
    readonly data: { readonly records: readonly { readonly id: string; readonly content: string }[] };
  }>(page, 'POST', '/data/news/query', {
    filters: { title: { eq: '出口额图表' } },
    columns: ['title', 'content'],
    sorters: ['-created_at'],
  });
  const [record] = found.body.data.records;
  return { id: record?.id ?? '', content: record?.content ?? '' };
}

function attributeIn(html: string): string {
  const text = /data-chart="([^"]*)"/.exec(html)?.[1] ?? '';
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
