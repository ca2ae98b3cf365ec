import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, expect, type Page } from 'playwright/test';
import { auditPage, tabOrder } from './support/page-audit.ts';
import { baseUrl, callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';
import { serverUnderTest } from './support/server-under-test.ts';

type Row = Readonly<Record<string, string | number | null>>;
interface Answer {
  readonly msg: string;
  readonly data: Row & { readonly records?: readonly Row[]; readonly task?: Row };
}

/** The link that went to the approver's telephone last. */
function lastLink(): string {
  const outbox = path.join(serverUnderTest().data, 'outbox', 'sms.jsonl');
  const texts = readFileSync(outbox, 'utf8').trim().split('\n');
  return /\/wzkf\/sxsqsh\?token=[\w-]+/.exec(texts.at(-1) ?? '')?.[0] ?? '';
}

async function call(page: Page, method: string, address: string, body?: unknown): Promise<Answer['data']> {
  const answer = await callApi<Answer>(page, method, address, body);
  expect([answer.status, answer.body.msg]).toEqual([200, expect.any(String)]);
  return answer.body.data;
}

const rows = async (page: Page, resource: string, filters: object): Promise<readonly Row[]> =>
  (await call(page, 'POST', `/data/${resource}/query`, { pageSize: 200, filters })).records ?? [];

/** A partner without a line who has shipments: as few of them as possible. */
async function partnerInTrade(page: Page): Promise<string> {
  const shipments = await rows(page, 'shipment', {
    status: { in: ['approved', 'declared', 'shipped'] },
    business_type: { eq: 'agency' },
  });
  const lines = await rows(page, 'credit_line', { purpose: { eq: 'shipment_risk' } });
  const waiting = await rows(page, 'credit_line_application', { status: { eq: 'pending' } });
  const taken = new Set([...lines, ...waiting].map((row) => row['partner_id']));
  const counts = new Map<string, number>();
  for (const { partner_id: partner } of shipments)
    if (!taken.has(partner ?? null)) counts.set(String(partner), (counts.get(String(partner)) ?? 0) + 1);
  const [least] = [...counts].toSorted(([, first], [, second]) => first - second);
  return least?.[0] ?? '';
}

async function aReport(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const form = new FormData();
    form.append('files', new Blob(['%PDF-1.4\n%%EOF'], { type: 'application/pdf' }), '财务报表.pdf');
    const response = await fetch('/erp/api/files?resource=credit_line_application&field=financials', {
      method: 'POST',
      headers: { Authorization: localStorage.getItem('authorization') ?? '' },
      body: form,
    });
    const answer = (await response.json()) as { data: { id: string } | { id: string }[] };
    return [answer.data].flat()[0]?.id ?? '';
  });
}

/** A submitted application whose link is on its way to risk control. */
async function applyFor(page: Page, partner: string): Promise<string> {
  const address = '/data/credit_line_application';
  const made = await call(page, 'POST', address, {
    partner_id: partner,
    purpose: 'shipment_risk',
    apply_kind: 'new',
    apply_amount: '2900000.00',
    guarantee_kind: '信用',
    this_year_plan: '1000000.00',
    main_buyers: '美国某公司，T/T 60 天',
    reason: '旺季备货',
    financials: [await aReport(page)],
  });
  const at = `${address}/${String(made['id'])}`;
  const sent = await call(page, 'POST', `${at}/actions/submit`, { version: made['version'] });
  await call(page, 'POST', `${at}/actions/review_link`, { version: sent['version'] });
  return String(made['id']);
}

async function somebody(browser: Browser, width: number, height: number): Promise<Page> {
  return (await browser.newContext({ viewport: { width, height } })).newPage();
}

async function agree(page: Page): Promise<void> {
  await page.getByRole('button', { name: '同意' }).click();
  await page.getByRole('button', { name: '确定同意' }).click();
}

