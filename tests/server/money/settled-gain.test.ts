import { multiplyDecimals, roundDecimal, subtractDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, type Trader } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';
import { refundSteps } from './refund-steps.ts';
import { exportSteps } from './settled-export.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;
let exports: ReturnType<typeof exportSteps>;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
  exports = exportSteps(rules, money, refundSteps(rules, money));
  const hs = { name: '退税率低于征税率的阀门', unit1: '035', vat_rate: '13', status: 'active' };
  await rules.given('hs_code', { ...hs, code: '8481809990', refund_rate: '9', valid_from: '2024-12-01' });
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };

interface Advance extends Trader {
  readonly contract: string;
  readonly split: string;
  readonly line: string;
}

/** USD 1,000.00 on a contract, at 7.100000 where it is not held. */
async function advance(name: string, settle_mode: 'spot' | 'hold'): Promise<Advance> {
  const of = await money.trader(name, { rate: { fee_rate: '0' } });
  const contract = await money.contract(of);
  const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, '1000.00');
  const lines = [{ nature: 'advance', settle_mode, contract_id: contract, amount: '1000.00' }];
  const split = await money.split(receipt, claim, { settle_rate: '7.100000', lines });
  return { ...of, contract, split, line: await lineOf(split) };
}

async function lineOf(split: string): Promise<string> {
  const text = 'select id from receipt_split__lines where parent_id = $1::uuid';
  return (await rules.example.services.db.query<{ id: string }>(text, [split]))[0]?.id ?? '';
}

const apply = ({ split, line }: Advance, shipment_id: string, amount: string): Promise<Fields> =>
  must(
    rules.act('sp.aa', 'receipt_split', split, 'apply_advance', {
      inputs: { split_line: line, shipment_id, amount },
    }),
  );

/** The bank buys: what a line says of where it comes from, at a rate; the customer's stays 7.100000. */
async function sell(line: Fields, amount: string, bank_rate: string): Promise<string> {
  const amount_cny = roundDecimal(multiplyDecimals(amount, bank_rate), 2);
  return moves.done(
    'tr.aa',
    'fx_settlement',
    {
      ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate },
      ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount, amount_cny },
      lines: [{ amount, ...line }],
    },
    ['fn.aa'],
  );
}

const spot = (of: { readonly split: string; readonly line: string }): Fields => ({
  ...{ source_kind: 'spot', split_id: of.split, split_line: of.line },
});

async function hold({ split }: Advance, shipment: string | null): Promise<Fields> {
  const [found] = await rules.example.services.db.query<{ id: string }>(
    'select id from fx_holding where split_id = $1::uuid and shipment_id is not distinct from $2::uuid',
    [split, shipment],
  );
  return { source_kind: 'hold', holding_id: found?.id, customer_rate: '7.100000' };
}

const gains = (shipments: readonly string[]): Promise<readonly unknown[]> =>
  Promise.all(shipments.map(async (id) => (await rules.stored('shipment', id))['fx_gain']));

const three = (of: Advance): Promise<readonly string[]> =>
  Promise.all(['1', '2', '3'].map(() => money.shipment(of, of.contract, { quantity: '100' })));

describe('the spread of an advance (flows 2.5)', () => {
  it('goes to the shipments that it is applied to, to the cent, sold before or after', STORY, async () => {
    const of = await advance('汇差预收A', 'spot');
    const shipments = await three(of);
    const [first = '', second = '', third = ''] = shipments;
    await apply(of, first, '333.33');
    const slip = await sell(spot(of), '600.00', '7.110000');
    expect(await gains(shipments)).toEqual(['2.00', '0.00', '0.00']);
    await apply(of, second, '333.33');
    await sell(spot(of), '400.00', '7.110025');
    expect(await gains(shipments)).toEqual(['3.34', '3.34', '0.00']);
    await apply(of, third, '333.34');
    expect(await gains(shipments)).toEqual(['3.34', '3.34', '3.33']);
    await must(rules.act('fn.aa', 'fx_settlement', slip, 'reverse', { opinion: '重做' }));
    await money.approve('fx_settlement', slip, ['tm.aa']);
    expect(await gains(shipments)).toEqual(['1.34', '1.34', '1.33']);
  });

  it('that was held comes once: with what was sold before, or with the sale of its part', STORY, async () => {
    const of = await advance('汇差预收B', 'hold');
    const shipments = await three(of);
    const [first = '', second = '', third = ''] = shipments;
    await apply(of, first, '400.00');
    await sell(await hold(of, first), '400.00', '7.110000');
    await sell(await hold(of, null), '600.00', '7.120000');
    expect(await gains(shipments)).toEqual(['4.00', '0.00', '0.00']);
    await apply(of, second, '199.99');
    expect(await gains(shipments)).toEqual(['4.00', '4.00', '0.00']);
    await apply(of, third, '400.01');
    expect(await gains(shipments)).toEqual(['4.00', '4.00', '8.00']);
  });

  it('is profit of the settlement, which is worked out anew when it moves', STORY, async () => {
    const of = await advance('汇差预收C', 'spot');
    const shipment = await money.shipment(of, of.contract, { quantity: '100' });
    await sell(spot(of), '1000.00', '7.110000');
    await apply(of, shipment, '1000.00');
    const sailed = `update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`;
    await rules.example.services.db.query(sailed, [shipment]);
    const id = await moves.draft('sp.aa', 'project_settlement', {
      ...{ object_kind: 'shipment', shipment_id: shipment, settle_date: '2026-11-22' },
    });
    await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await rules.stored('project_settlement', id)).toMatchObject({
      ...{ received_cny: '7100.00', fx_spread: '10.00', company_profit: '10.00' },
    });
  });
});

