import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldStates } from '#engine/record/field-states.ts';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { addDecimals } from '#engine/values/decimal.ts';
import { context } from '../../engine/schema/example-files.ts';
import { shipped, shippedDefinitions } from '../../resources/shipped-definitions.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let steps: ReturnType<typeof refundSteps>;

const STORY = { timeout: 120_000 };

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  steps = refundSteps(rules, money);
  const hs = { name: '退税率变更的阀门', unit1: '035', vat_rate: '13', status: 'active' };
  await rules.given('hs_code', { ...hs, code: '8481809990', refund_rate: '13', valid_from: '2024-01-01', valid_to: '2024-11-30' }); // prettier-ignore
  await rules.given('hs_code', { ...hs, code: '8481809990', refund_rate: '9', valid_from: '2024-12-01' });
}, 600_000);
afterAll(() => rules.example.close());

const statusOf = async (resource: string, id: string): Promise<unknown> =>
  (await rules.stored(resource, id))['status'];

describe('a closed declaration', () => {
  it.each([
    ['2024-11-30', '10400.00', '0.00', '2025-04-30', '2027-11-30'],
    ['2024-12-01', '7200.00', '3200.00', '2025-04-30', '2027-12-01'],
  ])(
    'of %s is refunded %s by the rate of that day (T-05)',
    STORY,
    async (exportDate, expected, cost, deadline, last) => {
      const { refund, shipment } = await steps.exported({
        net: '80000.00',
        exportDate,
        hsCode: '8481809990',
      });
      expect(await steps.read(refund)).toMatchObject({
        ...{ status: 'collecting', expected, deadline, final_deadline: last, invoices_complete: true },
        ...{ receipt_check: 'complete', loss_bearer: 'partner', deemed_input: cost },
        items: [
          { net_amount: '80000.00', refund_amount: expected, nonrefund_tax: cost, quantity: '100.0000' },
        ],
      });
      expect((await rules.stored('shipment', shipment))['refund_status']).toBe('collecting');
    },
  );

  it('has its day of export corrected by the closing, until its refund is declared', STORY, async () => {
    const { db } = rules.example.services;
    const hsCode = '8481809990';
    const { refund, declaration } = await steps.exported({
      net: '80000.00',
      exportDate: '2024-11-30',
      hsCode,
    });
    const close = async (export_date: string) => {
      await db.query(`update customs_declaration set status = 'amended' where id = $1::uuid`, [declaration]);
      return rules.act('dc.aa', 'customs_declaration', declaration, 'close', { inputs: { export_date } });
    };
    const tomorrow = addDays(companyToday(new Date()), 1);
    expect(await refusal(close(tomorrow))).toEqual([400, '出口日期不能晚于今天']);
    // The shipment goes on by the rate of the other day: whoever closes is told.
    const told = async (export_date: string): Promise<readonly unknown[]> => {
      const { version } = await rules.stored('customs_declaration', declaration);
      const asked = { id: declaration, version, action: 'close', inputs: { export_date } };
      const { plan } = await must(rules.as('dc.aa', 'POST', '/data/customs_declaration/preview', asked));
      return (plan as { problems: readonly { message: string }[] }).problems.map(({ message }) => message);
    };
    await db.query(`update customs_declaration set status = 'amended' where id = $1::uuid`, [declaration]);
    expect(await told('2024-11-29')).toEqual([]);
    expect(await told('2024-12-01')).toEqual([
      '更正后的出口日期适用另一HS版本，明细单仍按原版本的退税率：请提交明细单变更，重算预计退税与成本凭证',
    ]);
    await must(close('2024-12-01'));
    const { version } = await steps.read(refund);
    await must(rules.as('fn.aa', 'PATCH', `/data/tax_refund/${refund}`, { version, remark: '更正出口日期' }));
    expect(await steps.read(refund)).toMatchObject({ expected: '7200.00', final_deadline: '2027-12-01' });
    await db.query(`update tax_refund set status = 'declared' where id = $1::uuid`, [refund]);
    expect((await refusal(close('2024-11-30')))[1]).toBe('报关单已申报退税，不能更改出口日期');
    await must(close('2024-12-01'));
  });

  it('has one refund, and one of a shipment of which part is invoiced is not complete', STORY, async () => {
    const { refund, declaration } = await steps.exported({ net: '1000.00', exportDate: '2026-02-10', matched: '99' }); // prettier-ignore
    expect(await refusal(steps.run(refund, 'ready'))).toEqual([400, '发票未配齐：已配票数量须等于报关数量']);
    const twice = rules.as('fn.aa', 'POST', '/data/tax_refund', { declaration_id: declaration });
    expect(await refusal(twice)).toEqual([409, '该报关单已有退税单']);
  });
});

describe('T-15 代办退税', () => {
  it(
    'pays the refund into the pool and takes its fee, to the cent, in the pool and in the books',
    STORY,
    async () => {
      const { refund, of, invoice, shipment } = await steps.exported({
        ...{ mode: 'rebate_agent', net: '568000.00', exportDate: '2026-06-01' },
      });
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
      expect(await statusOf('goods_invoice', invoice)).toBe('declared');
      await must(steps.accept(refund));
      expect(await refusal(steps.receive(refund, '73840.01'))).toEqual([400, '到账金额超过核准金额']);
      await must(steps.receive(refund, '73840.00'));
      expect(await money.entries(refund)).toEqual([
        ['REBATE_RCV', '73840.00'],
        ['REBATE_FEE', '-1476.80'],
      ]);
      expect(await money.pool(of)).toEqual(['72363.20', '0.00', '72363.20']);
      expect(await steps.read(refund)).toMatchObject({
        ...{ status: 'received', service_fee: '1476.80', expected: '73840.00', deemed_input: '0.00' },
      });
      expect(await statusOf('goods_invoice', invoice)).toBe('refunded');
      expect((await rules.stored('shipment', shipment))['refund_status']).toBe('received');
      expect(await steps.vouchers(refund, 'REFUND_IN')).toEqual([
        ...[
          'BANK_CNY 73840.00|',
          'POOL |73840.00',
          'POOL 1476.80|',
          'REV_REBATE_FEE |1393.21',
          'VAT_OUT |83.59',
        ],
      ]);
      expect(await steps.vouchers(refund, 'REFUND_DECLARED')).toEqual([]);
    },
  );
});

