import { expect, type Page, test } from 'playwright/test';
import {
  agree,
  atHome,
  atWork,
  choose,
  chooseCell,
  type Fields,
  fill,
  findRecords,
  handIn,
  press,
  readRecord,
  save,
  shot,
} from './support/flow-steps.ts';
import { baseUrl, open } from './support/session.ts';

const MOBILE = '13900000001';
const AMOUNT = '600.00';
const FEE = '12.50';

/** The customer with the login, and a shipment of his that is not paid for yet. */
async function whatIsOwed(
  sales: Page,
): Promise<{ readonly partner: Fields; readonly shipment: Fields; readonly buyer: string }> {
  const owed = await findRecords(sales, 'shipment', {
    pageSize: 500,
    filters: {
      status: { eq: 'shipped' },
      business_type: { eq: 'agency' },
      export_mode: { in: ['entrusted', 'rebate_agent'] },
      recv_progress: { in: ['none', 'partial'] },
    },
  });
  for (const shipment of owed) {
    const partner = await readRecord(sales, 'partner', String(shipment['partner_id']));
    const labels = shipment['_labels'] as Readonly<Record<string, string>>;
    if (JSON.stringify(partner['accounts']).includes(MOBILE))
      return { partner, shipment, buyer: labels['buyer_id'] ?? '' };
  }
  throw new TypeError('no shipment of the customer waits for money');
}

const accountIn = async (page: Page, currency: unknown): Promise<string> => {
  const filters = { currency: { eq: currency }, status: { eq: 'active' } };
  const [account] = await findRecords(page, 'company_bank_account', { filters });
  return String(account?.['account_no']);
};

const entriesOf = (page: Page, number: string) =>
  open(page, `/zjc/zjmx?c=${encodeURIComponent(JSON.stringify({ source_no: { eq: number } }))}`);

const inYuan = (amount: unknown): string =>
  Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2 });

