import { expect, type Page } from 'playwright/test';
import { SECURITY_HEADERS } from '../support/security-headers.ts';
import { auditPage, axeFaults, tabOrder } from './support/page-audit.ts';
import { baseUrl, PASSWORD, signIn } from './support/session.ts';
import { test } from './support/test.ts';

/** The public pages as a visitor meets them: address, title, and what the Tab key visits. */
const PAGES: readonly (readonly [address: string, title: string, tabs: readonly string[]])[] = [
  ['/login', '登录', ['管理登录', '用户名', '密码', '登录', '忘记密码', '客户注册']],
  [
    '/Register',
    '客户注册',
    // A group of radio buttons is one stop.
    ['客户名称', '企业', '组织机构代码', '服务公司', '联系人', '手机号码', '验证码', '获取验证码', '注册', '已有账号，去登录'],
  ],
  ['/gysqh', '供应商切换', ['去登录']],
  ['/cyfp', '发票查验', ['发票类型', '受票方税号', '发票号码', '开票日期', '查验', '清空']],
  ['/fapiao?id=unknown', '发票影像上传', []],
  ['/fapiao', '发票影像上传', []],
  ['/wzkf/sxsqsh', '授信申请审核', ['登录后审核']],
  ['/wzkf/sxsqsh?token=unknown', '授信申请审核', ['登录后审核']],
  ['/nowhere/at/all', '页面不存在', ['返回登录']],
]; // prettier-ignore

for (const [address, title, tabs] of PAGES)
  test(`${address} has its title, its headers, names for everything, and an order of the Tab key`, async ({
    page,
  }) => {
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));
    const answer = await page.goto(`${baseUrl()}${address}`);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer?.headers()[name]).toBe(value);
    await expect(page).toHaveTitle(new RegExp(`^${title} - .*[一-鿿]`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await auditPage(page)).toEqual([]);
    expect(await tabOrder(page)).toEqual(tabs);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await auditPage(page)).toEqual([]);
    expect(await axeFaults(page)).toEqual([]);
    // The look that was chosen behind the login holds here too.
    await page.context().addCookies([{ name: 'erp_look', value: 'dark.standard', url: baseUrl() }]);
    const again = await page.reload();
    // Dark before any program runs.
    expect(await again?.text()).toContain('<html data-theme="dark"');
    // As the system is: the browser tells how that is.
    await page.context().addCookies([{ name: 'erp_look', value: 'system.standard', url: baseUrl() }]);
    await page.emulateMedia({ colorScheme: 'dark' });
    const asSystem = await page.reload();
    expect(await asSystem?.text()).toContain('<html data-theme="dark"');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(19, 22, 25)');
    await page.waitForLoadState('networkidle');
    expect(await axeFaults(page)).toEqual([]);
    // Latin letters on a page are names of formats, keys and the product, nothing else.
    const words = (await page.locator('main').innerText()).match(/[a-z]{3,}/gi) ?? [];
    expect(words.filter((word) => !['ERP', 'JPEG', 'PNG', 'WebP'].includes(word))).toEqual([]);
    expect(thrown).toEqual([]);
  });

for (const [address, send, faults] of [
  ['/login', '登录', [['用户名', '请输入用户名'], ['密码', '请输入密码']]],
  [
    '/Register',
    '注册',
    [
      ['客户名称', '客户名称不能为空'],
      ['组织机构代码', '组织机构代码不能为空'],
      ['联系人', '联系人不能为空'],
      ['手机号码', '手机号码不能为空'],
      ['验证码', '验证码不能为空'],
    ],
  ],
  [
    '/cyfp',
    '查验',
    [
      ['发票类型', '发票类型不能为空'],
      ['受票方税号', '按查验平台要求，受票方税号不能为空'],
      ['发票号码', '发票号码不能为空'],
      ['开票日期', '开票日期不能为空'],
    ],
  ],
] as const)
  test(`${address} sent empty by the keyboard tells every fault at its field and goes to the first`, async ({
    page,
  }) => {
    await page.goto(`${baseUrl()}${address}`);
    await page.getByRole('button', { name: send, exact: true }).focus();
    await page.keyboard.press('Enter');
    await tellFaults(page, faults);
    expect(await auditPage(page)).toEqual([]);
  }); // prettier-ignore

test('the supplier switch is worked by the keyboard: faults, the question, no by Escape', async ({
  page,
}) => {
  await signIn(page, 'tm.aa');
  await page.goto(`${baseUrl()}/gysqh`);
  await expect(page.getByLabel('保留供应商编码', { exact: true })).toBeEnabled();
  expect(await tabOrder(page)).toEqual(['保留供应商编码', '被替换供应商编码', '替换', '返回系统']);
  await page.getByRole('button', { name: '替换', exact: true }).focus();
  await page.keyboard.press('Enter');
  await tellFaults(page, [
    ['保留供应商编码', '保留供应商编码不能为空'],
    ['被替换供应商编码', '被替换供应商编码不能为空'],
  ]);
  await page.keyboard.type('AAGY999998');
  await page.keyboard.press('Tab');
  await page.keyboard.type('AAGY999999');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: '确认替换' });
  await expect(question).toBeFocused();
  // A second Enter answers nothing.
  await page.keyboard.press('Enter');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: '替换', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: '保留供应商编码“AAGY999998”不存在' })).toBeVisible();
  expect(await auditPage(page)).toEqual([]);
});

test('a login that fails says so aloud and waits in the password', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.getByLabel('用户名').fill('nobody.at.all');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: '用户名或密码错误' })).toBeVisible();
  await expect(page.getByLabel('密码')).toBeFocused();
});

/** Each fault is an alert that describes its field, and the first field has the focus. */
async function tellFaults(
  page: Page,
  faults: readonly (readonly [label: string, text: string])[],
): Promise<void> {
  for (const [label, text] of faults) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(text);
    await expect(page.getByRole('alert').filter({ hasText: new RegExp(`^${text}$`) })).toBeVisible();
  }
  await expect(page.getByLabel(faults[0]?.[0] ?? '', { exact: true })).toBeFocused();
}
