import { type CDPSession, expect, type Page } from 'playwright/test';
import { axeFaults } from './support/page-audit.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Made {
  readonly data: { readonly id: string };
}

// As most people have it; the other files have a system that keeps everything still.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a draft can be deleted by whom its definition allows, and its tab goes with it', async ({ page }) => {
  const name = `DELETED DRAFT ${Date.now()} LTD`;
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<Made>(page, 'POST', '/data/buyer', { name_en: name });
  await open(page, `/customer/buyerdetails?id=${body.data.id}`);
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await page.getByRole('tooltip').getByRole('button', { name: '删除', exact: true }).click();
  await expect(page.getByRole('tab', { name })).toBeHidden();
  expect((await callApi(page, 'GET', `/data/buyer/${body.data.id}`)).status).toBe(404);
});

test('a form that one may not fill in is not offered, whatever link led there', async ({ page }) => {
  await signIn(page, 'fn.aa');
  await open(page, '/customer/buyeredit');
  await expect(page.getByText('您没有新增国外客户的权限')).toBeVisible();
  await expect(page.getByRole('button', { name: '保存', exact: true })).toBeHidden();
  await page.getByRole('button', { name: '离开', exact: true }).click();
  await expect(page.getByText('您没有新增国外客户的权限')).toBeHidden();
});

test('details of many lines hold only those in view, and scroll to the last with head and totals', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const items = Array.from({ length: 200 }, (_, index) => ({
    name_en: `ITEM ${index + 1}`,
    quantity: '10',
    unit_price: '12.5',
  }));
  const { body } = await callApi<Made>(page, 'POST', '/data/export_contract', { items });
  await open(page, `/details/wxhtxq?id=${body.data.id}`);
  const table = page.getByRole('table', { name: '商品明细' });
  await expect(table).toHaveAttribute('aria-rowcount', '201');
  await expect(table.getByText('ITEM 1', { exact: true })).toBeVisible();
  expect(await table.locator('tbody tr').count()).toBeLessThan(60);
  await page.getByRole('region', { name: '商品明细' }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(table.getByText('ITEM 200', { exact: true })).toBeVisible();
  await expect(table.locator('tfoot')).toContainText('25,000.00 USD');
});

test('a contract is written as on a work surface: focus, line numbers, problems line by line, nothing empty saved', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/details/wxhtbj');
  await expect(page.getByLabel('出口模式')).toBeFocused();
  await expect(page.locator('[data-field=buyer_id]')).toContainText('请先选择委托方');
  // Also a field without a hint of its own has an answer.
  await page.keyboard.press('F1');
  await expect(page.getByRole('tooltip').filter({ visible: true })).toContainText('可选：代理出口');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip').filter({ visible: true })).toBeHidden();

  const grid = page.getByRole('grid', { name: '商品明细' });
  await page.getByRole('button', { name: '添加行' }).click();
  const quantity = grid.getByRole('textbox', { name: '数量' });
  await quantity.first().focus();
  await page.keyboard.press('F1');
  await expect(page.getByRole('tooltip').filter({ visible: true })).toContainText('必填');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip').filter({ visible: true })).toBeHidden();
  await quantity.first().fill('10');
  // In the middle of the last line Enter goes on to the right.
  await quantity.first().press('Enter');
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('button', { name: '添加行' }).click();
  await page.getByRole('button', { name: '添加行' }).click();
  await expect(grid.getByRole('rowheader')).toHaveText(['1', '2', '3']);
  // What browsers do with all inputs of a form after each key, they do with those of one row.
  const forms = await grid
    .locator('input[data-text-column]')
    .evaluateAll((inputs) => inputs.map((one) => one.getAttribute('form')));
  expect(new Set(forms).size).toBe(3);
  expect(forms).not.toContain(null);
  await grid.getByRole('textbox', { name: '英文品名' }).first().fill('CUP');
  await expect(page.getByRole('tab', { name: /新增外销合同$/, selected: true })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: /^AAWX\d{9}/, selected: true })).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(grid.getByRole('textbox', { name: '英文品名' }).first()).toBeFocused();

  await page.keyboard.press('Control+Enter');
  const summary = page.locator('[data-problem-summary]');
  await expect(summary.getByRole('listitem').filter({ hasText: '商品明细第1行' })).toContainText('单价');
  await page.keyboard.press('F8');
  await expect(page.getByLabel('出口模式')).toBeFocused();
  await page.keyboard.press('Shift+F8');
  // The last problem stands in a tab that was not in front.
  await expect(page.getByRole('tab', { name: /^装运/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('[data-field=buyer_id] [role=alert]')).toBeVisible();
  await summary.getByRole('button', { name: '关闭' }).click();
  await expect(summary).toHaveCount(0);
});

