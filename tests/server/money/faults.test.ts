import { companyToday } from '#engine/values/dates.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal, type Trader } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

/** A long story on a busy machine. */
const STORY = { timeout: 180_000 };
const ADVANCE = { nature: 'advance', settle_mode: 'spot' };

/** A partner with so much USD in the pool at 7.1, less the fee of 0.05 a dollar. */
async function funded(name: string, usd: string): Promise<{ of: Trader; contract: string; split: string }> {
  const of = await money.trader(name, { export_mode: 'buyout' });
  const contract = await money.contract(of, { export_mode: 'buyout' });
  const receipt = await money.receipt({ gross_amount: usd, payer_name: of.buyerName });
  const claim = await money.claim(receipt, of, usd);
  const split = await money.split(receipt, claim, {
    settle_rate: '7.100000',
    lines: [{ ...ADVANCE, contract_id: contract, amount: usd }],
  });
  return { of, contract, split };
}

/** What came of two at once: how many did it, and what the others were told. */
async function race(
  attempts: readonly Promise<{ readonly status: number; readonly msg: string }>[],
): Promise<readonly [done: number, refusals: readonly string[]]> {
  const answers = await Promise.all(attempts);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  return [
    answers.filter(({ status }) => status === 200).length,
    answers.filter(({ status }) => status !== 200).map(({ msg }) => msg),
  ];
}

describe('T-13 the life of a hold', () => {
  it('is held from the submission, stays through a failure, goes with the end', STORY, async () => {
    const { act, stored } = rules;
    const { of, contract } = await funded('宁波冻结A', '4000.00');
    const purchase = await money.purchase(of, contract);
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);
    const draft = async (): Promise<string> =>
      money.payment(of, {
        pay_type: 'advance',
        goods_lines: [{ purchase_contract_id: purchase, amount: '20000.00' }],
      });
    const payment = await draft();
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    expect(await money.pool(of)).toEqual(['28200.00', '20000.00', '8200.00']);
    const state = await must(rules.as('dm.aa', 'GET', `/approval/record/payment_request/${payment}`));
    const task = state['task'] as { id: string; version: number };
    await must(
      rules.as('dm.aa', 'POST', `/approval/${task.id}/reject`, { version: task.version, opinion: '缺附件' }),
    );
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.approve('payment_request', payment, ['dm.aa', 'tm.aa', 'fn.aa']);
    await must(act('tr.aa', 'payment_request', payment, 'pay'));
    await must(act('tr.aa', 'payment_request', payment, 'fail', { inputs: { fail_reason: '户名不符' } }));
    expect(await money.pool(of)).toEqual(['28200.00', '20000.00', '8200.00']);
    await must(act('tm.aa', 'payment_request', payment, 'void', { opinion: '不再支付' }));
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);
    const second = await draft();
    await must(act('sp.aa', 'payment_request', second, 'submit'));
    await money.pay(second, ['dm.aa', 'tm.aa', 'fn.aa'], { bank_fee: '20.00' });
    expect(await money.pool(of)).toEqual(['8180.00', '0.00', '8180.00']);
    // The bank returns it: everything is mirrored, once, and the preview says what is taken back.
    const { version } = await stored('payment_request', second);
    const asked = { id: second, version, action: 'bounce', opinion: '退票' };
    const { plan } = await must(rules.as('fn.aa', 'POST', '/data/payment_request/preview', asked));
    const told = (plan as { entries: { type: string; isMirror: boolean }[] }).entries;
    const takenBack = told.filter(({ isMirror }) => isMirror).map(({ type }) => type);
    expect(new Set(takenBack)).toEqual(new Set(['付款', '付预付款', '银行手续费']));
    await must(act('fn.aa', 'payment_request', second, 'bounce', { opinion: '退票' }));
    const vouchers = await rules.example.services.db.query<{ summary: string }>(
      `select summary from finance_voucher where source_id = $1 order by voucher_no`,
      [second],
    );
    const [made = '', mirror] = vouchers.map(({ summary }) => summary);
    expect(mirror).toBe(`红冲 ${made}`);
    expect(await money.pool(of)).toEqual(['28200.00', '0.00', '28200.00']);
    expect(await stored('purchase_contract', purchase)).toMatchObject({ advance_paid: '0.00' });
    expect((await act('fn.aa', 'payment_request', second, 'bounce', { opinion: '再退' })).status).toBe(409);
  });
});

