import type { Page } from 'playwright/test';
import {
  change,
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  list,
  newest,
  recordOf,
  request,
  run,
} from './support/flow-api.ts';
import {
  act,
  agree,
  customer,
  LOGINS,
  pickIn,
  save,
  shot,
  show,
  showRecord,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

/** A settlement that is not decided yet and can be calculated with a rest for its customer, and the mobile that he logs in with. */
async function whatIsLeft(
  sales: Page,
): Promise<{ readonly left: Fields; readonly mobile: string; readonly company: string }> {
  const open = await find(sales, 'project_settlement', {
    ...{ status: { in: ['calculated', 'draft', 'rejected'] }, object_kind: { eq: 'shipment' } },
    ...{ export_mode: { in: ['entrusted', 'rebate_agent'] }, residual: { gt: '0' } },
  });
  for (const { id, version, partner_id } of open) {
    const partner = await recordOf(sales, 'partner', String(partner_id));
    const account = list(partner['accounts']).find(({ mobile }) => LOGINS.includes(mobile));
    if (account === undefined) continue;
    const path = `/data/project_settlement/${String(id)}/actions/calculate`;
    const { status } = await request(sales, 'POST', path, { version, inputs: {} });
    const settlement = await recordOf(sales, 'project_settlement', String(id));
    if (status === 200 && Number(settlement['residual']) > 0)
      return { left: settlement, mobile: String(account['mobile']), company: String(partner['name']) };
  }
  throw new TypeError('no settlement of the customer that leaves him something');
}

test('what is left is paid out to the customer, who objects and then confirms; what was paid out is not undone', async ({
  browser,
}) => {
  // It only ends what hangs: several people on a busy machine.
  const names = ['sp', 'dm', 'tm', 'fn', 'fn2', 'gm', 'tr', 'cs'] as const;
  const { sp, dm, tm, fn, fn2, gm, tr, cs } = await staff(browser, names);
  const { left, mobile, company } = await whatIsLeft(sp);
  const { id: key, ...settlement } = left;
  const id = String(key);
  const number = String(settlement['settle_no']);
  const residual = String(settlement['residual']);

  const payout = await test.step('the salesperson says that the rest is paid out; two agree', async () => {
    await show(sp, `/index/djbj?resource=project_settlement&id=${id}`);
    await pickIn(sp, '结余处理', '支付委托方');
    await save(sp);
    await act(sp, '提交');
    for (const approver of [dm, fn2]) await agree(approver, 'project_settlement', id);
    const { status, payout_id: made } = await recordOf(fn, 'project_settlement', id);
    expect(status).toBe('approved');
    return String(made);
  });

  await test.step('the customer objects, customer service reads why, he confirms', async () => {
    const home = await customer(browser, mobile, company);
    await home.getByText(number, { exact: true }).filter({ visible: true }).first().click();
    await act(home, '提出异议', { 异议说明: '运费多扣了 200 元' }, () => shot(home, 'payout-objection'));
    const told = await newest(cs, 'service_message', { title: { eq: `对结算单${number}有异议` } });
    expect((await recordOf(cs, 'service_message', String(told['id'])))['content']).toBe('运费多扣了 200 元');
    // His objection is a conversation that stands in front now.
    await expect(home.getByText('运费多扣了 200 元').filter({ visible: true }).first()).toBeVisible();
    await shot(home, 'payout-conversation');
    await home.goBack();
    await act(home, '确认结算单');
    const { partner_answer: answer } = await recordOf(fn, 'project_settlement', id);
    expect(answer).toBe('confirmed');
    await shot(home, 'payout-confirmed');
    await home.context().close();
  });

  await test.step('the payment that it made takes no cent more than is left', async () => {
    const {
      goods_lines: lines,
      payee_name,
      payee_account,
      cnaps,
    } = await recordOf(sp, 'payment_request', payout);
    const [line] = list(lines);
    // The customer's own verified account came along.
    expect([line?.['amount'], payee_name, payee_account, cnaps]).not.toContain(null);
    const more = (Number(residual) + 0.01).toFixed(2);
    await change(sp, 'payment_request', payout, { goods_lines: [{ id: line?.['id'], amount: more }] });
    await show(sp, `/payment/hkdetails?id=${payout}`);
    await sp
      .locator('.details-actions')
      .filter({ visible: true })
      .last()
      .getByRole('button', { name: '提交', exact: true })
      .click();
    await expect(
      sp
        .getByText(/付款金额超过结算结余/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
    await shot(sp, 'payout-too-much');
    await change(sp, 'payment_request', payout, { goods_lines: [{ id: line?.['id'], amount: residual }] });
    await show(sp, `/payment/hkdetails?id=${payout}`);
    await act(sp, '提交');
    for (const approver of [dm, tm, fn2]) {
      const { status, data } = await request(approver, 'GET', `/approval/record/payment_request/${payout}`);
      if (status === 200 && data['task'] !== null) await agree(approver, 'payment_request', payout);
    }
    await expectStatus(tr, 'payment_request', payout, 'approved');
  });

  await test.step('the cashier pays; the pool gives it without a shipment', async () => {
    await run(tr, 'payment_request', payout, { action: 'pay' });
    const cny = { currency: { eq: 'CNY' }, status: { eq: 'active' } };
    const { id: account } = await newest(tr, 'company_bank_account', cny);
    const paidDate = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());
    const inputs = { paid_date: paidDate, bank_account_id: account, bank_ref: `PO${Date.now()}` };
    await run(tr, 'payment_request', payout, { action: 'confirm', inputs });
    const entries = await find(fn, 'fund_ledger_entry', {
      ...{ settlement_id: { eq: id }, entry_type: { eq: 'SETTLE_OUT' } },
    });
    expect(entries.map(({ amount, shipment_id: of }) => [amount, of])).toContainEqual([`-${residual}`, null]);
    await showRecord(fn, 'project_settlement', id);
    await shot(fn, 'payout-paid');
  });

  await test.step('what is paid out is not undone: the dialog leads to the payment', async () => {
    const { pay_no: payNo } = await recordOf(fn, 'payment_request', payout);
    const bar = fn.locator('.details-actions').filter({ visible: true }).last();
    await bar.getByRole('button', { name: '反结算', exact: true }).click();
    const dialog = fn.getByRole('dialog', { name: /反结算/ });
    await expect(dialog.getByText('结算后已有付款或开票，不能反结算').first()).toBeVisible();
    await expect(dialog.getByText(String(payNo), { exact: true }).first()).toBeVisible();
    await shot(fn, 'payout-not-undone');
  });

  await test.step('the bank sends it back: the settlement is undone and made again', async () => {
    await run(fn, 'payment_request', payout, { action: 'bounce', opinion: '银行退票' });
    await showRecord(fn, 'project_settlement', id);
    await act(fn, '反结算', {}, (dialog) => dialog.getByRole('textbox').first().fill('重新结算'));
    await agree(gm, 'project_settlement', id);
    await expectStatus(fn, 'project_settlement', id, 'reversed');
    const made = await create(sp, 'project_settlement', {
      ...{ object_kind: 'shipment', shipment_id: settlement['shipment_id'] },
      settle_date: settlement['settle_date'],
      refund_excluded: settlement['refund_excluded'],
      refund_excluded_reason: settlement['refund_excluded_reason'],
    });
    await run(sp, 'project_settlement', String(made['id']), { action: 'calculate' });
  });
});
