import { expect, type Page } from 'playwright/test';
import { baseUrl, callApi, signIn } from './support/session.ts';
import { test } from './support/test.ts';

interface Supplier {
  readonly id: string;
  readonly supplier_no: string;
  readonly name: string;
  readonly partner_id: string | null;
  readonly business_type: string;
}

/** Two suppliers of one partner: what somebody entered twice. */
function duplicates(suppliers: readonly Supplier[]): readonly [Supplier, Supplier] {
  for (const one of suppliers)
    for (const other of suppliers) {
      const isAlike = other.partner_id === one.partner_id && other.business_type === one.business_type;
      if (one !== other && isAlike) return [one, other];
    }
  throw new Error('two suppliers that may be merged are needed');
}

interface Account {
  readonly id: string;
  readonly account_name: string;
  readonly account_no: string;
  readonly cnaps_id: string;
  readonly is_default: boolean;
}

interface WithAccounts extends Supplier {
  readonly version: number;
  readonly banks: readonly Account[];
}

async function supplierById(page: Page, id: string): Promise<WithAccounts> {
  const { body } = await callApi<{ readonly data: WithAccounts }>(page, 'GET', `/data/supplier/${id}`);
  return body.data;
}

/** Finance registers the replaced supplier's account with the kept one. */
async function registerAccount(page: Page, keep: Supplier, replaced: Supplier): Promise<void> {
  const { version, name, banks } = await supplierById(page, keep.id);
  const [account] = (await supplierById(page, replaced.id)).banks;
  const kept = banks.map(({ id, account_name, account_no, cnaps_id, is_default }) => ({
    id,
    account_name,
    account_no,
    cnaps_id,
    is_default,
  }));
  const added = { account_name: name, account_no: account?.account_no, cnaps_id: account?.cnaps_id };
  const saved = await callApi(page, 'PATCH', `/data/supplier/${keep.id}`, {
    version,
    banks: [...kept, { ...added, is_default: false }],
  });
  expect(saved.status).toBe(200);
}

async function recordsOf<T>(page: Page, resource: string, query: object): Promise<readonly T[]> {
  const { body } = await callApi<{ readonly data: { readonly records: readonly T[] } }>(
    page,
    'POST',
    `/data/${resource}/query`,
    { pageSize: 500, ...query },
  );
  return body.data.records;
}

test('the supplier switch is closed to visitors and sales, and moves what trade management names', async ({
  page,
}) => {
  await page.goto(`${baseUrl()}/gysqh`);
  await expect(page.getByText('请先以贸管角色登录，再切换供应商。')).toBeVisible();
  await expect(page.getByLabel('保留供应商编码', { exact: true })).toBeDisabled();
  await expect(page.getByLabel('被替换供应商编码', { exact: true })).toBeDisabled();

  await signIn(page, 'sp.aa', '业务员');
  await page.goto(`${baseUrl()}/gysqh`);
  await expect(page.getByText('只有贸管角色可以切换供应商。')).toBeVisible();
  await expect(page.getByRole('button', { name: '替换' })).toBeDisabled();

  await signIn(page, 'tm.aa');
  const [keep, replaced] = duplicates(
    await recordsOf<Supplier>(page, 'supplier', {
      filters: { status: { eq: 'active' } },
      sorters: ['-supplier_no'],
      columns: ['supplier_no', 'name', 'partner_id', 'business_type'],
    }),
  );
  await page.goto(`${baseUrl()}/gysqh`);
  const codes = {
    keep: page.getByLabel('保留供应商编码', { exact: true }),
    replaced: page.getByLabel('被替换供应商编码', { exact: true }),
  };
  const submit = page.getByRole('button', { name: '替换', exact: true });
  await submit.click();
  await expect(page.getByText('保留供应商编码不能为空')).toBeVisible();
  await expect(page.getByText('被替换供应商编码不能为空')).toBeVisible();
  await codes.keep.fill(keep.supplier_no);
  await codes.replaced.fill(keep.supplier_no);
  await submit.click();
  await expect(page.getByText('被替换供应商不能与保留供应商相同')).toBeVisible();
  await codes.replaced.fill('AAGY999999');
  await submit.click();
  await page.getByRole('button', { name: '确认替换' }).click();
  await expect(page.getByText('被替换供应商编码“AAGY999999”不存在')).toBeVisible();
  await codes.replaced.fill(replaced.supplier_no);
  await codes.replaced.blur();
  await expect(page.getByText(replaced.name).first()).toBeVisible();
  await submit.click();
  await page.getByRole('button', { name: '确认替换' }).click();
  await expect(
    page.getByText(new RegExp(`收款账户冲突：保留供应商“${keep.name}”.*被替换供应商“${replaced.name}”`)),
  ).toBeVisible();
  await signIn(page, 'fn.aa');
  await registerAccount(page, keep, replaced);
  await signIn(page, 'tm.aa');
  await page.goto(`${baseUrl()}/gysqh`);
  await codes.keep.fill(keep.supplier_no);
  await codes.replaced.fill(replaced.supplier_no);
  await submit.click();
  await page.getByRole('button', { name: '确认替换' }).click();
  await expect(page.getByText('替换成功!')).toBeVisible();
  await codes.keep.fill(keep.supplier_no);
  await codes.replaced.fill(replaced.supplier_no);
  await submit.click();
  await page.getByRole('button', { name: '确认替换' }).click();
  await expect(page.getByText(`供应商“${replaced.supplier_no}”已被替换`)).toBeVisible();
});
