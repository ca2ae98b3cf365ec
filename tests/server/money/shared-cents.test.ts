import { multiplyDecimals, roundDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';
import { type MovementSteps, movementSteps } from './movement-steps.ts';

let rules: RulesExample;
let money: MoneySteps;
let moves: MovementSteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
  moves = movementSteps(rules, money);
}, 600_000);
afterAll(() => rules.example.close());

const STORY = { timeout: 300_000 };
const THIRDS = ['3333.33', '3333.33', '3333.34'];

/** A column of the lines of documents, in the order of the documents and their lines. */
async function column(table: string, name: string, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await rules.example.services.db.query<{ value: string }>(
    `select ${name} as value from ${table} where parent_id = any($1::uuid[]) order by parent_id, line_order`,
    [ids],
  );
  return rows.map(({ value }) => value);
}

/** Decides as the last level of each, all at once. */
const together = (resource: string, ids: readonly string[], who: string) =>
  Promise.all(ids.map((id) => must(money.decide(who, resource, id))));

const slip = (lines: readonly Fields[], amount: string, bank_rate: string): Promise<string> =>
  moves.draft('tr.aa', 'fx_settlement', {
    ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), bank_rate, lines },
    ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount },
    amount_cny: roundDecimal(multiplyDecimals(amount, bank_rate), 2),
  });

describe('a charge of a receipt, split by three at once', () => {
  it('is given out whole, however they are handed in and approved', STORY, async () => {
    const of = await money.trader('分角合拆A');
    const contract = await money.contract(of);
    const receipt = await money.receipt({
      ...{ gross_amount: '10001.00', foreign_charge: '1.00', payer_name: of.buyerName },
      ...{ bank_charge_cny: '100.00', charge_account_id: money.accounts.cny },
    });
    const claim = await money.claim(receipt, of, '10000.00');
    const spot = { nature: 'advance', settle_mode: 'spot', contract_id: contract };
    const drafts = await Promise.all(
      THIRDS.map((amount) =>
        money.draftSplit(receipt, claim, { settle_rate: '7.100000', lines: [{ ...spot, amount }] }),
      ),
    );
    await Promise.all(drafts.map((id) => must(rules.act('fn.aa', 'receipt_split', id, 'submit'))));
    await together('receipt_split', drafts, 'fn2.aa');
    for (const [name, whole] of [
      ['fee_cny', '100.00'],
      ['charge_amount', '1.00'],
    ] as const)
      expect(roundDecimal(sumDecimals(await column('receipt_split__lines', name, drafts)), 2)).toBe(whole);
    const posted = await rules.example.services.db.query<{ fees: string }>(
      `select sum(amount)::text as fees from fund_ledger_entry where source_id = any($1) and entry_type = 'BANK_FEE'`,
      [drafts],
    );
    expect(posted).toEqual([{ fees: '-100.00' }]);
  });

  it('in yen stays in whole yen', STORY, async () => {
    const { given } = rules;
    const { services } = rules.example;
    await given('currency', { code: 'JPY', name: '日元', symbol: 'JPY', decimals: 0, status: 'active' });
    const [currency] = await services.db.query<{ id: string }>(
      `select id from currency where code = 'JPY'`,
      [],
    );
    for (const [kind, rate] of [
      ['buy', '0.047'],
      ['book', '0.048'],
      ['usd_cross', '0.0067'],
    ] as const)
      await given('currency_rate', {
        ...{ currency: 'JPY', currency_id: currency?.id, kind, date: '2024-01-01', rate, source: '手工' },
      });
    await services.definitions.refreshOverrides();
    const { bank_id } = await rules.stored('company_bank_account', money.accounts.usd);
    const bank_account_id = await given('company_bank_account', {
      ...{ account_name: '试验公司', account_no: money.key(), bank_id, currency: 'JPY', status: 'active' },
    });
    const of = await money.trader('分角日元A');
    const contract = await money.contract(of, { currency: 'JPY' });
    const receipt = await money.receipt({
      ...{ currency: 'JPY', bank_account_id, payer_name: of.buyerName },
      ...{ gross_amount: '1000000', foreign_charge: '100' },
    });
    const parts = ['333300', '333300', '333300'];
    const claims: string[] = [];
    for (const amount of parts) claims.push(await money.claim(receipt, of, amount));
    expect(await column('receipt__claims', 'charge_amount', [receipt])).toEqual(['33.00', '33.00', '34.00']);
    const [claim = ''] = claims;
    const line = { nature: 'advance', settle_mode: 'spot', contract_id: contract };
    const split = await money.split(receipt, claim, {
      settle_rate: '0.047',
      lines: ['111100', '111100', '111100'].map((amount) => ({ ...line, amount })),
    });
    expect(await column('receipt_split__lines', 'charge_amount', [split])).toEqual([
      '11.00',
      '11.00',
      '11.00',
    ]);
  });
});

