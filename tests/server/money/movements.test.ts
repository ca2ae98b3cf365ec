import { randomUUID } from 'node:crypto';
import { companyToday } from '#engine/values/dates.ts';
import { subtractDecimals } from '#engine/values/decimal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
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

/** A long story on a busy machine. */
const STORY = { timeout: 400_000 };

describe('a transfer', () => {
  it('moves money between partners and back, held while it waits', STORY, async () => {
    const { act } = rules;
    const a = await moves.funded('划拨甲A', '10000.00');
    const b = await moves.funded('划拨乙B', '1000.00');
    expect(await money.pool(a)).toEqual(['70550.00', '0.00', '70550.00']);
    const values = { kind: 'pool_to_pool', from_pool_id: a.pool, to_pool_id: b.pool, amount: '20000.00' };
    const id = await moves.draft('fn.aa', 'fund_transfer', values);
    expect((await act('fn.aa', 'fund_transfer', id, 'submit')).problems).toMatchObject([
      { path: 'consent_file' },
    ]);
    await attach('fund_transfer', 'consent_file', id);
    await must(act('fn.aa', 'fund_transfer', id, 'submit'));
    expect(await money.pool(a)).toEqual(['70550.00', '20000.00', '50550.00']);
    const told = (): Promise<readonly unknown[]> =>
      rules.example.services.db.query(
        `select 1 from sys_notice where event = 'TASK_ASSIGNED' and record_id = $1 and read_at is null`,
        [id],
      );
    expect(await told()).not.toEqual([]);
    await money.approve('fund_transfer', id, ['fn2.aa', 'rk.aa']);
    // Nobody is told any more of what has been decided.
    expect(await told()).toEqual([]);
    expect(await money.entries(id)).toEqual([
      ['TRANSFER_OUT', '-20000.00'],
      ['TRANSFER_IN', '20000.00'],
    ]);
    expect(await moves.vouchers(id)).toEqual([
      ['POOL', '20000.00', ''],
      ['POOL', '', '20000.00'],
    ]);
    expect(await money.pool(a)).toEqual(['50550.00', '0.00', '50550.00']);
    await must(act('fn.aa', 'fund_transfer', id, 'push'));
    await must(act('fn.aa', 'fund_transfer', id, 'fail', { inputs: { push_msg: '接口超时' } }));
    expect(await rules.stored('fund_transfer', id)).toMatchObject({ push_status: '失败' });
    await must(act('tm.aa', 'fund_transfer', id, 'reverse', { opinion: '划错' }));
    expect(await money.pool(a)).toEqual(['70550.00', '0.00', '70550.00']);
    expect(await money.pool(b)).toEqual(['7055.00', '0.00', '7055.00']);
  });

  it('refuses more than there is, the same pool, and currencies that differ', STORY, async () => {
    const { act, as } = rules;
    const a = await moves.funded('划拨丙C', '1000.00');
    const other = await money.shipment(a, a.contract, { quantity: '1' });
    const values = {
      kind: 'shipment_to_shipment',
      from_pool_id: a.pool,
      to_pool_id: a.pool,
      from_shipment_id: a.shipment,
      to_shipment_id: other,
    };
    const much = await moves.draft('sp.aa', 'fund_transfer', { ...values, amount: '7055.01' });
    expect(await refusal(act('sp.aa', 'fund_transfer', much, 'submit'))).toEqual([400, '可用余额不足']);
    const id = await moves.done('sp.aa', 'fund_transfer', { ...values, amount: '1055.00' }, ['fn.aa']);
    expect(await moves.balance('shipment', a.shipment, 'pool_sum')).toBe('6000.00');
    expect(await moves.balance('shipment', other, 'pool_sum')).toBe('1055.00');
    expect((await rules.stored('fund_transfer', id))['sales_id']).toBe(rules.example.masters.sales);
    const { problems } = await as('fn.aa', 'POST', '/data/fund_transfer', {
      kind: 'bank_to_bank',
      from_account_id: money.accounts.usd,
      to_account_id: money.accounts.cny,
      amount: '1',
    });
    expect(problems).toMatchObject([{ path: 'to_account_id', message: '转出与转入的币种不一致' }]);
  });
});

/** What an attachment of a record stands for in a test. */
async function attach(table: string, field: string, id: string): Promise<void> {
  await rules.example.services.db.query(
    `update ${table} set ${field} = array[gen_random_uuid()] where id = $1::uuid`,
    [id],
  );
}

/** A return of dollars is handed in, approved and paid. */
async function returned(id: string): Promise<void> {
  await attach('remittance_return', 'agreement_file', id);
  await must(rules.act('sp.aa', 'remittance_return', id, 'submit'));
  await money.approve('remittance_return', id, ['tm.aa', 'fn.aa', 'rk.aa']);
  const inputs = { paid_date: '2026-11-21', bank_account_id: money.accounts.usd, bank_ref: money.key() };
  await must(rules.act('tr.aa', 'remittance_return', id, 'confirm', { inputs }));
}

/** A slip at 7.105000 with one line. */
function soldAt(amount: string, amount_cny: string, line: Record<string, unknown>): Record<string, unknown> {
  return {
    ...{ deal_date: '2026-11-20', value_date: '2026-11-20', bank_rate: '7.105000', bank_ref: money.key() },
    ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount, amount_cny },
    lines: [{ source_kind: 'spot', ...line, amount }],
  };
}

