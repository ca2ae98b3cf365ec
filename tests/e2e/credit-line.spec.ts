import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from 'playwright/test';
import { baseUrl, callApi, open, signIn } from './support/session.ts';

interface Found {
  readonly data: { readonly records: readonly { readonly id: string; readonly name: string }[] };
}

/** The link that went to the approver's telephone last. */
function lastLink(): string {
  const outbox = path.join(process.env['E2E_DATA'] ?? '', 'outbox', 'sms.jsonl');
  const texts = readFileSync(outbox, 'utf8').trim().split('\n');
  return /\/wzkf\/sxsqsh\?token=[\w-]+/.exec(texts.at(-1) ?? '')?.[0] ?? '';
}

async function applyFor(page: Page): Promise<{ readonly id: string; readonly partner: string }> {
  const partners = await callApi<Found>(page, 'POST', '/data/partner/query', {
    pageSize: 1,
    filters: { status: { eq: 'active' }, risk_level: { ne: 'D' } },
  });
  const partner = partners.body.data.records[0]?.id ?? '';
  const { status, body } = await callApi<{
    readonly data: { readonly id: string; readonly version: number };
  }>(page, 'POST', '/data/credit_line_application', {
    partner_id: partner,
    purpose: 'rebate',
    apply_kind: 'new',
    apply_amount: '400000.00',
    guarantee_kind: '信用',
    this_year_plan: '1000000.00',
    main_buyers: '美国某公司，T/T 60 天',
    reason: '旺季备货',
  });
  expect(status).toBe(200);
  await callApi(page, 'POST', `/data/credit_line_application/${body.data.id}/actions/submit`, {
    version: body.data.version,
  });
  return { id: body.data.id, partner };
}

test('a credit line is applied for, approved by the link on the approver’s telephone, and stands at the partner', async ({
  page,
  browser,
}) => {
  await signIn(page, 'sp.aa');
  const { id, partner } = await applyFor(page);
  const version = await callApi<{ readonly data: { readonly version: number } }>(
    page,
    'GET',
    `/data/credit_line_application/${id}`,
  );
  const sent = await callApi<{ readonly msg: string }>(
    page,
    'POST',
    `/data/credit_line_application/${id}/actions/review_link`,
    { version: version.body.data.version },
  );
  expect([sent.status, sent.body.msg]).toEqual([200, expect.any(String)]);

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(`${baseUrl()}/wzkf/sxsqsh`);
  await expect(phone.getByText('请从审批短信中的链接打开本页')).toBeVisible();
  await phone.goto(`${baseUrl()}/wzkf/sxsqsh?token=${'x'.repeat(32)}`);
  await expect(phone.getByRole('alert')).toHaveText('审核链接无效或已过期，请登录系统审核');
  await phone.goto(`${baseUrl()}${lastLink()}`);
  await expect(phone.getByText('旺季备货')).toBeVisible();
  await phone.getByRole('button', { name: '驳回' }).click();
  await expect(phone.getByText('驳回须填写意见')).toBeVisible();
  await phone.getByLabel('风险评分').fill('85');
  await phone.getByLabel('批复额度').fill('400,000.01');
  await phone.getByRole('button', { name: '同意' }).click();
  await phone.getByRole('button', { name: '确定同意' }).click();
  await expect(
    phone.getByRole('alert').filter({ hasText: '批复额度不能超过申请额度' }).first(),
  ).toBeVisible();
  await phone.getByLabel('批复额度').fill('300,000');
  await phone.getByRole('button', { name: '同意' }).click();
  await phone.getByRole('button', { name: '确定同意' }).click();
  await expect(phone.getByText('已同意，审核结果已生效。')).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('alert')).toHaveText('该单据已审核或已撤回，链接已失效');

  await open(page, `/customer/entrustdetails?id=${partner}`);
  await expect(page.getByText('300,000.00').filter({ visible: true }).first()).toBeVisible();
  await open(page, '/customer/edsq');
  await page.getByRole('tab', { name: '授信额度' }).click();
  await expect(page.getByText('退税垫付额度').filter({ visible: true }).first()).toBeVisible();
});