test('a report runs on while its tab is behind another, and is not run again', async ({ page }) => {
  let runs = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/report\/59\/run$/, async (route) => {
    runs += 1;
    await held;
    await route.continue();
  });
  await signIn(page, 'gm.aa', '总经理');
  await open(page, '/tjbb/yszl');
  await expect.poll(() => runs).toBe(1);
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('审核').click();
  await expect(page.getByRole('button', { name: '取消', exact: true })).toBeHidden();
  release();
  await tab('应收汇账龄表').click();
  await expect(page.getByRole('table').filter({ visible: true }).first()).toBeVisible();
  await tab('审核').click();
  await tab('应收汇账龄表').click();
  await expect(page.getByRole('table').filter({ visible: true }).first()).toBeVisible();
  expect(runs).toBe(1);
});

test('pages, records and commands are reached by keys alone', async ({ page }) => {
  await signIn(page, 'sp.aa', '业务员');
  await page.locator('body').press('?');
  await expect(page.getByRole('dialog', { name: '按键一览' })).toContainText('Ctrl + K');
  await page.keyboard.press('Escape');
  const search = page.getByRole('combobox', { name: '搜索', exact: true });
  const hits = page.getByRole('listbox', { name: '搜索结果' }).getByRole('option');
  await page.keyboard.press('Control+k');
  await search.fill('xzwxht');
  await expect(hits.first()).toContainText('新增外销合同');
  await search.press('Enter');
  await expect(page.getByLabel('出口模式')).toBeFocused();
  await page.keyboard.press('Control+k');
  await search.fill('gwkhlb');
  await expect(hits.first()).toContainText('国外客户列表');
  await search.press('Enter');
  await expect(page.getByRole('searchbox', { name: '关键字' }).filter({ visible: true })).toBeVisible();
  await page.keyboard.press('Alt+n');
  await expect(page.getByLabel(/英文名称/).filter({ visible: true }).first()).toBeFocused(); // prettier-ignore
  const { body } = await callApi<{ readonly data: { readonly records: readonly { contract_no: string }[] } }>(
    page,
    'POST',
    '/data/export_contract/query',
    { pageSize: 1, filters: { business_type: { eq: 'agency' } } },
  );
  await page.keyboard.press('Control+k');
  await search.fill(body.data.records[0]?.contract_no ?? '');
  await hits.filter({ hasText: '外销合同' }).first().click();
  await expect(
    page.getByRole('button', { name: '复制', exact: true }).filter({ visible: true }),
  ).toBeVisible();
  await page.keyboard.press('Alt+c');
  await expect(page).toHaveURL(/wxhtbj\?copy=/);
  await page.keyboard.press('Tab');
  await page.evaluate(() => document.querySelector<HTMLElement>('.skip-link')?.focus());
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
});