describe('two at once', () => {
  it('two claims, two splits, two payments: one of each, the other is told why', STORY, async () => {
    const { act } = rules;
    const of = await money.trader('宁波并发A', { export_mode: 'buyout' });
    const other = await money.trader('宁波并发B', { export_mode: 'buyout' });
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const receipt = await money.receipt({ gross_amount: '10000.00', payer_name: of.buyerName });
    const claims = [of, other].map(({ partner, buyer }) =>
      act('fn.aa', 'receipt', receipt, 'claim', {
        inputs: { partner_id: partner, buyer_id: buyer, amount: '6000.00' },
      }),
    );
    const [claimed, told] = await race(claims);
    expect(claimed).toBe(1);
    expect(['认领金额超过未认领金额', '单据已被他人修改，请刷新后重试']).toContain(told[0]);

    const full = await money.receipt({ gross_amount: '10000.00', payer_name: of.buyerName });
    const claim = await money.claim(full, of, '10000.00');
    const drafts = await Promise.all(
      ['6000.00', '6000.00'].map((amount) =>
        money.draftSplit(full, claim, {
          settle_rate: '7.100000',
          lines: [{ ...ADVANCE, contract_id: contract, amount }],
        }),
      ),
    );
    expect(await race(drafts.map((id) => act('fn.aa', 'receipt_split', id, 'submit')))).toEqual([
      1,
      ['可分割金额不足'],
    ]);

    const rich = await funded('宁波并发C', '4000.00');
    const purchase = await money.purchase(rich.of, rich.contract);
    const payments = await Promise.all(
      [1, 2].map(() =>
        money.payment(rich.of, {
          pay_type: 'advance',
          goods_lines: [{ purchase_contract_id: purchase, amount: '20000.00' }],
        }),
      ),
    );
    expect(await race(payments.map((id) => act('sp.aa', 'payment_request', id, 'submit')))).toEqual([
      1,
      ['可用余额不足'],
    ]);
    expect(await money.pool(rich.of)).toEqual(['28200.00', '20000.00', '8200.00']);
  });
});

describe('what is refused', () => {
  it('a write into a closed month, a reversal while the money is used, and who may not', STORY, async () => {
    const { act, as, stored } = rules;
    const { of, contract, split } = await funded('宁波关账A', '4000.00');
    // A closed month.
    const [period] = await rules.example.services.db.query<{ id: string }>(
      `select id from accounting_period where period = '202610'`,
      [],
    );
    const october = period?.id ?? (await rules.given('accounting_period', OCTOBER));
    // 调汇 shuts the month as much as 结账 does (the month end itself: month.test.ts).
    await must(act('fn.aa', 'accounting_period', october, 'revalue'));
    const [status, msg] = await refusal(
      as('fn.aa', 'POST', '/data/receipt', {
        bank_ref: money.key(),
        bank_account_id: money.accounts.usd,
        currency: 'USD',
        value_date: '2026-10-15',
        gross_amount: '100.00',
        payer_name: of.buyerName,
        payer_country_id: rules.example.masters.country,
      }),
    );
    expect([status, msg]).toEqual([400, expect.stringContaining('会计期间已结账，不能操作')]);
    // Used money cannot be taken back.
    const purchase = await money.purchase(of, contract);
    const payment = await money.payment(of, {
      pay_type: 'advance',
      goods_lines: [{ purchase_contract_id: purchase, amount: '20000.00' }],
    });
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'tm.aa', 'fn.aa']);
    expect(await refusal(act('fn.aa', 'receipt_split', split, 'reverse', { opinion: '认错' }))).toEqual([
      400,
      '分割款项已结汇、退汇或使用，不能冲销',
    ]);
    expect(await stored('receipt_split', split)).toMatchObject({ status: 'posted' });
    // Who may not.
    for (const [who, key, id, action] of [
      ['sp.aa', 'payment_request', payment, 'bounce'],
      ['dm.aa', 'receipt_split', split, 'reverse'],
      ['tr.aa', 'accounting_period', october, 'reopen'],
    ] as const)
      expect((await act(who, key, id, action, { opinion: 'x' })).status).toBe(403);
    for (const key of ['fund_ledger_entry', 'bank_entry', 'fund_pool'])
      expect((await as('fn.aa', 'POST', `/data/${key}`, {})).status).toBe(403);
  });
});

