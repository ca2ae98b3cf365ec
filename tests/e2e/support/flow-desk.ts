import { type Browser, expect as expectSoon, type Locator, type Page, type Response } from 'playwright/test';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { baseUrl, PASSWORD } from './session.ts';

/** A step that takes longer has failed. */
const PATIENCE_MS = 40_000;
export const expect = expectSoon.configure({ timeout: PATIENCE_MS });

/** A record as the API answers it. */
export type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly msg: string;
  readonly data: Fields;
}

/** What a person answers to an action: inputs by their titles. Text is typed; what is picked from a list is told by a function. */
type Answers = Readonly<Record<string, string>>;

/* ---- through the API: what a flow needs before it begins, and what it has come to ---- */

/** Calls the API as the person of a desk (see `staff`); anything but success ends the test. */
async function call(page: Page, method: string, address: string, body?: unknown): Promise<Fields> {
  const given = await request(page, method, address, body);
  expect(given.status === 200 ? '' : `${method} ${address}: ${given.msg}`).toBe('');
  return given.data;
}

const sessions = new WeakMap<Page, string>();

async function request(page: Page, method: string, address: string, body?: unknown): Promise<Answer> {
  const response = await page.request.fetch(`${baseUrl()}/erp/api${address}`, {
    method,
    headers: { Authorization: sessions.get(page) ?? '' },
    ...(body === undefined ? {} : { data: body }),
  });
  const { msg, data } = (await response.json()) as Omit<Answer, 'status'>;
  return { status: response.status(), msg, data };
}

export function recordOf(page: Page, resource: string, id: string): Promise<Fields> {
  return call(page, 'GET', `/data/${resource}/${id}`);
}

/** Records by a filter, the newest first. */
export async function find(page: Page, resource: string, filters: object): Promise<readonly Fields[]> {
  const answer = await call(page, 'POST', `/data/${resource}/query`, {
    pageSize: 200,
    filters,
    sorters: ['-created_at'],
  });
  return list(answer['records']);
}

/** The newest record by a filter; the test ends with a clear word where there is none. */
export async function newest(page: Page, resource: string, filters: object): Promise<Fields> {
  const [record] = await find(page, resource, filters);
  if (record === undefined) throw new TypeError(`no ${resource} with ${JSON.stringify(filters)}`);
  return record;
}

export function create(page: Page, resource: string, values: Fields): Promise<Fields> {
  return call(page, 'POST', `/data/${resource}`, values);
}

export async function change(page: Page, resource: string, id: string, values: Fields): Promise<Fields> {
  const { version } = await recordOf(page, resource, id);
  return call(page, 'PATCH', `/data/${resource}/${id}`, { version, ...values });
}

export async function run(
  page: Page,
  resource: string,
  id: string,
  {
    action,
    inputs = {},
    opinion,
  }: { readonly action: string; readonly inputs?: Fields; readonly opinion?: string },
): Promise<Fields> {
  const { version } = await recordOf(page, resource, id);
  return call(page, 'POST', `/data/${resource}/${id}/actions/${action}`, {
    version,
    inputs,
    ...(opinion === undefined ? {} : { opinion }),
  });
}

/** Submits, and lets everybody of the list approve whose turn it is. */
export async function approved(
  page: Page,
  resource: string,
  id: string,
  approvers: readonly Page[],
  fields?: Fields,
): Promise<void> {
  await run(page, resource, id, { action: 'submit' });
  for (const approver of approvers) {
    const state = await request(approver, 'GET', `/approval/record/${resource}/${id}`);
    // Who may not see it has no say in it.
    if (state.status === 404) continue;
    const { task } = state.data;
    if (task === null || task === undefined) continue;
    const { id: taskId, version } = task as Fields;
    await call(approver, 'POST', `/approval/${String(taskId)}/approve`, {
      version,
      opinion: '同意',
      ...(fields === undefined ? {} : { fields }),
    });
  }
}

/** The first document that an action has made. */
export function madeBy(answer: Fields): string {
  const [made] = list(answer['_created']);
  return String(made?.['id']);
}

/** A scan that a field may hold. */
export async function scanOf(page: Page, resource: string, field: string): Promise<string> {
  const response = await page.request.post(`${baseUrl()}/erp/api/files?resource=${resource}&field=${field}`, {
    headers: { Authorization: sessions.get(page) ?? '' },
    multipart: { files: scan('扫描件.pdf') },
  });
  const { data } = (await response.json()) as { readonly data: Fields | readonly Fields[] };
  const [file] = [data].flat();
  return String(file?.['id']);
}

