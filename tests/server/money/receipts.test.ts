import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
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
    // What the next one would do is told before it is saved, and nothing of it stays.
    const { bank_account_id, payer_country_id } = await stored('receipt', receipt);
    const next = {
      ...{ bank_account_id, payer_country_id, bank_ref: 'NEXT', currency: 'USD', value_date: '2026-11-18' },
      ...{ gross_amount: '100.00', payer_name: a.buyerName, action: 'create' },
    };
    const { plan } = await must(as('fn.aa', 'POST', '/data/receipt/preview', next));
    expect(plan).toMatchObject({ isRefused: false, entries: [{}], vouchers: [{}] });
    expect(plan).toMatchObject({ limits: [{ id: null, label: '（本单据）', figure: '100.00' }] });
    const refused = await must(
      as('fn.aa', 'POST', '/data/receipt/preview', { ...next, bank_account_id: null }),
    );
    expect(refused['plan']).toMatchObject({ isRefused: true });
    expect((await as('sp.aa', 'POST', '/data/receipt/preview', next)).status).toBe(403);
    const kept = await as('fn.aa', 'POST', '/data/receipt/query', { filters: { bank_ref: { eq: 'NEXT' } } });
    expect(kept).toMatchObject({ status: 200, data: { total: 0 } });
    // It was posted when it was registered: nobody is offered to delete it.
    const [shown, tried] = [
      await must(as('fn.aa', 'GET', '/meta/resources/receipt')),
      await as('fn.aa', 'DELETE', `/data/receipt/${receipt}?version=1`),
    ];
    expect(shown['operations']).not.toContain('delete');
    // Whoever may give money back may begin with the receipt that is picked in the form.
    const { shows } = await must(as('fn.aa', 'GET', '/meta/resources/remittance_return'));
    expect(shows).toMatchObject({ begins: [{ field: 'receipt_id', from: 'receipt', make: 'give_back' }] });
    expect([tried.status, tried.msg]).toEqual([409, '登记时即已过账，不能删除']);
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
        lines: [
          { ...lines[0], amount: '29985.01' },
          { ...lines[1], amount: '19989.99' },
        ],
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

describe('money of a payer with whom the company may not deal', () => {
  it('is not split, and not posted when that comes into force meanwhile', STORY, async () => {
    const { act, given, example } = rules;
    const { db } = example.services;
    const of = await money.trader('宁波禁收A');
    const payer_name = 'QUXBURY HOLDING LTD';
    const receipt = await money.receipt({ gross_amount: '100.00', payer_name });
    const line = { nature: 'advance', settle_mode: 'spot', contract_id: await money.contract(of) };
    const split = await money.draftSplit(receipt, await money.claim(receipt, of, '100.00'), {
      settle_rate: '7.100000',
      lines: [{ ...line, amount: '100.00' }],
    });
    const said = async (answer: ReturnType<MoneySteps['decide']>) =>
      (await answer).problems.map(({ message }) => message);
    const submit = () => act('fn.aa', 'receipt_split', split, 'submit');
    const entry = await given('blacklist', {
      ...{ kind: 'buyer', name: 'Quxbury Holding', source: 'OFAC', reason: '制裁名单' },
      ...{ valid_from: '2024-01-01', status: 'active' },
    });
    const list = (status: string) =>
      db.query('update blacklist set status = $2 where id = $1::uuid', [entry, status]);
    const embargo = (is: boolean) =>
      db.query('update country set is_sanctioned = $2 where id = $1::uuid', [example.masters.country, is]);
    const hit = expect.stringMatching(/^命中黑名单，不能提交/);
    expect(await said(submit())).toEqual([hit]);
    await list('disabled');
    await embargo(true);
    expect(await said(submit())).toContain('付款国别为禁运国家，不能分割');
    await embargo(false);
    await must(submit());
    await money.approve('receipt_split', split, ['fn2.aa']);
    const last = () => money.decide('rk.aa', 'receipt_split', split);
    await list('active');
    expect(await said(last())).toEqual([hit]);
    await list('disabled');
    await embargo(true);
    expect(await said(last())).toContain('付款国别为禁运国家，不能分割');
    await embargo(false);
    await must(last());
  });
});