describe('four eyes', () => {
  it.each([
    ['registered the receipt', 'fn2.aa', 'fn.aa'],
    ['made the split', 'fn.aa', 'fn2.aa'],
  ])('who %s does not approve it; with nobody else left 总经理 does', STORY, async (_, registrar, maker) => {
    const of = await money.trader(`宁波四眼${money.key()}`, { export_mode: 'buyout' });
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const body = {
      bank_ref: money.key(),
      bank_account_id: money.accounts.usd,
      currency: 'USD',
      value_date: '2026-11-18',
      payer_country_id: rules.example.masters.country,
      gross_amount: '500.00',
      payer_name: of.buyerName,
    };
    const receipt = String((await must(rules.as(registrar, 'POST', '/data/receipt', body)))['id']);
    const claim = await money.claim(receipt, of, '500.00');
    const split = await must(
      rules.as(maker, 'POST', '/data/receipt_split', {
        receipt_id: receipt,
        claim_line: claim,
        split_date: '2026-11-20',
        settle_rate: '7.100000',
        lines: [{ ...ADVANCE, contract_id: contract, amount: '500.00' }],
      }),
    );
    const id = String(split['id']);
    await must(rules.act('fn.aa', 'receipt_split', id, 'submit'));
    const [task] = await rules.example.services.db.query<{ id: string }>(
      `select id::text as id from approval_task where record_id = $1 and status = 'pending'`,
      [id],
    );
    const approve = (who: string) => rules.as(who, 'POST', `/approval/${task?.id ?? ''}/approve`, {});
    expect(await refusal(approve('fn.aa'))).toEqual([403, '不能审核本人提交的单据']);
    expect(await refusal(approve('fn2.aa'))).toEqual([403, '不能审核本人经办的单据']);
    await must(approve('gm.aa'));
    expect(await rules.stored('receipt_split', id)).toMatchObject({ status: 'posted' });
  });

  it('who approved a payment does not confirm it', STORY, async () => {
    const { of, contract } = await funded('宁波四眼付款', '4000.00');
    const payment = await money.payment(of, {
      pay_type: 'advance',
      goods_lines: [{ purchase_contract_id: await money.purchase(of, contract), amount: '20000.00' }],
    });
    await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
    await money.approve('payment_request', payment, ['dm.aa', 'tm.aa', 'fn.aa']);
    await must(rules.act('tr.aa', 'payment_request', payment, 'pay'));
    const confirm = (who: string) =>
      rules.act(who, 'payment_request', payment, 'confirm', {
        inputs: {
          paid_date: companyToday(new Date()),
          bank_account_id: money.accounts.cny,
          bank_ref: money.key(),
        },
      });
    expect(await refusal(confirm('fn.aa'))).toEqual([400, '审核过该单据的人员不能确认付款']);
    await must(confirm('fn2.aa'));
  });
});

