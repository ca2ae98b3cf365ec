import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyToday } from '#engine/values/dates.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { VOUCHER_INVARIANTS } from '#server/business/invariants/voucher-invariants.ts';
import { SETTLEMENT_INVARIANTS } from '#server/business/invariants/settlement-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';
import { type Export, exportSteps } from './settled-export.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let refunds: ReturnType<typeof refundSteps>;
let exports: ReturnType<typeof exportSteps>;

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

const OPEN = [400, '退税未到账，请勾选退税不计入并填写原因'] as const;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  refunds = refundSteps(rules, money);
  exports = exportSteps(rules, money, refunds);
  const hs = { name: '退税率低于征税率的阀门', unit1: '035', vat_rate: '13', status: 'active' };
  const cny = { currency: 'CNY', kind: 'usd_cross', date: '2024-01-01', rate: '0.140000', source: '手工' };
  const [currency] = await rules.example.services.db.query<{ id: string }>(`select id from currency where code = 'CNY'`, []); // prettier-ignore
  await rules.given('currency_rate', { ...cny, currency_id: currency?.id });
  await rules.given('hs_code', { ...hs, code: '8481809990', refund_rate: '9', valid_from: '2024-12-01' });
}, 600_000);
afterAll(() => rules.example.close());

const stored = (id: string): Promise<Fields> => rules.stored('project_settlement', id);

async function calculated(of: Fields): Promise<string> {
  const id = await moves.draft('sp.aa', 'project_settlement', { settle_date: '2026-11-22', ...of });
  await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
  return id;
}

const ofShipment = ({ shipment }: Export): Promise<string> =>
  calculated({ object_kind: 'shipment', shipment_id: shipment });

const submit = (id: string) => rules.act('sp.aa', 'project_settlement', id, 'submit');

/** From the complete papers to the money of the tax office. */
async function refunded(id: string, amount: string): Promise<void> {
  await must(refunds.run(id, 'ready'));
  await must(refunds.declare(id));
  await must(refunds.accept(id));
  await must(refunds.receive(id, amount));
}

async function taken(refund: string, amount: string): Promise<void> {
  const back = {
    clawback_amount: amount,
    clawback_date: '2026-11-22',
    clawback_account_id: money.accounts.cny,
  };
  await must(refunds.run(refund, 'clawback', back, '税务机关要求追回'));
  await must(money.decide('gm.aa', 'tax_refund', refund));
}

describe('the refund of a settlement', () => {
  it('is waited for declaration by declaration, or excluded with a reason', STORY, async () => {
    const of = await exports.shipped('结算退税甲A');
    const first = await exports.closed(of, '50');
    const second = await exports.closed(of, '50');
    const id = await ofShipment(of);
    expect(await refusal(submit(id))).toEqual(OPEN);
    await refunded(first, '360.00');
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({ refund_amount: '360.00' });
    // One of the two has come: the other is still waited for.
    expect(await refusal(submit(id))).toEqual(OPEN);
    const { version } = await stored(id);
    const excluded = { version, refund_excluded: true, refund_excluded_reason: '另行结算' };
    await must(rules.as('sp.aa', 'PATCH', `/data/project_settlement/${id}`, excluded));
    await must(submit(id));
    expect(await rules.stored('tax_refund', second)).toMatchObject({ status: 'collecting' });
  });

  it('is done with when the goods are deemed sold at home', STORY, async () => {
    const of = await exports.shipped('结算退税乙B');
    const refund = await exports.closed(of, '100');
    await must(refunds.run(refund, 'deem', {}, '买家破产，无法收汇'));
    const id = await ofShipment(of);
    expect(await refusal(submit(id))).toEqual(OPEN);
    await must(money.decide('gm.aa', 'tax_refund', refund));
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    await must(submit(id));
  });

  it('is waited for before the declaration is closed', STORY, async () => {
    const of = await exports.shipped('结算退税丙C');
    await exports.released(of, '100');
    const id = await ofShipment(of);
    expect(await refusal(submit(id))).toEqual([400, '报关单未结关，退税未到账，请勾选退税不计入并填写原因']);
  });

  it('of a project is that of each of its shipments', STORY, async () => {
    const project = await exports.project('自营退税项目');
    const one = await exports.shipped('自营退税甲D', { project });
    const other = await exports.shipped('自营退税乙E', { project });
    await refunded(await exports.closed(one, '100'), '720.00');
    const waiting = await exports.closed(other, '100');
    const id = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await refusal(submit(id))).toEqual(OPEN);
    await refunded(waiting, '720.00');
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({ refund_amount: '1440.00', company_profit: '21440.00' });
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    // Who handed it in is told by its own event, not also that it is approved.
    expect(await rules.toldOf(id, 'sp.aa')).toEqual(['SETTLED']);
    expect(await rules.stored('shipment', other.shipment)).toMatchObject({ status: 'settled' });
  });
});

