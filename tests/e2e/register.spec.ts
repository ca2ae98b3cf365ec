import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from 'playwright/test';
import { baseUrl, callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest } from './support/server-under-test.ts';

/** Who is registered once cannot be registered again: the second try of a run is another company. */
const NEWCOMERS = [
  { name: '宁波北仑新客户制造有限公司', mobile: '13566660001', code: '91310115MA0DEM0077' },
  { name: '宁波镇海新客户制造有限公司', mobile: '13566660002', code: '91330211MA0DEM008X' },
] as const;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a customer registers, customer service approves, and the customer logs in', async ({ page, browser }, {
  retry,
}) => {
  const { name, mobile, code } = NEWCOMERS[retry === 0 ? 0 : 1];
  await page.goto(`${baseUrl()}/Register`);
  await expect(page.getByLabel('服务公司')).toHaveAttribute('readonly', '');
  await expect(page.getByLabel('服务公司')).toHaveValue('华东融通进出口有限公司');
  await page.getByRole('button', { name: '注册', exact: true }).click();
  for (const text of [
    '客户名称不能为空',
    '组织机构代码不能为空',
    '联系人不能为空',
    '手机号码不能为空',
    '验证码不能为空',
  ])
    await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByLabel('客户名称')).toBeFocused();
  await page.getByText('个人', { exact: true }).click();
  await expect(page.getByLabel('身份证号')).toBeVisible();
  await expect(page.getByLabel('组织机构代码')).toBeHidden();
  await page.getByText('企业', { exact: true }).click();

  await page.getByLabel('客户名称').fill(name);
  await page.getByLabel('组织机构代码').fill(`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`);
  await page.getByLabel('联系人').fill('林小满');
  await expect(page.getByText('统一社会信用代码校验位不正确')).toBeVisible();
  await page.getByLabel('组织机构代码').fill(code);
  await page.getByLabel('手机号码').fill('17012345678');
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByText('请输入正确的手机号码')).toBeVisible();
  await page.getByLabel('手机号码').fill(mobile);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await expect(page.getByRole('button', { name: /^(60|5\d)秒后重新获取$/ })).toBeDisabled();
  await page.getByLabel('验证码').fill(/\d{6}/.exec(await lastSms(mobile))?.[0] ?? '');
  await page.getByRole('button', { name: '注册', exact: true }).click();
  await expect(page.getByText('注册成功，请等待平台审核')).toBeVisible();
  await page.waitForURL('**/login');

  const staff = await browser.newPage();
  await signIn(staff, 'cs.aa');
  await open(staff, '/check/wtf');
  await expect(staff.getByText(name).first()).toBeVisible();
  const id = await partnerId(staff, name);
  await complete(staff, id);
  await staff.reload();
  await staff.getByText(name).first().click();
  await staff.getByLabel('审核意见').fill('证照齐全');
  // The same task in another browser, which hears nothing of what is decided meanwhile.
  const late = await browser.newPage();
  await late.route(/\/erp\/msg\/sse\/connect/, (route) => route.abort());
  await signIn(late, 'cs.aa');
  await open(late, `/check/wtf?id=${id}`);
  await late.getByLabel('审核意见').fill('晚了一步');
  await staff.getByRole('button', { name: '同意', exact: true }).click();
  await expect.poll(async () => (await taskOf(staff, id)) === undefined).toBe(true);
  const lateApproval = late.getByRole('button', { name: '同意', exact: true });
  await lateApproval.click();
  await expect(late.getByText(/任务已处理|单据已变更/).first()).toBeVisible();
  await expect(lateApproval).toHaveCount(0);
  await late.close();
  await approve(browser, 'rk.aa', id, {});
  await approve(browser, 'tm.aa', id, { export_modes: ['entrusted'], sales_id: await salesId(browser) });

  const initial = async () => /初始密码 (\w+)/.exec(await lastSms(mobile))?.[1] ?? '';
  await expect.poll(initial).not.toBe('');
  const password = await initial();
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.getByLabel('手机号').fill(mobile);
  await page.getByLabel('密码').fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('button', { name: `${name}（委托方）` })).toBeVisible();
});