describe('what does not belong together', () => {
  it('another partner’s ids, a fraction of a yen, a day without a rate', STORY, async () => {
    const { as, act, given, example } = rules;
    const { of, contract } = await funded('宁波越权A', '4000.00');
    const other = await money.trader('宁波越权B', { export_mode: 'buyout' });
    const foreign = {
      contract: await money.contract(other, { export_mode: 'buyout' }),
      account: (
        await example.services.db.query<{ id: string }>(
          'select id from supplier__banks where parent_id = $1::uuid',
          [other.supplier],
        )
      )[0]?.id,
    };
    const theirs = {
      ...foreign,
      purchase: await money.purchase(other, foreign.contract),
      shipment: await money.shipment(other, foreign.contract, { quantity: '10' }, { export_mode: 'buyout' }),
    };
    const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    const purchase = await money.purchase(of, contract);
    for (const [code, name, decimals] of [
      ['JPY', '日元', 0],
      ['EUR', '欧元', 2],
    ] as const)
      await given('currency', { code, name, symbol: code, decimals, status: 'active' });
    await example.services.definitions.refreshOverrides();
    const bank = await rules.stored('company_bank_account', money.accounts.usd);
    const account = async (currency: string): Promise<string> =>
      given('company_bank_account', {
        account_name: '试验公司',
        account_no: money.key(),
        bank_id: bank['bank_id'],
        currency,
        status: 'active',
      });
    const arrives = async (currency: string, gross_amount: string) =>
      as('fn.aa', 'POST', '/data/receipt', {
        bank_ref: money.key(),
        bank_account_id: await account(currency),
        value_date: '2026-11-18',
        gross_amount,
        payer_name: of.buyerName,
        payer_country_id: example.masters.country,
      });
    const split = (line: Fields) =>
      as('fn.aa', 'POST', '/data/receipt_split', {
        receipt_id: receipt,
        claim_line: claim,
        split_date: '2026-11-20',
        settle_rate: '7.100000',
        lines: [{ settle_mode: 'spot', amount: '10.00', ...line }],
      });
    const pay = (line: Fields, head: Fields = {}) =>
      as('sp.aa', 'POST', '/data/payment_request', {
        business_type: 'agency',
        pay_type: 'advance',
        partner_id: of.partner,
        payee_kind: 'supplier',
        supplier_id: of.supplier,
        need_date: '2026-11-22',
        purpose: '试验',
        goods_lines: [{ purchase_contract_id: purchase, amount: '10.00', ...line }],
        ...head,
      });
    const claimed = { partner_id: of.partner, buyer_id: other.buyer, amount: '1.00' };
    const another = await money.receipt({ gross_amount: '10.00', payer_name: of.buyerName });
    for (const [name, attempt, at] of [
      ['claim', () => act('sp.aa', 'receipt', another, 'claim', { inputs: claimed }), 'buyer_id'],
      [
        'split to a contract',
        () => split({ nature: 'advance', contract_id: theirs.contract }),
        'contract_id',
      ],
      ['split to a shipment', () => split({ nature: 'goods', shipment_id: theirs.shipment }), 'shipment_id'],
      ['payment of a contract', () => pay({ purchase_contract_id: theirs.purchase }), 'purchase_contract_id'],
      [
        'payment of a shipment',
        () => pay({ shipment_id: theirs.shipment }, { pay_type: 'goods' }),
        'shipment_id',
      ],
      ['payment to an account', () => pay({}, { supplier_account: theirs.account }), 'supplier_account'],
      ['a fraction of a yen', () => arrives('JPY', '100.50'), 'gross_amount'],
      ['a currency without a rate', () => arrives('EUR', '100.00'), 'value_date'],
    ] as const) {
      const { status, problems } = await attempt();
      expect([name, status, problems.map(({ path }) => path).join()]).toEqual([
        name,
        400,
        expect.stringContaining(at),
      ]);
    }
  });

  it(
    'payments beyond what is invoiced, for goods and for fees; what documents ask to be paid',
    STORY,
    async () => {
      const { act, given, stored, as } = rules;
      const { of, contract } = await funded('宁波限额A', '100000.00');
      const purchase = await money.purchase(of, contract, {
        payment_terms: 'on_invoice',
        advance_ratio: '0',
      });
      const line = { quantity: '10000', purchase_contract_id: purchase };
      const shipment = await money.shipment(of, contract, line, { export_mode: 'buyout' });
      const pay = async (changes: Fields) => {
        const id = await money.payment(of, changes);
        return [id, await act('sp.aa', 'payment_request', id, 'submit')] as const;
      };
      const goods = (amount: string) =>
        pay({
          pay_type: 'goods',
          goods_lines: [{ purchase_contract_id: purchase, shipment_id: shipment, amount }],
        });
      expect((await goods('100.00'))[1].msg).toBe('付款金额超过已回票或已进仓金额');
      await money.invoice(of, { purchase, shipment, quantity: '10', net: '100.00', tax: '13.00' });
      expect((await goods('113.01'))[1].msg).toBe('付款金额超过已回票或已进仓金额');
      // To an account that nobody verified, behind the back of the one that was chosen.
      const [, diverted] = await pay({
        pay_type: 'goods',
        payee_account: '62229999',
        goods_lines: [{ purchase_contract_id: purchase, shipment_id: shipment, amount: '10.00' }],
      });
      expect(diverted.problems.map(({ path, message }) => [path, message])).toEqual([
        ['payee_account', '收款账号与所选供应商账户（62220001）不一致'],
      ]);
      // Nor to anybody else, and not to an account that was changed after it was chosen.
      const bought = [{ purchase_contract_id: purchase, shipment_id: shipment, amount: '10.00' }];
      const typed = { payee_name: '甲', payee_account: '62229999', payee_bank: '中国银行' };
      const [, elsewhere] = await pay({
        ...{ pay_type: 'goods', payee_kind: 'other', supplier_account: null, ...typed },
        goods_lines: bought,
      });
      expect(elsewhere.problems.map(({ path, message }) => [path, message])).toEqual([
        ['goods_lines.0.amount', '买断、自营业务的货款付给供应商'],
      ]);
      const { db } = rules.example.services;
      const verify = async (isVerified: boolean) =>
        db.query('update supplier__banks set verified = $2 where parent_id = $1::uuid', [
          of.supplier,
          isVerified,
        ]);
      const changed = await money.payment(of, { pay_type: 'goods', goods_lines: bought });
      await verify(false);
      const unverified = await act('sp.aa', 'payment_request', changed, 'submit');
      expect(unverified.problems.map(({ path, message }) => [path, message])).toEqual([
        ['supplier_account', '供应商账户须已由财务验证'],
      ]);
      await verify(true);
      await must(Promise.resolve((await goods('113.00'))[1]));

      const fee = (amount: string, business_invoice_id: string | null) =>
        pay({
          pay_type: 'freight',
          fee_lines: [
            {
              fee_item: 'ocean',
              shipment_id: shipment,
              amount,
              business_invoice_id,
              invoice_due: '2026-12-20',
            },
          ],
        });
      const invoice = await given('business_invoice', {
        business_type: 'agency',
        partner_id: of.partner,
        invoice_type: '32',
        invoice_number: '26442000000000000001',
        billing_date: '2026-11-10',
        issuer_kind: 'forwarder',
        issuer_name: '货代',
        net_amount: '100.00',
        tax_amount: '0.00',
        sales_id: rules.example.masters.sales,
        dept_code: 'AA',
        status: 'approved',
      });
      const [paid, first] = await fee('60.00', invoice);
      await must(Promise.resolve(first));
      await money.pay(paid, ['dm.aa', 'fn.aa']);
      expect((await fee('40.01', invoice))[1].msg).toBe('付款金额超过发票未付金额');
      // Three paid ahead of their invoices (L41): this payee gets no fourth.
      const early: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const [id, submitted] = await fee('10.00', null);
        await must(Promise.resolve(submitted));
        early.push(id);
      }
      for (const id of early) await money.pay(id, ['dm.aa', 'fn.aa']);
      expect((await fee('10.00', null))[1].msg).toBe('该收款方先付后票已达3笔');
      expect(await stored('business_invoice', invoice)).toMatchObject({ paid_amount: '60.00' });
      // The requests that documents make carry what is still to be paid.
      const made = async (key: string, id: string, action: string): Promise<Fields> => {
        const { _created } = await must(act('sp.aa', key, id, action));
        const [request] = _created as readonly { id: string }[];
        return must(as('sp.aa', 'GET', `/data/payment_request/${request?.id ?? ''}`));
      };
      const other = await money.contract(of, { export_mode: 'buyout' });
      const third = await money.purchase(of, other, { status: 'signed' });
      expect(await made('purchase_contract', third, 'to_advance')).toMatchObject({
        ...{ pay_type: 'advance', supplier_id: of.supplier },
        // The verified account of the supplier comes along (D21).
        ...{ supplier_account: expect.any(String), payee_account: '62220001' },
        goods_lines: [{ purchase_contract_id: third, amount: '186450.00' }],
      });
      // Two makes of one action, each for other shipments: one is offered.
      const { _makes } = await must(as('sp.aa', 'GET', `/data/shipment/${shipment}`));
      const offered = (_makes as readonly Fields[]).filter(({ to }) => to === 'payment_request');
      expect(offered).toMatchObject([{ make: 'goods_payment', title: '申请货款', action: 'to_payment' }]);
      expect(await made('shipment', shipment, 'to_payment')).toMatchObject({
        pay_type: 'goods',
        supplier_id: of.supplier,
        goods_lines: [{ purchase_contract_id: purchase, shipment_id: shipment, amount: '621500.00' }],
      });
      // What is completed takes no payment any more, and none is begun.
      await rules.example.services.db.query(
        `update purchase_contract set status = 'completed' where id = $1::uuid`,
        [purchase],
      );
      const late = await must(as('sp.aa', 'GET', `/data/shipment/${shipment}`));
      expect(
        (late['_makes'] as readonly Fields[]).filter(({ to }) => to === 'payment_request'),
      ).toMatchObject([
        {
          make: 'goods_payment',
          allowed: false,
          reason: '采购合同未签约或已完成，没有可申请的货款',
        },
      ]);
      expect((await act('sp.aa', 'shipment', shipment, 'to_payment')).msg).toBe(
        '采购合同未签约或已完成，没有可申请的货款',
      );
    },
  );

  it(
    'a claim on a shipment is asked when it grows and when it is approved, not when its fee is paid (L13)',
    STORY,
    async () => {
      const { act, as } = rules;
      const of = await money.trader('宁波占用A');
      const contract = await money.contract(of);
      const shipment = async (): Promise<string> =>
        money.shipment(of, contract, { quantity: '100' }, { invoice_no: money.key() });
      const [paid, other] = [await shipment(), await shipment()];
      const receipt = await money.receipt({ gross_amount: '2000.00', payer_name: of.buyerName });
      const claim = await money.claim(receipt, of, '2000.00');
      const goods = { nature: 'goods', settle_mode: 'spot', amount: '1000.00' };
      const lines = [
        { ...goods, shipment_id: paid },
        { ...goods, shipment_id: other },
      ];
      await money.split(receipt, claim, { settle_rate: '7.100000', lines });
      // 7,100.00 less the fee of 50.00 are left of the shipment; two requests ask for all of it.
      const asked = async (amount: string, changes: Fields = {}): Promise<string> =>
        money.payment(of, {
          ...{
            pay_type: 'goods',
            payee_kind: 'partner',
            supplier_id: null,
            supplier_account: null,
          },
          goods_lines: [{ shipment_id: paid, amount }],
          ...changes,
        });
      // To the partner's own account that finance has verified, whatever is typed.
      const typed = { payee_name: '甲', payee_account: '62229999', payee_bank: '中国银行' };
      const diverted = await asked('10.00', { partner_account: null, ...typed });
      const answer = await act('sp.aa', 'payment_request', diverted, 'submit');
      expect(answer.problems.map(({ path }) => path)).toEqual(['partner_account']);
      const [first, second, third] = [await asked('4000.00'), await asked('3050.00'), await asked('0.01')];
      await must(act('sp.aa', 'payment_request', first, 'submit'));
      await must(act('sp.aa', 'payment_request', second, 'submit'));
      const over = [400, '付款金额超过本票结余'] as const;
      expect(await refusal(act('sp.aa', 'payment_request', third, 'submit'))).toEqual(over);
      // The fee of the bank takes twenty yuan that the second was granted against: the first is paid all the same.
      await money.pay(first, ['dm.aa', 'tm.aa', 'fn.aa'], { bank_fee: '20.00' });
      expect(await rules.stored('shipment', paid)).toMatchObject({
        pool_sum: '3030.00',
        requested_pass: '3050.00',
      });
      for (const who of ['dm.aa', 'tm.aa']) await must(money.decide(who, 'payment_request', second));
      expect(await refusal(money.decide('fn.aa', 'payment_request', second))).toEqual(over);
      const state = await must(as('fn.aa', 'GET', `/approval/record/payment_request/${second}`));
      const task = state['task'] as { id: string; version: number };
      await must(
        as('fn.aa', 'POST', `/approval/${task.id}/reject`, { version: task.version, opinion: '余额不足' }),
      );
      const fits = await asked('3030.00');
      await must(act('sp.aa', 'payment_request', fits, 'submit'));
      await money.pay(fits, ['dm.aa', 'tm.aa', 'fn.aa']);
      expect((await rules.stored('shipment', paid))['pool_sum']).toBe('0.00');
    },
  );

  it(
    'an invoice that goes bad stops no payment that was made, and an advance that was offset is not bounced',
    STORY,
    async () => {
      const { act } = rules;
      const { of, contract } = await funded('宁波占用B', '100000.00');
      const purchase = await money.purchase(of, contract);
      const line = { quantity: '10000', purchase_contract_id: purchase };
      const shipment = await money.shipment(of, contract, line, { export_mode: 'buyout' });
      const paid = async (pay_type: string, goods: Fields): Promise<string> => {
        const id = await money.payment(of, {
          pay_type,
          goods_lines: [{ purchase_contract_id: purchase, ...goods }],
        });
        await must(act('sp.aa', 'payment_request', id, 'submit'));
        await money.pay(id, ['dm.aa', 'tm.aa', 'fn.aa']);
        return id;
      };
      const advance = await paid('advance', { amount: '50.00' });
      const invoice = await money.invoice(of, {
        purchase,
        shipment,
        quantity: '10',
        net: '100.00',
        tax: '13.00',
      });
      const goods = await paid('goods', { shipment_id: shipment, amount: '63.00', offset_advance: '50.00' });
      const bounce = (id: string) => act('fn.aa', 'payment_request', id, 'bounce', { opinion: '银行退回' });
      expect(await refusal(bounce(advance))).toEqual([400, '预付款已核销或明细单已结算，不能冲销']);
      await must(act('fn.aa', 'goods_invoice', invoice, 'flag', { opinion: '税务异常' }));
      expect(await rules.stored('purchase_contract', purchase)).toMatchObject({
        goods_claimed: '113.00',
        invoiced_total: '0.00',
      });
      await must(bounce(goods));
      await must(bounce(advance));
    },
  );

  it(
    'goods are paid as goods, within what their contract allows; what is only offset moves no cash',
    STORY,
    async () => {
      const { act, as, stored } = rules;
      const { of, contract } = await funded('宁波抵扣A', '1000.00');
      const purchase = await money.purchase(of, contract);
      const line = { quantity: '10000', purchase_contract_id: purchase };
      const shipment = await money.shipment(of, contract, line, { export_mode: 'buyout' });
      const submitted = async (pay_type: string, goods: Fields, head: Fields = {}) => {
        const goods_lines = [{ purchase_contract_id: purchase, ...goods }];
        const id = await money.payment(of, { pay_type, goods_lines, ...head });
        return [id, await act('sp.aa', 'payment_request', id, 'submit')] as const;
      };
      const [, other] = await submitted('other', { amount: '10.00' });
      expect(other.problems.map(({ path }) => path)).toContain('goods_lines.0.settlement_id');

      const [advance] = await submitted('advance', { amount: '50.00' });
      await money.pay(advance, ['dm.aa', 'tm.aa', 'fn.aa']);
      await money.invoice(of, { purchase, shipment, quantity: '10', net: '100.00', tax: '13.00' });
      await money.enter(of, purchase, '10');
      const offset = { shipment_id: shipment, offset_advance: '50.00' };
      await expect(
        submitted('goods', { ...offset, amount: '0.01' }, { pay_method: 'offset' }),
      ).rejects.toThrow('抵扣不付现金，付款金额须为0');
      const [id, none] = await submitted('goods', { ...offset, amount: '0.00' }, { pay_method: 'offset' });
      await must(Promise.resolve(none));
      await money.approve('payment_request', id, ['dm.aa', 'tm.aa', 'fn.aa']);
      await must(act('tr.aa', 'payment_request', id, 'pay'));
      const confirmed = (bank_fee: string | null) =>
        act('tr.aa', 'payment_request', id, 'confirm', {
          inputs: {
            ...{ paid_date: companyToday(new Date()), bank_account_id: money.accounts.cny },
            ...{ bank_ref: money.key(), bank_fee },
          },
        });
      expect(await refusal(confirmed('20.00'))).toEqual([400, '抵扣不付现金，没有付款手续费']);
      await must(confirmed(null));
      expect(await stored('payment_request', id)).toMatchObject({ status: 'paid', bank_out: '0.00' });
      const { advance_offset } = await must(as('fn.aa', 'GET', `/data/purchase_contract/${purchase}`));
      expect(advance_offset).toBe('50.00');
    },
  );

  it('a supplier whom nobody visited is asked for less than VISIT_AMOUNT in all', STORY, async () => {
    const { db } = rules.example.services;
    const { of, contract } = await funded('宁波核查A', '100000.00');
    const purchase = await money.purchase(of, contract, { advance_ratio: '100' });
    const asked = async (amount: string) => {
      const goods_lines = [{ purchase_contract_id: purchase, amount }];
      const id = await money.payment(of, { pay_type: 'advance', goods_lines });
      return rules.act('sp.aa', 'payment_request', id, 'submit');
    };
    const visited = (day: string | null) =>
      db.query('update supplier set site_visit_date = $2 where id = $1::uuid', [of.supplier, day]);
    await visited(null);
    const unseen = [400, '未实地核查供应商，不能付款'];
    expect(await refusal(asked('500000.00'))).toEqual(unseen);
    await must(asked('499999.99'));
    // What is asked for already counts, paid or not.
    expect(await refusal(asked('0.01'))).toEqual(unseen);
    await visited('2026-01-05');
    await must(asked('0.01'));
  });

  it('a salesperson takes back no claim of another', STORY, async () => {
    const { act, as, example } = rules;
    const [mine, other] = [await money.trader('宁波撤销A'), await money.trader('宁波撤销B')];
    await example.services.db.query('update partner set sales_id = $2::uuid where id = $1::uuid', [
      other.partner,
      await rules.idOf('dm.aa'),
    ]);
    const receipt = await money.receipt({ gross_amount: '100.00', payer_name: mine.buyerName });
    await money.claim(receipt, mine, '60.00');
    const inputs = { partner_id: other.partner, buyer_id: other.buyer, amount: '40.00' };
    await must(act('fn.aa', 'receipt', receipt, 'claim', { inputs }));
    const { claims } = await must(as('fn.aa', 'GET', `/data/receipt/${receipt}`));
    const [first, second] = (claims as readonly Fields[]).map(({ id }) => ({ id, _delete: true }));
    const unclaim = (who: string, gone: readonly unknown[]) =>
      act(who, 'receipt', receipt, 'unclaim', { opinion: '认错', inputs: { changes: { claims: gone } } });
    expect(await refusal(unclaim('sp.aa', [second]))).toEqual([400, '只能撤销本人委托方的认领']);
    await must(unclaim('sp.aa', [first]));
    await must(unclaim('tm.aa', [second]));
    expect(await rules.stored('receipt', receipt)).toMatchObject({
      status: 'unclaimed',
      claimed_total: '0.00',
    });
  });
});

