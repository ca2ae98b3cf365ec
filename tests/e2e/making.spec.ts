import { expect, type Page } from 'playwright/test';
import { callApi, open, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Row {
  readonly id: string;
  readonly [field: string]: unknown;
}

const SHOTS = process.env['E2E_SHOTS'];

/** Agency contracts of one customer whose lines may still be shipped. */
async function openContracts(page: Page): Promise<readonly Row[]> {
  const { body } = await callApi<{ data: { records: readonly Row[] } }>(
    page,
    'POST',
    '/data/export_contract/query',
    {
      pageSize: 50,
      // Of those that other tests write today all may be shipped.
      filters: {
        status: { in: ['approved', 'signed'] },
        business_type: { eq: 'agency' },
        sign_date: { lt: { $: 'today' } },
      },
    },
  );
  return body.data.records;
}

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: `${SHOTS}/${name}-390.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.screenshot({ path: `${SHOTS}/${name}-1440.png` });
}

test('a shipment begins as a form filled from its contract, takes lines picked by key, and both are remembered', async ({
  page,
}) => {
  await signIn(page, 'sp.aa', '业务员');
  const [contract] = await openContracts(page);
  const number = String(contract?.['contract_no']);
  await open(page, `/details/wxhtxq?id=${String(contract?.id)}`);
  await page.getByRole('button', { name: '生成明细单' }).click();
  const origin = page.getByRole('note', { name: '来源' });
  await expect(origin).toContainText(`由外销合同${number}`);
  const grid = page.getByRole('grid', { name: '商品明细' });
  await expect(grid.getByRole('row')).not.toHaveCount(1);
  const lines = Number(await grid.getAttribute('aria-rowcount')) - 1;
  await shot(page, 'form');

  await page.getByRole('button', { name: '选取' }).click();
  const dialog = page.getByRole('dialog', { name: /^从外销合同选取/ });
  await expect(dialog.getByRole('button', { name: '带入' })).toBeDisabled();
  await expect(dialog.locator('.ant-spin-spinning')).toHaveCount(0);
  await shot(page, 'picker');
  await dialog.getByLabel('查找').fill('没有这样的合同');
  await expect(dialog.getByText('没有可选取的明细')).toBeVisible();
  await dialog.getByLabel('查找').fill('');
  const rows = dialog.locator('.ant-table-row');
  const offered = await rows.count();
  const isPicking = offered > 0;
  if (isPicking) {
    await dialog.getByLabel('查找').press('Enter');
    await expect(dialog.getByRole('status')).toContainText('已选 1 行');
    await dialog.getByLabel('查找').press('Control+Enter');
  } else await dialog.getByRole('button', { name: '取消' }).click();
  await expect(dialog).toBeHidden();
  await expect(grid).toHaveAttribute('aria-rowcount', String(lines + (isPicking ? 1 : 0) + 1));

  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: /^AAMX\d{9}/, selected: true })).toBeVisible();
  await expect(origin).toBeVisible();
  await origin.getByRole('button', { name: number }).click();
  await expect(page.getByRole('tab', { name: number, selected: true })).toBeVisible();
  await page.reload();
  await expect(
    page
      .getByRole('list', { name: '单据链' })
      .getByRole('button', { name: /明细单.*草稿/ })
      .first(),
  ).toBeVisible();
});
