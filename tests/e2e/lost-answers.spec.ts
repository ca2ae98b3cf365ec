import { expect, type Page, type Route } from 'playwright/test';
import { leaveDialog } from './support/leave-dialog.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Record_ {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly name_en: string;
}
interface Found {
  readonly data: { readonly records: readonly Record_[] };
}

const FORM = '/customer/buyeredit';

/** The server does the work, and the network takes its answer away; only the first time. */
async function loseFirstAnswer(page: Page, method: string, address: string | RegExp): Promise<() => number> {
  let calls = 0;
  await page.route(address, async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    calls += 1;
    if (calls > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => calls;
}

/** The network breaks before the first request gets anywhere. */
async function failFirst(page: Page, address: RegExp): Promise<void> {
  await page.route(address, (route) => route.abort('connectionreset'), { times: 1 });
}

async function buyersNamed(page: Page, name: string): Promise<readonly Record_[]> {
  const { body } = await callApi<Found>(page, 'POST', '/data/buyer/query', {
    filters: { name_en: { eq: name } },
  });
  return body.data.records;
}

const nameField = (page: Page) => page.getByLabel(/英文名称/).filter({ visible: true });
const isSaved = (page: Page) =>
  expect(page.getByText('已保存').filter({ visible: true }).first()).toBeVisible();

test('a lost answer of a creation and of a change never saves twice nor ends in a conflict with oneself', async ({
  page,
}) => {
  const name = `LOST ANSWER ${Date.now()} LTD`;
  await signIn(page, 'sp.aa', '业务员');
  await open(page, FORM);
  const creations = await loseFirstAnswer(page, 'POST', /\/erp\/api\/data\/buyer$/);
  await nameField(page).fill(name);
  await page.keyboard.press('Control+S');
  await isSaved(page);
  expect(creations()).toBe(2);
  await expect.poll(() => new URL(page.url()).searchParams.get('id')).not.toBeNull();
  // The form is the same one: the focus stays, and typing goes on.
  await expect(nameField(page)).toBeFocused();
  expect(await buyersNamed(page, name)).toHaveLength(1);

  const changes = await loseFirstAnswer(page, 'PATCH', /\/erp\/api\/data\/buyer\/[^/]+$/);
  await page.getByLabel('城市').fill('Lagos');
  await page.keyboard.press('Control+S');
  await expect.poll(changes).toBe(2);
  await expect(page.getByText('有未保存的修改')).toBeHidden();
  await expect(page.getByText('单据在别处已被修改，请选择要保留的内容')).toBeHidden();
  const [changed] = await buyersNamed(page, name);
  expect(changed?.version).toBe(2);
});

test('a save that was on its way when the page was loaded again is not done twice by its draft', async ({
  page,
}) => {
  const name = `LOST WITH ITS PAGE ${Date.now()} LTD`;
  await signIn(page, 'sp.aa', '业务员');
  await open(page, FORM);
  await page.route(/\/erp\/api\/data\/buyer$/, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await nameField(page).fill(name);
  await page.keyboard.press('Control+S');
  await expect.poll(() => buyersNamed(page, name)).toHaveLength(1);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.unroute(/\/erp\/api\/data\/buyer$/);
  await page.reload();
  await page.getByRole('button', { name: '恢复', exact: true }).click();
  await page.getByLabel('城市').fill('Accra');
  await page.keyboard.press('Control+S');
  await isSaved(page);
  const found = await buyersNamed(page, name);
  expect(found.map(({ version }) => version)).toEqual([2]);
});

test('a row that somebody took between the check and the writing of an import is told with its reason', async ({
  page,
}) => {
  const name = `TAKEN ${Date.now()}`;
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyer');
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^导入/ });
  await dialog.locator('input[type=file]').setInputFiles({
    name: '客户.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`客户英文名称\n${name} ONE LTD\n${name} TWO LTD`),
  });
  const write = dialog.getByRole('button', { name: /^写入 2 条/ });
  await write.waitFor();
  await callApi(page, 'POST', '/data/buyer', { name_en: `${name} TWO LTD` });
  await write.click();
  await expect(dialog.getByRole('alert')).toContainText('新增 1 条，更新 0 条');
  await expect(dialog.getByRole('row').filter({ hasText: `${name} TWO LTD` })).toContainText(/已有同名/);
  const file = page.waitForEvent('download');
  await dialog.getByRole('button', { name: '下载错误文件' }).click();
  expect((await file).suggestedFilename()).toContain('导入错误');
  await dialog.getByRole('button', { name: '知道了' }).click();
  await expect(dialog).toBeHidden();
});

test('an import, a batch and an upload that the network cuts are tried again, and done once', async ({
  page,
}) => {
  const name = `CUT OFF ${Date.now()}`;
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyer');
  await failFirst(page, /\/data\/buyer\/import(\?|$)/);
  const commits = await loseFirstAnswer(page, 'POST', /\/import\/[^/]+\/commit$/);
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^导入/ });
  await dialog.locator('input[type=file]').setInputFiles({
    name: '客户.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`客户英文名称\n${name} ONE LTD\n${name} TWO LTD`),
  });
  await dialog.getByRole('button', { name: '重试' }).click();
  await dialog.getByRole('button', { name: /^写入 2 条/ }).click();
  await expect(page.getByText('导入完成：新增 2 条，更新 0 条')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(commits()).toBe(2);
  expect(await buyersNamed(page, `${name} ONE LTD`)).toHaveLength(1);
  const [second] = await buyersNamed(page, `${name} TWO LTD`);

  await open(page, `/customer/buyer?q=${encodeURIComponent(name)}`);
  const batches = await loseFirstAnswer(page, 'POST', /\/data\/buyer\/actions\/submit$/);
  const rows = page.getByRole('table').filter({ visible: true }).locator('tbody tr');
  await expect(rows).toHaveCount(2);
  for (const row of await rows.all()) await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: '批量提交' }).click();
  await page.getByRole('dialog', { name: '批量提交' }).getByRole('button', { name: '批量提交' }).click();
  const results = page.getByRole('dialog', { name: '批量操作结果' });
  await expect(results.getByRole('listitem')).toHaveCount(2);
  expect(batches()).toBe(2);
  // An address that is opened under it would only close it, as Back does.
  await leaveDialog(results, /^Close$|关闭/);

  await open(page, `${FORM}?id=${second?.id}`);
  await failFirst(page, /\/erp\/api\/files\?/);
  await page.getByRole('tab', { name: '备注与附件' }).click();
  await page
    .locator('input[aria-label^=上传]')
    .first()
    .setInputFiles({
      name: '登记证.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF'),
    });
  await page.getByText('上传失败，请检查网络后重试').waitFor();
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('button', { name: /登记证\.pdf/ }).first()).toBeVisible();
});

