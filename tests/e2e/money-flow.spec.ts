import type { Locator, Page } from 'playwright/test';
import { aShipment } from './support/bought-shipment.ts';
import { expect, find, recordOf } from './support/flow-api.ts';
import {
  act,
  agree,
  customer,
  fillIn,
  gridOf,
  idInFront,
  pickCell,
  pickIn,
  save,
  shot,
  show,
  showInList,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

const RATE = '7.05';
const FEE = '12.50';

const accountIn = async (page: Page, currency: string): Promise<string> => {
  const [account] = await find(page, 'company_bank_account', {
    currency: { eq: currency },
    status: { eq: 'active' },
  });
  return String(account?.['account_no']);
};

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();

/** A list of what came of one document. */
const madeFrom = (page: Page, route: string, number: unknown): Promise<void> =>
  show(page, `${route}?c=${encodeURIComponent(JSON.stringify({ source_no: { eq: number } }))}`);

const inYuan = (amount: number): string => amount.toLocaleString('en-US', { minimumFractionDigits: 2 });

const seen = (place: Page | Locator, text: string): Promise<void> =>
  expect(place.getByText(text).filter({ visible: true }).first()).toBeVisible();

test('money comes in, is claimed and divided, the supplier is paid from it, and the customer reads all of it', async ({
  browser,
}) => {
  // It only ends what hangs: seven people on a busy machine.
  const { sp, dm, tm, fn, fn2, tr } = await staff(browser, ['sp', 'dm', 'tm', 'fn', 'fn2', 'tr']);
  const { purchase, shipment, mobile } = await aShipment(
    { sp, dm, tm },
    { terms: 'on_receipt', hasLogin: true },
  );
  const shipmentId = String(shipment['id']);
  const shipmentNo = String(shipment['shipment_no']);
  const partner = await recordOf(sp, 'partner', String(shipment['partner_id']));
  const { name_en: buyer } = await recordOf(sp, 'buyer', String(shipment['buyer_id']));
  // The buyer pays all of the invoice.
  const amount = String(shipment['total_amount']);
  const poolNow = async (): Promise<Readonly<Record<string, unknown>>> => {
    const [pool] = await find(tr, 'fund_pool', {
      ...{ partner_id: { eq: partner['id'] }, account_kind: { eq: 'general' }, currency: { eq: 'CNY' } },
    });
    return pool ?? {};
  };

  const receipt = await test.step('finance registers what the bank credited', async () => {
    await show(fn, '/shmanage/shedit');
    await pickIn(fn, '收款银行', await accountIn(fn, 'USD'));
    await fillIn(fn, { 银行流水号: `FT${Date.now()}`, '汇款金额(报文)': amount, 付款人: String(buyer) });
    await pickIn(fn, '付款国别', '德国');
    // It posts as it is saved: what, is told before.
    await fn.getByRole('button', { name: '保存后将会发生什么' }).click();
    const plan = fn.getByRole('region', { name: '将会发生什么' });
    await expect(plan).toContainText('其他应付款-待认领收汇');
    await fn.keyboard.press('Escape');
    await expect(plan).toBeHidden();
    await save(fn);
    return idInFront(fn);
  });

  await test.step('the salesperson claims it: the dialog says what will be left', async () => {
    await show(sp, `/shmanage/shdetails?id=${receipt}`);
    const inputs = { 委托方: String(partner['name']), 国外客户: String(buyer), 认领金额: amount };
    await act(sp, '认领', inputs, async (dialog) => {
      await seen(dialog, '待分割');
      await shot(sp, 'claim');
    });
  });

  const credited =
    await test.step('and divides it: the amount is there, the shipment is picked; a second of finance approves', async () => {
      await press(sp, '分割');
      const lines = await gridOf(sp, '分割明细');
      await expect(lines.getByRole('textbox', { name: '分割金额' })).toHaveValue(amount);
      await fillIn(sp, { 结汇汇率: RATE });
      await pickCell(lines, '明细单', shipmentNo);
      await save(sp);
      const id = await idInFront(sp);
      await shot(sp, 'split');
      await act(sp, '提交');
      await agree(fn2, 'receipt_split', id);
      const { split_no: number, total_cny: yuan } = await recordOf(fn2, 'receipt_split', id);
      await madeFrom(fn2, '/zjc/zjmx', number);
      await seen(fn2, '收汇结汇入池');
      await seen(fn2, `${inYuan(Number(yuan))} CNY`);
      return Number(yuan);
    });
  // The supplier gets a good half of what it came to.
  const goods = Math.floor(credited * 0.6);
  const out = goods + Number(FEE);

  const payment =
    await test.step('the supplier is to be paid: his account comes along, the money is held', async () => {
      await show(sp, `/details/listdetails?id=${shipmentId}`);
      await press(sp, '申请货款');
      const lines = await gridOf(sp, '货款明细');
      await expect(lines).toContainText(String(purchase['purchase_no']));
      const cell = lines.getByRole('textbox', { name: '付款金额', exact: true });
      await cell.click();
      await cell.fill(goods.toFixed(2));
      await cell.press('Tab');
      await save(sp);
      const id = await idInFront(sp);
      const asked = await recordOf(sp, 'payment_request', id);
      expect([asked['pay_type'], asked['payee_kind'], asked['supplier_id'], asked['amount']]).toEqual([
        ...['goods', 'supplier', purchase['supplier_id'], goods.toFixed(2)],
      ]);
      const before = await poolNow();
      await act(sp, '提交');
      const { frozen } = await poolNow();
      expect(Number(frozen)).toBeCloseTo(Number(before['frozen']) + goods, 2);
      // The pool names who holds what.
      await seen(await showInList(sp, '/zjc/zjclb', String(before['id'])), String(asked['pay_no']));
      await shot(sp, 'held');
      for (const approver of [dm, tm, fn]) await agree(approver, 'payment_request', id);
      return { id, number: String(asked['pay_no']) };
    });

  const balance =
    await test.step('treasury pays, having read what will be posted; pool and bank have moved', async () => {
      const before = await poolNow();
      await show(tr, `/payment/hkdetails?id=${payment.id}`);
      await act(tr, '付款');
      const answers = {
        付款银行: await accountIn(tr, 'CNY'),
        银行流水号: `FK${Date.now()}`,
        付款手续费: FEE,
      };
      await act(tr, '付款成功', answers, async (dialog) => {
        await seen(dialog, `-${inYuan(goods)}`);
        await shot(tr, 'paying');
      });
      const after = await poolNow();
      expect(Number(after['balance'])).toBeCloseTo(Number(before['balance']) - out, 2);
      expect(Number(after['frozen'])).toBeCloseTo(Number(before['frozen']) - goods, 2);
      expect(await recordOf(tr, 'payment_request', payment.id)).toMatchObject({ status: 'paid' });
      expect(await recordOf(sp, 'purchase_contract', String(purchase['id']))).toMatchObject({
        goods_paid: goods.toFixed(2),
      });
      // The page of the payment has its entries of both ledgers.
      const book = (title: string) => tr.getByRole('tab', { name: new RegExp(`^${title} \\d`) }).click();
      await book('银行流水');
      await seen(tr, `-${inYuan(out)}`);
      await book('资金明细');
      await seen(tr, `-${inYuan(goods)}`);
      await shot(tr, 'paid');
      return after['balance'];
    });

  await test.step('an entry is traced back to the money that it was paid from', async () => {
    await tr.getByRole('button', { name: '追溯' }).filter({ visible: true }).first().click();
    await seen(tr, '这笔款项出自');
    await shot(tr, 'trace');
  });

  await test.step('finance finds the voucher: what is owed to the supplier, the charge, the bank', async () => {
    await madeFrom(fn, '/shmanage/cwpz', payment.number);
    await fn
      .getByRole('link', { name: /^AAPZ\d+/ })
      .filter({ visible: true })
      .first()
      .click();
    for (const text of ['应付账款-供应商货款', '财务费用-手续费', '银行存款-人民币', inYuan(goods), FEE])
      await seen(fn, text);
    await shot(fn, 'voucher');
  });

  await test.step('the customer reads the same on his own pages', async () => {
    const home = await customer(browser, mobile, String(partner['name']));
    const shown = Number(balance).toLocaleString('en-US', { minimumFractionDigits: 2 });
    await seen(home, shown);
    await shot(home, 'customer');
    await show(home, '/zjc/zjmx');
    await seen(home, shown);
    await seen(home, `-${FEE}`);
    await shot(home, 'customer-entries');
  });
});
