import type { Browser, Locator, Page, Response } from 'playwright/test';
import { expect, PATIENCE_MS, scan, signedIn } from './flow-api.ts';
import { baseUrl, logIn, PASSWORD } from './session.ts';

/** Pictures of the steps, where a folder for them is named. */
const SHOTS = process.env['E2E_SHOTS'];

/** What a person answers to an action: inputs by their titles. Text is typed; what is picked from a list is told by a function. */
type Answers = Readonly<Record<string, string>>;

/** People at their desks, each in a browser of their own and signed in already, by their personid without the company. */
export async function staff<const Name extends string>(
  browser: Browser,
  names: readonly Name[],
): Promise<Readonly<Record<Name, Page>>> {
  const pages = await Promise.all(names.map((name) => desk(browser, `${name}.aa`)));
  return Object.fromEntries(names.map((name, place) => [name, pages[place]])) as Record<Name, Page>;
}

async function desk(browser: Browser, personid: string): Promise<Page> {
  const first = await browser.newPage();
  const kept = await logIn(first, personid);
  await first.close();
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin: baseUrl(), localStorage }] },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  signedIn(page, kept.authorization);
  return page;
}

/** He works for two customers, and is asked for which. */
const SHARED = '13900000002';
/** The mobile numbers that customers of the demo have passwords with. */
export const LOGINS: readonly unknown[] = ['13900000001', SHARED];

/** A customer at a browser of his own. */
export async function customer(browser: Browser, mobile: string, company: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await show(page, '/login');
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.getByLabel('手机号').fill(mobile);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  if (mobile === SHARED) {
    const choice = page.getByRole('dialog', { name: '选择客户' });
    await choice.locator('.ant-select-selector').first().click();
    await page.locator('.ant-select-item-option').filter({ hasText: company }).first().click();
    await choice.getByRole('button', { name: '进入系统' }).click();
  }
  await page.locator('.face-block').first().waitFor();
  return page;
}

/** Opens an address as a bookmark would. */
export async function show(page: Page, address: string): Promise<void> {
  await page.goto(`${baseUrl()}${address}`);
}

/** The page of a record whose kind has none of its own. */
export async function showRecord(page: Page, resource: string, id: string): Promise<void> {
  await show(page, `/index/dj?resource=${resource}&id=${id}`);
  await expect(page.locator('.details-head').filter({ visible: true })).toBeVisible();
}

/** A list with one record alone, which stands beside it. */
export async function showInList(page: Page, route: string, id: string): Promise<Locator> {
  await show(page, listAddress(route, id));
  const drawer = page.locator('.ant-drawer').filter({ visible: true }).last();
  await expect(drawer.locator('.details-head')).toBeVisible();
  return drawer;
}

/** A list with one record alone, whose row is chosen. */
export async function chooseInList(page: Page, route: string, id: string): Promise<void> {
  await showAlone(page, route, id);
  await page.locator('tbody').getByRole('checkbox').filter({ visible: true }).first().check();
}

/** Shows a list with one record. */
export async function showAlone(page: Page, route: string, id: string): Promise<void> {
  await show(page, listAddress(route, id));
}

function listAddress(route: string, id: string): string {
  return `${route}?c=${encodeURIComponent(JSON.stringify({ id: { eq: id } }))}`;
}

/** Does with the chosen rows what a button of the bar says, and reads that all went well. */
export async function actOnChosen(page: Page, title: string, answers: Answers = {}): Promise<void> {
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: title }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await answer(page, dialog, { title, answers });
  await expect(page.getByText(new RegExp(`^${title.replace('批量', '')}：\\d+ 条成功$`))).toBeVisible();
}

/** The field of the form in front with this title. */
export function formField(page: Page, title: string): Locator {
  return page
    .locator('.form-field', { has: page.locator(`label[title="${title}"]`) })
    .filter({ visible: true })
    .first();
}

/** Types into the fields of the form in front, by their titles. */
export async function fillIn(page: Page, values: Answers): Promise<void> {
  for (const [title, value] of Object.entries(values)) await type(formField(page, title), value);
}

/** Picks by searching, as one does who knows the number or the name; the first that is offered for an empty text. */
export async function pickIn(page: Page, title: string, text: string): Promise<void> {
  await pick(page, formField(page, title), text);
}

/** The grid with this title, scrolled to. */
export async function gridOf(page: Page, title: string): Promise<Locator> {
  const grid = page.getByRole('grid', { name: title }).filter({ visible: true });
  await grid.scrollIntoViewIfNeeded();
  return grid;
}

/** Types into a cell of a line, counted from 1. */
export async function fillCell(grid: Locator, column: string, value: string, line = 1): Promise<void> {
  const cell = grid.getByRole('textbox', { name: column, exact: true }).nth(line - 1);
  await cell.click();
  await cell.fill(value);
  await cell.press('Tab');
}

/** Saves the form in front. */
export async function save(page: Page): Promise<void> {
  const isSaved = answered(page, SAVED);
  isSaved.catch(() => undefined);
  // A list of choices that is still closing takes the key for itself.
  await expect(async () => {
    const isSent = page.waitForRequest((sent) => SAVED.test(sent.url()) && sent.method() !== 'GET', {
      timeout: 5_000,
    });
    await page.keyboard.press('Control+s');
    await isSent;
  }).toPass({ timeout: PATIENCE_MS });
  await expectDone(await isSaved);
  await expect(page.getByText('有未保存的修改').filter({ visible: true })).toHaveCount(0);
}

const SAVED = /\/erp\/api\/data\/\w+(\/[\w-]{36})?$/;

