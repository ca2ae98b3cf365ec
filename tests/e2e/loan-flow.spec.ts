import type { Browser, Page } from 'playwright/test';
import { day } from './support/bought-shipment.ts';
import {
  approved,
  create,
  expect,
  expectStatus,
  type Fields,
  find,
  list,
  recordOf,
  run,
} from './support/flow-api.ts';
import { act, agree, fillIn, idInFront, pickIn, save, show, staff } from './support/flow-desk.ts';
import { test } from './support/test.ts';

const SERIAL = Date.now();
const desks = (browser: Browser) => staff(browser, ['sp', 'dm', 'tm', 'rk', 'fn', 'fn2', 'tr', 'gm']);

test('a loan on an order is worked out, approved, drawn, repaid by what comes in, extended and paid off', async ({
  browser,
}) => {
  const desk = await desks(browser);
  const { partner, contract } = await anOrder(desk);
  const total = Number(contract['total_amount']);

  const loan =
    await test.step('the salesperson names the order: ratio, amount and rates stand there', async () => {
      const { sp } = desk;
      await show(sp, '/details/financedit');
      await pickIn(sp, '委托方', partner);
      await pickIn(sp, '融资类型', '订单融资');
      // A line is called by its partner.
      await pickIn(sp, '授信额度', partner);
      await pickIn(sp, '外销合同', String(contract['contract_no']));
      const shown = (title: string) =>
        sp.getByRole('textbox', { name: new RegExp(`^\\*? ?${title}`) }).first();
      await expect(shown('融资比例')).toHaveValue(/^30/);
      await expect(shown('日利率')).toHaveValue(/^0\.02/);
      await expect(shown('折算汇率')).toHaveValue(/^\d+\.\d+/);
      await expect(shown('融资金额')).toHaveValue(/\d/);
      // What is typed is the salesperson's, and what followed from it is worked out anew.
      await fillIn(sp, { '融资比例(%)': '20' });
      await expect(sp.getByText('有未保存的修改').filter({ visible: true }).first()).toBeVisible();
      await fillIn(sp, { 到期日: day(60), 资金用途: '订单备料' });
      await save(sp);
      const id = await idInFront(sp);
      const made = await recordOf(sp, 'financing', id);
      expect([made['ratio'], made['amount'], made['base_amount']]).toEqual([
        '20.0000',
        (total * 0.2).toFixed(2),
        total.toFixed(2),
      ]);
      await act(sp, '提交');
      return id;
    });

  await test.step('risk control and finance agree, the treasury files the agreement and draws', async () => {
    await agree(desk.rk, 'financing', loan);
    await agree(desk.fn, 'financing', loan);
    const { tr } = desk;
    await show(tr, `/details/financedit?id=${loan}`);
    const papers = tr.locator('.form-field', { has: tr.locator('label[title="融资协议/应收转让通知"]') });
    await papers.locator('input[type=file]').setInputFiles({
      name: '融资协议.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF'),
    });
    await expect(papers.getByText('融资协议.pdf')).toBeVisible();
    await expect(papers.locator('.ant-progress')).toHaveCount(0);
    await expect(tr.getByText('有未保存的修改').filter({ visible: true }).first()).toBeVisible();
    await save(tr);
    await show(tr, `/details/rzxq?id=${loan}`);
    await act(tr, '放款');
    await expectStatus(tr, 'financing', loan, 'drawn');
  });

  const owed = Number((await recordOf(desk.tr, 'financing', loan))['principal_left']);

  await test.step('money for the order is divided: it repays what it can', async () => {
    await divide(desk, contract, { partner: String(contract['partner_id']), usd: (total * 0.1).toFixed(2) });
    await show(desk.sp, `/details/rzxq?id=${loan}`);
    await expect(desk.sp.getByText('部分还款').filter({ visible: true }).first()).toBeVisible();
    await expect(desk.sp.getByText('收汇入池').filter({ visible: true }).first()).toBeVisible();
    const left = Number((await recordOf(desk.sp, 'financing', loan))['principal_left']);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(owed);
  });

  await test.step('the buyer is late: the day is put off with the general manager’s consent', async () => {
    await show(desk.sp, `/details/rzxq?id=${loan}`);
    await act(desk.sp, '展期', { 展期至: day(90), 展期原因: '买家推迟付款' });
    for (const approver of [desk.rk, desk.fn, desk.gm]) await agree(approver, 'financing', loan);
    const after = await recordOf(desk.sp, 'financing', loan);
    expect([after['status'], after['due_date'], list(after['extensions']).length]).toEqual([
      'extended',
      day(90),
      1,
    ]);
  });

  await test.step('the treasury takes the rest out of the pool: nothing is owed, and the line is free', async () => {
    await show(desk.tr, `/details/rzxq?id=${loan}`);
    await act(desk.tr, '还款');
    await expectStatus(desk.tr, 'financing', loan, 'repaid');
    const after = await recordOf(desk.tr, 'financing', loan);
    expect([after['principal_left'], after['settle_amount']]).toEqual(['0.00', '0.00']);
    expect(list(after['repayments']).length).toBe(2);
  });
});