const scan = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n%%EOF'),
});

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

export async function expectStatus(page: Page, resource: string, id: string, status: string): Promise<void> {
  await expect.poll(async () => (await recordOf(page, resource, id))['status']).toBe(status);
}

/* ---- on the pages, as people do it ---- */

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
  const login = await request(first, 'POST', '/sys/login', {
    personid,
    password: sealEnvelope(PASSWORD, DEMO_AES_KEY),
  });
  sessions.set(first, String(login.data['authorization']));
  const roleIdList = list(login.data['roleList']).map((role) => role['roleId']);
  const person = await call(first, 'POST', '/sys/setPosition', {
    ...{ id: login.data['id'], roleId: roleIdList[0], roleIdList, saleId: null },
  });
  await first.close();
  const kept = { person: JSON.stringify(person), authorization: String(person['authorization']) };
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin: baseUrl(), localStorage }] },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  sessions.set(page, kept.authorization);
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

/** A list with one record alone, whose row is chosen. */
export async function chooseInList(page: Page, route: string, id: string): Promise<void> {
  await show(page, listAddress(route, id));
  await page.locator('tbody').getByRole('checkbox').filter({ visible: true }).first().check();
}

function listAddress(route: string, id: string): string {
  return `${route}?c=${encodeURIComponent(JSON.stringify({ id: { eq: id } }))}`;
}

/** Does with the chosen rows what a button of the bar says, and reads that all went well. */
export async function actOnChosen(page: Page, title: string, answers: Answers = {}): Promise<void> {
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: title }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await answer(page, dialog, title, answers);
  await expect(page.getByText(new RegExp(`^${title.replace('批量', '')}：\\d+ 条成功$`))).toBeVisible();
}

/** The field of the form in front with this title. */
function formField(page: Page, title: string): Locator {
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
  const isSaved = answered(page, /\/erp\/api\/data\/\w+(\/[\w-]{36})?$/);
  await page.keyboard.press('Control+s');
  await expectDone(await isSaved);
  await expect(page.getByText('有未保存的修改').filter({ visible: true })).toHaveCount(0);
}

/** The id of the record in front, from its address. */
export async function idInFront(page: Page): Promise<string> {
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBeNull();
  return new URL(page.url()).searchParams.get('id') ?? '';
}

/** Presses the button of an action, or finds it under 更多, and answers what it asks; waits until the server has done it. */
export async function act(page: Page, title: string, answers: Answers = {}): Promise<void> {
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
  if (asked) await answer(page, question, title, answers);
  await expectDone(await isDone);
  await expect(question).toBeHidden();
}

/** Fills in what a dialog asks for and agrees to it. */
async function answer(page: Page, dialog: Locator, title: string, answers: Answers): Promise<void> {
  for (const [name, value] of Object.entries(answers)) {
    const input = dialog.locator('.action-input', { has: page.locator('label', { hasText: name }) }).first();
    if ((await input.locator('.ant-select').count()) > 0) await pick(page, input, value);
    else if ((await input.locator('input[type=file]').count()) > 0) await upload(input, value);
    else await type(input, value);
  }
  await dialog.getByRole('button', { name: new RegExp(`^(确认)?${title}$`) }).click();
}

/** A file as one drags it in. */
async function upload(field: Locator, name: string): Promise<void> {
  await field.locator('input[type=file]').setInputFiles(scan(name));
  await expect(field.getByText(name)).toBeVisible();
  await expect(field.locator('.ant-progress')).toHaveCount(0);
}

/** A file into a cell of a line, counted from 1. */
export async function uploadToCell(
  page: Page,
  grid: Locator,
  { column, line, name }: { readonly column: string; readonly line: number; readonly name: string },
): Promise<void> {
  // The first header is that of the line numbers, which are no cells.
  const [, ...titles] = await grid.getByRole('columnheader').allInnerTexts();
  const place = titles.findIndex((title) => title.replace('*', '').trim() === column);
  const cell = grid.getByRole('row').nth(line).getByRole('gridcell').nth(place);
  await cell.dblclick();
  await page.locator(`input[type=file][aria-label="上传${column}"]`).last().setInputFiles(scan(name));
  await expect(grid.getByText(name)).toBeVisible();
  // While it is on its way it has a bar.
  await expect(grid.locator('.ant-progress')).toHaveCount(0);
  // What was open over the next line shuts.
  await grid.getByRole('columnheader').first().click();
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
  await page
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    .filter({
      hasText: new RegExp(`(^|[^\\u4e00-\\u9fff])${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    })
    .first()
    .click();
}