describe('what a split line brought in, sold in parts', () => {
  it('is sold whole in one slip of two lines, and in two slips at once', STORY, async () => {
    const shares = async (name: string, cut: (line: Fields) => Promise<readonly string[]>) => {
      // 7,105.43 that two halves cannot share evenly.
      const of = await moves.funded(name, '1000.06');
      const line = { source_kind: 'spot', split_id: of.split, split_line: of.splitLine, amount: '500.03' };
      const slips = await cut(line);
      await Promise.all(slips.map((id) => must(rules.act('tr.aa', 'fx_settlement', id, 'submit'))));
      return (await column('fx_settlement__lines', 'pool_cny', slips)).toSorted();
    };
    const halves = ['3552.71', '3552.72'];
    const one = async (line: Fields) => [await slip([line, line], '1000.06', '7.105')];
    const two = (line: Fields) => Promise.all([one, one].map(() => slip([line], '500.03', '7.105')));
    expect(await shares('分角一单A', one)).toEqual(halves);
    expect(await shares('分角两单A', two)).toEqual(halves);
  });
});

describe('the bank fee of an advance to a supplier', () => {
  it('goes with what is offset, to the cent, also over two lines of one request', STORY, async () => {
    const of = await moves.funded('分角冲抵A', '1000.00', { export_mode: 'buyout' });
    const purchase = await money.purchase(of, of.contract, {
      items: [
        {
          goods_id: of.goods,
          quantity: '1',
          unit: '007',
          unit_price: '1000',
          export_line: await exportLine(of.contract),
        },
      ],
    });
    const advance = await money.payment(of, {
      ...{ pay_type: 'advance', goods_lines: [{ purchase_contract_id: purchase, amount: '300.00' }] },
    });
    await must(rules.act('sp.aa', 'payment_request', advance, 'submit'));
    await money.pay(advance, APPROVERS, { bank_fee: '0.20' });
    await money.invoice(of, { purchase, shipment: of.shipment, quantity: '1', net: '884.96', tax: '115.04' });
    const line = { purchase_contract_id: purchase, shipment_id: of.shipment, amount: '10.00' };
    const requests: string[] = [];
    for (const parts of [['100.00'], ['100.00', '100.00']]) {
      const goods_lines = parts.map((offset_advance) => ({ ...line, offset_advance }));
      const id = await money.payment(of, { pay_type: 'goods', goods_lines });
      await must(rules.act('sp.aa', 'payment_request', id, 'submit'));
      requests.push(id);
    }
    const shares = async (): Promise<readonly string[]> =>
      (await column('payment_request__goods_lines', 'offset_fee', requests)).toSorted();
    expect(await shares()).toEqual(['0.06', '0.07', '0.07']);
    for (const id of requests.toReversed()) await money.pay(id, APPROVERS);
    expect(await shares()).toEqual(['0.06', '0.07', '0.07']);
  });
});

const APPROVERS = ['dm.aa', 'tm.aa', 'fn.aa'];

async function exportLine(contract: string): Promise<string> {
  const text = 'select id from export_contract__items where parent_id = $1::uuid';
  return (await rules.example.services.db.query<{ id: string }>(text, [contract]))[0]?.id ?? '';
}

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  // The invoice of the story above is written without its lines.
  const told = `select distinct content from sys_notice where event = 'DATA_INVARIANT' and content not like '%INV-09%'`;
  expect(await services.db.query(told, [])).toEqual([]);
});