/** The id of the record in front, from its address. */
export async function idInFront(page: Page): Promise<string> {
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBeNull();
  return new URL(page.url()).searchParams.get('id') ?? '';
}

/**
 * Presses the button of an action, or finds it under 更多, and answers what it asks; waits until the server has done it.
 * `look` is what the dialog is read for before it is agreed to.
 */
export async function act(
  page: Page,
  title: string,
  answers: Answers = {},
  look?: (dialog: Locator) => Promise<void>,
): Promise<void> {
  const place = page.locator('.details-actions, .form-bar').filter({ visible: true }).last();
  const button = place.getByRole('button', { name: title, exact: true });
  const more = place.getByRole('button', { name: /^更多/ });
  await expect(button.or(more).first()).toBeVisible();
  const isDone = answered(page, /\/actions\/\w+$/);
  isDone.catch(() => undefined);
  if (await button.isVisible()) await button.click();
  else {
    await more.click();
    // The record may just be read anew: what was under 更多 becomes a button then.
    await page.getByRole('menuitem', { name: title, exact: true }).or(button).first().click();
  }
  const question = page
    .getByRole('dialog', { name: new RegExp(`^${title}(审核)?$`) })
    .filter({ visible: true });
  const asked = await Promise.race([
    question.waitFor().then(
      () => true,
      () => false,
    ),
    isDone.then(
      () => false,
      () => true,
    ),
  ]);
  if (asked) await answer(page, question, { title, answers, look });
  await expectDone(await isDone);
  await expect(question).toBeHidden();
}

/** Fills in what a dialog asks for and agrees to it. */
async function answer(
  page: Page,
  dialog: Locator,
  asked: {
    readonly title: string;
    readonly answers: Answers;
    readonly look?: ((dialog: Locator) => Promise<void>) | undefined;
  },
): Promise<void> {
  const { title, answers, look } = asked;
  for (const [name, value] of Object.entries(answers)) {
    const input = dialog.locator('.action-input', { has: page.locator('label', { hasText: name }) }).first();
    if ((await input.locator('.ant-select').count()) > 0) await pick(page, input, value);
    else if ((await input.locator('input[type=file]').count()) > 0) await upload(input, value);
    else await type(input, value);
  }
  await look?.(dialog);
  await dialog.getByRole('button', { name: new RegExp(`^(确认)?${title}$`) }).click();
}

/** A file as one drags it in. */
async function upload(field: Locator, name: string): Promise<void> {
  await field.locator('input[type=file]').setInputFiles(scan(name));
  await expect(field.getByText(name)).toBeVisible();
  await expect(field.locator('.ant-progress')).toHaveCount(0);
}

/** Picks in a cell of a line, counted from 1. */
export async function pickCell(grid: Locator, column: string, text: string, line = 1): Promise<void> {
  await (await cellOf(grid, column, line)).click();
  await grid.getByRole('combobox').fill(text);
  await takeOption(grid.page(), text);
}

/** A file into a cell of a line, counted from 1. */
export async function uploadToCell(
  page: Page,
  grid: Locator,
  { column, line, name }: { readonly column: string; readonly line: number; readonly name: string },
): Promise<void> {
  await (await cellOf(grid, column, line)).dblclick();
  await page.locator(`input[type=file][aria-label="上传${column}"]`).last().setInputFiles(scan(name));
  await expect(grid.getByText(name)).toBeVisible();
  // While it is on its way it has a bar.
  await expect(grid.locator('.ant-progress')).toHaveCount(0);
  // What was open over the next line shuts.
  await grid.getByRole('columnheader').first().click();
}

async function cellOf(grid: Locator, column: string, line: number): Promise<Locator> {
  // The first header is that of the line numbers, which are no cells.
  const [, ...titles] = await grid.getByRole('columnheader').allInnerTexts();
  const place = titles.findIndex((title) => title.replace('*', '').trim() === column);
  return grid.getByRole('row').nth(line).getByRole('gridcell').nth(place);
}

/** The person whose turn it is agrees on the page of the approval. */
export async function agree(page: Page, resource: string, id: string): Promise<void> {
  await show(page, `/check/dshList?resource=${resource}&id=${id}`);
  const isDone = answered(page, /\/approval\/[\w-]+\/approve$/);
  await page.getByLabel('审核意见').fill('同意');
  await page.getByRole('button', { name: '同意', exact: true }).click();
  await expectDone(await isDone);
}

/** The answer to a write; the page asks again by itself where one is lost on the way. */
function answered(page: Page, address: RegExp): Promise<Response> {
  return page.waitForResponse(
    async (response) =>
      address.test(response.url()) &&
      response.request().method() !== 'GET' &&
      (response.status() !== 409 || !(await response.text()).includes('IDEMPOTENCY_IN_PROGRESS')),
  );
}

/** What the server refused stands in the report. */
async function expectDone(response: Response): Promise<void> {
  expect(response.ok() ? '' : await response.text()).toBe('');
}

async function type(field: Locator, value: string): Promise<void> {
  const input = field.locator('input:not([type=file]), textarea').first();
  await input.fill(value);
  // A calendar that opened with the field closes again.
  await input.press('Tab');
}

async function pick(page: Page, field: Locator, text: string): Promise<void> {
  const input = field.locator('input').first();
  await field.locator('.ant-select-selector').first().click();
  if (text !== '' && (await input.isEditable())) await input.fill(text);
  await takeOption(page, text);
}

async function takeOption(page: Page, text: string): Promise<void> {
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    .filter({
      hasText: new RegExp(`(^|[^\\u4e00-\\u9fff])${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    })
    .first()
    .click();
}

/** A picture of the page at both widths, for whoever looks at them; none where no folder is named. */
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