test('money comes in, is claimed and divided, is paid out, and the customer reads all of it', async ({
  browser,
}) => {
  // It only ends what hangs: seven people on a busy machine.
  test.setTimeout(400_000);
  const [sales, finance] = await Promise.all([atWork(browser, 'sp.aa', '业务员'), atWork(browser, 'fn.aa')]);
  const { partner, shipment, buyer } = await whatIsOwed(sales);

  const receipt = await test.step('finance registers what the bank credited', async () => {
    await open(finance, '/shmanage/shedit');
    await choose(finance, '收款银行', await accountIn(finance, shipment['currency']));
    await fill(finance, { 银行流水号: `FT${Date.now()}`, '汇款金额\\(报文\\)': AMOUNT, 付款人: buyer });
    await choose(finance, '付款国别', '德国');
    return save(finance, /^AASH\d+/);
  });

  await test.step('the salesperson claims it: the dialog says what will be left', async () => {
    await open(sales, `/shmanage/shdetails?id=${receipt.id}`);
    await press(sales, '认领');
    const dialog = sales.getByRole('dialog');
    await choose(dialog, '委托方', String(partner['name']));
    await choose(dialog, '国外客户', buyer);
    await fill(dialog, { 认领金额: AMOUNT });
    await expect(dialog.getByText('待分割')).toBeVisible();
    await shot(sales, 'claim');
    await dialog.getByRole('button', { name: '认领' }).click();
    await expect(dialog).toBeHidden();
  });

  const split = await test.step('and divides it: the amount is there, the shipment is picked', async () => {
    await press(sales, '分割');
    const lines = sales.getByRole('grid', { name: '分割明细' });
    await expect(lines.getByRole('textbox', { name: '分割金额' })).toHaveValue(AMOUNT);
    await fill(sales, { 结汇汇率: '7.05' });
    await chooseCell(lines, '明细单', String(shipment['shipment_no']));
    await expect(sales.getByRole('textbox', { name: /^折人民币合计/ })).toHaveValue(/4,230\.00/);
    const made = await save(sales, /^AAFG\d+/);
    await shot(sales, 'split');
    await handIn(sales, /财务审核/);
    return made;
  });

  await test.step('a second person of finance approves it, and it stands in the pool', async () => {
    const second = await atWork(browser, 'fn2.aa');
    await agree(second, split.number);
    await entriesOf(second, split.number);
    await expect(second.getByText('收汇结汇入池').filter({ visible: true }).first()).toBeVisible();
    await expect(second.getByText('4,230.00 CNY').filter({ visible: true }).first()).toBeVisible();
    await second.context().close();
  });

  const [pool] = await findRecords(sales, 'fund_pool', {
    filters: { partner_id: { eq: partner.id }, account_kind: { eq: 'general' } },
  });
  const poolId = pool?.id ?? '';
  const free = (await readRecord(sales, 'shipment', shipment.id))['pool_free'];

  const payment = await test.step('what is left of the shipment is asked for, and held', async () => {
    await open(sales, `/details/listdetails?id=${shipment.id}`);
    await press(sales, '申请货款');
    await expect(sales.getByRole('grid', { name: '货款明细' })).toContainText(
      String(shipment['shipment_no']),
    );
    await fill(sales, {
      收款账号: '6222020200012345678',
      收款银行: '中国工商银行宁波市分行',
      联行号: '102332000013',
    });
    const made = await save(sales, /^AAHK\d+/);
    const asked = await readRecord(sales, 'payment_request', made.id);
    expect([asked['pay_type'], asked['amount']]).toEqual(['goods', free]);
    const before = await readRecord(sales, 'fund_pool', poolId);
    await handIn(sales, /财务审核/);
    const after = await readRecord(sales, 'fund_pool', poolId);
    expect(Number(after['frozen'])).toBeCloseTo(Number(before['frozen']) + Number(free), 2);
    await shot(sales, 'payment');
    return made;
  });

  await test.step('it is approved level by level', async () => {
    for (const who of ['dm.aa', 'tm.aa']) {
      const approver = await atWork(browser, who);
      await agree(approver, payment.number);
      await approver.context().close();
    }
    await agree(finance, payment.number);
  });

  const balance = await test.step('treasury pays; pool, fee and entries are there', async () => {
    const treasury = await atWork(browser, 'tr.aa');
    const before = await readRecord(treasury, 'fund_pool', poolId);
    await open(treasury, `/payment/hkdetails?id=${payment.id}`);
    await press(treasury, '付款');
    await treasury.getByRole('dialog').getByRole('button', { name: '付款', exact: true }).click();
    await expect(treasury.getByRole('dialog')).toBeHidden();
    await press(treasury, '付款成功');
    const dialog = treasury.getByRole('dialog');
    await choose(dialog, '付款银行', await accountIn(treasury, 'CNY'));
    await fill(dialog, { 银行流水号: `FK${Date.now()}`, 付款手续费: FEE });
    await expect(
      dialog
        .getByText(`-${inYuan(free)}`)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
    await shot(treasury, 'paying');
    await dialog.getByRole('button', { name: '付款成功' }).click();
    await expect(dialog).toBeHidden({ timeout: 60_000 });
    await entriesOf(treasury, payment.number);
    await expect(treasury.getByText(`-${FEE} CNY`)).toBeVisible();
    await expect(treasury.getByText(`-${inYuan(free)} CNY`)).toBeVisible();
    await shot(treasury, 'entries');
    const paid = await readRecord(treasury, 'payment_request', payment.id);
    const after = await readRecord(treasury, 'fund_pool', poolId);
    expect([paid['status'], Number(after['frozen'])]).toEqual(['paid', Number(pool?.['frozen'])]);
    expect(Number(after['balance'])).toBeCloseTo(Number(before['balance']) - Number(free) - Number(FEE), 2);
    return after['balance'];
  });

  await test.step('the customer reads the same on his own pages', async () => {
    const customer = await atHome(browser, MOBILE);
    await expect(customer.getByText(inYuan(balance)).filter({ visible: true }).first()).toBeVisible();
    await shot(customer, 'customer');
    await customer.goto(`${baseUrl()}/zjc/zjmx`);
    await expect(customer.getByText(inYuan(balance)).filter({ visible: true }).first()).toBeVisible();
    await expect(customer.getByText(`-${FEE}`).filter({ visible: true }).first()).toBeVisible();
    await shot(customer, 'customer-entries');
  });
});