/** The buyer as one who gets money back. */
function payee({ buyerName }: { readonly buyerName: string }): Record<string, unknown> {
  return {
    ...{ payee_name: buyerName, payee_account: 'DE001', payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF' },
  };
}

function incoming(values: Record<string, unknown>): Record<string, unknown> {
  return {
    value_date: '2026-11-20',
    bank_account_id: money.accounts.cny,
    bank_ref: money.key(),
    payer_kind: 'partner',
    ...values,
  };
}

/** A deposit with what it is paid on, submitted and approved. */
async function tendered(deposit: string, people: readonly string[]): Promise<void> {
  await attach('deposit', 'attachments', deposit);
  await must(rules.act('sp.aa', 'deposit', deposit, 'submit'));
  await money.approve('deposit', deposit, people);
}

describe('money received at home', () => {
  it('goes to the pool, and is taken back only while it is there', STORY, async () => {
    const { act } = rules;
    const of = await money.trader('国内收款甲');
    const before = await moves.bank(money.accounts.cny);
    const other = { kind: 'topup', partner_id: of.partner, amount: '5000.00', payer_name: '别人' };
    const wrong = await rules.as('fn.aa', 'POST', '/data/domestic_receipt', incoming(other));
    expect(wrong.problems).toMatchObject([
      { path: 'payer_name', message: '委托方转入的付款方须为委托方本人' },
    ]);
    const topup = await moves.done(
      'fn.aa',
      'domestic_receipt',
      incoming({ ...other, payer_name: '国内收款甲' }),
      ['fn2.aa'],
    );
    expect(await money.entries(topup)).toEqual([['DOM_RCV', '5000.00']]);
    expect(await moves.vouchers(topup)).toEqual([
      ['BANK_CNY', '5000.00', ''],
      ['POOL', '', '5000.00'],
    ]);
    expect(subtractDecimals(await moves.bank(money.accounts.cny), before)).toBe('5000');
    const [agreement] = await rules.example.services.db.query<{ id: string }>(
      'select id from cooperation_agreement where partner_id = $1::uuid',
      [of.partner],
    );
    const deposit = await moves.draft('sp.aa', 'deposit', {
      kind: 'in_agree',
      partner_id: of.partner,
      agreement_id: agreement?.id,
      amount: '3000.00',
      source: 'pool',
    });
    await must(act('sp.aa', 'deposit', deposit, 'submit'));
    expect(await money.pool(of)).toEqual(['5000.00', '3000.00', '2000.00']);
    await money.approve('deposit', deposit, ['fn.aa']);
    expect(await money.entries(deposit)).toEqual([
      ['DEPOSIT_OUT', '-3000.00'],
      ['DEPOSIT_IN', '3000.00'],
    ]);
    expect(await rules.stored('deposit', deposit)).toMatchObject({ status: 'held', left_amount: '3000.00' });
    expect(await money.pool(of, 'deposit')).toEqual(['3000.00', '0.00', '3000.00']);
    const held = { deposit_held: '3000.00' };
    expect(await rules.stored('cooperation_agreement', String(agreement?.id))).toMatchObject(held);
    // The agreement that follows this one has it, and asks for no second.
    const { db } = rules.example.services;
    await db.query(`update cooperation_agreement set end_date = '2026-10-31' where id = $1`, [agreement?.id]);
    const { rate_id } = await rules.stored('cooperation_agreement', String(agreement?.id));
    const next = await rules.given('cooperation_agreement', {
      ...{ partner_id: of.partner, agreement_type: 'renewal', prev_agreement_id: agreement?.id, rate_id },
      ...{ export_mode: 'entrusted', sign_date: '2026-10-30', start_date: '2026-11-01' },
      ...{ end_date: '2028-10-31', receipt_days: 180, deposit_required: '3000.00', scan: [randomUUID()] },
      ...{ foreign_risk_party: 'partner', goods_risk_party: 'partner', fx_party: 'partner' },
      ...{ sales_id: rules.example.masters.sales, dept_code: 'AA', status: 'approved' },
    });
    await must(act('tm.aa', 'cooperation_agreement', next, 'activate'));
    expect((await rules.stored('deposit', deposit))['agreement_id']).toBe(next);
    const paid = { ...held, deposit_short: '0.00' };
    expect(await rules.stored('cooperation_agreement', next)).toMatchObject(paid);
    // One that was held for an agreement that had been renewed already is moved by finance, and only such a one.
    const moved = () => act('fn.aa', 'deposit', deposit, 'to_agreement', { inputs: { agreement_id: next } });
    expect((await moved()).msg).toBe('只有原协议已续签或未指明协议的协议保证金可以转入');
    await db.query('update deposit set agreement_id = $1 where id = $2', [agreement?.id, deposit]);
    await db.query('update cooperation_agreement set deposit_held = 0, deposit_short = 3000 where id = $1', [
      next,
    ]);
    await must(moved());
    expect(await rules.stored('cooperation_agreement', next)).toMatchObject(paid);
    expect(await rules.stored('deposit', deposit)).toMatchObject({ status: 'held', agreement_id: next });
    expect(await refusal(act('fn.aa', 'domestic_receipt', topup, 'reverse', { opinion: '错账' }))).toEqual([
      400,
      '款项已使用，不能冲销',
    ]);

    const back = { inputs: { move_amount: '1000.00' } };
    await must(act('fn.aa', 'deposit', deposit, 'give_back', back));
    expect((await rules.stored('deposit', deposit))['status']).toBe('partial_returned');
    const tooMuch = await act('fn.aa', 'deposit', deposit, 'give_back', {
      inputs: { move_amount: '2000.01' },
    });
    expect([tooMuch.status, tooMuch.msg]).toEqual([400, '退还金额超过保证金余额']);
    await attach('deposit', 'evidence', deposit);
    await must(
      act('rk.aa', 'deposit', deposit, 'forfeit', { inputs: { move_amount: '2000.00', reason: '违约' } }),
    );
    await money.approve('deposit', deposit, ['gm.aa']);
    expect(await rules.stored('deposit', deposit)).toMatchObject({
      status: 'forfeited',
      returned: '1000.00',
      forfeited: '2000.00',
      left_amount: '0.00',
    });
    expect(await money.pool(of, 'deposit')).toEqual(['0.00', '0.00', '0.00']);
    expect(await money.pool(of)).toEqual(['3000.00', '0.00', '3000.00']);
    expect((await moves.vouchers(deposit)).slice(-2)).toEqual([
      ['POOL_DEPOSIT', '2000.00', ''],
      ['NONOP_IN', '', '2000.00'],
    ]);
  });

  it(
    'a deposit that comes in cash is held by its receipt, posted once, and let go with it',
    STORY,
    async () => {
      const { act, stored } = rules;
      const of = await money.trader('国内收款乙');
      const receipt = await moves.done(
        'fn.aa',
        'domestic_receipt',
        incoming({ kind: 'deposit', partner_id: of.partner, amount: '10000.00', payer_name: '国内收款乙' }),
        ['fn2.aa'],
      );
      const deposit = String((await stored('domestic_receipt', receipt))['deposit_id']);
      expect(await stored('deposit', deposit)).toMatchObject({
        status: 'held',
        kind: 'in_agree',
        amount: '10000.00',
      });
      expect(await money.pool(of, 'deposit')).toEqual(['10000.00', '0.00', '10000.00']);
      expect(await money.entries(deposit)).toEqual([]);
      await must(act('fn.aa', 'domestic_receipt', receipt, 'reverse', { opinion: '错账' }));
      expect((await stored('deposit', deposit))['status']).toBe('pending');
      expect(await money.pool(of, 'deposit')).toEqual(['0.00', '0.00', '0.00']);
    },
  );

  it('a deposit paid out is held when its payment is, and comes back by a receipt', STORY, async () => {
    const { act, stored } = rules;
    const of = await moves.funded('国内收款丙C', '10000.00');
    const deposit = await moves.draft('sp.aa', 'deposit', {
      kind: 'out_bid',
      partner_id: of.partner,
      counterparty: '招标公司',
      payee_account: '62220099',
      payee_bank: '中国银行',
      cnaps: '104332000019',
      amount: '8000.00',
    });
    const { problems } = await act('sp.aa', 'deposit', deposit, 'submit');
    expect(problems).toMatchObject([{ path: 'attachments', message: '付出的保证金须附上协议或招标文件' }]);
    await tendered(deposit, ['dm.aa', 'fn.aa']);
    const payment = String((await stored('deposit', deposit))['payment_request_id']);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    // It is paid once, and as it was agreed.
    const again = async (amount: string, more: Record<string, unknown> = {}) =>
      refusal(
        act(
          'sp.aa',
          'payment_request',
          await money.payment(of, {
            ...{ pay_type: 'deposit', payee_kind: 'other', payee_name: '招标公司' },
            fee_lines: [{ fee_item: 'other', deposit_id: deposit, amount }],
            ...more,
          }),
          'submit',
        ),
      );
    const dollars = { currency: 'USD', cnaps: null, swift: 'BKCHCNBJ' };
    expect(await again('8000.00', dollars)).toEqual([400, '保证金以人民币支付']);
    expect(await again('8000.00')).toEqual([400, '付款金额超过保证金']);
    expect(await again('7000.00')).toEqual([400, '付款金额须等于保证金的金额（8,000.00）']);
    await money.approve('payment_request', payment, ['dm.aa', 'fn2.aa', 'gm.aa']);
    await must(act('tr.aa', 'payment_request', payment, 'pay'));
    const poolNow = async () =>
      (await must(rules.as('tr.aa', 'GET', `/data/payment_request/${payment}`)))['pool_now'];
    expect(await poolNow()).toBe((await money.pool(of))[2]);
    const confirm = (bank_account_id: string) =>
      act('tr.aa', 'payment_request', payment, 'confirm', {
        inputs: { paid_date: companyToday(new Date()), bank_account_id, bank_ref: money.key() },
      });
    expect(await refusal(confirm(money.accounts.usd))).toEqual([
      400,
      '付款银行须为人民币账户或付款币种的账户',
    ]);
    await must(confirm(money.accounts.cny));
    expect(await poolNow()).toBeNull();
    expect((await stored('deposit', deposit))['status']).toBe('held');
    expect((await money.pool(of))[0]).toBe('62550.00');
    const values = { kind: 'deposit', partner_id: of.partner, deposit_id: deposit, payer_kind: 'other' };
    const receipt = await moves.done(
      'fn.aa',
      'domestic_receipt',
      incoming({ ...values, amount: '8000.00', payer_name: '招标公司' }),
      ['fn2.aa'],
    );
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'returned', returned: '8000.00' });
    expect((await money.pool(of))[0]).toBe('70550.00');
    await must(act('fn.aa', 'domestic_receipt', receipt, 'reverse', { opinion: '错账' }));
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'held', returned: '0.00' });
    await must(act('fn.aa', 'payment_request', payment, 'bounce', { opinion: '银行退回' }));
    expect((await stored('deposit', deposit))['status']).toBe('pending');
  });

  it(
    'a deposit of our own comes back when its project is settled, and until then it is not closed',
    STORY,
    async () => {
      const { act, given, stored, example } = rules;
      const { db } = example.services;
      const sales_id = example.masters.sales;
      const own = { business_type: 'self', sales_id, dept_code: 'AA' };
      const project = await given('project', {
        ...{ ...own, name: '自营投标项目', manager_id: sales_id, start_date: '2026-06-01' },
        ...{ fund_limit: '400000', status: 'active' },
      });
      await given('fund_pool', {
        ...{ ...own, pool_type: 'project', account_kind: 'general', project_id: project },
        ...{ currency: 'CNY', status: 'active' },
      });
      const deposit = await moves.draft('sp.aa', 'deposit', {
        ...{ business_type: 'self', kind: 'out_bid', project_id: project, counterparty: '招标公司' },
        ...{ payee_account: '62220099', payee_bank: '中国银行', cnaps: '104332000019', amount: '5000.00' },
      });
      await tendered(deposit, ['dm.aa', 'fn.aa']);
      const payment = String((await stored('deposit', deposit))['payment_request_id']);
      await must(act('sp.aa', 'payment_request', payment, 'submit'));
      await money.pay(payment, ['dm.aa', 'fn2.aa', 'gm.aa']);
      expect(await stored('deposit', deposit)).toMatchObject({ status: 'held' });
      await db.query(`update project set status = 'settled' where id = $1::uuid`, [project]);
      const balance = (amount: string) =>
        db.query('update fund_pool set balance = $2::numeric where project_id = $1::uuid', [project, amount]);
      await balance('0');
      const close = () => act('fn.aa', 'project', project, 'close');
      expect(await refusal(close())).toEqual([400, '项目付出的保证金尚未收回，不能关闭']);
      await balance('-5000');
      const comes = (kind: string, more: Record<string, unknown>) =>
        incoming({
          ...{ business_type: 'self', kind, project_id: project, payer_kind: 'other' },
          ...{ payer_name: '招标公司', amount: '5000.00', ...more },
        });
      const other = await rules.as('fn.aa', 'POST', '/data/domestic_receipt', comes('other', {}));
      expect(other.problems).toMatchObject([{ path: 'project_id' }]);
      const back = comes('deposit', { deposit_id: deposit });
      const receipt = await moves.done('fn.aa', 'domestic_receipt', back, ['fn2.aa']);
      expect(await stored('deposit', deposit)).toMatchObject({ status: 'returned', left_amount: '0.00' });
      expect(await stored('project', project)).toMatchObject({ pool_balance: '0.00' });
      expect(await moves.vouchers(receipt)).toEqual([
        ['BANK_CNY', '5000.00', ''],
        ['DEPOSIT_PAID', '', '5000.00'],
      ]);
      await must(close());
    },
  );

  it(
    'a deposit of our own that the company bears comes into no pool, as it went out of none',
    STORY,
    async () => {
      const { act, given, stored, example } = rules;
      const sales_id = example.masters.sales;
      const own = { business_type: 'self', sales_id, dept_code: 'AA' };
      const project = await given('project', {
        ...{ ...own, name: '自营报关项目', manager_id: sales_id, start_date: '2026-06-01' },
        ...{ fund_limit: '400000', status: 'active' },
      });
      await given('fund_pool', {
        ...{ ...own, pool_type: 'project', account_kind: 'general', project_id: project },
        ...{ currency: 'CNY', status: 'active' },
      });
      const deposit = await moves.draft('sp.aa', 'deposit', {
        ...{ business_type: 'self', kind: 'out_bid', project_id: project, counterparty: '招标公司' },
        ...{ payee_account: '62220098', payee_bank: '中国银行', cnaps: '104332000019', amount: '6000.00' },
        bearer: 'company',
      });
      await tendered(deposit, ['dm.aa', 'fn.aa']);
      const payment = String((await stored('deposit', deposit))['payment_request_id']);
      await must(act('sp.aa', 'payment_request', payment, 'submit'));
      await money.pay(payment, ['dm.aa', 'fn2.aa', 'gm.aa']);
      const back = incoming({
        ...{ business_type: 'self', kind: 'deposit', project_id: project, deposit_id: deposit },
        ...{ payer_kind: 'other', payer_name: '招标公司', amount: '6000.00' },
      });
      const receipt = await moves.done('fn.aa', 'domestic_receipt', back, ['fn2.aa']);
      expect([await money.entries(payment), await money.entries(receipt)]).toEqual([[], []]);
      expect(await moves.vouchers(receipt)).toEqual([
        ['BANK_CNY', '6000.00', ''],
        ['DEPOSIT_PAID', '', '6000.00'],
      ]);
    },
  );

  it('a deposit whose rest was lost is held again when what came back is reversed', STORY, async () => {
    const { act, stored } = rules;
    const of = await moves.funded('国内收款戊C', '10000.00');
    const deposit = await moves.draft('sp.aa', 'deposit', {
      ...{ kind: 'out_bid', partner_id: of.partner, counterparty: '招标公司', amount: '1000.00' },
      ...{ payee_account: '62220099', payee_bank: '中国银行', cnaps: '104332000019' },
    });
    await tendered(deposit, ['dm.aa', 'fn.aa']);
    const payment = String((await stored('deposit', deposit))['payment_request_id']);
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'fn2.aa', 'gm.aa']);
    const back = (amount: string) =>
      moves.done(
        'fn.aa',
        'domestic_receipt',
        incoming({
          ...{ kind: 'deposit', partner_id: of.partner, deposit_id: deposit, payer_kind: 'other' },
          ...{ amount, payer_name: '招标公司' },
        }),
        ['fn2.aa'],
      );
    const receipt = await back('600.00');
    await attach('deposit', 'evidence', deposit);
    await must(act('rk.aa', 'deposit', deposit, 'forfeit', { inputs: { move_amount: '400.00', reason: '违约' } })); // prettier-ignore
    await money.approve('deposit', deposit, ['gm.aa']);
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'forfeited', left_amount: '0.00' });
    await must(act('fn.aa', 'domestic_receipt', receipt, 'reverse', { opinion: '错账' }));
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'held', left_amount: '600.00' });
    await back('600.00');
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'returned', left_amount: '0.00' });
  });

  it('a deposit whose money never came is not waited for any more', STORY, async () => {
    const { act, stored } = rules;
    const of = await money.trader('国内收款己');
    const [agreement] = await rules.example.services.db.query<{ id: string }>(
      'select id from cooperation_agreement where partner_id = $1::uuid',
      [of.partner],
    );
    const deposit = await moves.draft('sp.aa', 'deposit', {
      ...{ kind: 'in_agree', partner_id: of.partner, agreement_id: agreement?.id },
      ...{ amount: '100.00', source: 'cash' },
    });
    await must(act('sp.aa', 'deposit', deposit, 'register'));
    const receipt = await moves.draft(
      'fn.aa',
      'domestic_receipt',
      incoming({
        ...{ kind: 'deposit', partner_id: of.partner, deposit_id: deposit },
        ...{ amount: '100.00', payer_name: '国内收款己' },
      }),
    );
    await must(act('fn.aa', 'domestic_receipt', receipt, 'submit'));
    expect(await refusal(act('sp.aa', 'deposit', deposit, 'unregister'))).toEqual([
      400,
      '国内收款待审核，不能撤销待收',
    ]);
    await must(rules.as('fn.aa', 'POST', `/approval/record/domestic_receipt/${receipt}/withdraw`, {}));
    await must(act('sp.aa', 'deposit', deposit, 'unregister'));
    expect(await stored('deposit', deposit)).toMatchObject({ status: 'draft' });
  });

  it.each([
    ['buyout', 'AP_ESTIMATE'],
    ['entrusted', 'POOL'],
  ])(
    'a deposit of a shipment in %s goes out of %s and comes back there',
    STORY,
    async (export_mode, account) => {
      const { act, stored } = rules;
      const of = await moves.funded(`国内收款丁${export_mode}`, '10000.00', { export_mode });
      const paid_to = { payee_account: '62220099', payee_bank: '中国银行', cnaps: '104332000019' };
      const deposit = await moves.draft('sp.aa', 'deposit', {
        ...{ kind: 'out_bid', partner_id: of.partner, counterparty: '招标公司', ...paid_to },
        ...{ shipment_id: of.shipment, amount: '8000.00' },
      });
      await tendered(deposit, ['dm.aa', 'fn.aa']);
      const payment = String((await stored('deposit', deposit))['payment_request_id']);
      await must(act('sp.aa', 'payment_request', payment, 'submit'));
      await money.pay(payment, ['dm.aa', 'fn2.aa', 'gm.aa']);
      expect(await moves.vouchers(payment)).toEqual([
        [account, '8000.00', ''],
        ['BANK_CNY', '', '8000.00'],
      ]);
      const values = { kind: 'deposit', partner_id: of.partner, deposit_id: deposit, payer_kind: 'other' };
      const receipt = await moves.done(
        'fn.aa',
        'domestic_receipt',
        incoming({ ...values, amount: '8000.00', payer_name: '招标公司' }),
        ['fn2.aa'],
      );
      expect(await moves.vouchers(receipt)).toEqual([
        ['BANK_CNY', '8000.00', ''],
        [account, '', '8000.00'],
      ]);
    },
  );

  it(
    'pays what a customer owes outside his pool, at most that; what is paid stays until the money is undone',
    STORY,
    async () => {
      const { act, stored } = rules;
      const of = await moves.funded('另行收款', '1000.00');
      const owed = await moves.done(
        'fn.aa',
        'other_receivable_invoice',
        {
          ...{ debtor_kind: 'partner', partner_id: of.partner, debtor_name: '另行收款', reason: '滞箱费' },
          ...{ bill_date: '2026-11-18', due_date: '2026-11-20', net_amount: '500.00', tax_rate: '6' },
          collect_by: 'cash',
        },
        ['fn2.aa'],
      );
      const parts = async (): Promise<readonly unknown[]> => {
        const { received, outstanding } = await stored('other_receivable_invoice', owed);
        return [received, outstanding];
      };
      expect(await parts()).toEqual(['0.00', '530.00']);
      const paid = (amount: string) =>
        incoming({
          ...{ kind: 'service_fee', partner_id: of.partner, payer_kind: 'partner', payer_name: '另行收款' },
          ...{ other_receivable_id: owed, amount },
        });
      const first = await moves.done('fn.aa', 'domestic_receipt', paid('300.00'), ['fn2.aa']);
      expect(await parts()).toEqual(['300.00', '230.00']);
      expect((await moves.vouchers(first)).map(([key]) => key)).toEqual(['BANK_CNY', 'AR_OTHER']);
      const over = await moves.draft('fn.aa', 'domestic_receipt', paid('230.01'));
      expect(await refusal(act('fn.aa', 'domestic_receipt', over, 'submit'))).toEqual([
        400,
        '收款金额超过应收金额',
      ]);
      const voided = await act('fn.aa', 'other_receivable_invoice', owed, 'void', { opinion: '开错' });
      expect(voided.problems.map(({ message }) => message)).toContain('已有收款，不能作废');
      await must(act('fn.aa', 'domestic_receipt', first, 'reverse', { opinion: '错账' }));
      expect(await parts()).toEqual(['0.00', '530.00']);
    },
  );
});