describe('the books', () => {
  it('balance, and every chain of balances is continuous', async () => {
    const { db } = rules.example.services;
    const uneven = await db.query(
      `select v.voucher_no from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
       group by v.voucher_no having sum(coalesce(e.debit, 0)) <> sum(coalesce(e.credit, 0))`,
      [],
    );
    expect(uneven).toEqual([]);
    const broken = await db.query<Fields>(
      `select entry_no from (select entry_no, balance_after, amount,
         coalesce(lag(balance_after) over (partition by pool_id order by entry_no), 0) as before from fund_ledger_entry) e
       where balance_after <> before + amount`,
      [],
    );
    expect(broken).toEqual([]);
    const off = await db.query<Fields>(
      `select p.pool_no from fund_pool p left join fund_ledger_entry e on e.pool_id = p.id
       group by p.id, p.pool_no, p.balance having p.balance <> coalesce(sum(e.amount), 0)`,
      [],
    );
    expect(off).toEqual([]);
  });
});

describe('every night', () => {
  it('what was changed behind the ledgers is found and named', async () => {
    const { db } = rules.example.services;
    const { of, split } = await funded('宁波巡检A', '100.00');
    const receipt = String((await rules.stored('receipt_split', split))['receipt_id']);
    const [pool] = await db.query<{ id: string }>('select id from fund_pool where partner_id = $1::uuid', [
      of.partner,
    ]);
    const told = async (): Promise<readonly string[]> => {
      await db.query(`delete from sys_notice where event = 'DATA_INVARIANT'`, []);
      await checkInvariants(rules.example.services, INVARIANTS);
      const rows = await db.query<{ content: string }>(
        `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
        [],
      );
      const codes = rows.map(({ content }) => /INV-\d\d/.exec(content)?.[0] ?? content);
      // Invoices of the stories above are written without their lines.
      return codes.filter((code) => code !== 'INV-09' && code !== 'INV-20').toSorted();
    };
    expect(await told()).toEqual([]);
    await db.query('update fund_pool set balance = balance + 0.01 where id = $1::uuid', [pool?.id]);
    expect(await told()).toEqual(['INV-02', 'INV-04']);
    await db.query('update fund_pool set balance = balance - 0.01, frozen = 1 where id = $1::uuid', [
      pool?.id,
    ]);
    expect(await told()).toEqual(['INV-04']);
    // A hold that nobody checked, larger than what is there: the fee that was taken explains none of it.
    const seized = `insert into sys_hold (id, account_resource, account_id, resource, record_id, place, amount, created_at)
      values (gen_random_uuid(), 'fund_pool', $1::uuid, 'payment_request', gen_random_uuid(), 0, 1000, now())`;
    await db.query(seized, [pool?.id]);
    await db.query('update fund_pool set frozen = 1000, available = balance - 1000 where id = $1::uuid', [
      pool?.id,
    ]);
    expect(await told()).toEqual(['INV-03']);
    await db.query(`delete from sys_hold where account_id = $1::uuid`, [pool?.id]);
    await db.query('update fund_pool set frozen = 0, available = balance where id = $1::uuid', [pool?.id]);
    const cent = (amount: string) =>
      db.query(
        `update finance_voucher__entries set debit = debit + $2::numeric where id =
          (select e.id from finance_voucher__entries e join finance_voucher v on v.id = e.parent_id
            where v.source_id = $1 and e.debit > 0 order by e.id limit 1)`,
        [split, amount],
      );
    await cent('0.01');
    expect(await told()).toEqual(['INV-15']);
    await cent('-0.01');
    const foreign = (by: string) =>
      db.query(
        `update finance_voucher__entries set fc_amount = fc_amount + $2::numeric where posting_key = 'RCV_UNCLAIMED'
           and parent_id in (select id from finance_voucher where source_id = $1)`,
        [split, by],
      );
    await foreign('1');
    expect(await told()).toEqual(['INV-15']);
    await foreign('-1');
    expect(await told()).toEqual([]);
    await foundOf(await held(), told);
    const long = { period: '202001', start_date: '2020-01-01', end_date: '2020-01-31' };
    await rules.given('accounting_period', { ...long, status: 'closed', closed_at: '2020-02-05' });
    const dated = 'update finance_voucher set voucher_date = $2::date where source_id = $1';
    await db.query(dated, [split, '2020-01-15']);
    expect(await told()).toEqual(['INV-15']);
    await db.query(dated, [split, '2026-11-20']);
    await db.query('update receipt__claims set amount = 99 where parent_id = $1::uuid', [receipt]);
    expect(await told()).toEqual(['INV-01']);
  });
});

/** Money of an entrusted partner: one dollar of charges, six sold at once, four held and then sold. */
async function held(): Promise<Readonly<Record<'partner' | 'receipt' | 'split' | 'slip', string>>> {
  const of = await money.trader('宁波巡检B');
  const contract = await money.contract(of);
  const receipt = await money.receipt({
    gross_amount: '11.00',
    foreign_charge: '1.00',
    payer_name: of.buyerName,
  });
  const line = { nature: 'advance', contract_id: contract };
  const split = await money.split(receipt, await money.claim(receipt, of, '10.00'), {
    settle_rate: '7.100000',
    lines: [
      { ...line, settle_mode: 'spot', amount: '6.00' },
      { ...line, settle_mode: 'hold', amount: '4.00' },
    ],
  });
  const [holding] = await rules.example.services.db.query<{ id: string }>(
    'select id from fx_holding where split_id = $1::uuid',
    [split],
  );
  const made = await must(
    rules.as('tr.aa', 'POST', '/data/fx_settlement', {
      ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_ref: money.key() },
      ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
      ...{ amount: '3.00', bank_rate: '7.100000', amount_cny: '21.30' },
      lines: [{ source_kind: 'hold', holding_id: holding?.id, amount: '3.00' }],
    }),
  );
  const slip = String(made['id']);
  await must(rules.act('tr.aa', 'fx_settlement', slip, 'submit'));
  await money.approve('fx_settlement', slip, ['fn.aa']);
  return { partner: of.partner, receipt, split, slip };
}

/** What is found when figures of this money are changed behind the books, one after the other. */
async function foundOf(
  { partner, receipt, split, slip }: Awaited<ReturnType<typeof held>>,
  told: () => Promise<readonly string[]>,
): Promise<void> {
  const { db } = rules.example.services;
  expect(await told()).toEqual([]);
  const by = (table: string, column: string, where: string, id: string) => (amount: string) =>
    db.query(`update ${table} set ${column} = ${column} + $2::numeric where ${where} = $1::uuid`, [
      id,
      amount,
    ]);
  for (const [code, spoil] of [
    ['INV-01', by('receipt__claims', 'charge_amount', 'parent_id', receipt)],
    ['INV-14', by('fx_holding', 'left_amount', 'split_id', split)],
    ['INV-14', by('fx_settlement__lines', 'pool_cny', 'parent_id', slip)],
  ] as const) {
    await spoil('1');
    expect(await told()).toEqual([code]);
    await spoil('-1');
  }
  // What the books owe a partner is what his money came to, unless it is of a buyout.
  const owed = (owner: string | null) =>
    db.query(
      `update finance_voucher__entries set partner_id = $2::uuid where posting_key = 'POOL'
         and parent_id in (select id from finance_voucher where source_id = $1)`,
      [split, owner],
    );
  await owed(null);
  expect(await told()).toEqual(['INV-15']);
  await owed(partner);
  expect(await told()).toEqual([]);
}

const OCTOBER = {
  period: '202610',
  start_date: '2026-10-01',
  end_date: '2026-10-31',
  status: 'open',
};