test('a packing loan is measured by what is left of the credit, which it occupies', async ({ browser }) => {
  const { sp, rk, fn } = await staff(browser, ['sp', 'rk', 'fn']);
  const credit = await aCredit(sp, rk);
  const labels = credit['_labels'] as Readonly<Record<string, string>>;
  const partner = labels['partner_id'] ?? '';

  const loan =
    await test.step('the salesperson names the credit: contract, base and the most stand there', async () => {
      await show(sp, '/details/financedit');
      await pickIn(sp, '委托方', partner);
      await pickIn(sp, '融资类型', '打包贷款');
      await pickIn(sp, '授信额度', partner);
      await pickIn(sp, '信用证', String(credit['lc_no']));
      const ratio = sp.getByRole('textbox', { name: /^\*? ?融资比例/ }).first();
      await expect(ratio).toHaveValue(/^70/);
      await fillIn(sp, { '融资比例(%)': '10', 到期日: day(45), 资金用途: '备货' });
      await save(sp);
      const id = await idInFront(sp);
      const made = await recordOf(sp, 'financing', id);
      expect([made['contract_id'], made['currency']]).toEqual([credit['contract_id'], credit['currency']]);
      expect(made['base_amount']).toBe(credit['left_amount']);
      expect(made['amount']).toBe((Number(made['base_amount']) * 0.1).toFixed(2));
      await act(sp, '提交');
      return id;
    });

  await test.step('risk control and finance agree; the credit has that much less to lend on', async () => {
    for (const approver of [rk, fn]) await agree(approver, 'financing', loan);
    await expectStatus(sp, 'financing', loan, 'approved');
    const after = await recordOf(sp, 'letter_of_credit', String(credit['id']));
    const { amount } = await recordOf(sp, 'financing', loan);
    expect(Number(after['financed']) - Number(credit['financed'])).toBeCloseTo(Number(amount), 2);
  });
});

test('what is overdue bears penalty, and stands where risk control looks', async ({ browser }) => {
  const { rk } = await staff(browser, ['rk']);
  const [late] = await find(rk, 'financing', { status: { eq: 'overdue' } });
  expect(late).toBeDefined();
  await show(rk, `/details/rzxq?id=${String(late?.['id'])}`);
  await expect(rk.getByText('应计罚息').filter({ visible: true }).first()).toBeVisible();
  const { penalty_paid: paid, penalty_accrued: due } = await recordOf(rk, 'financing', String(late?.['id']));
  expect(Number(paid) + Number(due)).toBeGreaterThan(0);
});

/** An order of a partner who has a line for loans, approved today. */
async function anOrder({ sp, dm, tm, rk }: Readonly<Record<'sp' | 'dm' | 'tm' | 'rk', Page>>): Promise<{
  readonly partner: string;
  readonly contract: Fields;
}> {
  const barred = await barredPartners(rk);
  const lines = await find(sp, 'credit_line', { purpose: { eq: 'financing' }, status: { eq: 'active' } });
  for (const line of lines.filter((one) => !barred.includes(one['partner_id']))) {
    const earlier = await find(sp, 'export_contract', {
      partner_id: { eq: line['partner_id'] },
      payment_term: { nin: ['LC_SIGHT', 'LC_USANCE'] },
      currency: { eq: 'USD' },
      status: { in: ['approved', 'signed', 'executing', 'completed'] },
    });
    const source = await withActiveSupplier(sp, earlier);
    if (source === null) continue;
    const [item] = list(source['items']);
    const made = await create(sp, 'export_contract', {
      ...Object.fromEntries(TERMS.map((name) => [name, source[name]])),
      sign_date: day(0),
      sign_place: '宁波',
      latest_shipment: day(60),
      items: [
        {
          line_no: 1,
          ...Object.fromEntries(GOODS.map((name) => [name, item?.[name]])),
          quantity: '1000',
          packages: 100,
          gross_weight: '1200',
          net_weight: '1000',
          volume: '12',
        },
      ],
    });
    await approved(sp, 'export_contract', String(made['id']), [dm, tm, rk]);
    const labels = source['_labels'] as Readonly<Record<string, string>>;
    return {
      partner: labels['partner_id'] ?? '',
      contract: await recordOf(sp, 'export_contract', String(made['id'])),
    };
  }
  throw new TypeError('no partner with a line for loans has traded in dollars');
}