describe('what a customer owes besides', () => {
  it('is taken from his pool whatever is in it, and comes back when void', STORY, async () => {
    const { act } = rules;
    const of = await moves.funded('池中扣款', '1000.00');
    const id = await moves.draft('fn.aa', 'other_receivable_invoice', {
      ...{ debtor_kind: 'partner', partner_id: of.partner, debtor_name: '池中扣款', reason: '滞箱费' },
      ...{ bill_date: '2026-11-18', due_date: '2026-11-20', net_amount: '10000.00', tax_rate: '6' },
      collect_by: 'pool',
    });
    await attach('other_receivable_invoice', 'consent', id);
    await must(act('fn.aa', 'other_receivable_invoice', id, 'submit'));
    expect(await money.pool(of)).toEqual(['7055.00', '0.00', '7055.00']);
    await money.approve('other_receivable_invoice', id, ['fn2.aa']);
    expect(await money.entries(id)).toEqual([['FIN_CHARGE', '-10600.00']]);
    expect(await money.pool(of)).toEqual(['-3545.00', '0.00', '-3545.00']);
    await must(act('fn.aa', 'other_receivable_invoice', id, 'void', { opinion: '开错' }));
    expect((await money.pool(of))[0]).toBe('7055.00');
  });
});

describe('a charge of the bank', () => {
  it(
    'is taken from the pools it is spread over, whatever is in them, and comes back when void',
    STORY,
    async () => {
      const { act } = rules;
      const a = await moves.funded('费用甲A', '1000.00');
      const id = await moves.draft('tr.aa', 'finance_charge', {
        kind: 'lc',
        charge_date: '2026-11-20',
        bank_account_id: money.accounts.cny,
        currency: 'CNY',
        amount: '8000.00',
        bearer: 'partner',
        allocations: [{ pool_id: a.pool, shipment_id: a.shipment, amount: '7000.00' }],
      });
      expect((await act('tr.aa', 'finance_charge', id, 'submit')).msg).toBe('分摊合计与费用金额不符');
      const { version } = await rules.stored('finance_charge', id);
      const allocations = [{ pool_id: a.pool, amount: '1000.00' }];
      await must(rules.as('tr.aa', 'PATCH', `/data/finance_charge/${id}`, { version, allocations }));
      await must(act('tr.aa', 'finance_charge', id, 'submit'));
      await money.approve('finance_charge', id, ['fn.aa']);
      expect(await money.entries(id)).toEqual([
        ['FIN_CHARGE', '-7000.00'],
        ['FIN_CHARGE', '-1000.00'],
      ]);
      expect((await money.pool(a))[2]).toBe('-945.00');
      expect(await moves.vouchers(id)).toContainEqual(['BANK_CNY', '', '7000.00']);
      await must(act('fn.aa', 'finance_charge', id, 'void', { opinion: '记错' }));
      expect((await money.pool(a))[0]).toBe('7055.00');
    },
  );
});

