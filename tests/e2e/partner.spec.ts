import { expect, type Page } from 'playwright/test';
import { baseUrl, open, PASSWORD } from './support/session.ts';
import { test } from './support/test.ts';

const MOBILE = '13900000001';
/** What customers are never told (domain/flows.md, section 10). */
const FORBIDDEN_WORDS = /风险等级|黑名单|公司利润|公司毛利|换汇成本|提成|审批意见|底价|undefined|\[object/;
const FORBIDDEN_KEYS =
  /"(company_profit|company_cost|exchange_cost|profit_rate|risk_level|reject_reason|submitted_by|approved_by|handler_id)":/;

interface Seen {
  readonly faults: string[];
}

/** Signs in as the customer; what goes wrong on the way, and what an answer tells that it must not, is kept. */
async function signInAsPartner(page: Page): Promise<Seen> {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('response', (response) => {
    if (!response.url().includes('/erp/api/')) return;
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    void response.text().then(
      (text) => {
        const key = FORBIDDEN_KEYS.exec(text)?.[0];
        // Of an approval one is told whether one has submitted it oneself.
        if (key !== undefined && !/\/(meta|approval\/record)\//.test(response.url()))
          faults.push(`${key} ${response.url()}`);
      },
      () => undefined,
    );
  });
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.getByLabel('手机号').fill(MOBILE);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.locator('.face-block').first().waitFor();
  return { faults };
}

test('a customer reads every page of the menu on a telephone: nothing broken, too wide or not meant for customers', async ({
  page,
}) => {
  // It only ends what hangs: some forty pages on a busy machine.
  await page.setViewportSize({ width: 390, height: 844 });
  const { faults } = await signInAsPartner(page);
  expect(await page.locator('.face').innerText()).not.toMatch(FORBIDDEN_WORDS);
  // Whoever has read what the page is for is not told again.
  const welcome = page.getByRole('region', { name: '第一次使用' });
  await welcome.getByRole('button', { name: '知道了' }).click();
  await page.reload();
  await expect(page.locator('.face-block').first()).toBeVisible();
  await expect(welcome).toBeHidden();
  const addresses = await menuOf(page);
  expect(addresses.length).toBeGreaterThan(30);
  const first = addresses.find((address) => address !== '/index/index') ?? '';
  await page.goto(`${baseUrl()}${first}`);
  for (const address of addresses) {
    await open(page, address);
    const main = page.locator('main').filter({ visible: true }).first();
    await expect(main.locator('.ant-skeleton, [aria-busy=true]').filter({ visible: true })).toHaveCount(0);
    await expect(main, address).not.toHaveText('');
    const text = await main.innerText();
    expect(text, address).not.toMatch(FORBIDDEN_WORDS);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide, `${address} is wider than the telephone`).toBe(false);
  }
  expect(faults).toEqual([]);
});

/** What a customer works with: the first record of each of these lists is opened. */
const OPENED = [
  '/details/list',
  '/zjc/xmjs',
  '/shmanage/zbjh',
  '/shmanage/fglb',
  '/payment/fksq',
  '/details/bgd',
  '/wzkf/xxgl',
];

test('what a customer opens from a list asks for nothing that is refused, and an action of it says so neither', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { faults } = await signInAsPartner(page);
  const addresses = (await menuOf(page)).filter((address) => OPENED.includes(address));
  expect(addresses.length).toBe(OPENED.length);
  for (const address of addresses) {
    await page.goto(`${baseUrl()}${address}`);
    const main = page.locator('main').filter({ visible: true }).first();
    // Beside its links and buttons: what may be edited offers that, and opens for reading all the same.
    const card = main.locator('.row-cards > li:not(.row-cards-empty, .row-cards-total)').first();
    await card.click({ position: { x: 4, y: 4 } });
    const record = page.locator('.details-main').filter({ visible: true }).last();
    await expect(record, address).not.toHaveText('');
    await expect(page.locator('.ant-skeleton').filter({ visible: true })).toHaveCount(0);
    expect(await page.locator('main').filter({ visible: true }).first().innerText(), address).not.toMatch(
      FORBIDDEN_WORDS,
    );
    const act = page.getByRole('button', { name: '提出异议', exact: true }).filter({ visible: true });
    if ((await act.count()) === 0 || (await act.first().isDisabled())) continue;
    await act.first().click();
    const dialog = page.getByRole('dialog', { name: '提出异议' });
    await expect(dialog).toBeVisible();
    await expect(dialog).not.toContainText('权限不足');
    await dialog.getByRole('button', { name: '取消' }).click();
  }
  // A form of his own is saved, with what its page puts into it and nobody sees.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${baseUrl()}/payment/hkedit`);
  await page.getByLabel('收款方类型').filter({ visible: true }).click({ force: true });
  await page.locator('.ant-select-item-option').filter({ hasText: '委托方', visible: true }).first().click();
  await page.getByRole('button', { name: '添加行' }).filter({ visible: true }).first().click();
  const lines = page.getByRole('grid', { name: '货款明细' });
  await lines.getByRole('textbox', { name: '付款金额' }).first().fill('100');
  await page.getByRole('button', { name: '保存', exact: true }).filter({ visible: true }).first().click();
  await expect(page.getByText('已保存', { exact: true })).toBeVisible();
  expect(faults).toEqual([]);
});

/** The addresses of the person's menu. */
async function menuOf(page: Page): Promise<readonly string[]> {
  const person: { readonly menuList: readonly { readonly list: readonly { readonly url: string }[] }[] } =
    JSON.parse((await page.evaluate(() => localStorage.getItem('person'))) ?? '{}');
  return person.menuList.flatMap(({ list }) => list.map(({ url }) => url));
}