describe('a refund that was left out of the settlement', () => {
  const EXCLUDED = { refund_excluded: true, refund_excluded_reason: '退税周期长，另行结算' };

  async function settled(id: string): Promise<void> {
    const { version } = await stored(id);
    await must(rules.as('sp.aa', 'PATCH', `/data/project_settlement/${id}`, { version, ...EXCLUDED }));
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
  }

  /** The entries of a document, each with its shipment where it has one. */
  async function entries(id: string): Promise<readonly string[]> {
    const rows = await rules.example.services.db.query<{ text: string }>(
      `select concat_ws(' ', entry_type, amount, case when shipment_id is not null then 'of a shipment' end) as text
       from fund_ledger_entry where source_id = $1 order by entry_no`,
      [id],
    );
    return rows.map(({ text }) => text);
  }

  const sale = { currency: 'USD', exportDate: '2026-06-01', rate: { rebate_service_rate: '2' } };
  const FEE = ['POOL 1476.80|', 'REV_REBATE_FEE |1393.21', 'VAT_OUT |83.59'];
  const IN = 'BANK_CNY 73840.00|';
  it.each([
    ['rebate_agent', [IN, 'POOL |73840.00', ...FEE]],
    ['buyout', [IN, 'AR_REFUND |73840.00', 'COGS 73840.00|', 'POOL |73840.00', ...FEE]],
  ] as const)(
    'at the risk of the partner is in his pool when it comes: %s',
    STORY,
    async (mode, vouchers) => {
      const { refund, of, shipment } = await refunds.exported({
        ...sale,
        mode,
        net: '568000.00',
        fob: '80000.00',
      });
      const id = await calculated({ object_kind: 'shipment', shipment_id: shipment });
      expect(await refusal(submit(id))).toEqual(OPEN);
      await settled(id);
      await refunded(refund, '73840.00');
      expect(await refunds.read(refund)).toMatchObject({ status: 'received', outstanding: '0.00' });
      expect(await entries(refund)).toEqual(['REBATE_RCV 73840.00', 'REBATE_FEE -1476.80']);
      expect(await money.pool(of)).toEqual(['72363.20', '0.00', '72363.20']);
      expect(await refunds.vouchers(refund, 'REFUND_IN')).toEqual(vouchers);
      // The fee of it may be invoiced, and the customer gets what the tax office leaves him.
      expect(await rules.stored('shipment', shipment)).toMatchObject({ late_rebate_fee: '1476.80' });
      await taken(refund, '1000.00');
      const payee = { payee_name: of.buyerName, payee_account: '62221111', payee_bank: '中国银行' };
      const fee = { fee_item: 'other', amount: '71363.20', invoice_due: companyToday(new Date()) };
      const out = { pay_type: 'other', payee_kind: 'partner', ...payee, fee_lines: [fee] };
      const payment = await money.payment(of, out);
      await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
      await money.pay(payment, ['dm.aa', 'tm.aa', 'fn2.aa']);
      expect((await money.pool(of))[0]).toBe('0.00');
    },
  );

  it('at the risk of the company is in no pool of the partner', STORY, async () => {
    const of = await exports.shipped('结算另退甲T');
    const refund = await exports.closed(of, '100');
    await settled(await ofShipment(of));
    const before = await money.pool(of.of);
    await refunded(refund, '720.00');
    expect(await refunds.read(refund)).toMatchObject({ status: 'received', outstanding: '0.00' });
    expect([await entries(refund), await money.pool(of.of)]).toEqual([[], before]);
    expect(await refunds.vouchers(refund, 'REFUND_IN')).toEqual(['BANK_CNY 720.00|', 'AR_REFUND |720.00']);
    // It was in no profit: what the tax office takes back of it is a loss of none.
    await taken(refund, '720.00');
    expect(await refunds.read(refund)).toMatchObject({ company_loss: '0.00', unshared_loss: '0.00' });
  });

  it('of own business is in the pool of its project', STORY, async () => {
    const project = await exports.project('自营另退项目');
    const of = await exports.shipped('自营另退甲U', { project });
    const refund = await exports.closed(of, '100');
    const id = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    await settled(id);
    await refunded(refund, '720.00');
    expect(await entries(refund)).toEqual(['REBATE_RCV 720.00']);
    expect(await rules.stored('project', project)).toMatchObject({ pool_balance: '10720.00' });
  });

  it('of a settlement that waited for it is not received after it', STORY, async () => {
    const of = await exports.shipped('结算另退乙V');
    const refund = await exports.closed(of, '100');
    await settled(await ofShipment(of));
    await rules.example.services.db.query('update project_settlement set refund_excluded = false where shipment_id = $1::uuid', [of.shipment]); // prettier-ignore
    await must(refunds.run(refund, 'ready'));
    await must(refunds.declare(refund));
    await must(refunds.accept(refund));
    expect(await refusal(refunds.receive(refund, '720.00'))).toEqual([400, '明细单已结算，不能操作']);
  });
});

