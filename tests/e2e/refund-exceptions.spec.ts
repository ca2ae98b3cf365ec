import type { Locator, Page } from 'playwright/test';
import { day } from './support/bought-shipment.ts';
import { expect, expectStatus, type Fields, find, list, newest, recordOf } from './support/flow-api.ts';
import {
  act,
  agree,
  fillIn,
  gridOf,
  idInFront,
  pickCell,
  pickIn,
  save,
  shot,
  show,
  showRecord,
  staff,
} from './support/flow-desk.ts';
import { test } from './support/test.ts';

/** A refund of our own in a state, whose invoice nobody has asked about yet. */
async function unasked(fn: Page, status: string): Promise<{ refund: Fields; invoice: Fields }> {
  const asked = await find(fn, 'refund_letter', {});
  const letters = await Promise.all(asked.map(({ id }) => recordOf(fn, 'refund_letter', String(id))));
  const taken = new Set(letters.flatMap(({ lines }) => list(lines).map((line) => line['goods_invoice_id'])));
  for (const { id } of await find(fn, 'tax_refund', { status: { eq: status }, is_own: { eq: true } })) {
    const refund = await recordOf(fn, 'tax_refund', String(id));
    const invoices = list(refund['items']).map((item) => String(item['goods_invoice_id']));
    const [first] = invoices;
    if (first === undefined || invoices.some((one) => taken.has(one))) continue;
    const invoice = await recordOf(fn, 'goods_invoice', first);
    if (['declared', 'refunded'].includes(String(invoice['status']))) return { refund, invoice };
  }
  throw new TypeError(`no refund that is ${status} without a letter`);
}

/** Finance enters the letter of the tax office about one invoice. */
async function letterAbout(fn: Page, invoice: Fields): Promise<string> {
  const labels = invoice['_labels'] as Fields;
  await show(fn, '/index/djbj?resource=refund_letter');
  await pickIn(fn, '供应商', String(labels['supplier_id']));
  await fillIn(fn, { 税务函号: '甬税函〔2026〕88号', 发函税务机关: '国家税务总局宁波市税务局' });
  const lines = await gridOf(fn, '涉及发票');
  await fn.locator('.line-grid', { has: lines }).getByRole('button', { name: '添加行' }).click();
  await lines.getByRole('combobox').first().click();
  await lines.getByRole('combobox').first().fill(String(invoice['invoice_number']));
  await fn
    .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
    .filter({ hasText: String(invoice['invoice_number']) })
    .first()
    .click();
  await save(fn);
  return idInFront(fn);
}

test('the tax office asks about an invoice twice: the refund waits, goes on, is refused and sold at home', async ({
  browser,
}) => {
  const { fn, gm } = await staff(browser, ['fn', 'gm']);
  const { refund, invoice } = await unasked(fn, 'approved');
  const id = String(refund['id']);

  await test.step('with the letter the refund waits; the answer sets it free', async () => {
    const letter = await letterAbout(fn, invoice);
    await shot(fn, 'letter');
    await expectStatus(fn, 'tax_refund', id, 'letter');
    await showRecord(fn, 'refund_letter', letter);
    await act(fn, '复函正常', { 复函结果: '业务真实，货款与运输凭证齐全' });
    await expectStatus(fn, 'refund_letter', letter, 'normal');
    await expectStatus(fn, 'tax_refund', id, 'approved');
  });

  await test.step('the second answer is bad: which invoice, and the refund is refused', async () => {
    const letter = await letterAbout(fn, invoice);
    await showRecord(fn, 'refund_letter', letter);
    await fn.locator('.details-actions').getByRole('button', { name: '复函异常', exact: true }).click();
    const drawer = fn.locator('.ant-drawer').filter({ hasText: '涉及发票' }).last();
    await pickCell(drawer.getByRole('grid', { name: '涉及发票' }), '结论', '异常');
    await drawer.getByRole('textbox', { name: '复函结果' }).fill('供应商走逃失联，进项来源无法核实');
    await shot(fn, 'letter-bad');
    await drawer.locator('.form-bar-row').getByRole('button', { name: '复函异常', exact: true }).click();
    await expectStatus(fn, 'refund_letter', letter, 'abnormal');
    await expectStatus(fn, 'goods_invoice', String(invoice['id']), 'abnormal');
    await expectStatus(fn, 'tax_refund', id, 'letter');
    await showRecord(fn, 'tax_refund', id);
    await act(fn, '不予退税', { 不予退税原因: '供应商走逃，凭证不能作为退税依据' });
    await expectStatus(fn, 'tax_refund', id, 'rejected');
  });

  await test.step('it is sold at home with the manager’s consent', async () => {
    await showRecord(fn, 'tax_refund', id);
    await act(fn, '视同内销', {}, because('税务机关不予退税'));
    await shot(fn, 'refund-deeming');
    await agree(gm, 'tax_refund', id);
    await expectStatus(fn, 'tax_refund', id, 'deemed');
    const deemed = await recordOf(fn, 'tax_refund', id);
    expect([deemed['deemed_date'], Number(deemed['deemed_tax']) > 0]).toEqual([day(0), true]);
    await showRecord(fn, 'tax_refund', id);
    await shot(fn, 'refund-deemed');
  });
});

test('money of the state goes back with the manager’s consent; the refund is declared anew', async ({
  browser,
}) => {
  const { fn, gm } = await staff(browser, ['fn', 'gm']);
  const { refund } = await unasked(fn, 'received');
  const id = String(refund['id']);
  const account = await newest(fn, 'company_bank_account', {
    ...{ currency: { eq: 'CNY' }, status: { eq: 'active' } },
  });

  await test.step('finance asks, with the account that it leaves', async () => {
    await showRecord(fn, 'tax_refund', id);
    await act(
      fn,
      '追回',
      { 追回金额: String(refund['net_received']), 退还账户: String(account['account_no']) },
      because('税务机关复核追回'),
    );
    await agree(gm, 'tax_refund', id);
    await expectStatus(fn, 'tax_refund', id, 'clawback');
  });

  await test.step('what has left stands in the record, and nothing more can be taken', async () => {
    const after = await recordOf(fn, 'tax_refund', id);
    expect([after['clawed_amount'], after['net_received']]).toEqual([refund['net_received'], '0.00']);
    await showRecord(fn, 'tax_refund', id);
    await shot(fn, 'refund-clawback');
    await act(fn, '重新申报', {}, because('补齐资料'));
    await expectStatus(fn, 'tax_refund', id, 'ready');
  });
});

test('money that will not come counts as received with a proof', async ({ browser }) => {
  const { fn } = await staff(browser, ['fn']);
  const refund = await newest(fn, 'tax_refund', {
    ...{ status: { in: ['collecting', 'ready', 'declared', 'approved'] }, received_fx_ok: { ne: true } },
  });
  const id = String(refund['id']);
  await showRecord(fn, 'tax_refund', id);
  await act(fn, '视同收汇', { 视同收汇原因: '破产', 证明材料: '破产公告.pdf' });
  const after = await recordOf(fn, 'tax_refund', id);
  expect([after['received_fx_ok'], after['status']]).toEqual([true, refund['status']]);
  await showRecord(fn, 'tax_refund', id);
  await expect(fn.getByText('破产公告.pdf').or(fn.getByText('破产').first()).first()).toBeVisible();
});

/** The opinion that a dialog asks for. */
const because = (reason: string) => async (dialog: Locator) =>
  dialog.getByRole('textbox').last().fill(reason);
