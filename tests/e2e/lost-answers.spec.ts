import { expect, type Page, type Route, test } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';

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
  await expect(page.getByText('单据已被他人修改，请选择要保留的内容')).toBeHidden();
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