describe('a tax loss that the company bears', () => {
  it(
    "is its cost when it comes before the settlement, the commission's after it, and never both",
    STORY,
    async () => {
      const of = await exports.shipped('结算损失甲F');
      const deemed = await exports.closed(of, '50');
      const back = await exports.closed(of, '40');
      const late = await exports.closed(of, '10');
      await must(refunds.run(deemed, 'deem', {}, '买家破产，无法收汇'));
      await must(money.decide('gm.aa', 'tax_refund', deemed));
      await refunded(back, '288.00');
      await refunded(late, '72.00');
      await taken(back, '188.00');
      const id = await ofShipment(of);
      // 575.22 of output VAT less the 160.00 that were not refundable, and 188.00 taken back.
      expect(await stored(id)).toMatchObject({
        ...{ risk_bearer: 'company', received_cny: '10000.00', refund_amount: '360.00', fee_due: '10360.00' },
        ...{ company_cost: '603.22', company_profit: '9756.78' },
        // What the company earns at its own risk is no fee of the statement that the partner gets.
        ...{ fee_shown: null, trueup_shown: null },
      });
      const paper = JSON.stringify(
        await must(rules.as('fn.aa', 'GET', `/data/project_settlement/${id}/print/statement`)),
      );
      const known = ['收汇（人民币）', '收付差额归我司，不形成结余', '应收代理费', '补收代理费', '10360.00'];
      expect(known.map((text) => paper.includes(text))).toEqual([true, true, false, false, false]);
      // Taken back after the figures were taken: they are taken anew.
      await must(submit(id));
      await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
      await taken(late, '72.00');
      expect(await rules.stored('tax_refund', late)).toMatchObject({
        company_loss: '0.00',
        unshared_loss: '72.00',
      });
      expect(await rules.stored('tax_refund', back)).toMatchObject({
        company_loss: '188.00',
        unshared_loss: '0.00',
      });
      expect(await rules.stored('shipment', of.shipment)).toMatchObject({
        company_cost: '603.22',
        tax_losses: '603.22',
      });
      await must(rules.act('fn.aa', 'project_settlement', id, 'reverse', { opinion: '重算' }));
      await money.approve('project_settlement', id, ['gm.aa']);
      const again = await ofShipment(of);
      expect(await stored(again)).toMatchObject({ company_cost: '603.22', company_profit: '9756.78' });
    },
  );

  it('of own business is in the pool of its project already', STORY, async () => {
    const project = await exports.project('自营损失项目');
    const of = await exports.shipped('自营损失甲G', { project });
    const refund = await exports.closed(of, '100');
    await refunded(refund, '720.00');
    await taken(refund, '200.00');
    const id = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({
      ...{
        refund_amount: '720.00',
        finance_cost: '200.00',
        company_cost: '0.00',
        company_profit: '10520.00',
      },
    });
    expect(await rules.stored('project', project)).toMatchObject({
      ...{ actual_income: '10720.00', actual_cost: '200.00', pool_balance: '10520.00' },
    });
  });

  it('of the partner after the settlement is taken from the pool in the books too', STORY, async () => {
    const of = await exports.shipped('结算损失丙R');
    const back = await exports.closed(of, '50');
    const deemed = await exports.closed(of, '50');
    await refunded(back, '360.00');
    const { db } = rules.example.services;
    await db.query(`update shipment set status = 'settled' where id = $1::uuid`, [of.shipment]);
    await db.query(`update tax_refund set loss_bearer = 'partner' where shipment_id = $1::uuid`, [
      of.shipment,
    ]);
    await taken(back, '100.00');
    expect(await refunds.vouchers(back, 'CLAWBACK')).toEqual([
      ...['COGS 100.00|', 'BANK_CNY |100.00'],
      ...['POOL 100.00|', 'COGS |100.00'],
    ]);
    await must(refunds.run(deemed, 'deem', {}, '买家破产，无法收汇'));
    await must(money.decide('gm.aa', 'tax_refund', deemed));
    expect((await refunds.vouchers(deemed, 'DEEMED_SALE')).slice(-2)).toEqual([
      'POOL 575.22|',
      'COGS |575.22',
    ]);
  });

  it('of own business after a settlement that is undone is in the profit of the next', STORY, async () => {
    const project = await exports.project('自营重结项目');
    const of = await exports.shipped('自营重结甲S', { project });
    const refund = await exports.closed(of, '100');
    await refunded(refund, '720.00');
    const first = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', first, 'calculate'));
    expect(await stored(first)).toMatchObject({ company_profit: '10720.00' });
    await must(submit(first));
    await money.approve('project_settlement', first, ['dm.aa', 'fn.aa']);
    await taken(refund, '200.00');
    expect(await rules.stored('tax_refund', refund)).toMatchObject({ unshared_loss: '200.00' });
    await must(rules.act('fn.aa', 'project_settlement', first, 'reverse', { opinion: '重算' }));
    await money.approve('project_settlement', first, ['gm.aa']);
    expect(await rules.stored('project', project)).toMatchObject({ status: 'active' });
    expect(await rules.stored('tax_refund', refund)).toMatchObject({ unshared_loss: '0.00' });
    const next = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', next, 'calculate'));
    expect(await stored(next)).toMatchObject({ company_profit: '10520.00' });
    await must(submit(next));
    await money.approve('project_settlement', next, ['dm.aa', 'fn.aa']);
    await must(rules.act('fn.aa', 'tax_refund', refund, 'redeclare', { opinion: '重新申报' }));
    expect(await rules.stored('tax_refund', refund)).toMatchObject({
      settlement_id: next,
      unshared_loss: '0.00',
    });
  });
});

