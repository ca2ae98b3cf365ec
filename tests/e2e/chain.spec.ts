import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { baseUrl, callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest } from './support/server-under-test.ts';

type Fields = Record<string, unknown>;
interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: Fields;
}

const LINES = 300;

test('a contract of 300 pasted lines is approved by two others, shipped, and not over-shipped; another company sees nothing', async ({
  browser,
}) => {
  const sales = await browser.newPage();
  await signIn(sales, 'sp.aa', '业务员');
  const source = await aRunningContract(sales);

  await test.step('the contract is written from an earlier one, its lines pasted from Excel', async () => {
    await open(sales, `/details/wxhtbj?copy=${String(source['id'])}`);
    const grid = sales.getByRole('grid', { name: '商品明细' });
    await grid.getByRole('textbox', { name: '数量' }).first().click();
    await paste(sales, await block(sales, source));
    await sales
      .getByRole('dialog', { name: '粘贴到哪些列' })
      .getByRole('button', { name: `粘贴 ${LINES} 行` })
      .click();
    await expect(grid).toHaveAttribute('aria-rowcount', String(LINES + 1));
    // The next key is the table's again: a step back, and forth.
    await sales.keyboard.press('Control+z');
    await expect(grid).not.toHaveAttribute('aria-rowcount', String(LINES + 1));
    await sales.keyboard.press('Control+y');
    await expect(grid).toHaveAttribute('aria-rowcount', String(LINES + 1));
    await expect(sales.getByRole('textbox', { name: /^合同金额/ })).toHaveValue(/37,500\.00/);
  });

  const id =
    await test.step('it is submitted as it stands, not saved before; the dialog says who will decide', async () => {
      // The agreement that its rules ask for is found by the server alone.
      await sales.getByRole('button', { name: '提交', exact: true }).click();
      const dialog = sales.getByRole('dialog').filter({ hasText: '部门经理审核' });
      await expect(dialog).toContainText('贸管审核');
      await expect(sales.getByRole('tab', { name: /^AAWX\d{9}/, selected: true })).toBeVisible();
      const saved = new URL(sales.url()).searchParams.get('id') ?? '';
      expect(saved).not.toBe('');
      await dialog.getByRole('button', { name: '确认提交' }).click();
      await expect.poll(() => statusOf(sales, saved)).toBe('pending');
      return saved;
    });

  await test.step('the department manager and trade management approve it in their inboxes', async () => {
    for (const approver of ['dm.aa', 'tm.aa']) {
      const page = await browser.newPage();
      await signIn(page, approver);
      // Another page stands beside the document.
      const tabs = page.locator('.tab-bar .tab');
      await open(page, '/user/self');
      await expect(tabs).toHaveCount(4);
      await open(page, '/index/sh');
      const number = String((await record(page, id))['contract_no']);
      await page.getByRole('link', { name: number }).click();
      await page.getByLabel('审核意见').fill('同意');
      const before = await approvalLevel(page, id);
      await page.getByRole('button', { name: '同意', exact: true }).click();
      await expect.poll(() => approvalLevel(page, id)).not.toBe(before);
      await page.getByRole('button', { name: '返回待办', exact: true }).click();
      await expect(page).toHaveURL(/\/index\/sh$/);
      await expect(tabs).toHaveCount(4);
      await page.close();
    }
    await expect.poll(() => statusOf(sales, id)).toBe('approved');
  });

  await test.step('the shipment is made from it; more than the tolerance is refused beside the line', async () => {
    await open(sales, `/details/wxhtxq?id=${id}`);
    await sales.getByRole('button', { name: '生成明细单' }).click();
    await expect(sales.getByRole('note', { name: '来源' })).toContainText('AAWX');
    await expect(sales.getByRole('grid', { name: '商品明细' })).toHaveAttribute(
      'aria-rowcount',
      String(LINES + 1),
    );
    await sales.keyboard.press('Control+s');
    await expect(sales.getByRole('tab', { name: /^AAMX\d{9}/, selected: true })).toBeVisible();
    const shipmentId = new URL(sales.url()).searchParams.get('id') ?? '';
    const shipment = (await callApi<Envelope>(sales, 'GET', `/data/shipment/${shipmentId}`)).body.data;
    const [line] = lines(shipment);
    const ready = lines(shipment).map((item) => ({
      id: item['id'],
      package_kind: '22',
      packages: 1,
      gross_weight: '2',
      net_weight: '1',
      volume: '0.1',
      legal_quantity1: '1',
      legal_quantity2: '1',
    }));
    const filled = await callApi<Envelope>(sales, 'PATCH', `/data/shipment/${shipmentId}`, {
      version: shipment['version'],
      container_type: '40HQ',
      // Whatever the trade term of the earlier contract asks for.
      ...{ freight: '10.00', insurance_fee: '1.00' },
      items: ready.map((item) => (item.id === line?.['id'] ? { ...item, quantity: '10.6' } : item)),
    });
    expect([filled.status, filled.body.msg]).toEqual([200, expect.any(String)]);
    const refused = await callApi<Envelope & { readonly problems: readonly { readonly path: string }[] }>(
      sales,
      'POST',
      `/data/shipment/${shipmentId}/actions/submit`,
      { version: filled.body.data['version'] },
    );
    expect([refused.status >= 400, refused.body.msg]).toEqual([true, '出运数量超过合同数量(含溢短装)']);
    expect(refused.body.problems[0]?.path).toBe('items.0.quantity');
    const right = await callApi<Envelope>(sales, 'PATCH', `/data/shipment/${shipmentId}`, {
      version: filled.body.data['version'],
      items: [{ id: line?.['id'], quantity: '10.5' }],
    });
    const sent = await callApi<Envelope>(sales, 'POST', `/data/shipment/${shipmentId}/actions/submit`, {
      version: right.body.data['version'],
    });
    expect([sent.status, sent.body.msg]).toEqual([200, expect.any(String)]);
  });

  await test.step('the second company sees nothing of it', async () => {
    const other = await browser.newPage();
    await signIn(other, 'sp.ae', '业务员');
    expect((await callApi<Envelope>(other, 'GET', `/data/export_contract/${id}`)).status).toBe(404);
    await open(other, `/details/wxhtxq?id=${id}`);
    await expect(other.getByText('记录不存在或无权查看')).toBeVisible();
    await other.close();
  });
});

