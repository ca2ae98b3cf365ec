import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { baseUrl, callApi, open, PASSWORD, signIn } from './support/session.ts';

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

test('a save over somebody else’s change shows both versions', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  const { id, version } = await aDraftBuyer(page);
  await open(page, `/customer/buyeredit?id=${id}`);
  const city = page.getByLabel('城市', { exact: true });
  await city.fill('Mine');
  const changed = await callApi<Envelope>(page, 'PATCH', `/data/buyer/${id}`, { version, city: 'Theirs' });
  expect([changed.status, changed.body.msg]).toEqual([200, expect.any(String)]);
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog').filter({ hasText: '单据已被他人修改' });
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
