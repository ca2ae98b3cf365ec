import { expect, type Locator, type Page } from 'playwright/test';
import { open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

/** Keys that the browser or the core alone would lose. */

test('what is typed over cells, beside boxes and by an input method stands, and one Ctrl+Z takes one step back', async ({
  page,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await signIn(page, 'tm.aa');
  await open(page, '/gggl/xwbj');
  const text = textOf(page);
  await text.click();
  for (const line of ['甲', '乙', '丙']) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Control+KeyZ');
  await page.keyboard.press('Control+KeyZ');
  await expect(text).toHaveText('甲乙');
  await setSource(
    page,
    '<table border="1"><tbody><tr><td>甲</td><td>乙</td></tr><tr><td>丙</td><td>丁</td></tr></tbody></table><div class="box"><p>框</p></div>',
  );
  const cells = text.locator('td');
  await cells.nth(0).hover();
  await page.mouse.down();
  await cells.nth(1).hover();
  await page.mouse.up();
  await page.keyboard.type('新');
  await expect(cells).toHaveText(['新', '', '丙', '丁']);
  await text.locator('.kept-html').click();
  const input = await page.context().newCDPSession(page);
  await input.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Process',
    windowsVirtualKeyCode: 229,
  });
  await input.send('Input.imeSetComposition', { text: 'xia', selectionStart: 3, selectionEnd: 3 });
  await input.send('Input.insertText', { text: '下' });
  await expect(text.locator('p').last()).toHaveText('下');
  await cells.nth(0).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('上');
  await expect(text.locator('p').first()).toHaveText('上');
  await page.keyboard.press('Control+KeyA');
  await page.keyboard.press('Control+KeyX');
  await expect(text).toHaveText('');
  await page.keyboard.press('Control+KeyV');
  await expect(cells).toHaveText(['新', '', '丙', '丁']);
  await expect(text.locator('.kept-html')).toHaveText('框');
  expect(faults).toEqual([]);
});

function textOf(page: Page): Locator {
  return page.locator('.richtext-editor [data-slate-editor]').first();
}

async function setSource(page: Page, html: string): Promise<void> {
  await page.locator('.w-e-toolbar [data-menu-key="dialog:source"]').click();
  const dialog = page.getByRole('dialog', { name: '源代码' });
  await dialog.getByRole('textbox', { name: '源代码' }).fill(html);
  await dialog.getByRole('button', { name: /应\s*用/ }).click();
  await dialog.waitFor({ state: 'detached' });
}