/** The cover of an export that nobody has paid for, in a state. */
async function insured({ of, shipment, currency }: Export, status: string): Promise<string> {
  const cover = {
    kind: 'sinosure',
    currency,
    insured_amount: '10000',
    cover_ratio: '90',
    rate: '0.35',
  };
  const terms = { payment_term: 'OA', term_days: 60, ship_date: '2026-06-01', declared_date: '2026-06-05' };
  return rules.given('insurance_application', {
    ...{ business_type: 'agency', partner_id: of.partner, buyer_id: of.buyer, shipment_id: shipment },
    ...{ ...cover, ...terms, sales_id: rules.example.masters.sales, dept_code: 'AA', status },
  });
}

const writesOff = (shipment: string, amount: string) =>
  rules.act('rk.aa', 'shipment', shipment, 'write_off', { opinion: '买家破产', inputs: { amount } });

describe('what is not paid', () => {
  it('is cleared from the receivables shipment by shipment when a project is settled', STORY, async () => {
    const project = await exports.project('自营扣费项目');
    const short = await exports.shipped('自营扣费甲H', { project, currency: 'USD', received: '9990.00' });
    const lost = await exports.shipped('自营扣费乙I', { project, currency: 'USD', received: '4000.00' });
    await must(writesOff(lost.shipment, '6000.00'));
    expect(await rules.stored('shipment', lost.shipment)).toMatchObject({
      ...{ written_off_amount: '6000.00', written_off_on: companyToday(new Date()) },
    });
    const id = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({ short_cny: '71.00', written_off_cny: '42600.00' });
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    expect(await moves.vouchers(id)).toEqual([
      ['BANK_EXP', '71.00', ''],
      ['AR_FOREIGN', '', '71.00'],
      ['BAD_DEBT', '42600.00', ''],
      ['AR_FOREIGN', '', '42600.00'],
    ]);
    const rows = await rules.example.services.db.query<Fields>(
      `select e.shipment_id, e.buyer_id, e.fc_amount from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       where v.source_id = $1 and e.posting_key = 'AR_FOREIGN' order by e.line_order`,
      [id],
    );
    expect(rows).toEqual([
      { shipment_id: short.shipment, buyer_id: short.of.buyer, fc_amount: '10.00' },
      { shipment_id: lost.shipment, buyer_id: lost.of.buyer, fc_amount: '6000.00' },
    ]);
  });

  it('at all is written off and settled', STORY, async () => {
    const of = await exports.shipped('结算核销甲J', { received: null });
    await must(writesOff(of.shipment, '4000.00'));
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ recv_progress: 'partial' });
    await must(writesOff(of.shipment, '6000.00'));
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({
      recv_progress: 'full',
      unreceived: '0.00',
    });
    const id = await ofShipment(of);
    expect(await stored(id)).toMatchObject({ written_off_cny: '10000.00' });
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    expect(await moves.vouchers(id)).toEqual([
      ['BAD_DEBT', '10000.00', ''],
      ['AR_FOREIGN', '', '10000.00'],
    ]);
  });

  it('is a bad debt so far as the insurer has not paid for it', STORY, async () => {
    const of = await exports.shipped('结算赔款甲Q', { currency: 'USD', received: null });
    const cover = await insured(of, 'indemnified');
    const paid = { payer_kind: 'insurer', payer_name: '信保', amount: '63900.00', value_date: '2026-11-20' };
    const bank = { bank_account_id: money.accounts.cny, bank_ref: money.key() };
    const owner = { partner_id: of.of.partner, shipment_id: of.shipment, insurance_id: cover };
    await moves.done('fn.aa', 'domestic_receipt', { kind: 'indemnity', ...owner, ...paid, ...bank }, [
      'fn2.aa',
    ]);
    await must(writesOff(of.shipment, '10000.00'));
    const id = await ofShipment(of);
    expect(await stored(id)).toMatchObject({ written_off_cny: '71000.00' });
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    expect(await moves.vouchers(id)).toEqual([
      ['BAD_DEBT', '7100.00', ''],
      ['AR_FOREIGN', '', '7100.00'],
    ]);
    // With what the indemnity cleared, the whole invoice and no more.
    const cleared = await rules.example.services.db.query(
      `select sum(credit)::text as cny, sum(fc_amount)::text as usd from finance_voucher__entries
       where posting_key = 'AR_FOREIGN' and shipment_id = $1::uuid`,
      [of.shipment],
    );
    expect(cleared).toEqual([{ cny: '71000.00', usd: '10000.00' }]);
  });
});

