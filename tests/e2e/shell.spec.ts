import { type APIRequestContext, expect, type Page } from 'playwright/test';
import { baseUrl, callApi, open, PASSWORD, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Envelope {
  readonly msg: string;
  readonly data: Readonly<Record<string, unknown>>;
}

test('cancelling the role picker ends the session that the password opened', async ({ page, request }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.getByLabel('用户名').fill('sp.aa');
  await page.getByLabel('密码').fill(PASSWORD);
  const loggedOut = page.waitForRequest((call) => call.url().endsWith('/sys/logout'));
  await page.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '选择登录身份' });
  await dialog.getByRole('button', { name: '取消' }).click();
  const authorization = (await loggedOut).headers()['authorization'] ?? '';
  await expect(dialog).toBeHidden();
  await expect.poll(() => statusWith(request, authorization)).toBe(401);
});

test('pages outside the menu are refused, unknown ones are missing', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/user/role');
  await expect(page.getByText('您没有访问该页面的权限')).toBeVisible();
  await expect(page.getByRole('tab', { name: '首页', selected: true })).toBeVisible();
  await open(page, '/no/such/page');
  await expect(page.getByText('抱歉，您访问的网站走失了')).toBeVisible();
});

test('the keyword of a list survives a reload, and the list is exported as a workbook', async ({ page }) => {
  await signIn(page, 'ad.aa');
  await open(page, '/baseinfo/port');
  await page.getByRole('searchbox', { name: '关键字' }).fill('宁波');
  await page.getByRole('searchbox', { name: '关键字' }).press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('宁波');
  await page.reload();
  await expect(page.getByRole('searchbox', { name: '关键字' })).toHaveValue('宁波');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出', exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
});

test('icons say nothing of their own: no English name is read aloud', async ({ page }) => {
  await signIn(page, 'ad.aa');
  await open(page, '/baseinfo/port');
  await expect(page.getByRole('button', { name: '导出', exact: true })).toBeVisible();
  expect(await page.locator('.anticon').count()).toBeGreaterThan(5);
  const names = await page
    .locator('.anticon')
    .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('aria-label') ?? ''));
  expect(names.filter((name) => /[a-z]/i.test(name))).toEqual([]);
});

test('a tab keeps what was typed, closing it asks first, and logging out asks', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyeredit');
  const name = page.getByLabel(/英文名称/).first();
  await name.fill('TYPED AND KEPT LTD');
  await expect(page.getByText('有未保存的修改')).toBeVisible();
  await page.getByRole('tab', { name: '首页' }).click();
  await page.getByRole('tab', { name: /国外客户/ }).click();
  await expect(name).toHaveValue('TYPED AND KEPT LTD');
  await page.getByRole('button', { name: /^关闭.*国外客户/ }).click();
  const question = page.getByRole('dialog').filter({ hasText: '工作保存了吗？' });
  await question.getByRole('button', { name: '回去保存' }).click();
  await expect(name).toHaveValue('TYPED AND KEPT LTD');
  await page.getByRole('button', { name: /业务员）/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page.getByRole('dialog').filter({ hasText: '退出登录？' })).toBeVisible();
});

test('a date is typed sign by sign over another, in the short forms too', async ({ page }) => {
  await signIn(page, 'fn.aa');
  await open(page, '/shmanage/gnskdj');
  const date = page.getByLabel('到账日期');
  for (const [typed, taken] of [
    ['2026-11-25', '2026-11-25'],
    ['2026/3/1', '2026-03-01'],
    ['20261014', '2026-10-14'],
  ] as const) {
    await date.focus();
    await date.press('ControlOrMeta+a');
    await date.pressSequentially(typed);
    await date.press('Tab');
    await expect(date).toHaveValue(taken);
  }
});

test('a save over somebody else’s change shows both versions', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  const { id, version } = await aDraftBuyer(page);
  await open(page, `/customer/buyeredit?id=${id}`);
  const city = page.getByLabel('城市', { exact: true });
  await city.fill('Mine');
  const changed = await callApi<Envelope>(page, 'PATCH', `/data/buyer/${id}`, { version, city: 'Theirs' });
  expect([changed.status, changed.body.msg]).toEqual([200, expect.any(String)]);
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog').filter({ hasText: '单据在别处已被修改' });
  await expect(dialog).toContainText('Mine');
  await expect(dialog).toContainText('Theirs');
});

/** A new foreign customer that its salesperson may still change. */
async function aDraftBuyer(page: Page): Promise<{ readonly id: string; readonly version: unknown }> {
  const countries = await callApi<Envelope>(page, 'POST', '/data/country/query', {
    filters: { code: { eq: 'DE' } },
    pageSize: 1,
  });
  const records: unknown = countries.body.data['records'];
  const country: unknown = Array.isArray(records) ? records[0] : null;
  const countryId = typeof country === 'object' && country !== null && 'id' in country ? country.id : null;
  const made = await callApi<Envelope>(page, 'POST', '/data/buyer', {
    name_en: `STALE TEST ${Date.now()} GMBH`,
    address: 'Hafenstrasse 1, Hamburg',
    country_id: countryId,
  });
  expect([made.status, made.body.msg]).toEqual([200, expect.any(String)]);
  return { id: String(made.body.data['id']), version: made.body.data['version'] };
}

async function statusWith(request: APIRequestContext, authorization: string): Promise<number> {
  const answer = await request.get(`${baseUrl()}/erp/api/meta/resources`, {
    headers: { Authorization: authorization },
  });
  return answer.status();
}
