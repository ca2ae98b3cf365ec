import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { financingSteps } from './financing-steps.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let steps: ReturnType<typeof refundSteps>;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  steps = refundSteps(rules, money);
  await rules.given('currency', { code: 'EUR', name: '欧元', symbol: '€', decimals: 2, status: 'active' });
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

/** A rate in force; a younger one than the trader's own where no day is said. */
const rateOf = (partner: string | null, values: Fields): Promise<string> =>
  rules.given('partner_rate', {
    ...{ sales_id: rules.example.masters.sales, dept_code: 'AA', partner_id: partner, status: 'active' },
    ...{ fee_basis: 'per_usd', fee_rate: '0.05', vat_included: true, valid_from: '2025-01-01' },
    ...values,
  });

/** USD 1,000.00 for a shipment of that amount, posted: in its CNY pool or held. */
async function arrived(of: Trader, settle_mode: 'spot' | 'hold'): Promise<string> {
  return arrivedFor(of, await money.shipment(of, await money.contract(of), { quantity: '100' }), settle_mode);
}

async function arrivedFor(
  of: Trader,
  shipment: string,
  settle_mode: 'spot' | 'hold',
  nature = 'goods',
  changes: Fields = {},
): Promise<string> {
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '1000.00');
  const lines = [{ nature, settle_mode, shipment_id: shipment, amount: '1000.00' }];
  return money.split(receipt, claim, {
    ...(settle_mode === 'spot' ? { settle_rate: '7.100000' } : {}),
    ...changes,
    lines,
  });
}

/** What is held of a split is sold to the bank at 7.12. Answers the slip. */
async function sold(split: string): Promise<string> {
  const [holding] = await rules.example.services.db.query<{ id: string }>(
    'select id from fx_holding where split_id = $1::uuid',
    [split],
  );
  const slip = {
    ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
    ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
    ...{ amount: '1000.00', bank_rate: '7.120000', amount_cny: '7120.00' },
  };
  const lines = [{ source_kind: 'hold', holding_id: holding?.id, amount: '1000.00' }];
  return moves.done('tr.aa', 'fx_settlement', { ...slip, lines }, ['fn.aa']);
}

describe('a partner with a rate for all currencies and one for EUR', () => {
  it('has his dollars sold at the spread and the fee of the one for all', STORY, async () => {
    const rate = { fee_basis: 'pct_cny', fee_rate: '1', fx_spread: '0.01' };
    const of = await money.trader('两种费率A', { rate });
    await rateOf(of.partner, { ...rate, currency: 'EUR', fee_rate: '5', fx_spread: '0.5' });
    const split = await arrived(of, 'hold');
    expect(await money.entries(split)).toEqual([['RCV_HOLD', '1000.00']]);
    expect(await money.entries(await sold(split))).toEqual([
      ['HOLD_OUT', '-1000.00'],
      ['HOLD_IN', '7110.00'],
      ['AGENCY_FEE', '-71.10'],
    ]);
  });

  it('pays no fee for samples that were held, as for those that were not', STORY, async () => {
    const of = await money.trader('样品暂挂A', {
      rate: { fee_basis: 'pct_cny', fee_rate: '1', fx_spread: '0.01' },
    });
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const split = await arrivedFor(of, shipment, 'hold', 'sample');
    expect(await money.entries(await sold(split))).toEqual([
      ['HOLD_OUT', '-1000.00'],
      ['HOLD_IN', '7110.00'],
    ]);
  });

  it('pays the fee on a refund that the one for all says', STORY, async () => {
    const { refund, of } = await steps.exported({
      ...{
        mode: 'rebate_agent',
        net: '568000.00',
        fob: '80000.00',
        currency: 'USD',
        exportDate: '2026-06-01',
      },
      rate: { rebate_service_rate: '2' },
    });
    await rateOf(of.partner, { currency: 'EUR', rebate_service_rate: '9' });
    await must(steps.run(refund, 'ready'));
    await must(steps.declare(refund));
    await must(steps.accept(refund));
    await must(steps.receive(refund, '73840.00'));
    expect(await money.entries(refund)).toEqual([
      ['REBATE_RCV', '73840.00'],
      ['REBATE_FEE', '-1476.80'],
    ]);
  });

  it('borrows at the one for all, and not at that of another mode of export', STORY, async () => {
    const loans = financingSteps(rules, money);
    const of = await loans.borrower('两种费率B', '100000');
    await rateOf(of.partner, { currency: 'EUR', fin_daily_rate: '0.03' });
    await rateOf(of.partner, { export_mode: 'buyout', fin_daily_rate: '0.04' });
    const loan = await loans.draft(of, { daily_rate: undefined });
    expect((await loans.read(loan))['daily_rate']).toBe('0.018000');
  });
});