test('a rejected registration shows its reason, is corrected with what was typed, and sent again', async ({
  page,
}) => {
  // What the server does with it is shown by its own tests: codes of one number come a minute apart.
  const rejected = {
    ...{ again: '0190c0de-0000-7000-8000-000000000001', custname: '宁波退回制造有限公司', corpType: '1' },
    ...{ comNo: NEWCOMERS[0].code, psNo: '', coDeptnameCode: 'AA', linkMan: '林小满', mobile: '13566660009' },
  };
  const answer = (data: unknown) => ({ json: { code: 200, msg: '操作成功', data } });
  await page.route('**/erp/api/sys/registration-state/code', (route) => route.fulfill(answer(null)));
  await page.route('**/erp/api/sys/registration-state', (route) =>
    route.fulfill(
      answer([
        {
          ...{ name: rejected.custname, state: '已退回', at: '2026-11-20T02:00:00.000Z' },
          ...{ reason: '营业执照与名称不符', rejected },
        },
      ]),
    ),
  );
  await page.route('**/erp/api/sys/erpRegisterAgcust', (route) => route.fulfill(answer(null)));
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '客户登录' }).click();
  await page.getByRole('button', { name: '查询注册进度' }).click();
  const dialog = page.getByRole('dialog', { name: '查询注册进度' });
  await dialog.getByLabel('手机号').fill(rejected.mobile);
  await dialog.getByLabel('验证码').fill('123456');
  await dialog.getByRole('button', { name: '查询', exact: true }).click();
  await expect(dialog.getByText('退回原因：营业执照与名称不符')).toBeVisible();
  await dialog.getByRole('button', { name: '修改后重新提交' }).click();

  await page.waitForURL('**/Register?again=*');
  await expect(page.getByLabel('客户名称')).toHaveValue(rejected.custname);
  await expect(page.getByLabel('组织机构代码')).toHaveValue(rejected.comNo);
  await expect(page.getByLabel('服务公司')).toHaveValue('华东融通进出口有限公司');
  await expect(page.getByLabel('联系人')).toHaveValue(rejected.linkMan);
  await expect(page.getByLabel('手机号码')).toHaveValue(rejected.mobile);
  await expect(page.getByLabel('手机号码')).toHaveAttribute('readonly', '');
  await page.getByLabel('客户名称').fill('宁波改正制造有限公司');
  await page.getByLabel('验证码').fill('654321');
  const sent = page.waitForRequest('**/erp/api/sys/erpRegisterAgcust');
  await page.getByRole('button', { name: '重新提交' }).click();
  const request = await sent;
  expect(request.postDataJSON()).toMatchObject({
    ...{ ...rejected, custname: '宁波改正制造有限公司', sms: '654321' },
  });
  expect(request.headers()['idempotency-key']).toBeTruthy();
  await expect(page.getByText('注册成功，请等待平台审核')).toBeVisible();
  // Whoever registers in this window after that begins anew.
  await page.goto(`${baseUrl()}/Register`);
  await expect(page.getByLabel('客户名称')).toHaveValue('');
});

/** The last message to a number, from the outbox of the server under test. */
async function lastSms(mobile: string): Promise<string> {
  const file = path.join(serverUnderTest().data, 'outbox', 'sms.jsonl');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const messages = lines.map((line) => JSON.parse(line) as { readonly to: string; readonly text: string });
  return messages.findLast(({ to }) => to === mobile)?.text ?? '';
}

interface Answer {
  readonly msg: string;
  readonly data: Readonly<Record<string, unknown>>;
}
type Row = Readonly<Record<string, unknown>>;

async function records(page: Page, call: string, body: unknown): Promise<readonly Row[]> {
  const { body: answer } = await callApi<Answer>(page, 'POST', call, body);
  return answer.data['records'] as readonly Row[];
}

async function partnerId(page: Page, name: string): Promise<string> {
  const [partner] = await records(page, '/data/partner/query', { filters: { name: { eq: name } } });
  return String(partner?.['id']);
}

/** What the person at the page has to decide of the partner. */
async function taskOf(page: Page, id: string): Promise<Row | undefined> {
  const { body } = await callApi<Answer>(page, 'GET', `/approval/record/partner/${id}`);
  return (body.data['task'] as Row | null | undefined) ?? undefined;
}

/** What customer service fills in before it approves. */
async function complete(page: Page, id: string): Promise<void> {
  const file = await page.evaluate(async (content) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const form = new FormData();
    form.append('files', new Blob([bytes], { type: 'image/png' }), '营业执照.png');
    const response = await fetch('/erp/api/files?resource=partner&field=license_file', {
      method: 'POST',
      headers: { Authorization: localStorage.getItem('authorization') ?? '' },
      body: form,
    });
    const answer = (await response.json()) as { data: { id: string } | { id: string }[] };
    return [answer.data].flat()[0]?.id ?? '';
  }, PIXEL);
  const { body: record } = await callApi<Answer>(page, 'GET', `/data/partner/${id}`);
  const saved = await callApi<Answer>(page, 'PATCH', `/data/partner/${id}`, {
    version: record.data['version'],
    enterprise_kind: 'manufacturer',
    taxpayer_type: 'general',
    legal_person: '林小满',
    reg_address: '宁波市北仑区明州路 1 号',
    license_file: [file],
  });
  expect([saved.status, saved.body.msg]).toEqual([200, expect.any(String)]);
}

type Opener = { readonly newPage: () => Promise<Page> };

async function approve(browser: Opener, personid: string, id: string, fields: Row): Promise<void> {
  const page = await browser.newPage();
  await signIn(page, personid);
  const task = await taskOf(page, id);
  const { body: record } = await callApi<Answer>(page, 'GET', `/data/partner/${id}`);
  const approved = await callApi<Answer>(page, 'POST', `/approval/${String(task?.['id'])}/approve`, {
    version: record.data['version'],
    fields,
  });
  expect([approved.status, approved.body.msg]).toEqual([200, expect.any(String)]);
  await page.close();
}

async function salesId(browser: Opener): Promise<string> {
  const page = await browser.newPage();
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<Answer>(page, 'GET', '/sys/session');
  await page.close();
  return String(body.data['id']);
}