it('an insured shipment is written off when the insurer has paid or is let go', STORY, async () => {
  const of = await exports.shipped('结算核销乙N', { received: '4000.00' });
  const cover = await insured(of, 'underwritten');
  expect(await refusal(writesOff(of.shipment, '6000.00'))).toEqual([400, '信保尚未赔付或关闭，不能核销']);
  await must(rules.act('rk.aa', 'insurance_application', cover, 'close'));
  await must(writesOff(of.shipment, '6000.00'));
});

describe('the days that the money was late', () => {
  it('of a project are those of its latest shipment', STORY, async () => {
    const project = await exports.project('自营逾期项目');
    await exports.shipped('自营逾期甲K', { project, day: '2026-11-20' });
    await exports.shipped('自营逾期乙L', { project, day: '2026-11-19' });
    const id = await exports.settling(project);
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    // Due on 2026-06-01.
    expect(await stored(id)).toMatchObject({ days_late: '172' });
  });

  it('end when an advance came, not when it was moved to the shipment', STORY, async () => {
    const of = await exports.shipped('结算逾期甲M', { received: null });
    const line = { nature: 'advance', contract_id: of.contract };
    const { split, splitLine } = await exports.came(of, { amount: '10000.00', day: '2026-11-18', line });
    const inputs = { split_line: splitLine, shipment_id: of.shipment, amount: '10000.00' };
    await must(rules.act('sp.aa', 'receipt_split', split, 'apply_advance', { inputs }));
    const id = await ofShipment(of);
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ recv_progress: 'full' });
    expect(await stored(id)).toMatchObject({ days_late: '170' });
  });
});