describe('a rate that is followed by another while money is held', () => {
  const PER_USD = { fee_basis: 'per_usd', fee_rate: '0.05' };
  const PERCENT = { fee_basis: 'pct_cny', fee_rate: '1' };
  it.each([
    ['by dollars, then per cent', '新旧费率A', PER_USD, PERCENT, ['-50.00'], []],
    ['per cent, then by dollars', '新旧费率B', PERCENT, PER_USD, [], ['-71.20']],
    ['per cent, then more of it', '新旧费率C', PERCENT, { ...PERCENT, fee_rate: '2' }, [], ['-71.20']],
  ])('charges once, at the rate of the split: %s', STORY, async (_, name, first, next, atSplit, atSale) => {
    const of = await money.trader(name, { rate: { ...first, valid_to: '2026-11-19' } });
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const split = await arrivedFor(of, shipment, 'hold', 'goods', { split_date: '2026-11-19' });
    await rateOf(of.partner, { ...next, valid_from: '2026-11-20' });
    const fees = async (id: string) =>
      (await money.entries(id)).filter(([type]) => type === 'AGENCY_FEE').map(([, amount]) => amount);
    expect(await fees(split)).toEqual(atSplit);
    expect(await fees(await sold(split))).toEqual(atSale);
  });
});

describe("the company's rate", () => {
  it('holds for a partner whose own was disabled, and for nobody who has one', STORY, async () => {
    const own = await money.trader('默认费率A', { rate: { fx_spread: '0.01' } });
    const of = await money.trader('默认费率B', { rate: { fx_spread: '0.01' } });
    const [rate] = await rules.example.services.db.query<{ id: string }>(
      'select id from partner_rate where partner_id = $1::uuid',
      [of.partner],
    );
    const disable = () => rules.act('tm.aa', 'partner_rate', rate?.id ?? '', 'disable');
    // What is said of euros stands in for nothing else.
    await rateOf(null, { currency: 'EUR', fee_rate: '0.9' });
    expect(await refusal(disable())).toEqual([400, '停用后没有适用的费率']);
    await rateOf(null, { fee_rate: '0.02', fx_spread: '0.02' });
    await must(disable());
    const split = await arrived(of, 'spot');
    expect(await money.entries(split)).toEqual([
      ['RCV_SETTLE', '7100.00'],
      ['AGENCY_FEE', '-20.00'],
    ]);
    expect(await money.entries(await sold(await arrived(of, 'hold')))).toEqual([
      ['HOLD_OUT', '-1000.00'],
      ['HOLD_IN', '7100.00'],
    ]);
    expect(await money.entries(await arrived(own, 'spot'))).toContainEqual(['AGENCY_FEE', '-50.00']);
    expect(await money.entries(await sold(await arrived(own, 'hold')))).toContainEqual([
      'HOLD_IN',
      '7110.00',
    ]);
  });
});