it('a fee invoiced in foreign currency is paid at the rate of the day, and owed no more', STORY, async () => {
  const of = await moves.funded('外币费用甲A', '5000.00', { export_mode: 'buyout' });
  const fee = { fee_item: 'ocean', shipment_id: of.shipment };
  const invoice = await rules.given('business_invoice', {
    ...{ business_type: 'agency', partner_id: of.partner, bearer: 'partner', status: 'approved' },
    ...{ invoice_type: '32', invoice_number: '26442000000000000077', billing_date: '2026-11-10' },
    ...{ issuer_kind: 'forwarder', issuer_name: '货代', net_amount: '7100.00', tax_amount: '0.00' },
    ...{ currency: 'USD', fc_amount: '1000.00', sales_id: rules.example.masters.sales, dept_code: 'AA' },
    allocations: [{ ...fee, amount: '7100.00' }],
  });
  const payment = await money.payment(of, {
    ...{ pay_type: 'freight', currency: 'USD', swift: 'DEUTDEFF', cnaps: null },
    fee_lines: [{ ...fee, business_invoice_id: invoice, amount: '1000.00' }],
  });
  await must(rules.act('sp.aa', 'payment_request', payment, 'submit'));
  await money.pay(payment, ['dm.aa', 'fn2.aa'], { actual_rate: '7.150000' });
  expect(await moves.vouchers(payment)).toEqual([
    ['AP_FEE', '7150.00', ''],
    ['BANK_CNY', '', '7150.00'],
    ['FX_SPREAD', '50.00', ''],
    ['AP_FEE', '', '50.00'],
  ]);
});

