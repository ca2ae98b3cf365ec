import { expect, type Locator, type Page } from 'playwright/test';
import { leaveDialog } from './support/leave-dialog.ts';
import { open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

/** Each tool of the editor once, as an author uses it, and what it leaves in the document. */

test.beforeEach(async ({ page }) => {
  await signIn(page, 'tm.aa');
  await open(page, '/gggl/xwbj');
  await textOf(page).click();
  // The core hears of the caret a tenth of a second later.
  await expect(page.locator('.richtext-path')).toContainText('段落');
});

test('a link is made of selected text, told in a bubble, changed and taken away', async ({ page }) => {
  await page.keyboard.type('报价见附表');
  await selectLine(page, '报价见附表');
  await page.keyboard.press('Control+KeyK');
  const dialog = page.getByRole('dialog', { name: '插入链接' });
  await expect(dialog.getByLabel('文本内容')).toHaveValue('报价见附表');
  await dialog.getByLabel('链接地址').fill('javascript:alert(1)');
  await dialog.getByLabel('链接地址').press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(
    '只能链接到网址（http、https）、邮箱、电话、本系统页面或 # 锚点',
  );
  await dialog.getByLabel('链接地址').fill('example.com/quotations/2026/november/list');
  await confirm(dialog);
  expect(await sourceOf(page)).toContain(
    '<a href="https://example.com/quotations/2026/november/list" target="_blank" rel="noopener noreferrer">报价见附表</a>',
  );
  await textOf(page).locator('a').click();
  const bubble = page.getByRole('toolbar', { name: '链接' });
  await expect(bubble).toContainText('https://example.com/…');
  await bubble.getByRole('button', { name: '修改' }).click();
  const change = page.getByRole('dialog', { name: '修改链接' });
  await change.getByLabel('文本内容').fill('报价');
  await change.getByLabel('链接地址').fill('sales@example.com');
  await change.getByRole('checkbox', { name: '在新窗口打开' }).uncheck();
  await confirm(change);
  expect(await sourceOf(page)).toContain('<a href="mailto:sales@example.com">报价</a>');
  await textOf(page).locator('a').click();
  await bubble.getByRole('button', { name: '取消链接' }).click();
  expect(await sourceOf(page)).toContain('<p>报价</p>');
  await expect(bubble).toHaveCount(0);
});

test('headings, spacing, custom styles, fonts and line heights are saved as the menus say', async ({
  page,
}) => {
  await page.keyboard.type('标题');
  await choose(page, 'paragraphKind', '标题2');
  await choose(page, 'rowSpacingTop', '10px');
  await choose(page, 'rowSpacingBottom', '25px');
  await choose(page, 'lineHeight', '1.75');
  expect(await sourceOf(page)).toContain(
    '<h2 style="line-height: 1.75; margin-top: 10px; margin-bottom: 25px;">标题</h2>',
  );
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('强调');
  await selectLine(page, '强调');
  await choose(page, 'customStyle', '强调');
  await choose(page, 'fontSize', '18px');
  const html = await sourceOf(page);
  expect(html).toContain(
    '<span style="color: rgb(200, 29, 37); font-size: 18px; font-weight: bold;">强调</span>',
  );
  await choose(page, 'customStyle', '居中标题');
  expect(await sourceOf(page)).toMatch(/<h1 style="[^"]*text-align: center;[^"]*">/);
  await choose(page, 'customStyle', '自定义样式');
  expect(await sourceOf(page)).not.toContain('border-bottom');
});

test('a table is inserted with a border of 1; title, cells, merging and rows are changed in place', async ({
  page,
}) => {
  await tool(page, 'insertTable').click();
  await page.locator('.w-e-panel-content-table td[data-x="1"][data-y="1"]').click();
  const cells = textOf(page).locator('td, th');
  await expect(cells).toHaveCount(4);
  expect(await sourceOf(page)).toMatch(/<table border="1"/);
  await cells.nth(0).click();
  await page.keyboard.type('品名');
  await page.keyboard.press('Tab');
  await page.keyboard.type('金额');
  await expect(page.locator('.richtext-tip')).toContainText('Tab 到下一格');
  const bar = page.locator('.w-e-hover-bar');
  await bar.locator('[data-menu-key="dialog:tableProperty"]').click();
  const table = page.getByRole('dialog', { name: '表格属性' });
  await table.getByLabel('表格标题').fill('报价表');
  await table.getByRole('checkbox', { name: '占满整行' }).check();
  await table.getByLabel('边框粗细').fill('2');
  await confirm(table);
  await cells.nth(1).click();
  await bar.locator('[data-menu-key="dialog:cellProperty"]').click();
  const cell = page.getByRole('dialog', { name: '单元格属性' });
  await cell.getByRole('radio', { name: '整列' }).check();
  await cell.getByLabel('水平对齐').click({ force: true });
  await page.locator('.ant-select-item-option', { hasText: '居右' }).click();
  await confirm(cell);
  await cells.nth(1).click();
  await bar.locator('[data-menu-key="table:below"]').click();
  await expect(cells).toHaveCount(6);
  const html = (await sourceOf(page)).replaceAll('\n', '');
  expect(html).toContain('<caption>报价表</caption>');
  expect(html).toMatch(/<table[^>]*border="2"[^>]*>/);
  expect(html).toMatch(/<table[^>]*style="width: 100%;[^"]*"/);
  // The new row looks like the one above it.
  expect(html.match(/text-align: right/g)).toHaveLength(3);
});

test('cells that are dragged over are merged and split again; lines become quotes, code and tasks', async ({
  page,
}) => {
  await tool(page, 'insertTable').click();
  await page.locator('.w-e-panel-content-table td[data-x="2"][data-y="1"]').click();
  const cells = textOf(page).locator('td, th');
  await expect(cells).toHaveCount(6);
  await cells.nth(3).click();
  await page.keyboard.type('甲');
  const merge = page.locator('.w-e-hover-bar [data-menu-key="table:merge"]');
  // On a busy machine the table may still take its place while the mouse is on its way.
  await expect(async () => {
    const [from, to] = [await cells.nth(3).boundingBox(), await cells.nth(4).boundingBox()];
    if (from === null || to === null) throw new TypeError('no cells');
    await page.mouse.move(from.x + 15, from.y + 15);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 15, { steps: 6 });
    await page.mouse.up();
    await expect(merge).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await merge.click();
  expect(await sourceOf(page)).toMatch(/<td colspan="2">甲(?:<br>)?<\/td>/);
  await cells.nth(3).click();
  await page.locator('.w-e-hover-bar [data-menu-key="splitTableCell"]').click();
  expect(await sourceOf(page)).not.toContain('colspan');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('引');
  await tool(page, 'blockquote').click();
  expect(await sourceOf(page)).toContain('<blockquote>引</blockquote>');
  await tool(page, 'blockquote').click();
  await tool(page, 'codeBlock').click();
  expect(await sourceOf(page)).toMatch(/<pre><code[^>]*>引<\/code><\/pre>/);
  await tool(page, 'codeBlock').click();
  await tool(page, 'todo').click();
  expect(await sourceOf(page)).toMatch(/<input type="checkbox"[^>]*>引/);
});

test('undo goes back twenty states, a new one after each twenty inputs, and redo forward again', async ({
  page,
}) => {
  await expect(tool(page, 'richUndo')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.type('1234567890'.repeat(5));
  await tool(page, 'richUndo').click();
  await expect(textOf(page)).toHaveText('1234567890'.repeat(4));
  await tool(page, 'richUndo').click();
  await expect(textOf(page)).toHaveText('1234567890'.repeat(2));
  await tool(page, 'richRedo').click();
  await expect(textOf(page)).toHaveText('1234567890'.repeat(4));
  for (let line = 0; line < 25; line += 1) await page.keyboard.press('Enter');
  for (let step = 0; step < 20; step += 1) await tool(page, 'richUndo').click();
  await expect(tool(page, 'richUndo')).toHaveAttribute('aria-disabled', 'true');
  await expect(textOf(page).locator('p')).toHaveCount(6);
});

test('the background stands behind the text, is stored and shown to readers', async ({ page }) => {
  await page.keyboard.type('有底色');
  await openInsert(page, '背景');
  const dialog = page.getByRole('dialog', { name: '背景' });
  await dialog.getByRole('group', { name: '背景颜色' }).click();
  await page.locator('.ant-color-picker-input input').first().fill('FFF7E6');
  await page.keyboard.press('Enter');
  await dialog.getByText('图片', { exact: true }).click();
  await confirm(dialog);
  expect(await sourceOf(page)).toContain('data-background="color:#fff7e6"');
  await expect(page.locator('.richtext-editor .w-e-scroll')).toHaveCSS(
    'background-color',
    'rgb(255, 247, 230)',
  );
  await expect(page.locator('.richtext-status')).toContainText('当前已输入3个字');
  await tool(page, 'dialog:preview').click();
  const preview = page.getByRole('dialog', { name: '预览' });
  await expect(preview.locator('.richtext')).toHaveCSS('background-color', 'rgb(255, 247, 230)');
  await expect(preview.locator('[data-background]')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(preview).toHaveCount(0);
});

test('the frame grows with its text, is dragged no smaller than its least height, and says what was kept', async ({
  page,
}) => {
  const area = page.locator('.richtext-editor .w-e-text-container');
  const before = (await area.boundingBox())?.height ?? 0;
  for (let line = 0; line < 20; line += 1) await page.keyboard.press('Enter');
  await expect.poll(async () => (await area.boundingBox())?.height ?? 0).toBeGreaterThan(before + 100);
  const handle = page.getByRole('separator', { name: '调整编辑器大小' });
  await handle.focus();
  for (let step = 0; step < 60; step += 1) await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await area.boundingBox())?.height).toBe(120);
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await area.boundingBox())?.height).toBe(140);
  await textOf(page).click();
  await page.keyboard.type('存');
  await expect(page.locator('.richtext-saved')).toHaveText('已自动保存到本机');
  await expect(page.locator('.richtext-saved')).toHaveText('');
});