describe('the risk of a shipment', () => {
  /** The agreement of a partner is followed by one in which the company bears the risk. */
  async function renewed(
    { partner }: Trader,
    ended = '2030-12-31',
    start_date = '2026-05-01',
  ): Promise<void> {
    const { db } = rules.example.services;
    const [old] = await db.query<Fields>('select * from cooperation_agreement where partner_id = $1::uuid', [
      partner,
    ]);
    const ending = `update cooperation_agreement set status = 'renewed', end_date = $2 where partner_id = $1::uuid`;
    await db.query(ending, [partner, ended]);
    await rules.given('cooperation_agreement', {
      ...{
        sales_id: rules.example.masters.sales,
        dept_code: 'AA',
        partner_id: partner,
        rate_id: old?.['rate_id'],
      },
      ...{
        agreement_type: 'agency',
        export_mode: 'buyout',
        start_date,
        end_date: '2029-04-30',
      },
      ...{
        receipt_days: 180,
        foreign_risk_party: 'company',
        goods_risk_party: 'company',
        fx_party: 'company',
      },
      status: 'effective',
    });
  }

  it(
    'stays that of its agreement when money, refund and settlement come under the next one',
    STORY,
    async () => {
      const { refund, of, shipment } = await steps.exported({
        ...{ net: '550000.00', fob: '1000.00', currency: 'USD', exportDate: '2026-06-01', isPaid: false },
        rate: { rebate_service_rate: '2' },
      });
      await renewed(of);
      const split = await arrivedFor(of, shipment, 'spot');
      expect(await money.entries(split)).toEqual([
        ['RCV_SETTLE', '7100.00'],
        ['AGENCY_FEE', '-50.00'],
      ]);
      await must(steps.run(refund, 'ready'));
      await must(steps.declare(refund));
      await must(steps.accept(refund));
      await must(steps.receive(refund, '71500.00'));
      expect(await money.entries(refund)).toEqual([
        ['REBATE_RCV', '71500.00'],
        ['REBATE_FEE', '-1430.00'],
      ]);
      expect(await steps.read(refund)).toMatchObject({ risk: 'partner', loss_bearer: 'partner' });
      expect(await steps.vouchers(refund, 'REFUND_IN')).toContain('REV_REBATE_FEE |1349.06');
      const settlement = { object_kind: 'shipment', shipment_id: shipment, settle_date: '2026-11-22', residual_to: 'keep' }; // prettier-ignore
      const drawn = await moves.draft('sp.aa', 'project_settlement', settlement);
      expect((await rules.stored('project_settlement', drawn))['risk_bearer']).toBe('partner');
    },
  );

  /** The money of a shipment of USD 1,000.00 that is approved once another agreement stands or none. */
  const boughtOut = { export_mode: 'buyout' };
  const FEE = [
    ['RCV_SETTLE', '7100.00'],
    ['AGENCY_FEE', '-50.00'],
  ];

  it(
    'is that of the agreement of its day, though the next one began before the approval',
    STORY,
    async () => {
      const of = await money.trader('续签风险A', boughtOut);
      const contract = await money.contract(of, boughtOut);
      await renewed(of, '2026-10-31', '2026-11-01');
      const shipment = await money.shipment(of, contract, { quantity: '100' }, boughtOut);
      expect((await rules.stored('shipment', shipment))['risk_bearer']).toBe('partner');
      expect(await money.entries(await arrivedFor(of, shipment, 'spot'))).toEqual(FEE);
    },
  );

  it(
    'is that of its contract where no agreement covers its day, and no buyout goes in without',
    STORY,
    async () => {
      const { db } = rules.example.services;
      const of = await money.trader('到期风险A', boughtOut);
      const contract = await money.contract(of, boughtOut);
      const ended = `update cooperation_agreement set status = 'expired', end_date = '2026-09-30' where partner_id = $1::uuid`;
      await db.query(ended, [of.partner]);
      const shipment = await money.shipment(of, contract, { quantity: '100' }, boughtOut);
      expect((await rules.stored('shipment', shipment))['risk_bearer']).toBe('partner');
      expect(await money.entries(await arrivedFor(of, shipment, 'spot'))).toEqual(FEE);
      await db.query('update export_contract set agreement_id = null where id = $1::uuid', [contract]);
      const draft = { ...boughtOut, status: 'draft' };
      const without = await money.shipment(of, contract, { quantity: '100' }, draft);
      const refused = await rules.act('sp.aa', 'shipment', without, 'submit');
      expect(refused.status).toBe(400);
      expect(refused.problems).toContainEqual(
        expect.objectContaining({
          path: 'partner_id',
          message: expect.stringContaining('没有该出口模式的合作协议'),
        }),
      );
    },
  );

  it('makes the rate of a partner a margin as long as such an agreement is in force', STORY, async () => {
    const of = await money.trader('差价A', { export_mode: 'buyout' });
    const added = async (export_mode: string): Promise<string> => {
      const terms = { fee_basis: 'per_usd', fee_rate: '0.05', currency: 'EUR', valid_from: '2026-01-01' };
      const body = { partner_id: of.partner, export_mode, ...terms };
      return String((await must(rules.as('tm.aa', 'POST', '/data/partner_rate', body)))['id']);
    };
    const isMargin = async (rate: string): Promise<unknown> =>
      (await must(rules.as('tm.aa', 'GET', `/data/partner_rate/${rate}`)))['is_margin'];
    const rate = await added('buyout');
    expect(await isMargin(rate)).toBe(false);
    await renewed(of);
    const [mine, other] = [await added('buyout'), await added('entrusted')];
    expect([await isMargin(mine), await isMargin(other)]).toEqual([true, false]);
    const [agreement] = await rules.example.services.db.query<{ id: string }>(
      `select id from cooperation_agreement where partner_id = $1::uuid and status = 'effective'`,
      [of.partner],
    );
    await must(
      rules.act('tm.aa', 'cooperation_agreement', agreement?.id ?? '', 'terminate', { opinion: '解约' }),
    );
    expect([await isMargin(rate), await isMargin(mine)]).toEqual([false, false]);
  });

  it('is that of the agreement of the day where an advance has no shipment', STORY, async () => {
    const of = await money.trader('预收风险A', { export_mode: 'buyout' });
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const advance = async (): Promise<string> => {
      const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
      const claim = await money.claim(receipt, of, '1000.00');
      const lines = [{ nature: 'advance', settle_mode: 'spot', contract_id: contract, amount: '1000.00' }];
      return money.split(receipt, claim, { settle_rate: '7.100000', lines });
    };
    expect(await money.entries(await advance())).toContainEqual(['AGENCY_FEE', '-50.00']);
    await renewed(of);
    // Its exchange risk is the company's too: the money comes in at the book rate.
    expect(await money.entries(await advance())).toEqual([['RCV_SETTLE', '7100.00']]);
  });
});