test('a list fits its window, is filtered at its heads, grouped, and kept as a view of one’s own', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/details/xwxht');
  const table = page.getByRole('table').filter({ visible: true });
  await expect(table.locator('tbody tr').first()).toBeVisible();
  for (const title of [/合同号/, /客户/, /金额|总额/, /状态/]) {
    const box = await table.getByRole('columnheader', { name: title }).first().boundingBox();
    expect((box?.x ?? 9_999) + (box?.width ?? 0), String(title)).toBeLessThanOrEqual(1280);
  }
  await expect(table.locator('tfoot')).toContainText(/USD|CNY/);
  await expect(table.locator('.totals-of')).toHaveText(/^合计（全部 [\d,+]+ 条(，不计[^）]+)?）$/);
  // What was not found is not what there is none of.
  const keyword = page.getByRole('searchbox', { name: '关键字' }).filter({ visible: true });
  await keyword.fill('NOTHING IS CALLED THIS');
  await keyword.press('Enter');
  await expect(page.getByText('没有符合条件的外销合同')).toBeVisible();
  await page.getByRole('button', { name: '清除条件', exact: true }).click();
  await expect(table.locator('tbody tr').first()).toBeVisible();
  await table.getByRole('button', { name: '按状态筛选' }).click();
  const filter = page.getByRole('tooltip').filter({ visible: true });
  await filter.locator('.ant-select-selector').click();
  await page.locator('.ant-select-item-option', { hasText: '草稿' }).filter({ visible: true }).click();
  // The open list leaves the buttons free.
  await filter.getByRole('button', { name: '筛选', exact: true }).click();
  await expect(page.getByRole('button', { name: /^清除条件：状态/ })).toBeVisible();
  const name = `草稿 ${Date.now()}`;
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('menuitem', { name: '保存当前视图…' }).click();
  await page.getByPlaceholder(/^视图名称/).fill(name);
  await page
    .getByRole('dialog', { name: '保存视图' })
    .getByRole('button', { name: '保存', exact: true })
    .click();
  await expect(page.getByText('视图已保存')).toBeVisible();
  await page.getByRole('button', { name: /^清除条件：状态/ }).click();
  await page.reload();
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
  await expect(page.getByRole('button', { name: /^清除条件：状态/ })).toBeVisible();
});

test('an input method chooses its characters in peace: nothing is searched, picked, moved or refused meanwhile', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/erp\/api\/(search|lookup)/.test(request.url()))
      asked.push(`${request.url()} ${request.postData() ?? ''}`);
  });
  const lastAsked = () => decodeURIComponent(asked.at(-1) ?? '');
  await signIn(page, 'sp.aa', '业务员');
  await open(page, '/details/wxhtbj');
  const input = await page.context().newCDPSession(page);

  // The first letter opens the list: it must not be looked for either.
  const partner = page.locator('[data-field=partner_id] input');
  await partner.focus();
  await compose(input, ['n', 'ni', 'ning']);
  expect(asked.filter((one) => !one.includes('"keyword":""'))).toEqual([]);
  await input.send('Input.insertText', { text: '宁' });
  await expect(partner).toHaveValue('宁');
  await expect.poll(lastAsked).toContain('"keyword":"宁"');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: '添加行' }).click();
  const grid = page.getByRole('grid', { name: '商品明细' });
  const quantity = grid.getByRole('textbox', { name: '数量' }).first();
  await quantity.click();
  await compose(input, ['１', '１２']);
  await expect(quantity).toBeFocused();
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await expect(grid.locator('[aria-invalid=true]')).toHaveCount(0);
  await input.send('Input.insertText', { text: '１２' });
  await page.keyboard.press('Tab');
  await expect(quantity).toHaveValue('12');

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: '搜索', exact: true })).toBeFocused();
  asked.length = 0;
  await compose(input, ['h', 'he', 'heto', 'hetong']);
  expect(asked).toEqual([]);
  await expect(page.getByRole('combobox', { name: '搜索', exact: true })).toBeFocused();
  await input.send('Input.insertText', { text: '合同' });
  await expect.poll(lastAsked).toContain('合同');
});

/** Letters that an input method holds, then the Enter that chooses among its characters. */
async function compose(input: CDPSession, steps: readonly string[]): Promise<void> {
  for (const text of steps)
    await input.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await input.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await new Promise((resolve) => {
    setTimeout(resolve, 500);
  });
}