it('what another buyer pays clears the receivable of the one who owes it', STORY, async () => {
  const { db } = rules.example.services;
  const of = await moves.funded('第三方付款甲A', '5000.00', { export_mode: 'buyout' });
  const shipment = await money.shipment(
    of,
    of.contract,
    { quantity: '1' },
    { export_mode: 'buyout', invoice_no: money.key() },
  );
  const other = await rules.given('buyer', {
    ...{ name_en: 'PAYS FOR OTHERS GMBH', country_id: rules.example.masters.country, address: 'Ring 1' },
    ...{ partner_id: of.partner, is_related: false, business_type: 'agency', status: 'active' },
    ...{ sales_id: rules.example.masters.sales, dept_code: 'AA' },
  });
  const receipt = await money.receipt({ gross_amount: '3000.00', payer_name: 'PAYS FOR OTHERS GMBH' });
  const claim = await money.claim(receipt, { ...of, buyer: other }, '3000.00');
  const lines = [
    { nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount: '2000.00' },
    { nature: 'advance', settle_mode: 'spot', contract_id: of.contract, amount: '1000.00' },
  ];
  const split = await money.split(receipt, claim, { settle_rate: '7.105000', lines }, ['fn2.aa', 'rk.aa']);
  const [advance] = await db.query<{ id: string }>(
    `select id from receipt_split__lines where parent_id = $1::uuid and nature = 'advance'`,
    [split],
  );
  const inputs = { split_line: advance?.id, shipment_id: shipment, amount: '1000.00' };
  await must(rules.act('sp.aa', 'receipt_split', split, 'apply_advance', { inputs }));
  const entries = await db.query(
    `select e.posting_key as key, e.buyer_id = $2::uuid as owes, e.credit is null as debit
     from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
     where v.source_id = $1 and e.posting_key in ('AR_FOREIGN', 'ADV_FOREIGN') order by v.voucher_no, e.line_order`,
    [split, of.buyer],
  );
  expect(entries).toEqual([
    { key: 'AR_FOREIGN', owes: true, debit: false },
    { key: 'ADV_FOREIGN', owes: false, debit: false },
    { key: 'ADV_FOREIGN', owes: false, debit: true },
    { key: 'AR_FOREIGN', owes: true, debit: false },
  ]);
});

