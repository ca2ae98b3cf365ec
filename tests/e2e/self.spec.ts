import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, expect, type Locator, type Page } from 'playwright/test';
import { baseUrl, open, PASSWORD, signIn } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest } from './support/server-under-test.ts';

const NEXT = 'Another-2026';

test('the own data, and a password whose faults stand beside their fields', async ({ page, browser }) => {
  const elsewhere = await signedIn(browser, 'tr.ae');
  await signIn(page, 'tr.ae');
  await open(page, '/user/self');
  const own = section(page, '个人资料');
  await expect(own.locator('dt', { hasText: '工号' }).locator('+ dd')).toHaveText('tr.ae');
  await expect(own.locator('dt', { hasText: '部门' }).locator('+ dd')).not.toHaveText('—');
  const form = section(page, '修改密码');
  const old = form.getByLabel('原密码');
  const next = form.getByLabel('新密码', { exact: true });
  const again = form.getByLabel('再次输入新密码');
  const send = form.getByRole('button', { name: '修改密码' });

  await send.click();
  await expect(fault(form, 'old')).toHaveText('请输入密码');
  await expect(fault(form, 'next')).toHaveText('请输入密码');
  await expect(fault(form, 'again')).toHaveText('请再次输入新密码');
  await expect(old).toBeFocused();
  await next.fill('1234567');
  await again.fill('123456');
  await expect(fault(form, 'next')).toHaveText('长度在 8 到 30 个字符');
  await expect(fault(form, 'again')).toHaveText('两次输入不一致');
  await old.fill(PASSWORD);
  await next.fill(PASSWORD);
  await again.fill(PASSWORD);
  await send.click();
  await expect(fault(form, 'next')).toHaveText('新密码不能与原密码相同');
  await expect(next).toBeFocused();
  await old.fill('wrong-one');
  await next.fill(NEXT);
  await again.fill(NEXT);
  await again.press('Enter');
  await expect(fault(form, 'old')).toHaveText('原密码错误');
  await expect(old).toBeFocused();
  await old.fill(PASSWORD);
  await old.press('Enter');
  await expect(page.getByText('密码已修改，其他设备上的登录已失效')).toBeVisible();
  await expect(old).toHaveValue('');

  await open(elsewhere, '/index/help');
  await elsewhere.waitForURL('**/login**');
  await old.fill(NEXT);
  await next.fill(PASSWORD);
  await again.fill(PASSWORD);
  await send.click();
  await expect(fault(form, 'old')).toBeHidden();
  await expect(old).toHaveValue('');
});

test('a mobile number with the code that was sent to it, then the login by it', async ({ page }) => {
  await signIn(page, 'rk.ae');
  await open(page, '/user/self');
  const form = section(page, '修改手机号');
  const mobile = form.getByLabel('新手机号');
  const sms = form.getByLabel('验证码', { exact: true });
  const password = form.getByLabel('登录密码');
  const sendCode = form.getByRole('button', { name: '发送验证码' });
  const send = form.getByRole('button', { name: '修改手机号' });

  await send.click();
  await expect(form.getByText('请输入手机号')).toBeVisible();
  await expect(form.getByText('请输入验证码')).toBeVisible();
  await expect(mobile).toBeFocused();
  await mobile.fill('1381234');
  await sendCode.click();
  await expect(form.getByText('请输入11位手机号')).toBeVisible();
  await mobile.fill('12812345678');
  await expect(form.getByText('手机号格式不正确')).toBeVisible();

  const number = `139${String(Date.now()).slice(-8)}`;
  await mobile.fill(number);
  await sendCode.click();
  await expect(form.getByRole('button', { name: /^(60|5\d) 秒后可再发$/ })).toBeDisabled();
  const code = /\d{6}/.exec(await lastSms(number))?.[0] ?? '';
  await sms.fill(code === '000000' ? '000001' : '000000');
  await password.fill(PASSWORD);
  await password.press('Enter');
  await expect(form.getByText('验证码错误或已失效')).toBeVisible();
  await sms.fill(code);
  await password.fill('wrong-one');
  await send.click();
  await expect(form.getByText('原密码错误')).toBeVisible();
  await password.fill(PASSWORD);
  await send.click();
  await expect(page.getByText('手机号码已修改')).toBeVisible();
  await expect(form.getByText(`现在是 ${number}`)).toBeVisible();

  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '手机登录' }).click();
  await page.getByLabel('手机号').fill(number);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('dialog', { name: '选择登录身份' })).toBeVisible();
});

test('the own sessions: one is ended, then all others, and each of them meets the login page', async ({
  page,
  browser,
}) => {
  await signIn(page, 'dc.ae');
  await open(page, '/user/self');
  const sessions = section(page, '登录中的会话');
  await expect(sessions.getByText('本次')).toBeVisible();
  const before = await sessions.locator('tbody tr').count();
  const first = await signedIn(browser, 'dc.ae');
  const second = await signedIn(browser, 'dc.ae');
  await page.reload();
  await expect(sessions.locator('tbody tr')).toHaveCount(before + 2);
  // The latest stands first or last: whichever it is, it is no longer there afterwards.
  await sessions.getByRole('button', { name: '下线', exact: true }).first().click();
  await expect(page.getByText('已下线')).toBeVisible();
  await expect(sessions.locator('tbody tr')).toHaveCount(before + 1);
  await sessions.getByRole('button', { name: '下线其他所有会话' }).click();
  await expect(sessions.locator('tbody tr')).toHaveCount(1);
  await expect(sessions.getByText('本次')).toBeVisible();
  for (const ended of [first, second]) {
    // The stream tells them.
    await ended.waitForURL('**/login**');
  }
});

test('an error stands for four seconds', async ({ page }) => {
  await signIn(page, 'gm.ae');
  await open(page, '/user/self');
  await expect(section(page, '登录中的会话').getByText('本次')).toBeVisible();
  await page.route('**/erp/api/self/password', (route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Internal Server Error</h1>' }),
  );
  const form = section(page, '修改密码');
  for (const [label, text] of [
    ['原密码', PASSWORD],
    ['新密码', NEXT],
    ['再次输入新密码', NEXT],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(text);
  await page.clock.install();
  await form.getByRole('button', { name: '修改密码' }).click();
  const shown = page.getByText('服务器出错');
  await expect(shown).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_000));
  await expect(shown).toBeVisible();
  await page.clock.runFor(1_500);
  await page.clock.resume();
  await expect(shown).toBeHidden({ timeout: 10_000 });
});

function section(page: Page, title: string): Locator {
  return page.locator('section', { has: page.getByRole('heading', { name: title }) });
}

/** The words beside a field of the password form. */
/** The last one: while a message changes, the one that goes stands before the one that comes. */
function fault(form: Locator, field: string): Locator {
  return form
    .locator(`#${field}_help .ant-form-item-explain-error:not(.ant-form-show-help-item-leave)`)
    .last();
}

async function signedIn(browser: Browser, personid: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, personid);
  return page;
}

async function lastSms(mobile: string): Promise<string> {
  const file = path.join(serverUnderTest().data, 'outbox', 'sms.jsonl');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const messages = lines.map((line) => JSON.parse(line) as { readonly to: string; readonly text: string });
  return messages.findLast(({ to }) => to === mobile)?.text ?? '';
}