test('the toolbar is one stop of the Tab key with arrows inside; states are told; Tab writes four spaces', async ({
  page,
}) => {
  await page.keyboard.press('Tab');
  await page.keyboard.type('甲');
  expect(await sourceOf(page)).toMatch(/<p>(?: |&nbsp;){4}甲<\/p>/);
  await textOf(page).click();
  await page.keyboard.press('Control+KeyB');
  await expect(tool(page, 'bold')).toHaveAttribute('aria-pressed', 'true');
  await expect(tool(page, 'bold')).toHaveAttribute('aria-label', '粗体');
  await expect(tool(page, 'richUnlink')).toHaveAttribute('aria-disabled', 'true');
  expect(await page.locator('.w-e-toolbar button[tabindex="0"]').count()).toBe(1);
  await tool(page, 'bold').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tool(page, 'italic')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(tool(page, 'richUndo')).toBeFocused();
});

test('the element path selects, special characters and emoticons go in where the caret was', async ({
  page,
}) => {
  await page.keyboard.type('甲乙');
  await page.keyboard.press('ArrowLeft');
  await tool(page, 'dialog:special').click();
  await page.getByRole('dialog', { name: '特殊字符' }).getByRole('button', { name: '※' }).click();
  await expect(textOf(page)).toHaveText('甲※乙');
  await tool(page, 'emotion').click();
  await page.locator('.w-e-panel-content-emotion li').first().click();
  await expect(textOf(page)).toHaveText(/^甲※\p{Extended_Pictographic}乙$/u);
  await page.getByRole('navigation', { name: '元素路径' }).getByRole('button', { name: '段落' }).click();
  await page.keyboard.type('丙');
  await expect(textOf(page)).toHaveText('丙');
  await tool(page, 'dialog:help').click();
  await expect(page.getByRole('dialog', { name: '编辑器帮助' })).toContainText('Alt+Z');
});