describe('the spread of money that comes to no shipment (flows 2.5)', () => {
  /** What the books have as income of the spread, over the vouchers of some documents and their mirrors. */
  async function income(...documents: readonly string[]): Promise<string> {
    const lines = (await Promise.all(documents.map((id) => moves.vouchers(id)))).flat();
    const booked = lines.filter(([key]) => key === 'FX_SPREAD');
    const credits = sumDecimals(booked.map(([, , credit]) => credit || '0'));
    return roundDecimal(subtractDecimals(credits, sumDecimals(booked.map(([, debit]) => debit || '0'))), 2);
  }

  const undo = async (resource: string, id: string): Promise<void> => {
    await must(rules.act('fn.aa', resource, id, 'reverse', { opinion: '重做' }));
    await money.approve(resource, id, ['tm.aa']);
  };

  it(
    'of an advance that is never applied is income of the books once, and nobody else’s',
    STORY,
    async () => {
      const of = await advance('汇差无明细单A', 'spot');
      const slip = await sell(spot(of), '1000.00', '7.110000');
      expect(await income(of.split, slip)).toBe('10.00');
      expect((await money.pool(of))[0]).toBe('7100.00');
      await undo('fx_settlement', slip);
      await undo('receipt_split', of.split);
      expect([await income(of.split, slip), (await money.pool(of))[0]]).toEqual(['0.00', '0.00']);
    },
  );

  it('of held currency that went to another partner is the same when that one sells it', STORY, async () => {
    const [from, to] = [
      await money.trader('汇差划转A', { rate: { fee_rate: '0' } }),
      await advance('汇差划转B', 'hold'),
    ];
    const contract = await money.contract(from);
    const shipment = await money.shipment(from, contract, { quantity: '1000' });
    const receipt = await money.receipt({ gross_amount: '500.00', payer_name: from.buyerName });
    const claim = await money.claim(receipt, from, '500.00');
    const lines = [{ nature: 'goods', settle_mode: 'hold', shipment_id: shipment, amount: '500.00' }];
    await money.split(receipt, claim, { settle_rate: '7.100000', lines });
    const pools = await Promise.all([from, to].map(({ partner }) => moves.poolOf(partner, 'fx_hold')));
    const transfer = await moves.draft('fn.aa', 'fund_transfer', {
      ...{ kind: 'pool_to_pool', from_pool_id: pools[0], to_pool_id: pools[1], amount: '300.00' },
    });
    const { db } = rules.example.services;
    await db.query('update fund_transfer set consent_file = array[gen_random_uuid()] where id = $1::uuid', [
      transfer,
    ]);
    await must(rules.act('fn.aa', 'fund_transfer', transfer, 'submit'));
    await money.approve('fund_transfer', transfer, ['fn2.aa', 'rk.aa']);
    const [moved] = await db.query<{ id: string }>('select id from fx_holding where transfer_id = $1::uuid', [
      transfer,
    ]);
    const slip = await sell(
      { source_kind: 'hold', holding_id: moved?.id, customer_rate: '7.100000' },
      '300.00',
      '7.120000',
    );
    expect([await income(slip), await gains([shipment])]).toEqual(['6.00', ['0.00']]);
    expect((await money.pool(to))[0]).toBe('2130.00');
    await undo('fx_settlement', slip);
    expect([await income(slip), (await money.pool(to))[0]]).toEqual(['0.00', '0.00']);
  });
});