const LOOKS = [
  ['light.standard', 1280],
  ['dark.compact', 390],
] as const;

test('every kind of page is readable for all, light and dark, on a desk and in the hand', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const { body } = await callApi<{ readonly data: { readonly records: readonly Made['data'][] } }>(
    page,
    'POST',
    '/data/export_contract/query',
    { pageSize: 1, filters: { business_type: { eq: 'agency' } } },
  );
  const id = String(body.data.records[0]?.id);
  const pages = [
    '/index/index',
    '/details/xwxht',
    `/details/wxhtxq?id=${id}`,
    `/details/wxhtbj?copy=${id}`,
    '/index/sh',
    '/user/self',
    '/index/yj',
    '/index/message',
    '/index/help',
    '/index/djsm?resource=export_contract',
    '/ywtj/ckywtj',
  ];
  for (const look of LOOKS) await auditAll(page, pages, look);
});

test('the pages of administration and of writing are readable for all, light and dark', async ({ page }) => {
  await signIn(page, 'ad.aa', '系统管理员');
  // What is made is called what it is, not what its page is.
  await open(page, '/user/person');
  await expect(page.locator('tbody tr').filter({ visible: true }).first()).toBeVisible();
  await page.keyboard.press('Alt+n');
  const form = page.getByRole('dialog', { name: '新增人员', exact: true });
  await expect(form.locator('[data-field=password] input')).not.toHaveAttribute('placeholder', /不修改/);
  await form.getByRole('button', { name: '关闭' }).click();
  await expect(form).toBeHidden();
  // What a setting says is read and changed at one place.
  await open(page, '/user/shlcpz');
  const flow = page.locator('tbody tr').filter({ visible: true, hasText: '反结账' }).first();
  await flow.locator('td').nth(2).click();
  await page.getByRole('dialog').getByRole('button', { name: '编辑', exact: true }).click();
  await expect(page.locator('[data-field=name] input').filter({ visible: true })).not.toHaveValue('');
  const pages = ['/user/qxpz', '/gggl/xwbj'];
  for (const look of LOOKS) await auditAll(page, pages, look);
});

/** Opens each address in a look and a width; none may have a fault that axe finds, or be wider than the window. */
async function auditAll(
  page: Page,
  addresses: readonly string[],
  [look, width]: (typeof LOOKS)[number],
): Promise<void> {
  await page.context().addCookies([{ name: 'erp_look', value: look, url: page.url() }]);
  await page.setViewportSize({ width, height: 900 });
  await page.reload();
  for (const address of addresses) {
    await open(page, address);
    await expect(page.locator('.ant-skeleton').filter({ visible: true })).toHaveCount(0);
    await expect.poll(() => axeFaults(page), { message: `${address} ${look}`, timeout: 30_000 }).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), address).toBe(true);
    await expect(page.locator('h1').filter({ visible: true }), address).toHaveCount(1);
  }
}

test('a long text folds until it is asked for, and the panel beside a document stays shut over loads', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const marks = ['FIRST', 'SECOND', 'THIRD', 'FOURTH', 'FIFTH'].join('\n');
  const name = `FOLDED ${Date.now()} LTD`;
  const { body } = await callApi<Made>(page, 'POST', '/data/buyer', { name_en: name, marks });
  await open(page, `/customer/buyerdetails?id=${body.data.id}`);
  const text = page.locator('.folded-text').filter({ hasText: 'FIFTH' });
  const folded = await text.boundingBox();
  await text.getByRole('button', { name: '展开' }).click();
  await expect(text.getByRole('button', { name: '收起' })).toBeVisible();
  expect((await text.boundingBox())?.height).toBeGreaterThan(folded?.height ?? Infinity);

  await page.getByRole('button', { name: '收起附件、评论与历史' }).click();
  await expect(page.getByLabel('评论', { exact: true })).toBeHidden();
  await page.reload();
  await page.getByRole('button', { name: '展开附件、评论与历史' }).click();
  await expect(page.getByLabel('评论', { exact: true })).toBeVisible();
});
