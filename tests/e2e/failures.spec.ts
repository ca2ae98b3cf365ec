import { expect, type Route } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

const LIST = '/customer/buyer';

test('a page whose program does not load says so in its own tab, can be retried, and the others go on', async ({
  page,
}) => {
  // Before anything is loaded ahead.
  let isBroken = true;
  await page.route('**/assets/list-page-*.js', (route) => (isBroken ? route.abort() : route.continue()));
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyeredit');
  await page.getByLabel(/英文名称/).first().fill('STAYS WHERE IT IS LTD'); // prettier-ignore
  await open(page, LIST);
  const fault = page.getByRole('alert').filter({ hasText: '页面没有加载出来' });
  await expect(fault).toBeVisible();
  await page.getByRole('tab', { name: /国外客户/ }).first().click(); // prettier-ignore
  await expect(page.getByLabel(/英文名称/).first()).toHaveValue('STAYS WHERE IT IS LTD');
  await open(page, LIST);
  isBroken = false;
  await fault.getByRole('button', { name: '重试' }).click();
  await expect(page.getByRole('table')).toBeVisible();
});

test('a page that breaks while it is drawn stays in its tab, in Chinese, and is whole again when the answer is', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  let isBroken = true;
  await page.route('**/erp/api/meta/resources/buyer', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (isBroken) answer.data.list = null;
    await route.fulfill({ response, json: answer });
  });
  await open(page, LIST);
  const fault = page.getByRole('alert').filter({ hasText: '页面出错了' });
  await expect(fault).toBeVisible();
  await page.getByRole('tab', { name: '首页' }).click();
  await expect(page.getByRole('tab', { name: '首页', selected: true })).toBeVisible();
  isBroken = false;
  await open(page, LIST);
  await page.getByRole('tab', { name: /国外客户/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: '刷新', exact: true }).click();
  await expect(fault).toBeVisible();
  await page.reload();
  await expect(page.getByRole('table')).toBeVisible();
});

test('a new build is told under open tabs, and a refresh brings back what was typed', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/customer/buyeredit');
  const name = page.getByLabel(/英文名称/).first();
  await name.fill('KEPT OVER THE BUILD LTD');
  await page.route('**/build.json', (route) => route.fulfill({ json: { stamp: 'another' } }));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const notice = page.getByRole('alert').filter({ hasText: '系统已更新，点此刷新（草稿已保留）' });
  await expect(notice).toBeVisible();
  // Typed within the pause before a draft is kept: the refresh keeps it first, and asks nothing.
  await name.press('End');
  await name.pressSequentially(' 2');
  let hasAsked = false;
  page.on('dialog', (dialog) => {
    hasAsked = true;
    void dialog.accept();
  });
  await notice.click();
  await page.getByText('发现', { exact: false }).filter({ hasText: '未保存的内容' }).waitFor();
  expect(hasAsked).toBe(false);
  await page.getByRole('button', { name: '恢复', exact: true }).click();
  await expect(name).toHaveValue('KEPT OVER THE BUILD LTD 2');
});

test('a server that is busy or away is called so, and what was not read comes by itself when it is back', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const bar = page.getByRole('alert');
  const cases = [
    [
      '/customer/buyer',
      '服务器繁忙或正在维护',
      '服务器繁忙，请稍后重试',
      (route: Route) => route.fulfill({ status: 503 }),
    ],
    ['/customer/seller', '与服务器的连接已断开', '连不上服务器，请稍后重试', (route: Route) => route.abort()],
  ] as const;
  for (const [address, told, reason, answer] of cases) {
    await page.route('**/erp/api/**', answer);
    await open(page, address);
    await expect(bar.filter({ hasText: told })).toBeVisible();
    await expect(bar.filter({ hasText: reason, visible: true }).first()).toBeVisible();
    await expect(page.getByText('未知错误')).toHaveCount(0);
    await page.unroute('**/erp/api/**');
    await expect(page.getByRole('table').filter({ visible: true })).toBeVisible();
    await expect(bar.filter({ hasText: told })).toBeHidden();
  }
});

test('what was not read says so, never that there is nothing, and is asked for again', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<{ data: { records: readonly { id: string }[] } }>(
    page,
    'POST',
    '/data/export_contract/query',
    { filters: { status: { in: ['approved', 'signed', 'executing', 'completed'] } }, pageSize: 1 },
  );
  const contract = `/details/wxhtxq?id=${body.data.records[0]?.id ?? ''}`;
  const cases: readonly (readonly [address: string, calls: RegExp, told: readonly string[]])[] = [
    [
      contract,
      /\/api\/(comments\/|data\/\w+\/(query$|[^/]+\/(chain|history)$))/,
      ['单据链没有读到', '单据经过没有读到', '评论没有读到', '记录没有读到'],
    ],
    ['/gggl/xwlb', /\/data\/news\/query$/, ['新闻没有读到']],
    ['/index/help', /\/data\/help_article\/query$/, ['帮助没有读到']],
  ];
  for (const [address, calls, told] of cases) {
    await page.route(calls, (route) => route.abort());
    await open(page, address);
    const faults = page.getByRole('alert').filter({ hasText: '没有读到', visible: true });
    for (const words of told) await expect(faults.filter({ hasText: words }).first()).toBeVisible();
    await page.unroute(calls);
    await expect(async () => {
      if ((await faults.count()) > 0)
        await faults.first().getByRole('button', { name: '重试' }).click({ timeout: 2_000 });
      await expect(faults).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: 60_000 });
  }
  // A list that was not read has no number of records either.
  await page.route(/\/data\/supplier\/query$/, (route) => route.abort());
  await open(page, '/customer/seller');
  await expect(page.getByRole('alert').filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText('共 0 条').filter({ visible: true })).toHaveCount(0);
});

test('a search and messages that were refused say so, never that there is nothing, and can be retried', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const refuse = (route: Route) => route.fulfill({ status: 500 });
  const fault = page.getByRole('alert').filter({ hasText: '服务器出错', visible: true });
  const searches = /\/erp\/api\/search\?/;
  const messages = /\/notice\/query$/;
  await page.route(searches, refuse);
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: '搜索', exact: true });
  await search.fill('zzqqxxzz');
  await expect(fault).toBeVisible();
  await expect(page.getByText('没有找到')).toHaveCount(0);
  await page.unroute(searches, refuse);
  await fault.getByRole('button', { name: '重试' }).click();
  await expect(page.getByText('没有找到')).toBeVisible();
  await expect(fault).toHaveCount(0);
  await search.press('Escape');
  await expect(search).toBeHidden();

  await page.route(messages, refuse);
  await page.getByRole('button', { name: '消息', exact: true }).click();
  await expect(fault).toBeVisible();
  await expect(page.getByText(/^没有(未读)?消息$/)).toHaveCount(0);
  await page.unroute(messages, refuse);
  await fault.getByRole('button', { name: '重试' }).click();
  await expect(fault).toHaveCount(0);
});
