import { expect, type Page } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Made {
  readonly data: { readonly id: string; readonly version: number };
}

/** Somebody comes back to the window after a while. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(6_000);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
}

test('a colleague’s save is told in details, list and form, and moves nothing until one asks', async ({
  page,
  browser,
}) => {
  await page.clock.install();
  await signIn(page, 'sp.aa', '业务员');
  const name = `SHARED ${Date.now()} LTD`;
  const made = await callApi<Made>(page, 'POST', '/data/buyer', { name_en: name });
  const { id } = made.body.data;
  const colleague = await (await browser.newContext()).newPage();
  await signIn(colleague, 'tm.aa');
  const change = async (): Promise<void> => {
    const now = await callApi<Made>(colleague, 'GET', `/data/buyer/${id}`);
    const saved = await callApi(colleague, 'PATCH', `/data/buyer/${id}`, {
      version: now.body.data.version,
      city: `CITY ${now.body.data.version}`,
    });
    expect(saved.status).toBe(200);
  };
  await open(page, `/customer/buyerdetails?id=${id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await change();
  await comeBack(page);
  const bar = page.getByRole('status').filter({ hasText: /更新/, visible: true });
  await expect(bar).toContainText(/此记录已被.+更新/);
  await expect(page.getByText('CITY 1')).toHaveCount(0);
  await bar.getByRole('button', { name: '刷新' }).click();
  await expect(page.getByText('CITY 1').first()).toBeVisible();
  await expect(bar).toHaveCount(0);

  await open(page, '/customer/buyer');
  await expect(page.getByRole('link', { name })).toBeVisible();
  await change();
  await comeBack(page);
  await expect(bar).toContainText('列表有更新');
  await bar.getByRole('button', { name: '刷新' }).click();
  await expect(bar).toHaveCount(0);

  await open(page, `/customer/buyeredit?id=${id}`);
  const website = page.getByLabel('网址').first();
  await website.fill('https://typed.example');
  await website.press('Tab');
  await change();
  await comeBack(page);
  await expect(page.getByText(/此单据已在别处被.+修改/)).toBeVisible();
  await expect(website).toHaveValue('https://typed.example');
});
