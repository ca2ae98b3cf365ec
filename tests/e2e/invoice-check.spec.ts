import { expect, type Page } from 'playwright/test';
import { baseUrl, callApi, signIn } from './support/session.ts';
import { test } from './support/test.ts';

// Another one each time: a number is registered once.
const NUMBER = String(10_000_000 + (Date.now() % 80_000_000));

interface Found {
  readonly data: { readonly records: readonly { readonly id: string }[] };
}

/** An invoice of the company, and its tax number as the server fills it. */
async function registerInvoice(page: Page): Promise<{ readonly taxNo: string; readonly day: string }> {
  const suppliers = await callApi<Found>(page, 'POST', '/data/supplier/query', {
    pageSize: 1,
    filters: { business_type: { eq: 'agency' }, status: { eq: 'active' } },
  });
  const [supplier] = suppliers.body.data.records;
  expect(supplier, 'an active supplier of the agency business').toBeDefined();
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
  const line = {
    row_no: 1,
    commodity_name: '*日用杂品*保温杯',
    spec: '500ml',
    unit: '只',
    quantity: '1200',
    unit_price: '12.5',
    amount: '15000.00',
    tax_rate: '13',
    tax: '1950.00',
  };
  const { status, body } = await callApi<{
    readonly msg: string;
    readonly data: { readonly purchaser_tax_no: string };
  }>(page, 'POST', '/data/goods_invoice', {
    business_type: 'agency',
    invoice_type: '01',
    invoice_code: '3302261130',
    invoice_number: NUMBER,
    billing_date: day,
    supplier_id: supplier?.id,
    net_amount: '15000.00',
    tax_amount: '1950.00',
    items: [line],
  });
  expect([status, body.msg]).toEqual([200, expect.any(String)]);
  return { taxNo: body.data.purchaser_tax_no, day };
}

test('an invoice is verified by a visitor and by finance, who finds it in the history', async ({
  page,
  browser,
}) => {
  await signIn(page, 'fn.aa');
  const { taxNo, day } = await registerInvoice(page);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${baseUrl()}/cyfp`);
  await visitor.getByRole('button', { name: '查验' }).click();
  await expect(visitor.getByText('发票类型不能为空')).toBeVisible();
  await expect(visitor.getByText('按查验平台要求，受票方税号不能为空')).toBeVisible();

  await visitor.getByLabel('发票类型').selectOption('04');
  await visitor.getByLabel('发票代码').fill('3302261130');
  await visitor.getByLabel('校验码后6位').fill('123456');
  await visitor.getByLabel('受票方税号').fill(taxNo.toLowerCase());
  await visitor.getByLabel('发票类型').selectOption('31');
  await expect(visitor.getByLabel('发票代码')).toHaveCount(0);
  await expect(visitor.getByLabel('价税合计')).toBeVisible();
  await visitor.getByLabel('发票类型').selectOption('01');
  await expect(visitor.getByLabel('发票代码')).toHaveValue('');
  await expect(visitor.getByLabel('受票方税号')).toHaveValue(taxNo.toLowerCase());
  await visitor.getByLabel('发票代码').fill('3302261130');
  await visitor.getByLabel('发票号码').fill(NUMBER);
  await visitor.getByLabel('开票日期').fill(day);
  await visitor.getByLabel('不含税金额').fill('15,000.01');
  await visitor.getByRole('button', { name: '查验' }).click();
  await expect(visitor.getByRole('alert')).toHaveText('查无此票，或所填内容与发票不一致，请核对后再查');
  await visitor.getByLabel('不含税金额').fill('15,000');
  await visitor.keyboard.press('Enter');
  await expect(visitor.getByText('查验成功!')).toBeVisible();
  const result = visitor.getByRole('region', { name: '查验结果' });
  await expect(result).toContainText('第 1 次查验');
  await expect(result).toContainText('本次与本公司已登记的发票核对');
  await expect(result).toContainText('壹万陆仟玖佰伍拾圆整');
  await expect(result.getByRole('row')).toHaveCount(2);
  await expect(visitor.getByText('查验记录')).toHaveCount(0);
  // The paper has the result and nothing of the form.
  await visitor.emulateMedia({ media: 'print' });
  await expect(result.getByText('¥16,950.00')).toBeVisible();
  await expect(result.getByText('发票查验结果')).toBeVisible();
  await expect(result.getByText(/查验时间 20\d{2}-\d{2}-\d{2} \d{2}:\d{2}/)).toBeVisible();
  await expect(visitor.getByLabel('发票号码')).toBeHidden();

  await page.goto(
    `${baseUrl()}/cyfp?invoiceType=01&invoiceCode=3302261130&invoiceNumber=${NUMBER}&billingDate=${day}&purchaserTaxNo=${taxNo}&totalAmount=15000.00`,
  );
  await page.getByRole('button', { name: '查验' }).click();
  await expect(page.getByRole('region', { name: '查验结果' })).toContainText('第 2 次查验');
  await expect(page.getByRole('region', { name: '查验记录' })).toContainText(NUMBER);
});

test('the card has room for the table, and a session that ended does not close the public page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'sp.aa');
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${baseUrl()}/cyfp`);
  await expect(page.getByRole('heading', { name: '发票查验' })).toBeVisible();
  const card = page.getByRole('region', { name: '发票查验' });
  expect((await card.boundingBox())?.width).toBe(1080);
  // This role may not see the history: it is not even asked for in vain.
  await page.waitForLoadState('networkidle');
  await expect(page.getByText('查验记录')).toHaveCount(0);
  expect(faults).toEqual([]);

  await page.evaluate(() => localStorage.setItem('authorization', 'ended'));
  await page.reload();
  await expect(page.getByLabel('发票类型')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: '查验' }).click();
  await expect(page.getByText('发票类型不能为空')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/cyfp');
});
