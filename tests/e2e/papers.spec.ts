import { expect, type Page } from 'playwright/test';
import { act } from './support/flow-desk.ts';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Row {
  readonly id: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

async function recordOf(page: Page, resource: string, id: string): Promise<Row> {
  return (await callApi<{ data: Row }>(page, 'GET', `/data/${resource}/${id}`)).body.data;
}

test('the papers of a shipment are begun at it, made, let go and mailed, and what was sent stands on the record', async ({
  page,
  browser,
}) => {
  await signIn(page, 'dc.aa');
  const { body } = await callApi<{ data: { records: readonly Row[] } }>(
    page,
    'POST',
    '/data/shipment/query',
    {
      currentPage: 1,
      pageSize: 1,
      filters: { status: { in: ['approved', 'declared'] }, business_type: { eq: 'agency' } },
    },
  );
  const shipment = String(body.data.records[0]?.id);
  await open(page, `/details/listdetails?id=${shipment}`);
  const head = page.locator('.details-actions:visible');
  await expect(head.getByRole('button', { name: '打印' })).toBeVisible();
  const begin = head.getByRole('button', { name: '全套单证' });
  if (await begin.isVisible()) await begin.click();
  else {
    await head.getByRole('button', { name: '更多' }).click();
    await page.getByRole('menuitem', { name: '全套单证' }).click();
  }
  await expect(page.getByRole('note', { name: '来源' })).toContainText('由明细单');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: /^AATZ\d{9}/, selected: true })).toBeVisible();
  const id = new URL(page.url()).searchParams.get('id') ?? '';
  const bar = page.locator('.form-bar:visible');
  await bar.getByRole('button', { name: '生成' }).click();
  await page.getByRole('dialog', { name: '生成' }).getByRole('button', { name: '生成' }).click();
  await expect(page.getByRole('button', { name: /^AATZ\d{9} V\d+\.pdf/ }).first()).toBeVisible({
    timeout: 60_000,
  });

  const made = await recordOf(page, 'document_set', id);
  const differences = made['differences'] as readonly Row[];
  for (const one of differences) expect([one['place_a'], one['place_b']]).not.toContain(null);
  if (differences.length === 0)
    await callApi(page, 'POST', `/data/document_set/${id}/actions/release`, { version: made.version });
  else {
    const other = await browser.newPage();
    await signIn(other, 'tm.aa');
    await callApi(other, 'POST', `/data/document_set/${id}/actions/accept`, {
      version: made.version,
      opinion: '客户已确认',
    });
    await other.close();
  }
  expect((await recordOf(page, 'document_set', id))['status']).toBe('released');

  await open(page, `/index/dj?resource=document_set&id=${id}`);
  await page.locator('.details-actions:visible').getByRole('button', { name: '打印' }).click();
  await page.getByRole('button', { name: '发邮件' }).click();
  const mail = page.getByRole('dialog', { name: '发邮件' });
  await expect(mail.getByRole('checkbox', { name: /V\d+\.pdf$/ })).toBeChecked();
  await mail.getByLabel('收件人').fill('buyer@abroad.example');
  await page.keyboard.press('Enter');
  await mail.getByRole('button', { name: '发送' }).click();
  await expect(mail.locator('.mail-list')).toContainText('buyer@abroad.example', { timeout: 30_000 });
  await page.keyboard.press('Escape');
  await open(page, `/index/dj?resource=document_set&id=${id}`);
  const sent = page.locator('.details-page:visible .mail-list');
  await expect(sent).toContainText('已写入发件箱', { timeout: 30_000 });
  await expect(sent).toContainText(/附件：.*V\d+\.pdf/);
  await expect(sent).not.toContainText('单据此后有变更');

  const { version } = await recordOf(page, 'shipment', shipment);
  const changed = await callApi(page, 'PATCH', `/data/shipment/${shipment}`, { version, vessel: 'NEW STAR' });
  expect(changed.status).toBe(200);
  await act(page, '与现状核对', {}, (dialog) => expect(dialog).toContainText('已过期'));
  await expect(page.locator('.details-head:visible')).toContainText('已过期');
  await expect(sent).toContainText('单据此后有变更');
});