describe('a deposit that the customer paid for his shipment', () => {
  it('is none of the margin, and goes back or is forfeited when the shipment is settled', STORY, async () => {
    const { act } = rules;
    const of = await exports.shipped('结算保证金甲P');
    const { partner } = of.of;
    const deposit = await moves.draft('sp.aa', 'deposit', {
      ...{
        kind: 'in_order',
        partner_id: partner,
        shipment_id: of.shipment,
        amount: '50000.00',
        source: 'cash',
      },
    });
    await must(act('sp.aa', 'deposit', deposit, 'register'));
    const came = { kind: 'deposit', deposit_id: deposit, partner_id: partner, payer_name: '结算保证金甲P' };
    const receipt = await moves.done(
      'fn.aa',
      'domestic_receipt',
      {
        ...{ ...came, amount: '50000.00', value_date: '2026-11-20' },
        ...{ bank_account_id: money.accounts.cny, bank_ref: money.key() },
      },
      ['fn2.aa'],
    );
    expect(await rules.stored('domestic_receipt', receipt)).toMatchObject({ shipment_id: of.shipment });
    const giveBack = (move_amount: string) =>
      act('fn.aa', 'deposit', deposit, 'give_back', { inputs: { move_amount } });
    await must(giveBack('20000.00'));
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ pool_sum: '10000.00' });
    const id = await ofShipment(of);
    expect(await stored(id)).toMatchObject({
      ...{ risk_bearer: 'company', entries_sum: '10000.00', fee_due: '10000.00', residual: '0.00' },
    });
    await must(submit(id));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    expect(await money.entries(id)).toEqual([['FEE_TRUEUP', '-10000.00']]);
    expect([await money.pool(of.of), await money.pool(of.of, 'deposit')].map(([left]) => left)).toEqual([
      '20000.00',
      '30000.00',
    ]);

    await must(giveBack('10000.00'));
    // Back then into the estimate of the settlement, which is closed now: into the pool.
    expect((await moves.vouchers(deposit)).filter(([, , credit]) => credit !== '')).toEqual([
      ['AP_ESTIMATE', '', '20000.00'],
      ['POOL', '', '10000.00'],
    ]);
    await rules.example.services.db.query(
      'update deposit set evidence = array[gen_random_uuid()] where id = $1::uuid',
      [deposit],
    );
    const lost = { inputs: { move_amount: '20000.00', reason: '违约' } };
    await must(act('rk.aa', 'deposit', deposit, 'forfeit', lost));
    await money.approve('deposit', deposit, ['gm.aa']);
    expect(await rules.stored('deposit', deposit)).toMatchObject({
      status: 'forfeited',
      left_amount: '0.00',
    });
    expect([await money.pool(of.of), await money.pool(of.of, 'deposit')].map(([left]) => left)).toEqual([
      '30000.00',
      '0.00',
    ]);
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ pool_sum: '0.00' });
    await checkInvariants(rules.example.services, [...SETTLEMENT_INVARIANTS, ...VOUCHER_INVARIANTS]);
    const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT' and content ~ 'INV-1[5679]'`;
    expect(await rules.example.services.db.query(told, [])).toEqual([]);
  });
});