describe('T-11 money goes back to the buyer', () => {
  it('out of the pool, bought at the rate of the day, and never more than came', STORY, async () => {
    const { act, stored } = rules;
    const of = await moves.funded('退汇甲A', '5000.00');
    expect(await money.entries(of.split)).toContainEqual(['RCV_SETTLE', '35525.00']);
    const values = {
      receipt_id: of.receipt,
      source_kind: 'pool',
      split_id: of.split,
      split_line: of.splitLine,
      rate: '7.140000',
      reason_kind: '多汇',
      reason: '客户多汇',
      payee_name: of.buyerName,
      payee_account: 'DE001',
      payee_bank: 'DEUTSCHE BANK',
      swift: 'DEUTDEFF',
    };
    const ask = async (amount: string): Promise<string> => {
      const id = await moves.draft('sp.aa', 'remittance_return', { ...values, amount });
      await attach('remittance_return', 'agreement_file', id);
      return id;
    };
    const id = await ask('2000.00');
    const [before] = await money.pool(of);
    await must(act('sp.aa', 'remittance_return', id, 'submit'));
    expect((await money.pool(of))[1]).toBe('14280.00');
    await money.approve('remittance_return', id, ['tm.aa', 'fn.aa', 'rk.aa']);
    await must(
      act('tr.aa', 'remittance_return', id, 'confirm', {
        inputs: {
          paid_date: '2026-11-21',
          bank_account_id: money.accounts.cny,
          bank_ref: money.key(),
          actual_cny: '14280.00',
        },
      }),
    );
    expect(await money.entries(id)).toEqual([['RETURN_REMIT', '-14280.00']]);
    expect(subtractDecimals(before, (await money.pool(of))[0])).toBe('14280');
    expect(await stored('shipment', of.shipment)).toMatchObject({ received_amount: '3000.00' });
    expect(await moves.vouchers(id)).toEqual([
      ['POOL', '14280.00', ''],
      ['BANK_CNY', '', '14280.00'],
    ]);
    const more = await ask('3000.01');
    expect(await refusal(act('sp.aa', 'remittance_return', more, 'submit'))).toEqual([
      400,
      '退汇金额超过可退金额',
    ]);
    expect(await refusal(act('fn.aa', 'receipt_split', of.split, 'reverse', { opinion: '错' }))).toEqual([
      400,
      '分割款项已结汇、退汇或使用，不能冲销',
    ]);
  });

  it('of a sample, and leaves what the goods of its shipment have received', STORY, async () => {
    const { stored } = rules;
    const of = await moves.funded('退汇样品A', '5000.00', { export_mode: 'buyout' });
    const receipt = await money.receipt({ gross_amount: '200.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '200.00');
    const split = await money.split(receipt, claim, {
      settle_rate: '7.105000',
      lines: [{ nature: 'sample', settle_mode: 'spot', shipment_id: of.shipment, amount: '200.00' }],
    });
    const [line] = await rules.example.services.db.query<{ id: string }>(
      'select id from receipt_split__lines where parent_id = $1::uuid',
      [split],
    );
    const id = await moves.draft('sp.aa', 'remittance_return', {
      ...{ receipt_id: receipt, source_kind: 'pool', split_id: split, split_line: line?.id },
      ...{ rate: '7.140000', amount: '200.00', reason_kind: '多汇', reason: '样品取消' },
      ...{ payee_name: of.buyerName, payee_account: 'DE001', payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF' },
    });
    await returned(id);
    expect(await stored('shipment', of.shipment)).toMatchObject({
      ...{ received_amount: '5000.00', unreceived: '0.00', recv_progress: 'full' },
    });
    // It leaves the account that it came into.
    const came = (await moves.vouchers(split)).find(([key]) => key === 'REV_OTHER');
    expect(await moves.vouchers(id)).toEqual([
      ['REV_OTHER', came?.[2], ''],
      ['BANK_FC', '', came?.[2]],
    ]);
  });

  it('in its own currency is not left to be sold to the bank', STORY, async () => {
    const { act, stored } = rules;
    const of = await moves.funded('退汇原币A', '5000.00');
    const id = await moves.draft('sp.aa', 'remittance_return', {
      ...{ receipt_id: of.receipt, source_kind: 'pool', split_id: of.split, split_line: of.splitLine },
      ...{ rate: '7.140000', amount: '400.00', reason_kind: '多汇', reason: '客户多汇' },
      ...{ payee_name: of.buyerName, payee_account: 'DE001', payee_bank: 'DEUTSCHE BANK', swift: 'DEUTDEFF' },
    });
    await returned(id);
    expect(await stored('shipment', of.shipment)).toMatchObject({ unsold_spot: '4600.00' });
    const slip = (amount: string, amount_cny: string) =>
      moves.draft('tr.aa', 'fx_settlement', {
        ...{
          deal_date: '2026-11-20',
          value_date: '2026-11-20',
          bank_rate: '7.105000',
          bank_ref: money.key(),
        },
        ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny, amount, amount_cny },
        lines: [{ source_kind: 'spot', split_id: of.split, split_line: of.splitLine, amount }],
      });
    const more = await slip('4600.01', '32683.07');
    expect(await refusal(act('tr.aa', 'fx_settlement', more, 'submit'))).toEqual([
      400,
      '结汇金额超过收汇减去原币退回后的余额',
    ]);
    const rest = await slip('4600.00', '32683.00');
    await must(act('tr.aa', 'fx_settlement', rest, 'submit'));
    await money.approve('fx_settlement', rest, ['fn.aa']);
    expect(await stored('shipment', of.shipment)).toMatchObject({ unsold_spot: '0.00' });
    expect(await stored('receipt_split', of.split)).toMatchObject({ unsold_amount: '0.00' });
  });

  it('in its own currency once it is sold, and leaves what comes again to be sold', STORY, async () => {
    const { stored } = rules;
    const of = await moves.funded('退汇已售A', '5000.00');
    await moves.done('tr.aa', 'fx_settlement', soldAt('5000.00', '35525.00', { split_id: of.split, split_line: of.splitLine }), ['fn.aa']); // prettier-ignore
    const id = await moves.draft('sp.aa', 'remittance_return', {
      ...{ receipt_id: of.receipt, source_kind: 'pool', split_id: of.split, split_line: of.splitLine },
      ...{ rate: '7.140000', amount: '400.00', reason_kind: '多汇', reason: '客户多汇' },
      ...payee(of),
    });
    await returned(id);
    expect(await stored('shipment', of.shipment)).toMatchObject({ unsold_spot: '0.00' });
    expect(await stored('receipt_split', of.split)).toMatchObject({ unsold_amount: '0.00' });
    const receipt = await money.receipt({ gross_amount: '400.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '400.00');
    const lines = [{ nature: 'goods', settle_mode: 'spot', shipment_id: of.shipment, amount: '400.00' }];
    const again = await money.split(receipt, claim, { settle_rate: '7.105000', lines });
    expect(await stored('shipment', of.shipment)).toMatchObject({ unsold_spot: '400.00' });
    expect(await stored('receipt_split', again)).toMatchObject({ unsold_amount: '400.00' });
  });

  it('that was held, out of the pool as far as it is sold', STORY, async () => {
    const { act, stored } = rules;
    const of = await moves.funded('退汇暂挂A', '5000.00');
    const shipment = await money.shipment(of, of.contract, { quantity: '1' });
    const receipt = await money.receipt({ gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    const lines = [{ nature: 'goods', settle_mode: 'hold', shipment_id: shipment, amount: '1000.00' }];
    const split = await money.split(receipt, claim, { lines });
    const { db } = rules.example.services;
    const [line] = await db.query<{ id: string }>(
      'select id from receipt_split__lines where parent_id = $1::uuid',
      [split],
    );
    const [holding] = await db.query<{ id: string }>('select id from fx_holding where split_id = $1::uuid', [
      split,
    ]);
    const sold = (amount: string, amount_cny: string) =>
      moves.done('tr.aa', 'fx_settlement', soldAt(amount, amount_cny, { source_kind: 'hold', holding_id: holding?.id, customer_rate: '7.105000' }), ['fn.aa']); // prettier-ignore
    const ask = async (source_kind: string, amount: string): Promise<string> => {
      const id = await moves.draft('sp.aa', 'remittance_return', {
        ...{ receipt_id: receipt, source_kind, split_id: split, split_line: line?.id, amount },
        ...{ rate: '7.140000', reason_kind: '质量索赔', reason: '质量索赔' },
        ...payee(of),
      });
      await attach('remittance_return', 'agreement_file', id);
      return id;
    };
    const submit = (id: string) => act('sp.aa', 'remittance_return', id, 'submit');
    const early = await ask('pool', '200.00');
    expect(await refusal(submit(early))).toEqual([400, '该笔暂挂外币尚未结汇，请选择资金来源为暂挂外币']);
    const slip = await sold('600.00', '4263.00');
    const much = await ask('pool', '600.01');
    expect(await refusal(submit(much))).toEqual([
      400,
      '退汇金额超过该暂挂已结汇的金额，尚未结汇的部分请从暂挂外币退汇',
    ]);
    await returned(early);
    expect(await money.entries(early)).toEqual([['RETURN_REMIT', '-1428.00']]);
    expect(await refusal(submit(await ask('pool', '400.01')))).toEqual([
      400,
      '退汇金额超过该暂挂已结汇的金额，尚未结汇的部分请从暂挂外币退汇',
    ]);
    expect(await refusal(act('fn.aa', 'fx_settlement', slip, 'reverse', { opinion: '重做' }))).toEqual([
      400,
      '结汇款已退汇或正在退汇，不能冲销',
    ]);
    await returned(await ask('hold', '300.00'));
    expect((await money.pool(of, 'fx_hold'))[0]).toBe('100.00');
    // The last of it is sold: what is left of the line is in the pool.
    await sold('100.00', '710.50');
    await returned(await ask('pool', '500.00'));
    expect(await refusal(submit(await ask('pool', '0.01')))).toEqual([
      400,
      '退汇金额超过该暂挂已结汇的金额，尚未结汇的部分请从暂挂外币退汇',
    ]);
    expect(await stored('shipment', shipment)).toMatchObject({
      ...{ received_amount: '0.00', received_cny: '-24.50', received_book: '0.00' },
    });
  });

  it('of renminbi at no rate but 1', STORY, async () => {
    const of = await money.trader('退汇人民币A');
    const contract = await money.contract(of, { currency: 'CNY' });
    const shipment = await money.shipment(of, contract, { quantity: '100' }, { currency: 'CNY' });
    const account = { currency: 'CNY', bank_account_id: money.accounts.cny };
    const receipt = await money.receipt({ ...account, gross_amount: '1000.00', payer_name: of.buyerName });
    const claim = await money.claim(receipt, of, '1000.00');
    const lines = [{ nature: 'goods', settle_mode: 'none', shipment_id: shipment, amount: '1000.00' }];
    const split = await money.split(receipt, claim, { lines });
    const [line] = await rules.example.services.db.query<{ id: string }>(
      'select id from receipt_split__lines where parent_id = $1::uuid',
      [split],
    );
    const asked = (rate: string) =>
      rules.as('sp.aa', 'POST', '/data/remittance_return', {
        ...{ receipt_id: receipt, source_kind: 'pool', split_id: split, split_line: line?.id, rate },
        ...{ amount: '400.00', reason_kind: '多汇', reason: '客户多汇', ...payee(of) },
      });
    expect((await asked('7.140000')).problems).toMatchObject([
      { path: 'rate', message: '人民币退汇的汇率为1' },
    ]);
    expect(await must(asked('1'))).toMatchObject({ amount_cny: '400.00' });
  });

  it('of a receipt that nobody claimed, which is then returned', STORY, async () => {
    const { act, stored } = rules;
    const receipt = await money.receipt({ gross_amount: '800.00', payer_name: 'WRONG GMBH' });
    const id = await moves.draft('fn.aa', 'remittance_return', {
      receipt_id: receipt,
      amount: '800.00',
      reason_kind: '误汇',
      reason: '误汇',
      payee_name: 'WRONG GMBH',
      payee_account: 'DE002',
      payee_bank: 'DEUTSCHE BANK',
      swift: 'DEUTDEFF',
    });
    await attach('remittance_return', 'agreement_file', id);
    await must(act('fn.aa', 'remittance_return', id, 'submit'));
    expect(await stored('receipt', receipt)).toMatchObject({ status: 'returning', left_amount: '0.00' });
    await money.approve('remittance_return', id, ['tm.aa', 'fn2.aa', 'rk.aa']);
    const confirm = (bank_account_id: string) =>
      act('tr.aa', 'remittance_return', id, 'confirm', {
        inputs: { paid_date: '2026-11-21', bank_account_id, bank_ref: money.key() },
      });
    expect(await refusal(confirm(money.accounts.cny))).toEqual([400, '未结汇的款项须从该币种的账户退回']);
    await must(confirm(money.accounts.usd));
    expect((await stored('receipt', receipt))['status']).toBe('returned');
    expect((await moves.vouchers(id)).map(([key]) => key)).toEqual(['RCV_UNCLAIMED', 'BANK_FC']);
  });
});

it('what is looked at every night is right after all this', STORY, async () => {
  const { services } = rules.example;
  await checkInvariants(services, INVARIANTS);
  const told = await services.db.query(
    `select distinct content from sys_notice where event = 'DATA_INVARIANT'`,
    [],
  );
  expect(told).toEqual([]);
  const events = await services.db.query<{ event: string }>(
    `select distinct event from sys_notice
     where event in ('DEPOSIT_FORFEITED', 'DOMESTIC_RECEIVED', 'RETURNED', 'VOUCHER_FAILED') order by 1`,
    [],
  );
  expect(events.map(({ event }) => event)).toEqual([
    'DEPOSIT_FORFEITED',
    'DOMESTIC_RECEIVED',
    'RETURNED',
    'VOUCHER_FAILED',
  ]);
});
