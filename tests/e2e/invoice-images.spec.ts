import sharp from 'sharp';
import { expect, type Page, test } from 'playwright/test';
import { baseUrl, callApi, open, signIn } from './support/session.ts';

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
    invoice_number: '55667788',
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
  await open(page, `/qymanage/ywfpxq?id=${id}`);
  await page.getByRole('button', { name: '上传影像' }).click();
  const dialog = page.getByRole('dialog', { name: '上传影像' });
  await dialog.getByRole('button', { name: '生成链接' }).click();
  const address = new URL(await dialog.locator('code').innerText());

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  await phone.goto(`${baseUrl()}${address.pathname}${address.search}`);
  await expect(phone.getByText('业务发票')).toBeVisible();
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
  await row('断线.jpg').getByRole('button', { name: '预览' }).click();
  await expect(phone.getByRole('dialog', { name: '断线.jpg' }).getByRole('img')).toBeVisible();
  await phone.getByRole('button', { name: '关闭' }).click();
  for (const name of ['多一字节.jpg', '说明.txt', '坏图.jpg', '又一次.jpg', '断线.jpg'])
    await row(name).getByRole('button', { name: '移除' }).click();
  await expect(phone.getByText('上传成功，共 1 张')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('button', { name: '预览刚好20M.jpg' }).first()).toBeVisible();
  await expect(page.getByText('断线.jpg')).toHaveCount(0);
  await page.getByRole('button', { name: '上传影像' }).click();
  await dialog.getByRole('button', { name: '停用' }).click();
  await expect(dialog.getByText('已失效')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('alert')).toHaveText('上传链接无效或已过期，请联系给您链接的人员');
});