test('two windows on one record: the second is told, compares, and nothing is overwritten unseen', async ({
  page,
}) => {
  const name = `TWO WINDOWS ${Date.now()} LTD`;
  await signIn(page, 'sp.aa', '业务员');
  const made = await callApi<{ readonly data: Record_ }>(page, 'POST', '/data/buyer', { name_en: name });
  const address = `${FORM}?id=${made.body.data.id}`;
  await open(page, address);
  await page.getByLabel('城市').fill('Hamburg');
  const other = await page.context().newPage();
  await other.goto(new URL(address, page.url()).href);
  await other.getByLabel('城市').fill('Bremen');
  await other.getByLabel('网址').fill('www.example.com');
  await other.keyboard.press('Control+S');
  await isSaved(other);
  await expect(page.getByText('此单据已在别处被修改')).toBeVisible();
  await page.keyboard.press('Control+S');
  const dialog = page.getByRole('dialog').filter({ hasText: '请选择要保留的内容' });
  await expect(dialog).toContainText('Bremen');
  await dialog.getByRole('button', { name: '按选择保存' }).click();
  await isSaved(page);
  await expect(page.getByLabel('网址')).toHaveValue('www.example.com');
  const { body } = await callApi<{ readonly data: Readonly<Record<string, unknown>> }>(
    page,
    'GET',
    `/data/buyer/${made.body.data.id}`,
  );
  expect(body.data).toMatchObject({ city: 'Hamburg', website: 'www.example.com', version: 3 });
});
