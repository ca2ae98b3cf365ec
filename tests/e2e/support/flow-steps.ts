import { type Browser, expect, type Locator, type Page } from 'playwright/test';
import { baseUrl, callApi, open, PASSWORD, signIn } from './session.ts';

export type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

interface Envelope {
  readonly msg: string;
  readonly data: Fields & { readonly records?: readonly Fields[] };
}

/** Pictures of the steps, where a folder for them is named. */
const SHOTS = process.env['E2E_SHOTS'];

/** Somebody at a browser of his own. */
export async function atWork(browser: Browser, personid: string, role?: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);
  await signIn(page, personid, role);
  return page;
}

/** A customer at a browser of his own. */
export async function atHome(browser: Browser, mobile: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.getByLabel('手机号').fill(mobile);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.locator('.face-block').first().waitFor();
  return page;
}

export async function readRecord(page: Page, resource: string, id: string): Promise<Fields> {
  return answerOf(page, 'GET', `/data/${resource}/${id}`);
}

export async function findRecords(page: Page, resource: string, query: object): Promise<readonly Fields[]> {
  return (await answerOf(page, 'POST', `/data/${resource}/query`, query)).records ?? [];
}

/** A write that the story needs and is not about. */
export async function written(page: Page, method: string, path: string, body: object): Promise<Fields> {
  return answerOf(page, method, path, body);
}

async function answerOf(page: Page, method: string, path: string, body?: unknown): Promise<Envelope['data']> {
  const answer = await callApi<Envelope>(page, method, path, body);
  expect([path, answer.status, answer.body.msg]).toEqual([path, 200, expect.any(String)]);
  return answer.body.data;
}

/** Types into a picking field what its record is called, and takes it. */
export async function choose(scope: Page | Locator, label: string, text: string): Promise<void> {
  const page = 'context' in scope ? scope : scope.page();
  const box = scope
    .getByRole('combobox', { name: new RegExp(`^(\\* )?${label}$`) })
    .filter({ visible: true })
    .first();
  await box.click();
  await box.fill(text);
  await takeOption(page, text);
}

async function takeOption(page: Page, text: string): Promise<void> {
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    .filter({ hasText: text })
    .first()
    .click();
}

/** Picks in a cell of the first line of a grid. */
export async function chooseCell(grid: Locator, column: string, text: string): Promise<void> {
  const heads = await grid.getByRole('columnheader').allInnerTexts();
  const place = heads.findIndex((head) => head.replace(/^\*\s*/, '').trim() === column);
  await grid
    .getByRole('row')
    .nth(1)
    .getByRole('gridcell')
    .nth(place - 1)
    .click();
  const box = grid.getByRole('combobox');
  await box.fill(text);
  await takeOption(grid.page(), text);
}

/** Fills text fields of a form by their labels. */
export async function fill(scope: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await scope
      .getByRole('textbox', { name: new RegExp(`^(\\* )?${label}`) })
      .filter({ visible: true })
      .first()
      .fill(value);
}

/** Saves the form; the id and the number that the tab is called by then. */
export async function save(
  page: Page,
  number: RegExp,
): Promise<{ readonly id: string; readonly number: string }> {
  const tab = page.getByRole('tab', { name: number, selected: true });
  // A list of choices that is still closing takes the key for itself; a form without changes is not saved again.
  await expect(async () => {
    await page.keyboard.press('Control+s');
    await expect(tab).toBeVisible({ timeout: 15_000 });
  }).toPass({ timeout: 60_000 });
  const id = new URL(page.url()).searchParams.get('id') ?? '';
  expect(id).not.toBe('');
  return { id, number: number.exec(await tab.innerText())?.[0] ?? '' };
}

/** Presses a button of the page that is open. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
}

/** Presses a button whose dialog first tells what will happen. */
export async function pressAndConfirm(page: Page, name: string): Promise<void> {
  await press(page, name);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name, exact: true }).click();
  await expect(dialog).toBeHidden({ timeout: 60_000 });
}

/** Hands the open document in: the dialog says who decides. */
export async function handIn(page: Page, deciders: RegExp): Promise<void> {
  await press(page, '提交');
  const dialog = page.getByRole('dialog').filter({ hasText: deciders });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: /^(确认)?提交$/ }).click();
  await expect(dialog).toBeHidden();
}

/** Decides what waits in the own inbox under a number. */
export async function agree(page: Page, number: string): Promise<void> {
  await open(page, '/index/sh');
  await page.getByRole('button', { name: number }).first().click();
  await page.getByLabel('审核意见').fill('同意');
  // What is decided follows in the same step: entries, vouchers, all that moves with them.
  const decided = page.waitForResponse((answer) => /\/approval\/[^/]+\/approve$/.test(answer.url()), {
    timeout: 60_000,
  });
  await page.getByRole('button', { name: '同意', exact: true }).click();
  expect((await decided).status()).toBe(200);
}

/** A picture of the page at both widths, for whoever looks at them. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${SHOTS}/${name}-${width}.png` });
  }
}