/** Whom risk control would have to release first: a loan of theirs is late, or a loss is not settled. */
async function barredPartners(rk: Page): Promise<readonly unknown[]> {
  const late = await find(rk, 'financing', { status: { eq: 'overdue' } });
  const lost = await find(rk, 'insurance_application', { status: { in: ['claim_notice', 'claiming'] } });
  return [...late, ...lost].map((one) => one['partner_id']);
}

/** A credit that was examined, of a partner with a line for loans whom nothing bars. */
async function aCredit(sp: Page, rk: Page): Promise<Fields> {
  const barred = await barredPartners(rk);
  const lines = await find(sp, 'credit_line', { purpose: { eq: 'financing' }, status: { eq: 'active' } });
  const able = lines.map((line) => line['partner_id']).filter((partner) => !barred.includes(partner));
  const credits = await find(sp, 'letter_of_credit', {
    status: { eq: 'examined' },
    left_amount: { gt: '5000' },
  });
  // One that is lent on up to what it bears gives nothing more.
  const hasRoom = ({ financed, left_amount: left }: Fields): boolean => Number(financed) < Number(left) * 0.5;
  const found = credits.find((credit) => able.includes(credit['partner_id']) && hasRoom(credit));
  if (found === undefined) throw new TypeError('no examined credit of a partner with a line for loans');
  return recordOf(sp, 'letter_of_credit', String(found['id']));
}

/** The first of some contracts whose goods may still be bought. */
async function withActiveSupplier(sp: Page, contracts: readonly Fields[]): Promise<Fields | null> {
  for (const { id } of contracts) {
    const contract = await recordOf(sp, 'export_contract', String(id));
    const [item] = list(contract['items']);
    const supplier = await recordOf(sp, 'supplier', String(item?.['supplier_id']));
    if (supplier['status'] === 'active') return contract;
  }
  return null;
}

/** The buyer pays something on account, finance registers it, sales divides it onto the order, finance agrees. */
async function divide(
  { fn, fn2, sp }: Readonly<Record<'fn' | 'fn2' | 'sp', Page>>,
  contract: Fields,
  { partner, usd }: { readonly partner: string; readonly usd: string },
): Promise<void> {
  const [account] = await find(fn, 'company_bank_account', {
    currency: { eq: 'USD' },
    status: { eq: 'active' },
  });
  const labels = contract['_labels'] as Readonly<Record<string, string>>;
  const receipt = await create(fn, 'receipt', {
    bank_ref: `LN${SERIAL}`,
    bank_account_id: account?.['id'],
    value_date: day(0),
    gross_amount: usd,
    payer_name: labels['buyer_id'],
    payer_country_id: contract['dest_country_id'],
    remittance_info: `ADVANCE ${String(contract['contract_no'])}`,
  });
  const id = String(receipt['id']);
  const inputs = { partner_id: partner, buyer_id: contract['buyer_id'], amount: receipt['amount'] };
  await run(sp, 'receipt', id, { action: 'claim', inputs });
  const [claim] = list((await recordOf(sp, 'receipt', id))['claims']);
  const split = await create(sp, 'receipt_split', {
    receipt_id: id,
    claim_line: claim?.['id'],
    split_date: day(0),
    settle_rate: (Number(receipt['book_rate']) * 0.998).toFixed(6),
    lines: [
      { nature: 'advance', contract_id: contract['id'], settle_mode: 'spot', amount: receipt['amount'] },
    ],
  });
  await approved(sp, 'receipt_split', String(split['id']), [fn, fn2]);
}

const TERMS = [
  'business_type', 'partner_id', 'export_mode', 'relation_id', 'buyer_id', 'seller_name_en', 'currency', 'incoterm',
  'incoterm_place', 'payment_term', 'deposit_ratio', 'term_days', 'due_base', 'more_less', 'port_loading_id',
  'port_dest_id', 'dest_country_id', 'partial_shipment', 'transhipment', 'transport_mode', 'packing', 'marks',
  'insurance_by', 'documents', 'bank_account_id',
]; // prettier-ignore
const GOODS = ['goods_id', 'name_en', 'supplier_id', 'unit', 'unit_price'];