describe('the service fee of a receipt', () => {
  it('is that of the terms of its day, and stays when terms are closed later', STORY, async () => {
    const { db } = rules.example.services;
    const { refund, of } = await steps.exported({ mode: 'rebate_agent', net: '100000.00', exportDate: '2026-06-01' }); // prettier-ignore
    const today = companyToday(new Date());
    const terms = { partner_id: of.partner, export_mode: 'rebate_agent', fee_basis: 'per_usd', fee_rate: '0', status: 'active' }; // prettier-ignore
    await db.query('update partner_rate set valid_from = $2, valid_to = null where partner_id = $1::uuid', [of.partner, today]); // prettier-ignore
    await rules.given('partner_rate', { ...terms, rebate_service_rate: '5', valid_from: addDays(today, -60), valid_to: addDays(today, -1) }); // prettier-ignore
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '1000.00', money.key(), addDays(today, -1)));
    await must(steps.receive(refund, '2000.00'));
    expect(await money.entries(refund)).toEqual([
      ['REBATE_RCV', '1000.00'],
      ['REBATE_FEE', '-50.00'],
      ['REBATE_RCV', '2000.00'],
      ['REBATE_FEE', '-40.00'],
    ]);
    await db.query('update partner_rate set rebate_service_rate = 9 where partner_id = $1::uuid', [of.partner]); // prettier-ignore
    const { version } = await steps.read(refund);
    await must(rules.as('fn.aa', 'PATCH', `/data/tax_refund/${refund}`, { version, remark: '备注' }));
    expect(await steps.read(refund)).toMatchObject({
      service_fee: '90.00',
      receipts: [{ service_fee: '50.00' }, { service_fee: '40.00' }],
    });
  });
});

describe('T-15 from the receipt to the payout', () => {
  it('comes out to the cent and leaves nothing open in the books', { timeout: 400_000 }, async () => {
    const { act } = rules;
    const { of, shipment, refund } = await steps.exported({
      ...{
        mode: 'rebate_agent',
        net: '568000.00',
        fob: '80000.00',
        currency: 'USD',
        exportDate: '2026-06-01',
      },
      ...{ isPaid: false, rate: { fee_rate: '0.03', min_fee: '2000' } },
    });
    const receipt = await money.receipt({ gross_amount: '80000.00', bank_charge_cny: '80.00', charge_account_id: money.accounts.cny, payer_name: of.buyerName }); // prettier-ignore
    const claim = await money.claim(receipt, of, '80000.00');
    const spot = { nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '80000.00' };
    const split = await money.split(receipt, claim, { settle_rate: '7.120000', lines: [spot] });
    expect(await money.entries(split)).toEqual([
      ['RCV_SETTLE', '569600.00'],
      ['BANK_FEE', '-80.00'],
      ['AGENCY_FEE', '-2400.00'],
    ]);
    const account = { payee_account: '62221111', payee_bank: '中国银行', cnaps: '104332000019' };
    const payment = await money.payment(of, {
      ...{ pay_type: 'goods', payee_kind: 'partner', supplier_id: null, supplier_account: null },
      ...{ payee_name: '委托方', ...account, goods_lines: [{ shipment_id: shipment, amount: '567120.01' }] },
    });
    const over = await act('sp.aa', 'payment_request', payment, 'submit');
    expect(over.problems?.map(({ message }) => message)).toContain('付款金额超过本票结余');
    await takes(payment, '567000.00');
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'tm.aa', 'rk.aa', 'fn.aa'], { bank_fee: '20.00' });
    expect(await money.pool(of)).toEqual(['100.00', '0.00', '100.00']);
    // What the partner's goods cost is not known: they are paid when the shipment is settled.
    expect(await rules.stored('shipment', shipment)).toMatchObject({ pay_progress: 'partial' });
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '73840.00'));
    expect((await money.pool(of))[0]).toBe('72463.20');
    const [line] = await rules.example.services.db.query<{ id: string }>('select id from receipt_split__lines where parent_id = $1::uuid', [split]); // prettier-ignore
    const slip = await moves.done('tr.aa', 'fx_settlement', {
      ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny }, // prettier-ignore
      ...{ amount: '80000.00', bank_rate: '7.135000', amount_cny: '570800.00', bank_ref: money.key() },
      lines: [{ source_kind: 'spot', split_id: split, split_line: line?.id, amount: '80000.00' }],
    }, ['fn.aa']); // prettier-ignore
    const settlement = await moves.draft('sp.aa', 'project_settlement', { object_kind: 'shipment', shipment_id: shipment, settle_date: '2026-11-22', residual_to: 'payout' }); // prettier-ignore
    await must(act('sp.aa', 'project_settlement', settlement, 'calculate'));
    expect(await rules.stored('project_settlement', settlement)).toMatchObject({
      ...{ fee_charged: '2400.00', residual: '72463.20', company_profit: '4857.36' },
    });
    await must(act('sp.aa', 'project_settlement', settlement, 'submit'));
    await money.approve('project_settlement', settlement, ['dm.aa', 'fn.aa']);
    expect(await rules.stored('shipment', shipment)).toMatchObject({ pay_progress: 'full' });
    const payout = String((await rules.stored('project_settlement', settlement))['payout_id']);
    expect(await statement(settlement)).toEqual({
      ...{ left: '72,463.20', lines: '72463.2', paid: '0.00', due: '72,463.20' },
    });
    // What is left goes to the partner's own verified account, and to no other.
    expect(await rules.stored('payment_request', payout)).toMatchObject({ payee_kind: 'partner', payee_account: '62221111', cnaps: '104332000019' }); // prettier-ignore
    await takes(payout, '72463.20', { payee_account: '62229999' });
    const diverted = await act('sp.aa', 'payment_request', payout, 'submit');
    expect(diverted.problems?.map(({ message }) => message)).toEqual([
      '收款账号与所选委托方账户（62221111）不一致',
    ]);
    await takes(payout, '72463.20', account);
    await must(act('sp.aa', 'payment_request', payout, 'submit'));
    await money.pay(payout, ['dm.aa', 'tm.aa', 'fn2.aa']);
    expect(await money.pool(of)).toEqual(['0.00', '0.00', '0.00']);
    expect(await statement(settlement)).toMatchObject({ left: '72,463.20', paid: '72,463.20', due: '0.00' });
    expect(await left([receipt, split, payment, refund, slip, settlement, payout])).toMatchObject({
      ...{ POOL: '0.00', RCV_UNCLAIMED: '0.00', BANK_FC: '0.00', BANK_EXP: '0.00' },
      ...{ FX_SPREAD: '-1200.00', REV_FEE: '-2264.15', REV_REBATE_FEE: '-1393.21', VAT_OUT: '-219.44' },
    });
  });

  /** A payment takes another amount, and what else is given. */
  async function takes(
    payment: string,
    amount: string,
    changes: Record<string, unknown> = {},
  ): Promise<void> {
    const { version } = await rules.stored('payment_request', payment);
    const [line] = await rules.example.services.db.query<{ id: string }>('select id from payment_request__goods_lines where parent_id = $1::uuid', [payment]); // prettier-ignore
    const body = { version, ...changes, goods_lines: [{ id: line?.id, amount }] };
    await must(rules.as('sp.aa', 'PATCH', `/data/payment_request/${payment}`, body));
  }

  /** What the partner's paper says: what its lines come to, and what of it is left, paid and still to be paid. */
  async function statement(settlement: string): Promise<Readonly<Record<string, string>>> {
    const path = `/data/project_settlement/${settlement}/print/statement`;
    const { pages } = await must(rules.as('sp.aa', 'GET', path));
    const texts = [...JSON.stringify(pages).matchAll(/"text":"([^"]*)"/g)].map(([, text = '']) => text);
    const after = (label: string): string => texts[texts.indexOf(label) + 1] ?? '';
    const lines = [
      ...['收汇（人民币）', '出口退税', '国内收入', '货款', '运杂费', '保险费', '佣金'],
      ...['财务费用（手续费、利息）', '已收代理费', '补收代理费', '退税服务费', '其他支出'],
    ].map((label) => after(`${label}：`).replaceAll(',', ''));
    const [left, paid, due] = [after('结余：'), after('已付结余：'), after('尚应支付：')];
    return { left, lines: lines.reduce(addDecimals, '0'), paid, due };
  }

  /** What stands on each account after the vouchers of documents: debit less credit. */
  async function left(sources: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const rows = await rules.example.services.db.query<{ key: string; sum: string }>(
      `select e.posting_key as key, sum(coalesce(e.debit, 0) - coalesce(e.credit, 0))::text as sum
       from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       where v.source_id = any($1::text[]) group by 1`,
      [sources],
    );
    return Object.fromEntries(rows.map(({ key, sum }) => [key, sum]));
  }
});