describe('a reversal that waits for its approval', () => {
  /** USD 1,000.00 for a shipment, posted, and the lines of a slip that sells them. */
  async function posted(name: string, settle_mode: 'spot' | 'hold') {
    const of = await money.trader(name);
    const shipment = await money.shipment(of, await money.contract(of), { quantity: '100' });
    const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    const lines = [{ nature: 'goods', settle_mode, shipment_id: shipment, amount: '1000.00' }];
    const split = await money.split(receipt, claim, settle_mode === 'spot' ? { settle_rate: '7.100000', lines } : { lines }); // prettier-ignore
    const [found] = await rules.example.services.db.query<{ line: string; holding: string | null }>(
      `select l.id as line, h.id as holding from receipt_split__lines l left join fx_holding h on h.split_line = l.id
       where l.parent_id = $1::uuid`,
      [split],
    );
    const from =
      settle_mode === 'spot'
        ? { source_kind: 'spot', split_id: split, split_line: found?.line }
        : { source_kind: 'hold', holding_id: found?.holding, customer_rate: '7.110000' };
    return { of, split, lines: [{ ...from, amount: '1000.00' }] };
  }

  async function sold(lines: readonly Record<string, unknown>[]): Promise<string> {
    const made = await must(
      rules.as('tr.aa', 'POST', '/data/fx_settlement', {
        ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key(), lines },
        ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
        ...{ amount: '1000.00', bank_rate: '7.120000', amount_cny: '7120.00' },
      }),
    );
    await must(rules.act('tr.aa', 'fx_settlement', String(made['id']), 'submit'));
    await money.approve('fx_settlement', String(made['id']), ['fn.aa']);
    return String(made['id']);
  }

  it('of a split is refused when its money has been sold meanwhile', STORY, async () => {
    const { split, lines } = await posted('等待冲销A', 'spot');
    await must(rules.act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '分错' }));
    expect(await refusal(rules.act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '又点' }))).toEqual(
      [409, '“冲销”正在审核，请等审核结束，或先撤回'],
    );
    await sold(lines);
    expect(await refusal(money.decide('tm.aa', 'receipt_split', split))).toEqual([
      400,
      '分割款项已结汇、退汇或使用，不能冲销',
    ]);
    expect((await money.entries(split)).map(([type]) => type)).toEqual(['RCV_SETTLE', 'AGENCY_FEE']);
  });

  it('of a sale is refused when what it brought is taken meanwhile', STORY, async () => {
    const { of, lines } = await posted('等待冲销B', 'hold');
    const sale = await sold(lines);
    expect(await money.pool(of)).toEqual(['7060.00', '0.00', '7060.00']);
    // The fee of the split is in the pool too: with what the company brings there is enough for the reversal.
    const topped = await must(
      rules.as('fn.aa', 'POST', '/data/domestic_receipt', {
        ...{
          kind: 'topup',
          partner_id: of.partner,
          payer_kind: 'partner',
          payer_name: '等待冲销B',
          amount: '1050.00',
        },
        ...{ value_date: '2026-11-20', bank_account_id: money.accounts.cny, bank_ref: money.key() },
      }),
    );
    await must(rules.act('fn.aa', 'domestic_receipt', String(topped['id']), 'submit'));
    await money.approve('domestic_receipt', String(topped['id']), ['fn2.aa']);
    await must(rules.act('fn.aa', 'fx_settlement', sale, 'reverse', { opinion: '水单错误' }));
    const [agreement] = await rules.example.services.db.query<{ id: string }>(
      'select id from cooperation_agreement where partner_id = $1::uuid',
      [of.partner],
    );
    const deposit = await must(
      rules.as('sp.aa', 'POST', '/data/deposit', {
        ...{
          kind: 'in_agree',
          partner_id: of.partner,
          agreement_id: agreement?.id,
          source: 'pool',
          amount: '2000.00',
        },
      }),
    );
    await must(rules.act('sp.aa', 'deposit', String(deposit['id']), 'submit'));
    expect(await refusal(money.decide('tm.aa', 'fx_settlement', sale))).toEqual([
      400,
      '结汇款已使用或明细单已结算，不能冲销',
    ]);
    expect(await money.entries(sale)).toEqual([
      ['HOLD_OUT', '-1000.00'],
      ['HOLD_IN', '7110.00'],
    ]);
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

describe('what a bank slip may say', () => {
  it(
    'held money is never sold at a rate of nothing, whichever comes first, the line or the rate',
    STORY,
    async () => {
      const { as, act, given, example } = rules;
      const of = await money.trader('宁波暂挂A');
      const contract = await money.contract(of);
      const receipt = await money.receipt({ gross_amount: '100.00', payer_name: of.buyerName });
      const split = await money.split(receipt, await money.claim(receipt, of, '100.00'), {
        lines: [{ nature: 'advance', contract_id: contract, settle_mode: 'hold', amount: '100.00' }],
      });
      const [holding] = await example.services.db.query<{ id: string }>(
        'select id from fx_holding where split_id = $1::uuid',
        [split],
      );
      const line = { source_kind: 'hold', holding_id: holding?.id, amount: '100.00' };
      const slip = {
        ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
        ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount: '100.00' },
      };
      // The line is taken before anybody has written what the bank paid.
      const { record } = await must(
        as('tr.aa', 'POST', '/data/fx_settlement/preview', { ...slip, lines: [line] }),
      );
      expect((record as { readonly lines: unknown }).lines).toMatchObject([
        { customer_rate: null, gain: null },
      ]);
      const paid = { ...slip, bank_rate: '7.060000', amount_cny: '706.00' };
      const refused = await as('tr.aa', 'POST', '/data/fx_settlement', {
        ...paid,
        lines: [{ ...line, customer_rate: '0' }],
      });
      expect(refused.problems.map(({ message }) => message)).toEqual(['客户汇率必须大于0']);
      const made = await must(
        as('tr.aa', 'POST', '/data/fx_settlement', { ...paid, lines: [{ ...line, customer_rate: null }] }),
      );
      expect((await refusal(act('tr.aa', 'fx_settlement', String(made['id']), 'submit')))[0]).toBe(400);

      // A figure too many, on a day of which the bank's own rate is not known.
      const currency = { currency: 'EUR', status: 'active' };
      const id = await given('currency', {
        code: 'EUR',
        name: '欧元',
        symbol: '€',
        decimals: 2,
        status: 'active',
      });
      await example.services.definitions.refreshOverrides();
      const { bank_id } = await rules.stored('company_bank_account', money.accounts.usd);
      const named = { account_name: '试验公司', account_no: '331000000009', bank_id };
      const euros = await given('company_bank_account', { ...currency, ...named });
      const rate = { kind: 'book', date: '2026-11-01', rate: '7.800000', source: '手工' };
      await given('currency_rate', { currency: 'EUR', currency_id: id, ...rate });
      await example.services.definitions.refreshOverrides();
      const told = async (bank_rate: string): Promise<readonly unknown[]> => {
        const asked = { ...slip, bank_account_id: euros, currency: 'EUR', bank_rate };
        const { problems } = await must(as('tr.aa', 'POST', '/data/fx_settlement/preview', asked));
        return (
          problems as readonly { readonly path: string; readonly level?: string; readonly message: string }[]
        )
          .filter(({ path }) => path === 'bank_rate')
          .map(({ level, message }) => [level, message]);
      };
      expect(await told('7.790000')).toEqual([]);
      expect(await told('77.900000')).toEqual([
        ['warning', '当日没有银行买入价，银行汇率与记账汇率（7.8）相差过大，请核对'],
      ]);
    },
  );

  it('no more is sold than the account has that it is sold from', STORY, async () => {
    const { as, act, given, stored } = rules;
    const of = await money.trader('宁波结汇A');
    const receipt = await money.receipt({ gross_amount: '100.00', payer_name: of.buyerName });
    const split = await money.split(receipt, await money.claim(receipt, of, '100.00'), {
      settle_rate: '7.100000',
      lines: [
        { nature: 'advance', contract_id: await money.contract(of), settle_mode: 'spot', amount: '100.00' },
      ],
    });
    const [line] = await rules.example.services.db.query<{ id: string }>(
      'select id from receipt_split__lines where parent_id = $1::uuid',
      [split],
    );
    const { bank_id } = await stored('company_bank_account', money.accounts.usd);
    const other = await given('company_bank_account', {
      ...{ account_name: '试验公司', account_no: '331000000019', bank_id, currency: 'USD', status: 'active' },
    });
    const made = await must(
      as('tr.aa', 'POST', '/data/fx_settlement', {
        ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
        ...{ bank_account_id: other, cny_account_id: money.accounts.cny, amount: '100.00' },
        ...{ bank_rate: '7.120000', amount_cny: '712.00' },
        lines: [{ source_kind: 'spot', split_id: split, split_line: line?.id, amount: '100.00' }],
      }),
    );
    const id = String(made['id']);
    expect((await act('tr.aa', 'fx_settlement', id, 'submit')).problems).toMatchObject([
      { path: 'amount', message: '结汇金额超过外币账户余额' },
    ]);
    const { version } = await stored('fx_settlement', id);
    await must(
      as('tr.aa', 'PATCH', `/data/fx_settlement/${id}`, { version, bank_account_id: money.accounts.usd }),
    );
    await must(act('tr.aa', 'fx_settlement', id, 'submit'));
    await money.approve('fx_settlement', id, ['fn.aa']);
    // What was sold is not on the account any more, and may be taken back all the same.
    await must(act('fn.aa', 'fx_settlement', id, 'reverse', { opinion: '撤单' }));
    await money.approve('fx_settlement', id, ['tm.aa']);
  });

  it('what is wrong with a receipt is told where it is: charges that eat it up, a number of the bank known already', async () => {
    const ref = money.key();
    const sent = async (changes: Readonly<Record<string, string>>): Promise<unknown> => {
      const { problems } = await rules.as('fn.aa', 'POST', '/data/receipt', {
        ...{ bank_ref: ref, bank_account_id: money.accounts.usd, value_date: '2026-11-18' },
        ...{ gross_amount: '100.00', payer_name: 'X', payer_country_id: rules.example.masters.country },
        ...changes,
      });
      return problems?.map(({ path, message }) => [path, message]);
    };
    expect(await sent({ foreign_charge: '150.00' })).toEqual([['gross_amount', '各项扣费须小于汇款金额']]);
    await sent({});
    expect(await sent({})).toEqual([['bank_ref', '该账户的银行流水号已登记']]);
  });
});
