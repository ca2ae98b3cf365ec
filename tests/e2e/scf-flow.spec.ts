import type { Page } from 'playwright/test';
import { checkUnifiedCreditCode } from '#trade/check-digits.ts';
import { day } from './support/bought-shipment.ts';
import { create, expect, expectStatus, find, newest, recordOf, scanOf } from './support/flow-api.ts';
import { act, agree, shot, show, showAlone, showRecord, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

const SERIAL = Date.now();
const NAME = `浙江远山产业链${String(SERIAL)}有限公司`;

test('a company of a chain is let in, pledges what it is owed, borrows on it and pays back', async ({
  browser,
}) => {
  const { sp, rk, fn, tr, gm } = await staff(browser, ['sp', 'rk', 'fn', 'tr', 'gm']);

  const company = await test.step('risk control and the general manager let it in with a quota', async () => {
    const made = await create(sp, 'scf_customer', {
      ...{
        name: NAME,
        credit_code: creditCode(),
        chain_role: 'core',
        contact: '远山',
        mobile: '13700000001',
      },
      ...{ rating: 'B', quota: '800000', quota_to: day(300) },
      license_file: [await scanOf(sp, 'scf_customer', 'license_file')],
    });
    const id = String(made['id']);
    await show(sp, `/supplyChain/custDetails?id=${id}`);
    await act(sp, '提交');
    await agree(rk, 'scf_customer', id);
    await agree(gm, 'scf_customer', id);
    await expectStatus(rk, 'scf_customer', id, 'active');
    return id;
  });

  const pledge = await test.step('a receivable is pledged and registered', async () => {
    const made = await create(sp, 'receivable_pledge', {
      ...{ customer_id: company, debtor: '远山核心厂', invoice_no: `YS${String(SERIAL)}`, currency: 'CNY' },
      ...{ amount: '500000', due_date: day(80), pledge_ratio: '80' },
      notice_file: [await scanOf(sp, 'receivable_pledge', 'notice_file')],
    });
    expect(made['pledge_value']).toBe('400000.00');
    const id = String(made['id']);
    await showRecord(sp, 'receivable_pledge', id);
    await act(sp, '提交');
    await agree(rk, 'receivable_pledge', id);
    await showRecord(rk, 'receivable_pledge', id);
    await act(rk, '登记', { 中登登记号: `ZD${String(SERIAL)}`, 登记到期: day(365) });
    await expectStatus(rk, 'receivable_pledge', id, 'registered');
    return id;
  });

  const order = await test.step('it borrows on that: three agree, the treasury pays it out', async () => {
    const made = await create(sp, 'scf_financing', {
      ...{ customer_id: company, pledge_ids: [{ pledge_id: pledge }], amount: '300000', annual_rate: '4.35' },
      ...{ due_date: day(90), purpose: '备料' },
    });
    const id = String(made['id']);
    await showRecord(sp, 'scf_financing', id);
    await act(sp, '提交');
    for (const approver of [rk, fn, gm]) await agree(approver, 'scf_financing', id);
    await showRecord(tr, 'scf_financing', id);
    await act(tr, '放款', { 放款账户: '' });
    await expectStatus(tr, 'scf_financing', id, 'drawn');
    await show(rk, `/supplyChain/custDetails?id=${company}`);
    await expect(rk.getByText('500,000.00 CNY').filter({ visible: true }).first()).toBeVisible();
    await shot(rk, 'scf-company');
    await shot(tr, 'scf-drawn');
    return id;
  });

  await test.step('finance takes in a part and then the rest; what was pledged is free again', async () => {
    const repay = async (principal: string) => {
      await showRecord(fn, 'scf_financing', order);
      await act(fn, '还款', {
        本金: principal,
        利息: '0',
        收款账户: '',
        银行流水号: `HK${principal}${String(SERIAL)}`,
      });
    };
    await repay('100000');
    expect(await recordOf(fn, 'scf_financing', order)).toMatchObject({
      ...{ status: 'drawn', principal_left: '200000.00' },
    });
    await repay('200000');
    await expectStatus(fn, 'scf_financing', order, 'repaid');
    await shot(fn, 'scf-repaid');
    expect(await recordOf(rk, 'scf_customer', company)).toMatchObject({
      used: '0.00',
      available: '800000.00',
    });
    await showRecord(rk, 'receivable_pledge', pledge);
    await act(rk, '解押');
    await expectStatus(rk, 'receivable_pledge', pledge, 'released');
    await shot(rk, 'scf-pledge');
  });

  await test.step('the inquiry of the chain names the order', async () => {
    const { order_no: number } = await recordOf(fn, 'scf_financing', order);
    await showAlone(fn, '/supplyChain/cxgl', order);
    await expect(fn.getByText(String(number)).filter({ visible: true }).first()).toBeVisible();
    await shot(fn, 'scf-inquiry');
    await show(rk, '/supplyChain/yskzyxx');
    await expect(rk.getByText('质押价值').filter({ visible: true }).first()).toBeVisible();
    await shot(rk, 'scf-pledges');
  });
});

test('what a buyer is good for is asked for, paid for and told', async ({ browser }) => {
  const { sp, rk } = await staff(browser, ['sp', 'rk']);
  const contract = await newest(sp, 'export_contract', {
    ...{ business_type: { eq: 'agency' }, status: { in: ['approved', 'signed', 'executing', 'completed'] } },
  });
  const buyer = String(contract['buyer_id']);
  const made = await create(sp, 'credit_investigation', {
    ...{ business_type: 'agency', partner_id: contract['partner_id'], buyer_id: buyer, provider: '中国信保' },
    ...{
      report_kind: '标准',
      purpose: '申请限额',
      apply_limit: '60000',
      payment_term: 'OA',
      term_days: 60,
      fee: '1200',
    },
  });
  const id = String(made['id']);

  await test.step('risk control agrees, and the fee is asked for', async () => {
    await show(sp, `/details/zxdt?id=${id}`);
    await act(sp, '提交');
    await agree(rk, 'credit_investigation', id);
    await expectStatus(rk, 'credit_investigation', id, 'ordered');
    expect(await feesOf(rk, String((await recordOf(rk, 'credit_investigation', id))['inv_no']))).toEqual([
      '1200.00',
    ]);
  });

  await test.step('the report stands with the buyer, who is seen with what the insurer thinks of him', async () => {
    await show(rk, `/details/zxdt?id=${id}`);
    await act(rk, '出报告', {
      ...{ 报告编号: `ZX${String(SERIAL)}`, 资信评级: 'BB', 风险指数: '3.5', '建议限额(USD)': '50000' },
      ...{ 结论: '经营正常，付款及时', 资信报告: '资信报告.pdf' },
    });
    await expectStatus(rk, 'credit_investigation', id, 'reported');
    await expect(rk.getByText('经营正常，付款及时').filter({ visible: true }).first()).toBeVisible();
    await shot(rk, 'scf-report');
    expect(await recordOf(rk, 'buyer', buyer)).toMatchObject({
      ...{ report_rating: 'BB', report_limit: '50000.00', report_valid_to: day(180) },
    });
  });
});

/** An invented code of a company in Ningbo. */
function creditCode(): string {
  const body = `91330206${String(SERIAL).slice(-9)}`;
  const code = [...'0123456789ABCDEFGHJKLMNPQRTUWXY'].map((digit) => body + digit);
  return code.find((text) => checkUnifiedCreditCode(text) === null) ?? body;
}

/** What is asked for to pay for an inquiry. */
async function feesOf(page: Page, inquiry: string): Promise<readonly unknown[]> {
  const requests = await find(page, 'payment_request', { purpose: { contains: inquiry } });
  return Promise.all(
    requests.map(async (one) => (await recordOf(page, 'payment_request', String(one['id'])))['amount']),
  );
}