test('a credit line is applied for, approved by the link on the approver’s telephone, and stands at the partner with what is used', async ({
  page,
  browser,
}) => {
  await signIn(page, 'sp.aa');
  const partner = await partnerInTrade(page);
  const id = await applyFor(page, partner);
  const link = lastLink();

  const phone = await somebody(browser, 390, 844);
  await phone.goto(`${baseUrl()}/wzkf/sxsqsh`);
  await expect(phone.getByText('请从审批短信中的链接打开本页')).toBeVisible();
  await phone.goto(`${baseUrl()}/wzkf/sxsqsh?token=${'x'.repeat(32)}`);
  await expect(phone.getByRole('alert')).toHaveText('审核链接无效或已过期，请登录系统审核');
  const submitter = await page.context().newPage();
  await submitter.goto(`${baseUrl()}${link}`);
  await expect(submitter.getByRole('alert')).toHaveText(/^该审核链接发给.+，与当前登录的账号不符，不能审核$/);
  await submitter.close();

  const late = await somebody(browser, 1440, 900);
  for (const device of [late, phone]) {
    await device.goto(`${baseUrl()}${link}`);
    await expect(device.getByText('旺季备货')).toBeVisible();
    expect(await auditPage(device)).toEqual([]);
  }
  const card = await late.getByRole('region', { name: '授信申请审核' }).boundingBox();
  expect(card?.width).toBe(1080);

  await phone.getByRole('button', { name: '驳回' }).click();
  await expect(phone.getByRole('alert').filter({ hasText: '驳回须填写意见' })).toBeVisible();
  await expect(phone.getByLabel('审核意见')).toBeFocused();
  expect((await tabOrder(phone)).slice(-4)).toEqual(['审核意见', '同意', '驳回', '登录后审核']);
  await phone.getByRole('button', { name: '同意' }).click();
  await expect(phone.getByRole('alertdialog', { name: '确认' })).toBeFocused();
  await phone.keyboard.press('Escape');
  await expect(phone.getByRole('button', { name: '同意' })).toBeFocused();
  await agree(phone);
  await expect(phone.locator('#score-note')).toHaveText('请填写风险评分（由风控填写）');
  await expect(phone.getByLabel('风险评分')).toBeFocused();
  await expect(phone.locator('#approved_amount-note')).toHaveText('请填写批复额度（由风控填写）');
  await phone.getByLabel('风险评分').fill('85');
  await phone.getByLabel('批复额度').fill('2,900,000.01');
  await agree(phone);
  await expect(phone.locator('#approved_amount-note')).toHaveText('批复额度不能超过申请额度');
  await phone.getByLabel('批复额度').fill('2,850,000');
  await agree(phone);
  await expect(phone.getByText('已同意，单据已转下一级审核。')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('alert')).toHaveText('该单据已审核或已撤回，链接已失效');

  await agree(late);
  await expect(late.getByRole('alert')).toHaveText('该单据已审核或已撤回，链接已失效');
  await expect(late.getByText('旺季备货')).toBeHidden();
  await expect(late.getByRole('button', { name: '同意' })).toBeHidden();

  const finance = await somebody(browser, 1440, 900);
  await signIn(finance, 'fn.aa');
  const { task } = await call(finance, 'GET', `/approval/record/credit_line_application/${id}`);
  await call(finance, 'POST', `/approval/${String(task?.['id'])}/approve`, { version: task?.['version'] });

  const [line] = await rows(page, 'credit_line', { partner_id: { eq: partner } });
  const used = Number(line?.['used']);
  // Only what the company bears counts: it may be nothing.
  expect(used).toBeGreaterThanOrEqual(0);
  expect(Number(line?.['available'])).toBeCloseTo(2_850_000 - used, 2);
  const shown = used.toLocaleString('en-US', { minimumFractionDigits: 2 });
  await open(page, `/customer/entrustdetails?id=${partner}`);
  const panel = page.locator('section', { has: page.getByRole('heading', { name: /^授信额度/ }) });
  await expect(panel.getByText(shown).first()).toBeVisible();
  await open(page, '/customer/edsq');
  await page.getByRole('tab', { name: '授信额度' }).click();
  const row = page.getByRole('row').filter({ hasText: '2,850,000.00' }).filter({ visible: true });
  await expect(row.getByText(shown).first()).toBeVisible();
});

test('risk control is told at the fields what it has to fill in before it agrees', async ({
  page,
  browser,
}) => {
  const sales = await somebody(browser, 1440, 900);
  await signIn(sales, 'sp.aa');
  const id = await applyFor(sales, await partnerInTrade(sales));
  const number = String((await call(sales, 'GET', `/data/credit_line_application/${id}`))['app_no']);
  await signIn(page, 'rk.aa');
  await open(page, '/wzkf/sxsqsh');
  await page.getByRole('link', { name: number }).click();
  await expect(page.getByRole('textbox', { name: '风险评分' })).toBeVisible();
  await page.getByRole('button', { name: '同意' }).click();
  await expect(page.locator('#level-score-note')).toHaveText('请填写风险评分（由风控填写）');
  await expect(page.locator('#level-approved_amount-note')).toHaveText('请填写批复额度（由风控填写）');
  await expect(page.getByRole('textbox', { name: '风险评分' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('textbox', { name: '风险评分' }).fill('90');
  await page.getByRole('textbox', { name: '批复额度' }).fill('99999999');
  await page.getByRole('button', { name: '同意' }).click();
  await expect(page.locator('#level-approved_amount-note')).toHaveText('批复额度不能超过申请额度');
  await expect(page.locator('#level-score-note')).toHaveText('0至100分，由风控填写');
});