describe('a refund of our own', () => {
  it(
    'of T-01 is declared, accepted, received in two parts and taken back with the mirror in the books',
    STORY,
    async () => {
      const { refund, of, shipment, invoice } = await steps.exported({ net: '550000.00', exportDate: '2026-06-01' }); // prettier-ignore
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
      const [filing] = await rules.example.services.db.query<Record<string, unknown>>(
        `select status, kept_by, missing_docs,
           array(select category from document_filing__docs d where d.parent_id = f.id order by line_order) as categories
         from document_filing f where shipment_id = $1::uuid`,
        [shipment],
      );
      expect(filing).toEqual({ status: 'pending', kept_by: 'company', missing_docs: '3', categories: ['购销合同', '运输单据', '委托报关单据'] }); // prettier-ignore
      expect((await steps.read(refund))['items']).toMatchObject([{ rejected_amount: null }]);
      expect(await refusal(steps.accept(refund, '71500.01'))).toEqual([400, '核准金额超过应退税额']);
      await must(steps.accept(refund, '71000.00'));
      expect((await steps.read(refund))['items']).toMatchObject([{ rejected_amount: '500.00' }]);
      await must(steps.receive(refund, '50000.00', 'REF1'));
      expect(await statusOf('tax_refund', refund)).toBe('partial');
      expect((await refusal(steps.receive(refund, '1.00', 'REF1')))[1]).toBe('该账户的银行流水号已登记');
      // Two clerks enter the rest at once: one of them is told.
      const both = await Promise.all([steps.receive(refund, '21000.00'), steps.receive(refund, '21000.00')]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(await statusOf('tax_refund', refund)).toBe('received');
      expect(await steps.vouchers(refund, 'REFUND_APPROVED')).toEqual(['COGS 500.00|', 'AR_REFUND |500.00']);
      const back = { clawback_amount: '71000.00', clawback_date: '2026-11-20', clawback_account_id: money.accounts.cny }; // prettier-ignore
      await must(steps.run(refund, 'clawback', back, '税务机关要求追回'));
      expect(await statusOf('tax_refund', refund)).toBe('received');
      await must(money.decide('gm.aa', 'tax_refund', refund));
      expect(await steps.read(refund)).toMatchObject({ status: 'clawback', clawed_amount: '71000.00', outstanding: '71000.00' }); // prettier-ignore
      expect(await money.entries(refund)).toEqual([
        ...[['REBATE_RCV', '50000.00'], ['REBATE_FEE', '-1000.00'], ['REBATE_RCV', '21000.00'], ['REBATE_FEE', '-420.00'], ['FIN_CHARGE', '-71000.00']], // prettier-ignore
      ]);
      expect((await money.pool(of))[0]).toBe('-1420.00');
      expect(await steps.vouchers(refund, 'CLAWBACK')).toEqual(['COGS 71000.00|', 'BANK_CNY |71000.00', 'AP_ESTIMATE 71000.00|', 'COGS |71000.00']); // prettier-ignore
      // Declared again: a second round with a voucher of its own.
      await must(steps.run(refund, 'redeclare'));
      await must(steps.declare(refund));
      expect(await steps.vouchers(refund, 'REFUND_DECLARED')).toHaveLength(4);
      expect(await statusOf('goods_invoice', invoice)).toBe('refunded');
    },
  );

  it('taken back or deemed a domestic sale leaves nothing of its round to be received', STORY, async () => {
    const { db } = rules.example.services;
    const receivable = async (id: string): Promise<unknown> => {
      const [row] = await db.query<{ sum: string }>(
        `select sum(coalesce(e.debit, 0) - coalesce(e.credit, 0))::text as sum
         from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
         where v.source_id = $1 and e.posting_key = 'AR_REFUND'`,
        [id],
      );
      return row?.sum;
    };
    const { refund } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '40.00'));
    const back = { clawback_amount: '40.00', clawback_date: '2026-11-20', clawback_account_id: money.accounts.cny }; // prettier-ignore
    await must(steps.run(refund, 'clawback', back, '税务机关要求追回'));
    await money.approve('tax_refund', refund, ['gm.aa']);
    expect(await steps.vouchers(refund, 'CLAWBACK')).toEqual([
      ...['COGS 40.00|', 'BANK_CNY |40.00', 'COGS 90.00|', 'AR_REFUND |90.00', 'AP_ESTIMATE 40.00|', 'COGS |40.00'], // prettier-ignore
    ]);
    expect(await receivable(refund)).toBe('0.00');
    await must(steps.run(refund, 'redeclare'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '130.00'));
    expect(await receivable(refund)).toBe('0.00');

    const waiting = await steps.exported({ net: '1000.00', exportDate: '2026-06-01', isPaid: false });
    await must(steps.run(waiting.refund, 'ready'));
    await must(steps.declare(waiting.refund));
    await db.query(
      `update tax_refund set status = 'receipt_hold', prev_status = 'declared' where id = $1::uuid`,
      [waiting.refund],
    );
    expect(await receivable(waiting.refund)).toBe('130.00');
    await must(steps.run(waiting.refund, 'deem', {}, '买家破产，无法收汇'));
    await money.approve('tax_refund', waiting.refund, ['gm.aa']);
    expect(await receivable(waiting.refund)).toBe('0.00');

    const refused = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    await must(steps.run(refused.refund, 'ready'));
    await must(steps.declare(refused.refund));
    await must(steps.run(refused.refund, 'reject', { reject_reason: '供应商走逃' }));
    await must(steps.run(refused.refund, 'deem', {}, '不予退税'));
    await money.approve('tax_refund', refused.refund, ['gm.aa']);
    expect(await receivable(refused.refund)).toBe('0.00');
  });

  it(
    'declared while its deeming waits is not deemed any more, and the deeming ends in a refusal',
    STORY,
    async () => {
      const { refund } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
      await must(steps.run(refund, 'ready'));
      await must(steps.run(refund, 'deem', {}, '买家破产，无法收汇'));
      await must(steps.declare(refund));
      const { task } = await must(rules.as('gm.aa', 'GET', `/approval/record/tax_refund/${refund}`));
      const decide = async (how: string) =>
        rules.as('gm.aa', 'POST', `/approval/${(task as { readonly id: string }).id}/${how}`, {
          version: (await steps.read(refund))['version'],
          opinion: '已申报',
        });
      expect((await refusal(decide('approve')))[1]).toMatch(/^「已申报」时不能视同内销/);
      expect(await statusOf('tax_refund', refund)).toBe('declared');
      expect(await steps.vouchers(refund, 'DEEMED_SALE')).toEqual([]);
      await must(decide('reject'));
      expect(await statusOf('tax_refund', refund)).toBe('declared');
    },
  );

  it('taken back after the settlement lowers the commission of its month (T-10)', STORY, async () => {
    const { given, stored, example } = rules;
    const { db } = example.services;
    const person = example.masters.sales;
    const { refund, of, shipment } = await steps.exported({ net: '550000.00', exportDate: '2026-06-01', agreement: {} }); // prettier-ignore
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '71500.00'));
    const settled = {
      object_kind: 'shipment',
      shipment_id: shipment,
      settle_date: '2026-11-01',
      sales_id: person,
    };
    const settlement = await given('project_settlement', { ...settled, status: 'approved' });
    await db.query(
      `update project_settlement set company_profit = 40000, settled_on = '2026-11-05', days_late = 0, commission_lines = 0 where id = $1::uuid`,
      [settlement],
    );
    // What the stories above settled is of another month.
    await db.query(`update project_settlement set settled_on = '2026-10-01' where id <> $1::uuid`, [
      settlement,
    ]);
    await db.query(`update shipment set status = 'settled' where id = $1::uuid`, [shipment]);
    const before = await money.pool(of);
    const back = { clawback_amount: '12000.00', clawback_date: '2026-11-20', clawback_account_id: money.accounts.cny }; // prettier-ignore
    await must(steps.run(refund, 'clawback', back, '税务机关要求追回'));
    await must(money.decide('gm.aa', 'tax_refund', refund));
    expect(await money.pool(of)).toEqual(before);
    // Whoever asked for it is told of it once; the customer, of whom nothing is taken, of nothing.
    const told = await db.query(
      `select person_id is not null as is_staff, event from sys_notice
       where record_id = $1::uuid and (event = 'REFUND_CLAWBACK' or title like '审核通过%追回%')`,
      [refund],
    );
    expect(new Set(told.map(({ event, is_staff: isStaff }) => [event, isStaff].join()))).toEqual(
      new Set(['REFUND_CLAWBACK,true']),
    );
    expect(await rules.toldOf(refund, 'fn.aa')).toContain('REFUND_CLAWBACK');
    const scheme_id = await given('commission_scheme', {
      ...{
        name: '业务员提成',
        person_kind: 'salesperson',
        base: 'profit',
        progressive: true,
        overdue_factor: '0.5',
      },
      ...{ valid_from: '2026-01-01', status: 'active' },
      tiers: [{ from_amount: '0', rate: '10' }],
    });
    const close = (status: string) =>
      db.query(`update accounting_period set status = $1 where period = '202611' and co_code = 'AA'`, [
        status,
      ]);
    await close('closed');
    const statement = await moves.draft('fn.aa', 'commission_statement', { period: '202611', person_id: person, scheme_id }); // prettier-ignore
    // Whoever calculates twice takes nothing twice.
    for (let time = 0; time < 2; time += 1)
      await must(rules.act('fn.aa', 'commission_statement', statement, 'calculate'));
    expect(await stored('commission_statement', statement)).toMatchObject({
      base_amount: '28000.00',
      commission: '2800.00',
    });
    expect(await stored('tax_refund', refund)).toMatchObject({
      shared_loss: '12000.00',
      unshared_loss: '0.00',
    });
    // The month is paid; what is lost in it all the same is carried into the next.
    await db.query(`update commission_statement set status = 'paid' where id = $1::uuid`, [statement]);
    await close('open');
    await db.query('update tax_refund__clawbacks set settled_loss = settled_loss + 3000 where parent_id = $1::uuid', [refund]); // prettier-ignore
    await db.query('update tax_refund set unshared_loss = 3000 where id = $1::uuid', [refund]);
    await given('accounting_period', { period: '202612', start_date: '2026-12-01', end_date: '2026-12-31', status: 'closed' }); // prettier-ignore
    const next = await moves.draft('fn.aa', 'commission_statement', { period: '202612', person_id: person, scheme_id }); // prettier-ignore
    await must(rules.act('fn.aa', 'commission_statement', next, 'calculate'));
    expect(await stored('commission_statement', next)).toMatchObject({
      base_amount: '-3000.00',
      payable: '0.00',
    });
  });

  it(
    'deemed sold at home after the settlement lowers it too, by the factor of a late receipt',
    STORY,
    async () => {
      const { given, stored, example } = rules;
      const { db } = example.services;
      const person = await rules.idOf('dm.aa');
      const { refund, shipment } = await steps.exported({ net: '500000.00', fob: '620000.00', exportDate: '2026-02-10', hsCode: '8481809990', agreement: {} }); // prettier-ignore
      const settled = {
        object_kind: 'shipment',
        shipment_id: shipment,
        settle_date: '2026-11-01',
        sales_id: person,
      };
      const settlement = await given('project_settlement', { ...settled, status: 'approved' });
      await db.query(
        `update project_settlement set company_profit = 100000, settled_on = '2026-11-05', days_late = 95, commission_lines = 0, sales_id = $2::uuid where id = $1::uuid`,
        [settlement, person],
      );
      await db.query(`update shipment set status = 'settled' where id = $1::uuid`, [shipment]);
      await must(steps.run(refund, 'deem', {}, '买家破产，无法收汇'));
      await must(money.decide('gm.aa', 'tax_refund', refund));
      // 71,327.43 of output VAT less the 20,000.00 that were not refundable.
      expect(await stored('tax_refund', refund)).toMatchObject({
        deemed_loss: '51327.43',
        unshared_loss: '51327.43',
      });
      const [scheme] = await db.query<{ id: string }>('select id from commission_scheme', []);
      const close = (status: string) =>
        db.query(`update accounting_period set status = $1 where period = '202611' and co_code = 'AA'`, [
          status,
        ]);
      await close('closed');
      const statement = await moves.draft('fn.aa', 'commission_statement', { period: '202611', person_id: person, scheme_id: scheme?.id }); // prettier-ignore
      await must(rules.act('fn.aa', 'commission_statement', statement, 'calculate'));
      await close('open');
      // (100,000.00 - 51,327.43) at half.
      expect(await stored('commission_statement', statement)).toMatchObject({ base_amount: '24336.28', commission: '2433.63' }); // prettier-ignore
      expect(await stored('tax_refund', refund)).toMatchObject({ unshared_loss: '0.00' });
      const back = await must(rules.as('fn.aa', 'GET', `/data/commission_statement/${statement}`));
      expect(back['lines']).toMatchObject([{ kind: 'settle' }, { kind: 'adjust', reason: expect.stringContaining('视同内销') as string }]); // prettier-ignore
    },
  );

  it(
    'may be declared on the last day of 36 months and not on the next, then only deemed a domestic sale (T-18)',
    STORY,
    async () => {
      const agreement = {};
      const last = await steps.exported({ net: '500000.00', fob: '620000.00', exportDate: steps.monthsAgo(36), hsCode: '8481804090', agreement }); // prettier-ignore
      await must(steps.run(last.refund, 'ready'));
      await must(steps.declare(last.refund));
      const day = addDays(steps.monthsAgo(36), -1);
      const late = await steps.exported({ net: '500000.00', fob: '620000.00', exportDate: day, hsCode: '8481804090', agreement }); // prettier-ignore
      expect(await refusal(steps.run(late.refund, 'ready'))).toEqual([
        400,
        '已超过最迟申报期限，只能视同内销',
      ]);
      await must(steps.run(late.refund, 'deem', {}, '已超过36个月'));
      await must(money.decide('gm.aa', 'tax_refund', late.refund));
      expect(await steps.read(late.refund)).toMatchObject({ status: 'deemed', deemed_tax: '71327.43', loss_bearer: 'company' }); // prettier-ignore
      expect(await steps.vouchers(late.refund, 'DEEMED_SALE')).toEqual([
        'COGS 71327.43|',
        'VAT_OUT |71327.43',
      ]);
      expect(await money.entries(late.refund)).toEqual([]);
      expect(await rules.stored('goods_invoice', late.invoice)).toMatchObject({ status: 'matched', cert_usage: 'credit' }); // prettier-ignore
    },
  );

  it('not all of it invoiced is warned of before it is deemed a domestic sale', STORY, async () => {
    const told = async (matched: string): Promise<readonly unknown[]> => {
      const { refund } = await steps.exported({ net: '1000.00', exportDate: steps.monthsAgo(37), matched }); // prettier-ignore
      const asked = { id: refund, version: (await steps.read(refund))['version'], action: 'deem' };
      const { plan } = await must(rules.as('fn.aa', 'POST', '/data/tax_refund/preview', asked));
      const { problems } = plan as { problems: readonly { message: string; level?: string }[] };
      return problems.map(({ message, level }) => [message, level]);
    };
    const warning = '报关数量100，已配发票99：未配发票的部分不计入视同内销的销项税，请先配齐';
    expect(await told('99')).toContainEqual([warning, 'warning']);
    expect(await told('100')).toEqual([]);
  });

  it(
    'declared without its money waits for it after the day of receipts, and goes on when it is proved',
    STORY,
    async () => {
      const { refund } = await steps.exported({ net: '1000.00', exportDate: '2024-06-01', isPaid: false });
      expect((await steps.read(refund))['receipt_check']).toBe('late');
      expect((await refusal(steps.run(refund, 'ready')))[1]).toBe(
        '已过收汇截止日，收齐货款或视同收汇后才能申报',
      );
      await rules.example.services.db.query(`update tax_refund set deemed_reason = '破产' where id = $1::uuid`, [refund]); // prettier-ignore
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
    },
  );
});

