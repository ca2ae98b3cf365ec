import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from 'playwright/test';
import { baseUrl, callApi, open, PASSWORD, signInByHand } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest, TOKEN_SECRET } from './support/server-under-test.ts';

interface Envelope {
  readonly msg: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const STORED = ['authorization', 'deptCode', 'menuList', 'name', 'person', 'personid', 'roleName'];

test('a mobile number of two people asks for the department, which fills the roles', async ({ page }) => {
  await fill(page, '手机登录', '13800000009');
  const dialog = page.getByRole('dialog', { name: '选择登录身份' });
  await dialog.getByRole('button', { name: '进入系统' }).click();
  await expect(dialog.getByText('请选择登录部门', { exact: true }).last()).toBeVisible();
  await expect(dialog.locator('.ant-form-item-explain-error', { hasText: '请选择登录角色' })).toBeVisible();
  await pick(page, dialog, '部门', '业务二部');
  await expect(choice(dialog, '角色')).toContainText('业务员');
  await dialog.getByRole('button', { name: '进入系统' }).click();
  await expect(page.getByRole('button', { name: '冯磊（业务员）' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(STORED);
});

test('a mobile number of one person asks for role and service target, by keyboard alone', async ({
  page,
}) => {
  await page.goto(`${baseUrl()}/login`);
  await expect(page.getByLabel('用户名')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: '手机登录' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.type('13800000001');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '选择登录身份' });
  await expect(choice(dialog, '角色')).toContainText('业务员');
  await expect(choice(dialog, '服务对象')).toContainText('周明');
  await pick(page, dialog, '服务对象', '韩雪');
  await dialog.getByRole('button', { name: '进入系统' }).click();
  await page.getByRole('tab', { name: '首页' }).waitFor();
  const session = await callApi<Envelope>(page, 'GET', '/sys/session');
  expect(session.body.data).toMatchObject({ personid: 'sp.aa', roleId: 'SP', salesManName: '韩雪' });
});

test('where what is kept of the person is damaged, one signs in again instead of seeing an empty page', async ({
  page,
}) => {
  await fill(page, '客户登录', '13900000001');
  await expect(page.getByRole('button', { name: /（委托方）/ })).toBeVisible();
  const whole = await page.evaluate(() => localStorage.getItem('person') ?? '');
  const authorization = await page.evaluate(() => localStorage.getItem('authorization') ?? '');
  for (const damaged of ['{', '{"personid":1}', JSON.stringify({ ...JSON.parse(whole), menuList: null })]) {
    await page.evaluate((values) => Object.assign(localStorage, values), { person: damaged, authorization });
    await page.goto(`${baseUrl()}/index/index`);
    await expect(page).toHaveURL(/\/login\?back=%2Findex%2Findex$/);
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
  }
});

test('a customer with one account comes straight in, without a live stream', async ({ page }) => {
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/erp/msg/sse')) streams.push(request.url());
  });
  await fill(page, '客户登录', '13900000001');
  await expect(page.getByRole('button', { name: /（委托方）/ })).toBeVisible();
  await expect(page.getByText('登录成功！')).toBeVisible();
  expect(streams).toEqual([]);
});

test('a customer with several accounts picks one, goes on as another, and cancelling logs out', async ({
  page,
}) => {
  await fill(page, '客户登录', '13900000002');
  const dialog = page.getByRole('dialog', { name: '选择客户' });
  const loggedOut = page.waitForResponse((response) => response.url().endsWith('/sys/logout'));
  await dialog.getByRole('button', { name: '取消' }).click();
  expect((await loggedOut).request().headers()['authorization']).toMatch(/^[\w-]{43}$/);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await fill(page, '客户登录', '13900000002');
  await dialog.locator('.ant-select-selector').first().click();
  await page.locator('.ant-select-item-option').last().click();
  await dialog.getByRole('button', { name: '进入系统' }).click();
  await page.getByRole('button', { name: /（委托方）/ }).click();
  const companies = page.getByRole('dialog', { name: '切换公司' });
  const other = companies.getByRole('button').first();
  const name = await other.innerText();
  await other.click();
  await expect(page.getByRole('button', { name: `${name}（委托方）` })).toBeVisible();
  await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('one types before the program has come, in the way in that was used last; nothing is sent until then', async ({
  page,
}) => {
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: '手机登录' }).click();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/index-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${baseUrl()}/login`, { waitUntil: 'commit' });
  await expect(page.getByRole('tab', { name: '手机登录', selected: true })).toBeDisabled();
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeDisabled();
  await page.getByLabel('手机号').fill('13800000001');
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByLabel('密码').press('Enter');
  expect(page.url()).toBe(`${baseUrl()}/login`);
  release();
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled();
  await expect(page.getByLabel('密码')).toBeFocused();
  await page.getByLabel('密码').press('Enter');
  await expect(page.getByRole('dialog', { name: '选择登录身份' })).toBeVisible();
});

test('an unknown customer is taken to the registration', async ({ page }) => {
  await fill(page, '客户登录', '13911119999');
  await expect(page.getByText('客户未注册')).toBeVisible();
  await page.waitForURL('**/Register');
});

test('a link sent by short message logs in by itself, once', async ({ page }) => {
  await signInByHand(page, 'sp.aa', '业务员');
  const link = await aLoginLink(page);
  await page.goto(link);
  await expect(page.getByRole('button', { name: /（委托方）/ })).toBeVisible();
  expect(page.url()).not.toContain('code=');
  await page.goto(link);
  await expect(page.getByRole('tab', { name: '客户登录', selected: true })).toBeVisible();
  await expect(page.getByText('登录链接已失效或已使用，请联系业务员重新发送')).toBeVisible();
  expect(page.url()).not.toContain('code=');
});

test('the eight variants and the neutral one stand at their hosts', async ({ page }) => {
  const { port } = new URL(baseUrl());
  const backgrounds = new Set<string>();
  const variants: readonly (readonly [string, string, string])[] = [
    ['localhost', '华东融通进出口有限公司', '400-820-1001'],
    ['ae.localhost', '甬江国际贸易有限公司', '400-820-1002'],
    ['ak.localhost', '岭南远航外贸综合服务有限公司', '400-820-1003'],
    ['ao.localhost', '齐鲁海贸进出口有限公司', '400-820-1004'],
    ['ac.localhost', '巴蜀锦程国际贸易有限公司', '400-820-1005'],
    ['af.localhost', '闽海联创进出口有限公司', '400-820-1006'],
    ['an.localhost', '金陵启源外贸服务有限公司', '400-820-1007'],
    ['ag.localhost', '津门恒业国际贸易有限公司', '400-820-1008'],
  ];
  for (const [host, company, hotline] of variants) {
    await page.goto(`http://${host}:${port}/login`);
    await expect(page.getByRole('heading', { name: company })).toBeVisible();
    await expect(page.locator('footer')).toContainText(`© 2026 ${company}`);
    await expect(page.locator('footer')).toContainText(`服务热线：${hotline}`);
    const image = await page.getByRole('main').evaluate((main) => getComputedStyle(main).backgroundImage);
    const [, address = ''] = /url\("([^"]+)"\)/.exec(image) ?? [];
    const background = await page.request.get(address.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`));
    expect([background.status(), background.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    backgrounds.add(await background.text());
  }
  expect(backgrounds.size).toBe(8);
  await page.goto(`http://elsewhere.localhost:${port}/login`);
  await expect(page.getByRole('heading', { name: '外贸综合服务平台' })).toBeVisible();
  await page.getByRole('link', { name: '客户注册' }).click();
  await expect(page.getByText('该平台暂不支持客户注册！')).toBeVisible();
});

test('the guard lets public pages through, sends others to the login and says what the menu lacks', async ({
  page,
}) => {
  await page.goto(`${baseUrl()}/details/list`);
  await expect(page).toHaveURL(/\/login\?back=%2Fdetails%2Flist$/);
  await page.goto(`${baseUrl()}/user/role`);
  await expect(page.getByText('您没有访问该页面的权限')).toBeVisible();
  for (const address of ['/fapiao?id=1', '/cyfp', '/gysqh', '/wzkf/sxsqsh']) {
    await page.goto(`${baseUrl()}${address}`);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
  }
  await page.goto(`${baseUrl()}/no/such/page`);
  await expect(page.getByText('抱歉，您访问的网站走失了')).toBeVisible();
  await signInByHand(page, 'sp.aa', '业务员');
  await page.goto(`${baseUrl()}/login`);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('an erpToken signs in silently, proceeds, and leaves the address', async ({ page }) => {
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const erpToken = createHash('sha256').update(`${day}42${TOKEN_SECRET}`).digest('hex');
  await page.goto(`${baseUrl()}/details/list?id=43&erpToken=${erpToken}`);
  await expect(page).toHaveURL(/\/login\?back=/);
  await page.goto(`${baseUrl()}/details/list?id=42&erpToken=${erpToken}`);
  await expect(page.getByRole('button', { name: /吴丽华/ })).toBeVisible();
  await expect(page).toHaveURL(`${baseUrl()}/details/list?id=42`);
});

test('a session that ended leads every window to the login, with the work kept, and back to its page afterwards', async ({
  page,
}) => {
  await signInByHand(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyeredit');
  await page.getByLabel(/英文名称/).first().fill('KEPT OVER THE SESSION LTD'); // prettier-ignore
  const other = await page.context().newPage();
  await other.goto(`${baseUrl()}/customer/buyer?q=GMBH`);
  await expect(other.getByRole('searchbox', { name: '关键字' })).toHaveValue('GMBH');
  let hasAsked = false;
  page.on('dialog', (dialog) => {
    hasAsked = true;
    void dialog.accept();
  });
  // The stream tells of it: nobody has to ask the server for anything.
  await callApi<Envelope>(page, 'POST', '/sys/logout', {});
  await expect(other).toHaveURL(/\/login\?back=/);
  await expect(page).toHaveURL(/\/login\?back=/);
  expect(hasAsked).toBe(false);
  await expect(page.getByText('登录已失效，请重新登录')).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.getByLabel('用户名').fill('sp.aa');
  await page.getByLabel('密码').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: '选择登录身份' }).getByRole('button', { name: '进入系统' }).click();
  await expect(page).toHaveURL(/\/customer\/buyeredit/);
  await page.getByRole('button', { name: '恢复', exact: true }).click();
  await expect(page.getByLabel(/英文名称/).first()).toHaveValue('KEPT OVER THE SESSION LTD');
  await expect(other).toHaveURL(/\/customer\/buyer\?q=GMBH/);
  await expect(other.getByRole('searchbox', { name: '关键字' })).toHaveValue('GMBH');
});

test('switching the role starts the tabs over at home, logging out ends the session', async ({ page }) => {
  await signInByHand(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyer');
  await expect(page.getByRole('tab', { name: /国外客户/ })).toBeVisible();
  // At home already: its page comes all the same.
  await page.getByRole('tab', { name: '首页' }).click();
  await expect(page).toHaveURL(/\/index\/index$/);
  const before = await page.evaluate(() => localStorage.getItem('authorization') ?? '');
  await page.getByRole('button', { name: /（业务员）/ }).click();
  await page.getByRole('menuitem', { name: '切换角色' }).click();
  const dialog = page.getByRole('dialog', { name: '切换角色' });
  await pick(page, dialog, '角色', '部门经理');
  await dialog.getByRole('button', { name: '切换' }).click();
  await expect(page.getByRole('button', { name: /（部门经理）/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: '首页', selected: true })).toBeVisible();
  await expect(page.locator('.pane').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('tab', { name: /国外客户/ })).toHaveCount(0);
  expect(await statusWith(page, before)).toBe(401);
  const now = await page.evaluate(() => localStorage.getItem('authorization') ?? '');
  expect(await statusWith(page, now)).toBe(200);
  await page.getByRole('button', { name: /（部门经理）/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  const closed = page.waitForRequest((request) => request.url().endsWith('/erp/msg/sse/close'));
  await page.getByRole('dialog').getByRole('button', { name: '退出', exact: true }).click();
  await closed;
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  expect(await statusWith(page, now)).toBe(401);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

/** Fills the form of a tab and sends it. */
async function fill(page: Page, tab: string, mobile: string): Promise<void> {
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('tab', { name: tab }).click();
  await page.getByLabel('手机号').fill(mobile);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByLabel('密码').press('Enter');
}

function choice(dialog: Locator, label: string): Locator {
  return dialog
    .locator('.ant-form-item', { has: dialog.page().getByText(label, { exact: true }) })
    .locator('.ant-select');
}

async function pick(page: Page, dialog: Locator, label: string, option: string): Promise<void> {
  await choice(dialog, label).locator('.ant-select-selector').click();
  await page.locator('.ant-select-item-option:visible', { hasText: option }).click();
}

/** Has a link sent to the partner of 13900000001 and reads it from the outbox. */
async function aLoginLink(page: Page): Promise<string> {
  const mobile = '13900000001';
  const list = await callApi<Envelope>(page, 'POST', '/data/partner/query', { pageSize: 200 });
  const partners = list.body.data['records'] as readonly Readonly<Record<string, unknown>>[];
  for (const { id, version } of partners) {
    const sent = await callApi<Envelope>(page, 'POST', `/data/partner/${String(id)}/actions/login_link`, {
      version,
      inputs: { mobile },
    });
    if (sent.status !== 200) continue;
    const outbox = await readFile(path.join(serverUnderTest().data, 'outbox/sms.jsonl'), 'utf8');
    const [link = ''] = /http:\/\/\S+\/login\?id=[^"]+/.exec(outbox.trim().split('\n').at(-1) ?? '') ?? [];
    return link;
  }
  throw new TypeError('no partner of that mobile number');
}

async function statusWith(page: Page, authorization: string): Promise<number> {
  const answer = await page.request.get(`${baseUrl()}/erp/api/sys/session`, {
    headers: { Authorization: authorization },
  });
  return answer.status();
}