test('a picture that is clicked is sized, placed, described and removed', async ({ page }) => {
  await tool(page, 'dialog:image').click();
  const dialog = page.getByRole('dialog', { name: '插入图片' });
  await dialog
    .getByLabel('选择图片', { exact: true })
    .setInputFiles({ name: '点.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') });
  await dialog.getByRole('button', { name: /插\s*入$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  const image = textOf(page).locator('img');
  await expect(image).toHaveCount(1);
  await image.click({ force: true });
  const bubble = page.getByRole('toolbar', { name: '图片' });
  await bubble.getByRole('button', { name: '50%' }).click();
  await image.click();
  await bubble.getByRole('button', { name: '左环绕' }).click();
  await image.click();
  await bubble.getByLabel('图片描述').fill('箱单照片');
  await bubble.getByLabel('图片描述').press('Enter');
  expect(await sourceOf(page)).toMatch(
    /<img src="[^"]+" alt="箱单照片" style="width: 50%; float: left; margin: 0px 12px 8px 0px;">/,
  );
  await image.click();
  await bubble.getByRole('button', { name: '删除' }).click();
  await expect(image).toHaveCount(0);
});

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function textOf(page: Page): Locator {
  return page.locator('.richtext-editor [data-slate-editor]').first();
}

function tool(page: Page, key: string): Locator {
  return page.locator(`.w-e-toolbar [data-menu-key="${key}"]`);
}

/**
 * Selects the text before the caret. The editor takes what is typed, and then what is selected, at its own pace, and sets
 * the caret anew meanwhile: the selection holds once it is still there after a while.
 */
async function selectLine(page: Page, text: string): Promise<void> {
  const selected = (): Promise<string | undefined> => page.evaluate(() => getSelection()?.toString());
  await expect(textOf(page)).toContainText(text);
  await expect(async () => {
    await page.keyboard.press('Shift+Home');
    expect(await selected()).toBe(text);
    await page.waitForTimeout(600);
    expect(await selected()).toBe(text);
  }).toPass();
}

async function choose(page: Page, key: string, text: string): Promise<void> {
  await tool(page, key).click();
  // The core keeps a list open that was opened a moment ago.
  await page.waitForTimeout(250);
  await tool(page, key).locator('xpath=..').locator(`li[title="${text}"]`).click();
}

async function openInsert(page: Page, item: string): Promise<void> {
  await tool(page, 'group:insert').hover();
  await page.getByRole('button', { name: item, exact: true }).click();
}

async function confirm(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /确\s*定/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function sourceOf(page: Page): Promise<string> {
  await tool(page, 'dialog:source').click();
  const html = await page.getByRole('textbox', { name: '源代码' }).inputValue();
  await leaveDialog(page.getByRole('dialog', { name: '源代码' }), /取\s*消/);
  return html;
}
