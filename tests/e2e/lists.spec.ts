import { expect, type Page } from 'playwright/test';
import { open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

const LIST = '/customer/buyer';
const box = (page: Page) => page.locator('.plain-table-box').filter({ visible: true });
const heads = (page: Page) => box(page).locator('.head-sort').allInnerTexts();

test('rows that take their time have their shape meanwhile, in one element, and nothing moves when they come', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  let answer = () => undefined as void;
  const isAwaited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/data/buyer/query', async (route) => {
    await isAwaited;
    await route.continue();
  });
  await open(page, LIST);
  const skeleton = box(page).locator('.table-skeleton');
  await expect(skeleton).toHaveCSS('opacity', '1');
  expect(await skeleton.locator('*').count()).toBe(0);
  const before = await box(page).boundingBox();
  answer();
  await expect(box(page).locator('tbody tr').first()).toBeVisible();
  await expect(skeleton).toBeHidden();
  const after = await box(page).boundingBox();
  expect([after?.x, after?.y, after?.height]).toEqual([before?.x, before?.y, before?.height]);
});

test('columns and tabs are put in order, and columns made wider, by keys', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, LIST);
  await expect(box(page).locator('tbody tr').first()).toBeVisible();
  const [first = '', second = ''] = await heads(page);
  await box(page).getByRole('button', { name: second, exact: true }).first().focus();
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect.poll(async () => (await heads(page)).slice(0, 2)).toEqual([second, first]);
  // The focus goes with the column.
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(async () => (await heads(page)).slice(0, 2)).toEqual([first, second]);

  const edge = box(page).getByRole('separator', { name: `${first.trim()}列宽` });
  const width = Number(await edge.getAttribute('aria-valuenow'));
  const head = box(page).getByRole('button', { name: first, exact: true }).first();
  await head.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(width + 20);

  // All heads are one step of Tab: the next is in the rows.
  await head.focus();
  await page.keyboard.press('ArrowRight');
  await expect(box(page).getByRole('button', { name: second, exact: true }).first()).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(box(page).locator('tbody :focus')).toHaveCount(1);

  // A dialog gives the focus back, also one that is taken out of the page as it closes.
  const builder = page.getByRole('button', { name: '组合条件', exact: true }).filter({ visible: true });
  await builder.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '组合条件' });
  // It has the focus once it stands.
  await expect(builder).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(builder).toBeFocused();

  await page.getByRole('button', { name: '列设置' }).click();
  const rows = page.locator('.column-chooser li');
  const [top = '', next = ''] = await rows.allInnerTexts();
  await rows.first().getByRole('checkbox').focus();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(async () => (await rows.allInnerTexts()).slice(0, 2)).toEqual([next, top]);
  await page.getByRole('button', { name: '恢复默认' }).click();
  await page.keyboard.press('Escape');

  await open(page, '/details/xwxht');
  const tabs = page.locator('.tab-bar').getByRole('tab');
  const front = page.locator('.tab-bar').getByRole('tab', { name: /外销合同/, selected: true });
  await front.waitFor();
  await front.focus();
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'false');
  await expect(front).toBeFocused();
  // It does not go in front of those that stay where they are.
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await expect(tabs.nth(3)).toHaveAttribute('aria-selected', 'true');
});

test('a page that has run empty leads to the last one; a keyword takes neither the focus nor what was filled in', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, `${LIST}?page=999`);
  await expect(box(page).locator('tbody tr').first()).toBeVisible();
  await expect(page).not.toHaveURL(/page=999/);

  const keyword = page.getByLabel('关键字').filter({ visible: true });
  const filter = page.locator('.filter-form input[type=text]').filter({ visible: true }).first();
  await filter.fill('GMBH');
  await keyword.fill('TRADING');
  await keyword.press('Enter');
  await expect(page).toHaveURL(/q=TRADING/);
  await expect(keyword).toBeFocused();
  await expect(filter).toHaveValue('GMBH');
  await page.getByRole('button', { name: '查询', exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/GMBH/);
  const reset = page.getByRole('button', { name: '重置', exact: true }).filter({ visible: true });
  await reset.click();
  await expect(page).not.toHaveURL(/GMBH/);
  // What was not searched for goes too.
  await filter.fill('SCHMIDT');
  await reset.click();
  await expect(filter).toHaveValue('');
});

test('Enter before the answer picks what was typed; who goes on without typing picks nothing', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyeredit');
  const field = page.locator('[data-field=partner_id]');
  const input = field.locator('input');
  const picked = field.locator('.ant-select-selection-item');
  const options = page.locator('.ant-select-dropdown').filter({ visible: true }).locator('.candidate-label');
  await input.click();
  await expect(options.nth(1)).toBeVisible();
  const second = await options.nth(1).innerText();
  await input.press('Tab');
  await expect(options.first()).toBeHidden();
  await expect(picked).toHaveCount(0);

  let answer = () => undefined as void;
  const isAwaited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/lookup/buyer/partner_id', async (route) => {
    if (route.request().postData()?.includes(second) === true) await isAwaited;
    await route.continue();
  });
  await input.click();
  await expect(options.nth(1)).toBeVisible();
  await input.fill(second);
  await input.press('Enter');
  await expect(picked).toHaveCount(0);
  answer();
  await expect(picked).toContainText(second);
});
