import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

/** Debits less credits by posting key over all vouchers, of those that are not even. */
async function balances(): Promise<Readonly<Record<string, string>>> {
  const rows = await rules.example.services.db.query<{ key: string; sum: string }>(
    `select posting_key as key, sum(coalesce(debit, 0) - coalesce(credit, 0)) as sum from finance_voucher__entries
     group by 1 having sum(coalesce(debit, 0) - coalesce(credit, 0)) <> 0 order by 1`,
    [],
  );
  return Object.fromEntries(rows.map(({ key, sum }) => [key, sum]));
}

/** A long story on a busy machine. */
const STORY = { timeout: 180_000 };

describe('T-16 one remittance for two partners with a correspondent charge, T-17 its sale to the bank', () => {
  it('is claimed, split, posted and sold to the cent', STORY, async () => {
    const { stored, act, as } = rules;
    const a = await money.trader('宁波甲方A');
    const b = await money.trader('宁波乙方B');
    const [contractA, contractB] = [
      await money.contract(a, {}, '30000'),
      await money.contract(b, {}, '20030'),
    ];
    const shipmentA = await money.shipment(a, contractA, { quantity: '1' });
    const shipmentB = await money.shipment(b, contractB, { quantity: '1' });
    const receipt = await money.receipt({
      gross_amount: '50000.00',
      foreign_charge: '25.00',
      bank_charge_cny: '50.00',
      charge_account_id: money.accounts.cny,
      payer_name: a.buyerName,
    });
    expect(await stored('receipt', receipt)).toMatchObject({
      amount: '49975.00',
      book_cny: '354822.50',
      unclaimed_amount: '49975.00',
      status: 'unclaimed',
    });
    const used = String((await stored('receipt', receipt))['book_rate_id']);
    expect(await stored('currency_rate', used)).toMatchObject({ kind: 'book', locked: true });
    const claimA = await money.claim(receipt, a, '29985.00');
    const claimB = await money.claim(receipt, b, '19990.00');
    expect((await stored('receipt__claims', claimA))['charge_amount']).toBe('15.00');
    expect((await stored('receipt__claims', claimB))['charge_amount']).toBe('10.00');
    expect(
      await refusal(
        act('sp.aa', 'receipt', receipt, 'claim', {
          inputs: { partner_id: a.partner, buyer_id: a.buyer, amount: '0.01' },
        }),
      ),
    ).toEqual([400, '认领金额超过未认领金额']);
    expect((await stored('receipt', receipt))['status']).toBe('claimed');

    const line = { nature: 'goods', settle_mode: 'spot' };
    const splitA = await money.split(receipt, claimA, {
      settle_rate: '7.100000',
      lines: [{ ...line, shipment_id: shipmentA, amount: '29985.00' }],
    });
    expect(await money.entries(splitA)).toEqual([
      ['RCV_SETTLE', '212893.50'],
      ['BANK_FEE', '-30.00'],
      ['AGENCY_FEE', '-1499.25'],
    ]);
    expect((await stored('receipt', receipt))['status']).toBe('partial');
    const splitB = await money.split(
      receipt,
      claimB,
      {
        settle_rate: '7.100000',
        lines: [{ ...line, shipment_id: shipmentB, amount: '19990.00' }],
      },
      ['fn2.aa', 'rk.aa'],
    );
    expect(await money.entries(splitB)).toEqual([
      ['RCV_SETTLE', '141929.00'],
      ['BANK_FEE', '-20.00'],
      ['AGENCY_FEE', '-999.50'],
    ]);
    expect((await stored('receipt', receipt))['status']).toBe('split');
    expect(await stored('shipment', shipmentA)).toMatchObject({
      received_amount: '30000.00',
      short_amount: '0.00',
      recv_progress: 'full',
    });
    expect(await stored('shipment', shipmentB)).toMatchObject({
      received_amount: '20000.00',
      short_amount: '30.00',
      recv_progress: 'full',
    });

    const lineOf = async (split: string): Promise<string> =>
      String(
        (
          await rules.example.services.db.query<{ id: string }>(
            'select id from receipt_split__lines where parent_id = $1::uuid',
            [split],
          )
        )[0]?.id,
      );
    const slip = {
      deal_date: '2026-11-20',
      value_date: '2026-11-20',
      bank_account_id: money.accounts.usd,
      cny_account_id: money.accounts.cny,
      amount: '49975.00',
      bank_rate: '7.125000',
      amount_cny: '356071.88',
    };
    const lines = [
      { source_kind: 'spot', split_id: splitA, split_line: await lineOf(splitA), amount: '29985.00' },
      { source_kind: 'spot', split_id: splitB, split_line: await lineOf(splitB), amount: '19990.00' },
    ];
    const tooMuch = await must(
      as('tr.aa', 'POST', '/data/fx_settlement', {
        ...slip,
        bank_ref: money.key(),
        amount: '49975.01',
        amount_cny: '356071.95',
        lines: [{ ...lines[0], amount: '29985.01' }, lines[1]],
      }),
    );
    expect(await refusal(act('tr.aa', 'fx_settlement', String(tooMuch['id']), 'submit'))).toEqual([
      400,
      '结汇水单金额超过收汇金额',
    ]);
    const made = await must(
      as('tr.aa', 'POST', '/data/fx_settlement', { ...slip, bank_ref: money.key(), lines }),
    );
    const sale = String(made['id']);
    await must(act('tr.aa', 'fx_settlement', sale, 'submit'));
    await money.approve('fx_settlement', sale, ['fn.aa']);
    expect(await stored('fx_settlement', sale)).toMatchObject({
      status: 'posted',
      pool_cny: '354822.50',
      gain: '1249.38',
    });
    const gains = await rules.example.services.db.query<{ bank_cny: string; gain: string }>(
      'select bank_cny, gain from fx_settlement__lines where parent_id = $1::uuid order by amount desc',
      [sale],
    );
    expect(gains).toMatchObject([
      { bank_cny: '213643.13', gain: '749.63' },
      { bank_cny: '142428.75', gain: '499.75' },
    ]);
    // Each account's part of the ledger is that of the account: the yuan came in on the yuan account.
    const accounts = await rules.example.services.db.query<{ key: string; account: string; sum: string }>(
      `select e.posting_key as key, e.bank_account_id as account, sum(coalesce(e.debit, 0) - coalesce(e.credit, 0))::text as sum
       from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       where v.source_id = $1 and e.posting_key in ('BANK_CNY', 'BANK_FC') group by 1, 2 order by 1`,
      [sale],
    );
    expect(accounts).toEqual([
      { key: 'BANK_CNY', account: money.accounts.cny, sum: '356071.88' },
      { key: 'BANK_FC', account: money.accounts.usd, sum: '-354822.50' },
    ]);
    expect(await balances()).toMatchObject({ FX_SPREAD: '-1249.38' });
    expect(await balances()).not.toHaveProperty('RCV_UNCLAIMED');
    expect(await balances()).not.toHaveProperty('BANK_FC');
    expect(await balances()).not.toHaveProperty('BANK_EXP');
    // What is changed behind the books is found in the night.
    const { db } = rules.example.services;
    await db.query('update fx_settlement set gain = gain + 1 where id = $1::uuid', [sale]);
    await checkInvariants(rules.example.services, INVARIANTS);
    const told = await db.query<{ content: string }>(
      `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
      [],
    );
    expect(told.map(({ content }) => /INV-\d\d/.exec(content)?.[0])).toEqual(['INV-14']);
    await db.query('update fx_settlement set gain = gain - 1 where id = $1::uuid', [sale]);
  });
});

describe('T-03 rounding and over-splitting', () => {
  it('shares the charge over the lines and refuses a cent too much', async () => {
    const { stored, act } = rules;
    const of = await money.trader('宁波丙方C');
    const contract = await money.contract(of);
    const receipt = await money.receipt({
      gross_amount: '10000.00',
      bank_charge_cny: '100.00',
      charge_account_id: money.accounts.cny,
      payer_name: of.buyerName,
    });
    const claim = await money.claim(receipt, of, '10000.00');
    const line = { nature: 'advance', settle_mode: 'spot', contract_id: contract };
    const split = await money.draftSplit(receipt, claim, {
      settle_rate: '7.105000',
      lines: ['3333.33', '3333.33', '3333.35'].map((amount) => ({ ...line, amount })),
    });
    expect(await refusal(act('fn.aa', 'receipt_split', split, 'submit'))).toEqual([400, '可分割金额不足']);
    const record = await must(rules.as('fn.aa', 'GET', `/data/receipt_split/${split}`));
    const lines = record['lines'] as readonly { id: string }[];
    await must(
      rules.as('fn.aa', 'PATCH', `/data/receipt_split/${split}`, {
        version: record['version'],
        lines: [{ id: lines[2]?.id, amount: '3333.34' }],
      }),
    );
    await must(act('fn.aa', 'receipt_split', split, 'submit'));
    await money.approve('receipt_split', split, ['fn2.aa']);
    const posted = await must(rules.as('fn.aa', 'GET', `/data/receipt_split/${split}`));
    const fees = (posted['lines'] as readonly Record<string, unknown>[]).map((line) => line['fee_cny']);
    expect(fees).toEqual(['33.33', '33.33', '33.34']);
    expect((await stored('export_contract', contract))['advance_received']).toBe('10000.00');
  });
});

it(
  'a file of receipts: bad rows are told with line and cell, the rest arrives once, posted and vouched',
  STORY,
  async () => {
    const { example, stored } = rules;
    const token = await example.signIn('fn.aa', 'FN');
    const account = String((await stored('company_bank_account', example.masters.account))['account_no']);
    const country = String((await stored('country', example.masters.country))['name']);
    const good = (at: number): string[] => [
      `IMP${at}`,
      account,
      '2026-11-18',
      'USD',
      '1000.00',
      `PAYER ${at}`,
      country,
    ];
    const rows = Array.from({ length: 30 }, (_, at) => good(at));
    // What the check lets pass and the ledger refuses: its row stays out alone.
    const shut = { period: '202510', start_date: '2025-10-01', end_date: '2025-10-31', status: 'closed' };
    await rules.given('accounting_period', shut);
    rows.push([...good(30).slice(0, 2), '2025-10-18', ...good(30).slice(3)]);
    const wrong: readonly (readonly [row: number, cell: number, text: string, column: string])[] = [
      [4, 4, 'x', '汇款金额(报文)'],
      [8, 2, '2026-02-30', '到账日期'],
      [12, 6, '没有这个国', '付款国别'],
      [16, 1, '没有这个户', '收款银行'],
      [20, 4, '-5', '汇款金额(报文)'],
    ];
    for (const [row, cell, text] of wrong) rows[row]?.splice(cell, 1, text);
    const head = '银行流水号,收款银行,到账日期,币种,汇款金额(报文),付款人,付款国别';
    const send = async (address: string, body: FormData | string): Promise<Record<string, unknown>> => {
      const headers = {
        authorization: token,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      };
      const answer = await fetch(`${example.url}/erp/api/data/receipt/import${address}`, {
        method: 'POST',
        headers,
        body,
      });
      const got = (await answer.json()) as { msg: string; data: Record<string, unknown> };
      expect([address, answer.status, got.msg]).toEqual([address, 200, expect.any(String)]);
      return got.data;
    };
    const check = (): Promise<Record<string, unknown>> => {
      const form = new FormData();
      form.append('file', new Blob([[head, ...rows].join('\n')]), '收汇.csv');
      return send('', form);
    };
    const known = async (): Promise<unknown> => {
      const sql = `select count(*)::int as receipts, count(distinct b.id)::int as moved, count(distinct v.voucher_no)::int as vouchers,
        (max(right(v.voucher_no, 5)::int) - min(right(v.voucher_no, 5)::int) + 1)::int as numbers
      from receipt r left join bank_entry b on b.source_id = r.id::text
        left join finance_voucher v on v.source_id = r.id::text and v.status = 'generated' where r.bank_ref like 'IMP%'`;
      return (await example.services.db.query(sql, []))[0];
    };
    const checked = await check();
    const told = (
      checked['rows'] as readonly { row: number; kind: string; errors: readonly { column: string }[] }[]
    )
      .filter(({ kind }) => kind === 'error')
      .map(({ row, errors }) => [row, errors[0]?.column]);
    expect(told).toEqual(wrong.map(([row, , , column]) => [row + 2, column]));
    expect(checked['counts']).toEqual({ create: 26, update: 0, error: 5 });
    expect(await send(`/${String(checked['importId'])}/commit`, '{}')).toMatchObject({
      created: 25,
      skipped: 6,
      rows: [{ row: 32, errors: [{ message: '会计期间已结账，不能操作（2025-10）' }] }],
    });
    const whole = { receipts: 25, moved: 25, vouchers: 25, numbers: 25 };
    expect(await known()).toEqual(whole);
    const again = await check();
    expect(again['counts']).toMatchObject({ create: 1 });
    await send(`/${String(again['importId'])}/commit`, '{}');
    expect(await known()).toEqual(whole);
    // In an open month all go together: as many statements as one takes.
    const more = Array.from({ length: 40 }, (_, at) => good(100 + at));
    rows.splice(0, rows.length, ...more);
    const open = await check();
    await send(`/${String(open['importId'])}/commit`, '{}');
    expect(await known()).toEqual({ receipts: 65, moved: 65, vouchers: 65, numbers: 65 });
    // Rows of one batch are of one subtransaction.
    const batches = `select count(distinct xmin::text)::int as n from receipt where bank_ref = any($1)`;
    const refs = more.map(([ref]) => ref);
    expect(await example.services.db.query(batches, [refs])).toEqual([{ n: 1 }]);
    // Whoever hears of it hears once an import, not once a row; what was refused is counted nowhere.
    const notices = `select distinct title, link, record_id as record from sys_notice
      where event = 'RECEIPT_ARRIVED' and title ~ ' 等' order by title`;
    const list = { link: '/shmanage/shlist', record: null };
    expect(await example.services.db.query(notices, [])).toEqual([
      { title: expect.stringMatching(/^收汇到账：\S+ 等25条$/), ...list },
      { title: expect.stringMatching(/^收汇到账：\S+ 等40条$/), ...list },
    ]);
    await checkInvariants(example.services, INVARIANTS);
    const broken = `select distinct content from sys_notice where event = 'DATA_INVARIANT' and content ~ 'INV-(02|15)'`;
    expect(await example.services.db.query(broken, [])).toEqual([]);
  },
);
