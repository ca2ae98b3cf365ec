import { expect, type Page } from 'playwright/test';
import { leaveDialog } from './support/leave-dialog.ts';
import { open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

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
  await expect(bar).toContainText('段落');
  await page.keyboard.press('Alt+KeyZ');
  const filled = await page.locator('.w-e-full-screen-container').boundingBox();
  expect(filled).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  await expect(bar).toBeVisible();
  await page.keyboard.press('Alt+KeyZ');
  await expect(page.locator('.w-e-full-screen-container')).toHaveCount(0);
  await page.keyboard.press('Alt+KeyZ');
  await page.locator('.w-e-toolbar [data-menu-key="fontSize"]').click();
  await page.waitForTimeout(250);
  await page.keyboard.press('Escape');
  await expect(page.locator('.w-e-select-list:visible')).toHaveCount(0);
  await expect(page.locator('.w-e-full-screen-container')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator('.w-e-full-screen-container')).toHaveCount(0);
  await page.keyboard.insertText('字'.repeat(10_001));
  await expect(bar).toContainText('字数超出最大允许值，已超出5个字');
});

test('the tools of the second row put into the document what is saved, and the source shows it', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/contractedit');
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await area.scrollIntoViewIfNeeded();
  await area.click();
  await page.keyboard.type('提单副本');
  await insert(page, '锚点', '锚点名称', 'clause-1');
  await insert(page, '视频', '视频地址', 'https://example.com/a.mp4');
  await insert(page, '百度地图', '地点', '宁波港');
  await page.locator('.richtext-editor [data-menu-key="dialog:attachment"]').click();
  const dialog = page.getByRole('dialog', { name: '插入附件' });
  await dialog.getByLabel('选择附件', { exact: true }).setInputFiles({
    name: '报价<img src=x onerror=alert(1)>.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('1'),
  });
  await dialog.getByRole('button', { name: /插\s*入$/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect(area.locator('a.attachment')).toHaveText('报价img src=x onerror=alert(1).txt');
  await page.getByRole('button', { name: '分页符' }).click();
  const html = await sourceOf(page);
  expect(html).toContain('<a name="clause-1" id="clause-1"></a>');
  expect(html).toContain(
    '<video src="https://example.com/a.mp4" width="420" height="280" controls=""></video>',
  );
  expect(html).toMatch(/<iframe[^>]+sandbox="allow-scripts/);
  expect(html).toContain('<hr class="pagebreak">');
  expect(html).toContain('class="attachment"');
});

test('pictures that are pasted or dropped are uploaded, those on the own disk are told of', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/contractedit');
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await area.scrollIntoViewIfNeeded();
  await area.click();
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const give = (kind: 'paste' | 'drop', html: string | null) =>
    area.evaluate(
      (element, [what, text, base64]) => {
        const data = new DataTransfer();
        if (text === null) {
          const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
          data.items.add(new File([bytes], '截图.png', { type: 'image/png' }));
        } else data.setData('text/html', text);
        const init = { bubbles: true, cancelable: true };
        element.dispatchEvent(
          what === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        );
      },
      [kind, html, dot] as const,
    );
  const own = area.locator('img[src^="/erp/api/files/"], img[data-file]');
  await give('paste', null);
  await expect(own).toHaveCount(1);
  await give('drop', null);
  await expect(own).toHaveCount(2);
  await give('paste', `<p>图文<img src="data:image/png;base64,${dot}"><img src="file:///C:/a.png"></p>`);
  await expect(own).toHaveCount(3);
  await expect(page.getByText('1 张本机图片浏览器读不到')).toBeVisible();
  await give('paste', '<p>x<img src="http://127.0.0.1:9/a.png"></p>');
  await expect(page.getByText('1 张网上图片没有保存成功')).toBeVisible();
});

test('a frame of an unknown site is refused, search counts and replaces across marks, clearing asks', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/contractedit');
  const area = page.locator('.richtext-editor [contenteditable="true"]').first();
  await area.scrollIntoViewIfNeeded();
  await applySource(
    page,
    '<table border="1"><caption>表</caption><tbody><tr><td>1</td></tr></tbody></table><p>提<strong>单</strong>提单</p><img src=x onerror="document.title=\'坏\'"><script>document.title="坏"</script>',
  );
  await expect(area.locator('[data-caption="表"]')).toContainText('1');
  await page.getByRole('button', { name: '查找替换' }).click();
  await page.getByLabel('查找', { exact: true }).fill('提单');
  await expect(page.getByText('共2处')).toBeVisible();
  expect(
    await page.evaluate<string>(
      "[...CSS.highlights.get('richtext-found')].map((range) => range.toString()).join()",
    ),
  ).toBe('提单,提单');
  await page.getByLabel('替换为').fill('箱单');
  await page.getByRole('button', { name: '全部替换' }).click();
  await page.locator('.ant-modal-close').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await sourceOf(page)).toContain('箱单箱单');
  await openInsert(page, '框架');
  await page.getByLabel('网页地址').fill('https://evil.example/');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /插\s*入/ })
    .click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('只能插入这些网站的网页');
  await page.locator('.ant-modal-close').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '清空文档' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /清\s*空/ })
    .click();
  await expect(area).toHaveText('');
  expect(await page.title()).not.toContain('坏');
});

test('an editor that does not load says which file failed and comes with another try', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await page.route('**/assets/richtext-control-*.js', (route) => route.abort());
  await open(page, '/customer/contractedit');
  const fault = page.getByRole('alert').filter({ hasText: '编辑器没有加载出来' });
  await expect(fault).toContainText(/\/assets\/richtext-control-[\w-]+\.js/);
  await page.unroute('**/assets/richtext-control-*.js');
  await fault.getByRole('button', { name: /重\s*试/ }).click();
  await expect(page.locator('.richtext-editor [data-slate-editor]').first()).toBeVisible();
});

async function openInsert(page: Page, item: string): Promise<void> {
  await page.locator('.w-e-toolbar [data-menu-key="group:insert"]').hover();
  await page.getByRole('button', { name: item, exact: true }).click();
}

async function insert(page: Page, item: string, label: string, text: string): Promise<void> {
  await openInsert(page, item);
  await page.getByLabel(label).fill(text);
  await page.getByLabel(label).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function sourceOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: '源代码' }).click();
  const html = await page.getByRole('textbox', { name: '源代码' }).inputValue();
  await leaveDialog(page.getByRole('dialog'), /取\s*消/);
  return html;
}

async function applySource(page: Page, html: string): Promise<void> {
  await page.getByRole('button', { name: '源代码' }).click();
  await page.getByRole('textbox', { name: '源代码' }).fill(html);
  await leaveDialog(page.getByRole('dialog'), /应\s*用/);
}