describe('a letter of the tax office', () => {
  it(
    'stops the refund between declaration and receipt, and payments to the supplier, until it is answered',
    STORY,
    async () => {
      const { refund, of, invoice } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
      await must(steps.accept(refund));
      const asked = { supplier_id: of.supplier, tax_authority: '国家税务总局宁波市税务局', sent_date: '2026-11-20', lines: [{ goods_invoice_id: invoice }] }; // prettier-ignore
      const letter = String((await must(rules.as('fn.aa', 'POST', '/data/refund_letter', asked)))['id']);
      expect(await steps.read(refund)).toMatchObject({ status: 'letter', prev_status: 'approved' });
      expect((await rules.stored('supplier', of.supplier))['letter_open']).toBe(true);
      expect((await refusal(steps.receive(refund, '130.00')))[0]).toBe(409);
      const again = rules.as('fn.aa', 'POST', '/data/refund_letter', asked);
      expect((await refusal(again))[1]).toBe('该发票已在待复的函调中');
      const inputs = { reply_date: '2026-11-21', result_note: '业务真实' };
      await must(rules.act('fn.aa', 'refund_letter', letter, 'reply_normal', { inputs }));
      expect(await statusOf('tax_refund', refund)).toBe('approved');
      expect((await rules.stored('supplier', of.supplier))['letter_open']).toBe(false);
      await must(steps.receive(refund, '130.00'));
      const second = String((await must(rules.as('fn.aa', 'POST', '/data/refund_letter', asked)))['id']);
      const lines = (await must(rules.as('fn.aa', 'GET', `/data/refund_letter/${second}`)))['lines'];
      const [line] = lines as readonly { id: string }[];
      const found = { inputs: { ...inputs, changes: { lines: [{ id: line?.id, conclusion: '异常' }] } } };
      await must(rules.act('fn.aa', 'refund_letter', second, 'reply_abnormal', found));
      expect(await statusOf('goods_invoice', invoice)).toBe('abnormal');
      expect(await statusOf('tax_refund', refund)).toBe('received');
    },
  );

  it('answered while its release waits stays answered when that is withdrawn', STORY, async () => {
    const { of, invoice } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    const asked = { supplier_id: of.supplier, tax_authority: '国家税务总局宁波市税务局', sent_date: '2026-11-20', lines: [{ goods_invoice_id: invoice }] }; // prettier-ignore
    const letter = String((await must(rules.as('fn.aa', 'POST', '/data/refund_letter', asked)))['id']);
    await must(rules.act('rk.aa', 'refund_letter', letter, 'release', { opinion: '业务真实' }));
    const inputs = { reply_date: '2026-11-21', result_note: '业务真实' };
    await must(rules.act('fn.aa', 'refund_letter', letter, 'reply_normal', { inputs }));
    await must(rules.as('rk.aa', 'POST', `/approval/record/refund_letter/${letter}/withdraw`, {}));
    expect(await statusOf('refund_letter', letter)).toBe('normal');
    expect((await rules.stored('supplier', of.supplier))['letter_open']).toBe(false);
  });

  it('about an invoice of two refunds stops both, and both go on when it is answered', STORY, async () => {
    const exportDate = '2026-06-01';
    const bare = { net: '1000.00', exportDate, isMatched: false };
    const first = await steps.exported(bare);
    const { of } = first;
    const line = await rules.stored('shipment__items', first.shipmentLine);
    const [contract, purchase] = [String(line['contract_id']), String(line['purchase_contract_id'])];
    const sailed = { export_mode: 'buyout', currency: 'CNY', atd: exportDate, bl_no: 'COSU2', invoice_date: exportDate }; // prettier-ignore
    const shipment = await money.shipment(of, contract, { quantity: '100', purchase_contract_id: purchase }, sailed); // prettier-ignore
    const second = await steps.closedExport(bare, { of, shipment, purchase });
    const both = { ...bare, net: '2000.00', quantity: '200', invoiceStatus: 'verified' };
    const invoice = await steps.invoiced(both, { ...first, purchase });
    await must(rules.act('dc.aa', 'goods_invoice', invoice, 'propose'));
    await must(rules.act('dc.aa', 'goods_invoice', invoice, 'match'));
    await rules.example.services.db.query(`update goods_invoice set status = 'certified' where id = $1::uuid`, [invoice]); // prettier-ignore
    const refunds = [first.refund, second.refund];
    const states = () => Promise.all(refunds.map((id) => statusOf('tax_refund', id)));
    for (const id of refunds) {
      await must(steps.run(id, 'ready'));
      await must(steps.declare(id));
      await must(steps.accept(id));
    }
    const asked = { supplier_id: of.supplier, tax_authority: '国家税务总局宁波市税务局', sent_date: '2026-11-20', lines: [{ goods_invoice_id: invoice }] }; // prettier-ignore
    const sent = async (): Promise<string> =>
      String((await must(rules.as('fn.aa', 'POST', '/data/refund_letter', asked)))['id']);
    const inputs = { reply_date: '2026-11-21', result_note: '业务真实' };
    const letter = await sent();
    expect(await states()).toEqual(['letter', 'letter']);
    expect(await Promise.all(refunds.map((id) => steps.read(id)))).toMatchObject([{ letters_open: 1 }, { letters_open: 1 }]); // prettier-ignore
    await must(rules.act('fn.aa', 'refund_letter', letter, 'reply_normal', { inputs }));
    expect(await states()).toEqual(['approved', 'approved']);
    const mistaken = await sent();
    expect(await states()).toEqual(['letter', 'letter']);
    await must(rules.act('fn.aa', 'refund_letter', mistaken, 'void', { opinion: '登记错误' }));
    expect(await states()).toEqual(['approved', 'approved']);
    const last = await sent();
    const read = await must(rules.as('fn.aa', 'GET', `/data/refund_letter/${last}`));
    const [about] = read['lines'] as readonly { id: string }[];
    const changes = { lines: [{ id: about?.id, conclusion: '异常' }] };
    await must(rules.act('fn.aa', 'refund_letter', last, 'reply_abnormal', { inputs: { ...inputs, changes } })); // prettier-ignore
    expect(await states()).toEqual(['letter', 'letter']);
  });

  it(
    'ends in a refusal that gives the invoice back; a declared invoice is not cancelled by a red one',
    STORY,
    async () => {
      const { refund, invoice } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
      const red = rules.act('fn.aa', 'goods_invoice', invoice, 'red', { inputs: { red_letter_no: '3302' } });
      expect((await refusal(red))[1]).toBe('发票已申报退税，不能红冲');
      await must(steps.run(refund, 'reject', { reject_reason: '供应商走逃' }));
      expect(await statusOf('goods_invoice', invoice)).toBe('certified');
      expect(await steps.vouchers(refund, 'REFUND_REJECTED')).toEqual(['COGS 130.00|', 'AR_REFUND |130.00']);
    },
  );
});