test('a new resource file appears without a restart; a broken one leaves the old serving and is named by line', async ({
  browser,
}) => {
  const folder = serverUnderTest().resources;
  const { rm, writeFile } = await import('node:fs/promises');
  const file = `${folder}/sales/sample_order.json`;
  const definition = {
    resource: 'sample_order',
    title: '样品单',
    kind: 'master',
    label: 'sample_no',
    fields: {
      sample_no: { type: 'text', title: '样品单号', max: 20, required: true },
      quantity: { type: 'decimal', title: '数量' },
    },
    access: [{ role: 'AD', do: ['*'] }],
    pages: [{ route: '/sales/sample', kind: 'list', title: '样品单' }],
  };
  // The table outlives the file: a second run finds the samples of the first.
  const name = `S-${randomUUID().slice(0, 8)}`;
  const page = await browser.newPage();
  // A page that no stream tells anything learns it from the answers that it gets.
  await page.route('**/erp/msg/sse/**', (route) => route.abort());
  await signIn(page, 'ad.aa');
  try {
    await writeFile(file, JSON.stringify(definition, null, 2));
    await expect
      .poll(async () => (await callApi<Envelope>(page, 'POST', '/data/sample_order/query', {})).status)
      .toBe(200);
    const saved = await callApi<Envelope>(page, 'POST', '/data/sample_order', {
      sample_no: name,
      quantity: '2.5',
    });
    expect([saved.status, saved.body.data['sample_no']]).toEqual([200, name]);
    await open(page, '/sales/sample');
    await expect(page.getByRole('tab', { name: '样品单' })).toBeVisible();
    await expect(page.getByRole('button', { name })).toBeVisible();

    await writeFile(file, JSON.stringify({ ...definition, label: 'sample_number' }, null, 2));
    await expect
      .poll(async () => JSON.stringify((await callApi<Envelope>(page, 'GET', '/meta/faults')).body.data))
      .toMatch(/sample_order\.json:\d+:\d+.*sample_no/);
    const list = await callApi<Envelope>(page, 'POST', '/data/sample_order/query', {});
    expect([list.status, JSON.stringify(list.body.data['records'])]).toEqual([
      200,
      expect.stringContaining(name),
    ]);
  } finally {
    await rm(file, { force: true });
  }
});

test('the login form says what is wrong, in the words of the specification', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('请输入用户名')).toBeVisible();
  await expect(page.getByText('请输入密码')).toBeVisible();
  await page.getByLabel('用户名').fill('a');
  await page.getByLabel('密码').fill('123');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('长度在2-30个字符')).toBeVisible();
  await expect(page.getByText('长度在 6 到 30 个字符')).toBeVisible();
  await page.getByLabel('用户名').fill('sp.aa');
  await page.getByLabel('密码').fill('wrong-password');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('用户名或密码错误')).toBeVisible();
});

/** An approved agency contract of the salesperson whose business can be repeated today. */
async function aRunningContract(page: Page): Promise<Fields> {
  const list = await callApi<Envelope>(page, 'POST', '/data/export_contract/query', {
    filters: {
      status: { in: ['approved', 'executing'] },
      business_type: { eq: 'agency' },
      export_mode: { in: ['entrusted', 'rebate_agent'] },
      currency: { eq: 'USD' },
      payment_term: { in: ['TT_ADV', 'TT_DEP'] },
      latest_shipment: { gte: { $: 'today' } },
    },
    // The first of them: the last may be the one that this test wrote when it ran before.
    sorters: ['contract_no'],
    pageSize: 1,
  });
  const [found] = Array.isArray(list.body.data['records']) ? list.body.data['records'] : [];
  return record(page, String((found as Fields | undefined)?.['id']));
}

/** 300 rows as Excel puts them on the clipboard: a header, goods by number, supplier by name. */
async function block(page: Page, source: Fields): Promise<string> {
  const [line] = lines(source);
  const goods = (await callApi<Envelope>(page, 'GET', `/data/goods/${String(line?.['goods_id'])}`)).body.data;
  const labels = (line?.['_labels'] ?? {}) as Fields;
  const row = [goods['goods_no'], line?.['name_en'], labels['supplier_id'], '10', labels['unit'], '12.5'];
  return [['商品', '英文品名', '供应商', '数量', '单位', '单价'], ...Array.from({ length: LINES }, () => row)]
    .map((cells) => cells.join('\t'))
    .join('\r\n');
}

/** A real paste event on what has the focus. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

async function record(page: Page, id: string): Promise<Fields> {
  return (await callApi<Envelope>(page, 'GET', `/data/export_contract/${id}`)).body.data;
}

async function statusOf(page: Page, id: string): Promise<unknown> {
  return (await record(page, id))['status'];
}

/** Which level of the contract's approval is open: its title, or nothing when it is decided. */
async function approvalLevel(page: Page, id: string): Promise<string> {
  const state = (await callApi<Envelope>(page, 'GET', `/approval/record/export_contract/${id}`)).body.data;
  return JSON.stringify((state['next'] as Fields | null)?.['title'] ?? state['status']);
}

function lines(of: Fields): readonly Fields[] {
  return Array.isArray(of['items']) ? of['items'] : [];
}
