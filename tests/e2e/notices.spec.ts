import { expect } from 'playwright/test';
import { baseUrl, callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Saved {
  readonly data: { readonly id: string };
}

test('a mention pops up with its person only, opens its document, and is counted in every window', async ({
  browser,
}) => {
  const reader = await browser.newContext();
  const page = await reader.newPage();
  const connected = page.waitForResponse((response) => response.url().includes('/erp/msg/sse/connect'));
  await signIn(page, 'cs.aa');
  expect((await connected).status()).toBe(200);
  const second = await reader.newPage();
  await second.goto(`${baseUrl()}/index/message`);
  await second.getByRole('heading', { name: '消息中心' }).waitFor();

  const writer = await (await browser.newContext()).newPage();
  await signIn(writer, 'ad.aa');
  const text = `请核对开户行${Date.now()}`;
  const people = await callApi<{ data: { records: readonly { id: string; personid: string }[] } }>(
    writer, 'POST', '/data/person/query', { filters: { personid: { eq: 'cs.aa' } } },
  ); // prettier-ignore
  const target = people.body.data.records.find(({ personid }) => personid === 'cs.aa')?.id ?? '';
  const said = await callApi<Saved>(writer, 'POST', `/comments/person/${target}`, {
    content: text,
    mentions: [target],
  });
  expect(said).toMatchObject({ status: 200 });

  const popUp = page.locator('.live-notice', { hasText: text });
  await expect(popUp).toBeVisible();
  await expect(second.locator('.live-notice', { hasText: text })).toBeVisible();
  await expect(writer.locator('.live-notice')).toHaveCount(0);
  const unread = second.locator('.home-list .notices .unread', { hasText: text });
  await expect(unread).toBeVisible();
  await popUp.click();
  await expect(page).toHaveURL(new RegExp(target));
  await expect(popUp).toHaveCount(0);
  await expect(unread).toHaveCount(0);

  // What leads on as Back does would only close what stands over the page.
  const details = page.locator('.ant-drawer-open');
  await details.locator('.ant-drawer-close').click();
  await expect(details).toHaveCount(0);
  await open(page, '/index/message');
  await page.getByText('已读', { exact: true }).click();
  const read = page.locator('.home-list .notices li', { hasText: text });
  // What it says has the room, not its button.
  const [whole, words] = [await read.boundingBox(), await read.getByRole('button').first().boundingBox()];
  expect(words?.width ?? 0).toBeGreaterThan(0.8 * (whole?.width ?? 0));
  await read.getByRole('button', { name: '归档' }).click();
  await expect(read).toHaveCount(0);
  await page.getByText('已归档', { exact: true }).click();
  await expect(read).toBeVisible();
});