describe('the book rate of money that came', () => {
  it('is that of its posting, though the invoice date moves and part of it is sold', STORY, async () => {
    const { db } = rules.example.services;
    const [usd] = await db.query<{ id: string }>(`select id from currency where code = 'USD'`, []);
    const rate = { currency: 'USD', currency_id: usd?.id, kind: 'book', source: '手工' };
    await rules.given('currency_rate', { ...rate, date: '2023-01-01', rate: '7.200000' });
    const of = await money.trader('入账汇率A', { export_mode: 'buyout' });
    await db.query(
      `update cooperation_agreement set risk_deviation = false, foreign_risk_party = 'company',
       goods_risk_party = 'company', fx_party = 'company' where partner_id = $1::uuid`,
      [of.partner],
    );
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const shipment = await money.shipment(of, contract, { quantity: '100' }, { export_mode: 'buyout' });
    const split = await arrivedFor(of, shipment, 'spot');
    const lines =
      'select id, rate::text, amount_cny::text from receipt_split__lines where parent_id = $1::uuid';
    const [line] = await db.query<Fields>(lines, [split]);
    expect(line).toMatchObject({ rate: '7.100000', amount_cny: '7100.00' });
    await db.query(`update shipment set invoice_date = '2023-06-01' where id = $1::uuid`, [shipment]);
    const half = async (): Promise<unknown> => {
      const slip = {
        ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
        ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
        ...{ amount: '500.00', bank_rate: '7.120000', amount_cny: '3560.00' },
      };
      const sale = { source_kind: 'spot', split_id: split, split_line: line?.['id'], amount: '500.00' };
      const id = await moves.done('tr.aa', 'fx_settlement', { ...slip, lines: [sale] }, ['fn.aa']);
      const pool = 'select pool_cny::text from fx_settlement__lines where parent_id = $1::uuid';
      return (await db.query<Fields>(pool, [id]))[0]?.['pool_cny'];
    };
    expect([await half(), await half()]).toEqual(['3550.00', '3550.00']);
    expect(await db.query(lines, [split])).toEqual([line]);
  });
});

describe('an agreement', () => {
  it(
    'is not ended over shipments of its mode that are not settled, nor held by those of another',
    STORY,
    async () => {
      const of = await money.trader('终止协议A');
      const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
      const { db } = rules.example.services;
      await db.query(`update shipment set status = 'shipped' where id = $1::uuid`, [shipment]);
      const agreement = { sales_id: rules.example.masters.sales, dept_code: 'AA', partner_id: of.partner };
      const other = await rules.given('cooperation_agreement', {
        ...{ ...agreement, agreement_type: 'agency', export_mode: 'rebate_agent', receipt_days: 180 },
        ...{ start_date: '2026-05-01', end_date: '2029-04-30', status: 'effective' },
      });
      const [own] = await db.query<{ id: string }>(
        `select id from cooperation_agreement where partner_id = $1::uuid and export_mode = 'entrusted'`,
        [of.partner],
      );
      const end = (id: string) =>
        rules.act('tm.aa', 'cooperation_agreement', id, 'terminate', { opinion: '不再合作' });
      expect(await refusal(end(own?.id ?? ''))).toEqual([400, '存在未结算明细单，不能终止']);
      await must(end(other));
      await db.query(`update shipment set status = 'settled' where id = $1::uuid`, [shipment]);
      await must(end(own?.id ?? ''));
    },
  );
});
