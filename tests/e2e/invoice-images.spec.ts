import sharp from 'sharp';
import { expect, type Page } from 'playwright/test';
import { auditPage, tabOrder } from './support/page-audit.ts';
import { baseUrl, callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

const MAX = 20 * 1024 * 1024;

interface Created {
  readonly msg: string;
  readonly data: { readonly id: string };
}

async function createInvoice(page: Page): Promise<string> {
  const partners = await callApi<{ readonly data: { readonly records: readonly { readonly id: string }[] } }>(
    page,
    'POST',
    '/data/partner/query',
    { pageSize: 1, filters: { status: { eq: 'active' } } },
  );
  const { status, body } = await callApi<Created>(page, 'POST', '/data/business_invoice', {
    business_type: 'agency',
    invoice_type: '01',
    invoice_code: '3302261131',
    // Another one each time: a number is registered once.
    invoice_number: String(10_000_000 + (Date.now() % 80_000_000)),
    billing_date: '2026-01-05',
    issuer_kind: 'forwarder',
    issuer_name: '宁波某货代有限公司',
    partner_id: partners.body.data.records[0]?.id,
    net_amount: '100.00',
    tax_amount: '6.00',
    currency: 'CNY',
  });
  expect([status, body.msg]).toEqual([200, expect.any(String)]);
  return body.data.id;
}

/** The address that the dialog shows, at the server under test. */
async function makeLink(page: Page, id: string): Promise<string> {
  await open(page, `/qymanage/ywfpxq?id=${id}`);
  await page.getByRole('button', { name: '上传影像' }).click();
  const dialog = page.getByRole('dialog', { name: '上传影像' });
  await dialog.getByRole('button', { name: '生成链接' }).click();
  const { pathname, search } = new URL(await dialog.locator('code').innerText());
  return `${baseUrl()}${pathname}${search}`;
}

async function picture(colour: string): Promise<Buffer> {
  const create = { width: 300, height: 200, channels: 3 as const, background: colour };
  return sharp({ create }).jpeg().toBuffer();
}

const image = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });

test('a phone uploads images by a link, tries again, removes, and the office sees them', async ({
  page,
  browser,
}) => {
  await signIn(page, 'sp.aa');
  const id = await createInvoice(page);
  const address = await makeLink(page, id);
  const dialog = page.getByRole('dialog', { name: '上传影像' });

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  await phone.goto(address);
  await expect(phone.getByText('业务发票')).toBeVisible();
  expect(await auditPage(phone)).toEqual([]);
  expect(await tabOrder(phone)).toEqual([expect.stringMatching(/^选择图片/)]);
  const small = await picture('#357');
  const choose = phone.locator('input[type=file]');

  let isBroken = true;
  await phone.route('**/invoice/uploadInvoiceFile**', async (route) =>
    isBroken ? route.abort('connectionfailed') : route.continue(),
  );
  await choose.setInputFiles([image('断线.jpg', small)]);
  const broken = phone.getByRole('listitem').filter({ hasText: '断线.jpg' });
  await expect(broken.getByRole('alert')).toHaveText('上传失败，请检查网络后重试');
  isBroken = false;
  await broken.getByRole('button', { name: '重试' }).click();
  await expect(broken).toContainText('上传成功');

  const full = Buffer.concat([await picture('#853'), Buffer.alloc(MAX)]).subarray(0, MAX);
  await choose.setInputFiles([
    image('刚好20M.jpg', full),
    image('多一字节.jpg', Buffer.concat([full, Buffer.alloc(1)])),
    {
      name: '截图.avif',
      mimeType: 'image/avif',
      buffer: await sharp(await picture('#a3b'))
        .avif()
        .toBuffer(),
    },
    { name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    image('坏图.jpg', small.subarray(0, 300)),
    image('又一次.jpg', small),
  ]);
  const row = (name: string) => phone.getByRole('listitem').filter({ hasText: name });
  await expect(row('多一字节.jpg')).toContainText('请选择20M以内的图片！');
  await expect(row('说明.txt')).toContainText('只能上传图片');
  await expect(row('坏图.jpg')).toContainText('图片无法识别');
  await expect(row('又一次.jpg')).toContainText('这张图片已上传过');
  await expect(row('刚好20M.jpg')).toContainText('上传成功');
  // Turned into a JPEG by the browser.
  await expect(row('截图.avif')).toContainText('上传成功');
  expect(await auditPage(phone)).toEqual([]);
  await row('断线.jpg').getByRole('button', { name: '预览' }).click();
  await expect(phone.getByRole('dialog', { name: '断线.jpg' }).getByRole('img')).toBeVisible();
  await phone.getByRole('button', { name: '关闭' }).click();
  for (const name of ['截图.avif', '多一字节.jpg', '说明.txt', '坏图.jpg', '又一次.jpg', '断线.jpg'])
    await row(name).getByRole('button', { name: '移除' }).click();
  await expect(phone.getByText('上传成功，共 1 张')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('button', { name: '预览刚好20M.jpg' }).first()).toBeVisible();
  await expect(page.getByText('断线.jpg')).toHaveCount(0);
  // Who brought it and when, for whoever sees the record.
  const shown = page.locator('.attachment').filter({ hasText: '刚好20M.jpg' }).first();
  await expect(shown).toContainText(/的链接 20\d{2}-\d{2}-\d{2} \d{2}:\d{2} 上传/);
  await page.getByRole('button', { name: '上传影像' }).click();
  await dialog.getByRole('button', { name: '停用' }).click();
  await expect(dialog.getByText('已失效')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('alert')).toHaveText('上传链接无效或已过期，请联系给您链接的人员');
});

test('an upload shows how far it is, and one that is cancelled is not there afterwards', async ({
  page,
  browser,
}) => {
  await signIn(page, 'sp.aa');
  const address = await makeLink(page, await createInvoice(page));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const desk = await context.newPage();
  await desk.goto(address);
  const card = desk.getByRole('region', { name: '发票影像上传' });
  await expect(card.getByText('业务发票')).toBeVisible();
  expect((await card.boundingBox())?.width).toBe(720);

  const session = await context.newCDPSession(desk);
  await session.send('Network.enable');
  const slowly = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await slowly(300_000);
  const large = Buffer.concat([await picture('#241'), Buffer.alloc(3_000_000)]);
  await desk.locator('input[type=file]').setInputFiles([image('慢.jpg', large)]);
  const row = desk.getByRole('listitem').filter({ hasText: '慢.jpg' });
  const progress = row.getByRole('progressbar', { name: '慢.jpg 上传进度' });
  await expect(progress).toHaveAttribute('value', /^[1-9]\d?$/);
  await row.getByRole('button', { name: '取消' }).click();
  await expect(row).toHaveCount(0);
  await slowly(-1);

  // The server has saved it, but its answer is still on the way.
  const isSaved = new Promise<void>((resolve, reject) => {
    void desk.route('**/invoice/uploadInvoiceFile**', (route) => {
      route.fetch().then(() => resolve(), reject);
    });
  });
  await desk.locator('input[type=file]').setInputFiles([image('晚.jpg', await picture('#142'))]);
  await isSaved;
  const late = desk.getByRole('listitem').filter({ hasText: '晚.jpg' });
  await late.getByRole('button', { name: '取消' }).click();
  await expect(late).toHaveCount(0);
  await desk.reload();
  await expect(card.getByText('业务发票')).toBeVisible();
  await expect(desk.getByRole('listitem')).toHaveCount(0);
});

test('the link is copied where the page came over plain HTTP', async ({ page }) => {
  // Only secure pages have a clipboard; this one is on localhost, which counts as such.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await signIn(page, 'sp.aa');
  await makeLink(page, await createInvoice(page));
  const dialog = page.getByRole('dialog', { name: '上传影像' });
  await dialog.getByRole('button', { name: '复制链接' }).click();
  await expect(page.getByText('链接已复制')).toBeVisible();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(
    await dialog.locator('code').innerText(),
  );
});