describe('the exchange gain at the company’s risk (flows 2.5)', () => {
  /** 10,000.00 as invoiced, of which a bank on the way kept 25.00. */
  async function charged(name: string, project?: string): Promise<string> {
    const one = await exports.shipped(name, {
      ...{ currency: 'USD', received: null },
      ...(project === undefined ? {} : { project }),
    });
    const { split, splitLine } = await exports.came(one, {
      ...{ amount: '9975.00', day: '2026-11-20', line: { nature: 'goods', shipment_id: one.shipment } },
      told: { gross_amount: '10000.00', foreign_charge: '25.00' },
    });
    await sell(spot({ split, line: splitLine }), '9975.00', '7.105000');
    expect(await rules.stored('shipment', one.shipment)).toMatchObject({ received_amount: '10000.00' });
    return one.shipment;
  }

  async function gainOf(settlement: string): Promise<unknown> {
    await must(rules.act('sp.aa', 'project_settlement', settlement, 'calculate'));
    return (await rules.stored('project_settlement', settlement))['exchange_gain'];
  }

  it('of a buyout at book rate is nothing, whatever the banks kept', STORY, async () => {
    const shipment_id = await charged('汇兑买断A');
    const values = { object_kind: 'shipment', shipment_id, settle_date: '2026-11-22' };
    expect(await gainOf(await moves.draft('sp.aa', 'project_settlement', values))).toBe('0.00');
  });

  it('of a project is what was credited against its book value', STORY, async () => {
    const project = await exports.project('汇兑自营项目');
    const shipment = await charged('汇兑自营B', project);
    const { book_rate } = await rules.stored('shipment', shipment);
    const book = roundDecimal(multiplyDecimals('9975', String(book_rate)), 2);
    const credited = roundDecimal(multiplyDecimals('9975', '7.105'), 2);
    expect(await gainOf(await exports.settling(project))).toBe(subtractDecimals(credited, book));
  });

  it(
    'of a project counts what came for no shipment, before and after it is applied to one',
    STORY,
    async () => {
      const project = await exports.project('汇兑自营预收项目');
      const one = await exports.shipped('汇兑自营预收C', { currency: 'USD', project });
      const came = async (amount: string, line: Fields): Promise<string> => {
        const { split, splitLine } = await exports.came(one, { amount, day: '2026-11-20', line });
        await sell(spot({ split, line: splitLine }), amount, '7.105000');
        return split;
      };
      const split = await came('1000.00', { nature: 'advance', contract_id: one.contract });
      await came('30.00', { nature: 'sample' });
      const { book_rate: ofMonth } = await rules.stored('receipt_split', split);
      const { book_rate: ofInvoice } = await rules.stored('shipment', one.shipment);
      const settlement = await exports.settling(project);
      const gain = (...book: readonly (readonly [string, unknown])[]): string =>
        book.reduce(
          (left, [amount, rate]) =>
            subtractDecimals(left, roundDecimal(multiplyDecimals(amount, String(rate)), 2)),
          roundDecimal(multiplyDecimals('11030', '7.105'), 2),
        );
      expect(await gainOf(settlement)).toBe(gain(['10000', ofInvoice], ['1000', ofMonth], ['30', ofMonth]));
      expect(await rules.stored('project_settlement', settlement)).toMatchObject({ received_fc: '11030.00' });
      const inputs = { split_line: await lineOf(split), shipment_id: one.shipment, amount: '400.00' };
      await must(rules.act('sp.aa', 'receipt_split', split, 'apply_advance', { inputs }));
      expect(await gainOf(settlement)).toBe(gain(['10400', ofInvoice], ['600', ofMonth], ['30', ofMonth]));
      expect(await rules.stored('project_settlement', settlement)).toMatchObject({ received_fc: '11030.00' });
    },
  );
});

it('a project pays for its own contracts and shipments, not for those of another', STORY, async () => {
  const [mine, other] = [await exports.project('付款自营项目甲'), await exports.project('付款自营项目乙')];
  const one = await exports.shipped('付款自营D', { project: mine, received: null });
  const asked = (project_id: string) =>
    rules.as('sp.aa', 'POST', '/data/payment_request', {
      ...{ business_type: 'self', pay_type: 'goods', project_id, supplier_id: one.of.supplier },
      ...{ payee_kind: 'supplier', need_date: '2026-11-22', purpose: '试验' },
      goods_lines: [{ purchase_contract_id: one.purchase, shipment_id: one.shipment, amount: '10.00' }],
    });
  const { problems } = await asked(other);
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    ['goods_lines.0.purchase_contract_id', '采购合同须已签约、未完成，且属于该委托方或项目和供应商'],
    ['goods_lines.0.shipment_id', '明细单须已审核、未结算，且属于该委托方或项目'],
  ]);
  await must(asked(mine));
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