describe('an invoice', () => {
  it('declared for its refund and made red at once is one of the two', STORY, async () => {
    const { refund, invoice } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    await must(steps.run(refund, 'ready'));
    await steps.number(refund);
    const red = () =>
      rules.act('fn.aa', 'goods_invoice', invoice, 'red', { inputs: { red_letter_no: '3302' } });
    const declare = () => steps.run(refund, 'declare', { declare_ym: '202611' });
    const answers = await Promise.all([declare(), red()]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const states = [await statusOf('tax_refund', refund), await statusOf('goods_invoice', invoice)];
    expect([
      ['declared', 'declared'],
      ['ready', 'red'],
    ]).toContainEqual(states);
    // Whoever calls it abnormal first does not get round it.
    if (states[0] !== 'declared') return;
    await must(rules.act('fn.aa', 'goods_invoice', invoice, 'flag', { opinion: '供应商走逃' }));
    expect(await refusal(red())).toEqual([400, '发票已申报退税，不能红冲']);
  });

  it('made red before the declaration makes room for another one in the same refund', STORY, async () => {
    const at = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    const { refund } = at;
    await must(steps.run(refund, 'ready'));
    await must(rules.act('fn.aa', 'goods_invoice', at.invoice, 'red', { inputs: { red_letter_no: '3302' } }));
    const unmatched = await refusal(steps.run(refund, 'declare', { declare_ym: '202611' }));
    expect(unmatched).toEqual([400, '货款发票尚未勾选']);
    const purchase = String((await rules.stored('shipment__items', at.shipmentLine))['purchase_contract_id']);
    const wanted = { net: '900.00', exportDate: '2026-06-01', invoiceStatus: 'verified' };
    const other = await steps.invoiced(wanted, { ...at, purchase });
    await must(rules.act('dc.aa', 'goods_invoice', other, 'match'));
    await rules.example.services.db.query(`update goods_invoice set status = 'certified' where id = $1::uuid`, [other]); // prettier-ignore
    const { version, items } = await steps.read(refund);
    const lines = items as readonly Record<string, unknown>[];
    expect(lines.filter((one) => one['goods_invoice_id'] === other)).toMatchObject([{ quantity: '100.0000' }]); // prettier-ignore
    const gone = lines.filter((one) => one['goods_invoice_id'] !== other);
    await must(rules.as('fn.aa', 'PATCH', `/data/tax_refund/${refund}`, { version, items: gone.map(({ id }) => ({ id, _delete: true })) })); // prettier-ignore
    await must(steps.declare(refund));
    expect(await steps.read(refund)).toMatchObject({ status: 'declared', expected: '117.00' });
  });

  it('is chosen for a refund until the refund is declared', () => {
    const { catalog } = shippedDefinitions();
    if (catalog === null) throw new TypeError('no definitions');
    const resource = shipped('tax_refund');
    const closed = (status: string): readonly string[] => {
      const record = { id: 'one', status, items: [] };
      const states = fieldStates(resource, record, { resource, catalog, record, context: context() });
      const columns = ['declaration_line', 'match_line', 'quantity', 'relation_seq'];
      return columns.filter((name) => states[`items.${name}`]?.readOnly !== undefined);
    };
    expect(['collecting', 'ready', 'declared'].map((status) => closed(status).length)).toEqual([0, 0, 4]);
  });

  it('matched by two at once to the same goods counts once', STORY, async () => {
    const { of, shipment, shipmentLine } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01', matched: '50' }); // prettier-ignore
    const [line] = await rules.example.services.db.query<{ id: string }>('select p.id from purchase_contract__items p join shipment__items s on s.purchase_contract_id = p.parent_id where s.id = $1::uuid', [shipmentLine]); // prettier-ignore
    expect(line).toBeDefined();
    const purchase = (await rules.stored('shipment__items', shipmentLine))['purchase_contract_id'];
    const wanted = { net: '1000.00', exportDate: '2026-06-01', quantity: '50', invoiceStatus: 'verified' };
    const at = { of, shipment, shipmentLine, purchase: String(purchase) };
    const two = [await steps.invoiced(wanted, at), await steps.invoiced(wanted, at)];
    const answers = await Promise.all(two.map((id) => rules.act('dc.aa', 'goods_invoice', id, 'match')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.msg).toMatch(/^配单数量超过/);
    // And one invoice by two at once, then once more.
    const done = two.find((_one, place) => answers[place]?.status === 200) ?? '';
    expect((await refusal(rules.act('dc.aa', 'goods_invoice', done, 'match')))[0]).toBe(409);
    const open = two.find((id) => id !== done) ?? '';
    const { version } = await rules.stored('goods_invoice', open);
    await must(rules.act('fn.aa', 'goods_invoice', done, 'red', { inputs: { red_letter_no: '3302' } }));
    const match = () => rules.as('dc.aa', 'POST', `/data/goods_invoice/${open}/actions/match`, { version });
    const both = await Promise.all([match(), match()]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

it('an invoice is proposed the open lines of its goods, with their share of its money', STORY, async () => {
  const at = await steps.exported({ net: '1000.00', exportDate: '2026-06-01', matched: '60' });
  const purchase = String((await rules.stored('shipment__items', at.shipmentLine))['purchase_contract_id']);
  const wanted = {
    net: '400.00',
    exportDate: '2026-06-01',
    quantity: '40',
    invoiceStatus: 'verified',
    isMatched: false,
  };
  const invoice = await steps.invoiced(wanted, { ...at, purchase });
  await must(rules.act('dc.aa', 'goods_invoice', invoice, 'propose'));
  const { matches } = await must(rules.as('dc.aa', 'GET', `/data/goods_invoice/${invoice}`));
  expect(matches).toMatchObject([
    { shipment_line: at.shipmentLine, quantity: '40.0000', net_amount: '400.00' },
  ]);
  await must(rules.act('dc.aa', 'goods_invoice', invoice, 'match'));
  expect(await steps.read(at.refund)).toMatchObject({ invoices_complete: true });
});

describe('faults of people', () => {
  it('a match listed twice, or for more than was matched, is refused', STORY, async () => {
    const { refund } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    const { version, items } = await steps.read(refund);
    const [item] = items as readonly Record<string, unknown>[];
    const { id, match_line, declaration_line } = item ?? {};
    const patch = (lines: readonly unknown[]) =>
      refusal(rules.as('fn.aa', 'PATCH', `/data/tax_refund/${refund}`, { version, items: lines }));
    const twice = await patch([
      { id, quantity: '50' },
      { match_line, declaration_line, quantity: '50' },
    ]);
    expect(twice[1]).toBe('同一配单行只能列一次');
    expect((await patch([{ id, quantity: '100.0001' }]))[1]).toBe('退税数量超过配单数量');
  });

  it('an invoice that counts in another unit is not matched', STORY, async () => {
    const at = await steps.exported({ net: '1000.00', exportDate: '2026-06-01', matched: '50' });
    const purchase = String((await rules.stored('shipment__items', at.shipmentLine))['purchase_contract_id']);
    const wanted = {
      net: '500.00',
      exportDate: '2026-06-01',
      quantity: '50',
      invoiceStatus: 'verified',
      unit: '箱',
    };
    const invoice = await steps.invoiced(wanted, { ...at, purchase });
    const answer = await refusal(rules.act('dc.aa', 'goods_invoice', invoice, 'match'));
    expect(answer[1]).toMatch(/^单位应与商品的成交或法定单位一致/);
  });

  it.each([
    ['quantity', '200', '配单数量超过发票数量'],
    ['net_amount', '1000.01', '配单金额超过发票金额'],
  ])(
    'an invoice matched with more %s than it says is refused (L20)',
    STORY,
    async (column, value, message) => {
      const at = await steps.exported({ net: '1000.00', exportDate: '2026-06-01', matched: '50' });
      const purchase = String(
        (await rules.stored('shipment__items', at.shipmentLine))['purchase_contract_id'],
      );
      const wanted = { net: '1000.00', exportDate: '2026-06-01', quantity: '50', invoiceStatus: 'verified' };
      const invoice = await steps.invoiced(wanted, { ...at, purchase });
      const { db } = rules.example.services;
      await db.query(`update goods_invoice__matches set ${column} = $2 where parent_id = $1::uuid`, [invoice, value]); // prettier-ignore
      const answer = await rules.act('dc.aa', 'goods_invoice', invoice, 'match');
      expect([answer.status, [answer.msg, ...answer.problems.map((one) => one.message)]]).toEqual([400, expect.arrayContaining([message])]); // prettier-ignore
    },
  );

  it('an invoice that brings more than the purchase was agreed for is not matched (L34)', STORY, async () => {
    const at = await steps.exported({ net: '550000.00', exportDate: '2026-06-01', matched: '50' });
    const purchase = String((await rules.stored('shipment__items', at.shipmentLine))['purchase_contract_id']);
    const wanted = { exportDate: '2026-06-01', quantity: '50', invoiceStatus: 'verified' };
    const over = await steps.invoiced({ ...wanted, net: '40000.00' }, { ...at, purchase });
    const answer = await refusal(rules.act('dc.aa', 'goods_invoice', over, 'match'));
    expect(answer).toEqual([400, '回票金额超过采购合同金额']);
    const fitting = await steps.invoiced({ ...wanted, net: '10000.00' }, { ...at, purchase });
    await must(rules.act('dc.aa', 'goods_invoice', fitting, 'match'));
  });

  it('a closed declaration is not withdrawn from under its refund', STORY, async () => {
    const { refund, declaration } = await steps.exported({ net: '1000.00', exportDate: '2026-06-01' });
    const back = rules.act('tm.aa', 'customs_declaration', declaration, 'revoke', { opinion: '海关同意' });
    expect((await refusal(back))[0]).toBe(409);
    expect(await statusOf('tax_refund', refund)).toBe('collecting');
  });
});

it('tells people of every step of a refund', async () => {
  const steps = [
    'REFUND_DECLARED',
    'REFUND_RECEIVED',
    'REFUND_LETTER',
    'LETTER_REPLIED',
    'REFUND_CLAWBACK',
    'REFUND_DEEMED',
  ];
  const told = await rules.example.services.db.query<{ event: string }>(
    'select distinct event from sys_notice where event = any($1::text[])',
    [steps],
  );
  expect(told.map(({ event }) => event).toSorted()).toEqual(steps.toSorted());
});
