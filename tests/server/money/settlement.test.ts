import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { must, type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { type Funded, type MovementSteps, movementSteps } from './movement-steps.ts';

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

/** The bank buys what a split line received, at the partner's rate. */
async function sell(of: Funded, amount: string, cny: string): Promise<string> {
  return moves.done(
    'tr.aa',
    'fx_settlement',
    {
      deal_date: '2026-11-20',
      value_date: '2026-11-20',
      bank_account_id: money.accounts.usd,
      cny_account_id: money.accounts.cny,
      amount,
      bank_rate: '7.105000',
      amount_cny: cny,
      bank_ref: money.key(),
      lines: [{ source_kind: 'spot', split_id: of.split, split_line: of.splitLine, amount }],
    },
    ['fn.aa'],
  );
}

async function sail(shipment: string): Promise<void> {
  await rules.example.services.db.query(
    `update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`,
    [shipment],
  );
}

async function settlement(of: Funded, changes: Fields = {}): Promise<string> {
  const id = await moves.draft('sp.aa', 'project_settlement', {
    object_kind: 'shipment',
    shipment_id: of.shipment,
    settle_date: '2026-11-22',
    ...changes,
  });
  await must(rules.act('sp.aa', 'project_settlement', id, 'calculate'));
  return id;
}

const stored = (id: string): Promise<Fields> => rules.stored('project_settlement', id);

describe('T-04 the minimum fee at the settlement', () => {
  it('waits for what is open, freezes its figures, takes the fee, pays out, is undone', STORY, async () => {
    const { act } = rules;
    const of = await moves.funded('结算甲A', '20000.00', { rate: { min_fee: '3000.00' } });
    await sail(of.shipment);
    const asked = moves.draft('sp.aa', 'project_settlement', {
      object_kind: 'shipment',
      shipment_id: of.shipment,
      settle_date: '2026-11-22',
    });
    const unsold = await refusal(act('sp.aa', 'project_settlement', await asked, 'calculate'));
    expect(unsold).toEqual([400, '存在未完结业务，不能结算：即时结汇款尚未结汇']);
    await sell(of, '20000.00', '142100.00');
    const id = await asked;
    await must(act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({
      status: 'calculated',
      risk_bearer: 'partner',
      received_cny: '142100.00',
      fee_charged: '1000.00',
      fee_due: '3000.00',
      fee_trueup: '2000.00',
      fee_shown: '3000.00',
      trueup_shown: '2000.00',
      trueup_vat: '113.21',
      company_profit: '2830.19',
      residual: '139100.00',
    });
    const charge = await moves.done(
      'tr.aa',
      'finance_charge',
      {
        charge_date: '2026-11-20',
        bank_account_id: money.accounts.cny,
        currency: 'CNY',
        amount: '100.00',
        bearer: 'partner',
        allocations: [{ pool_id: of.pool, shipment_id: of.shipment, amount: '100.00' }],
      },
      ['fn.aa'],
    );
    expect(await refusal(act('sp.aa', 'project_settlement', id, 'submit'))).toEqual([
      400,
      '结算数据已变化，请重新测算',
    ]);
    await must(act('fn.aa', 'finance_charge', charge, 'void', { opinion: '记错' }));
    await must(
      rules.as('sp.aa', 'PATCH', `/data/project_settlement/${id}`, {
        version: (await stored(id))['version'],
        residual_to: 'payout',
      }),
    );
    await must(act('sp.aa', 'project_settlement', id, 'submit'));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    expect(await money.entries(id)).toEqual([['FEE_TRUEUP', '-2000.00']]);
    expect(await moves.vouchers(id)).toEqual([
      ['POOL', '2000.00', ''],
      ['REV_FEE', '', '1886.79'],
      ['VAT_OUT', '', '113.21'],
    ]);
    expect((await rules.stored('shipment', of.shipment))['status']).toBe('settled');
    const { payout_id: payout } = await stored(id);
    expect(await rules.stored('payment_request', String(payout))).toMatchObject({
      status: 'draft',
      amount: '139100.00',
      pay_type: 'other',
    });
    const late = await rules.as('sp.aa', 'POST', '/data/fund_transfer', {
      kind: 'shipment_to_shipment',
      from_pool_id: of.pool,
      to_pool_id: of.pool,
      from_shipment_id: of.shipment,
      to_shipment_id: await money.shipment(of, of.contract, { quantity: '1' }),
      amount: '1.00',
    });
    expect(late.problems).toMatchObject([{ path: 'from_shipment_id' }]);
    // The bill of a fee that comes now could never be paid, and no profit would have it.
    const bill = await rules.given('business_invoice', {
      ...{ business_type: 'agency', partner_id: of.partner, bearer: 'company', invoice_type: '32' },
      ...{ invoice_number: '26442000000000000077', billing_date: '2026-11-22' },
      ...{ issuer_kind: 'forwarder', issuer_name: '货代', net_amount: '100.00', tax_amount: '0.00' },
      ...{ sales_id: rules.example.masters.sales, dept_code: 'AA' },
      allocations: [{ fee_item: 'ocean', shipment_id: of.shipment, amount: '100.00' }],
    });
    const billed = () => act('sp.aa', 'business_invoice', bill, 'submit');
    expect(await refusal(billed())).toEqual([400, '明细单已结算，不能操作']);
    await must(act('fn.aa', 'project_settlement', id, 'reverse', { opinion: '重算' }));
    await money.approve('project_settlement', id, ['gm.aa']);
    await must(billed());
    expect((await stored(id))['status']).toBe('reversed');
    expect((await rules.stored('shipment', of.shipment))['status']).toBe('shipped');
    expect((await rules.stored('payment_request', String(payout)))['status']).toBe('void');
    expect((await money.pool(of))[0]).toBe('141100.00');
  });
});

describe('a payout', () => {
  it('leaves the pool as SETTLE_OUT, never more than is left, and stops the reversal', STORY, async () => {
    const { act } = rules;
    const of = await moves.funded('结算乙B', '10000.00');
    await sail(of.shipment);
    await sell(of, '10000.00', '71050.00');
    const id = await settlement(of, { residual_to: 'payout' });
    await must(act('sp.aa', 'project_settlement', id, 'submit'));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    const payout = String((await stored(id))['payout_id']);
    const complete = async (amount: string): Promise<void> => {
      const [line] = await rules.example.services.db.query<{ id: string }>(
        'select id from payment_request__goods_lines where parent_id = $1::uuid',
        [payout],
      );
      const { version } = await rules.stored('payment_request', payout);
      await must(
        rules.as('sp.aa', 'PATCH', `/data/payment_request/${payout}`, {
          version,
          payee_account: '62221111',
          payee_bank: '中国银行',
          cnaps: '104332000019',
          goods_lines: [{ id: line?.id, amount }],
        }),
      );
    };
    // Nothing else goes with it: no other currency, no fee, and not at the company's cost.
    const { version } = await rules.stored('payment_request', payout);
    const tried = async (changes: Fields): Promise<readonly string[]> =>
      (
        await rules.as('sp.aa', 'PATCH', `/data/payment_request/${payout}`, { version, ...changes })
      ).problems.map(({ path, message }) => `${path} ${message}`);
    const inCny = 'currency 货款、预付款、结算结余以人民币从资金池支付';
    expect(await tried({ currency: 'USD', swift: 'BKCHCNBJ92A' })).toContain(inCny);
    expect(await tried({ bearer: 'company' })).toContain(inCny);
    const fee = { fee_item: 'other', amount: '100.00', invoice_due: addDays(companyToday(new Date()), 5) };
    expect(await tried({ fee_lines: [fee] })).toContain('fee_lines 结算结余和费用须分开申请');
    await complete('70550.01');
    expect((await refusal(act('sp.aa', 'payment_request', payout, 'submit')))[1]).toContain(
      '付款金额超过结算结余',
    );
    await complete('70550.00');
    await must(act('sp.aa', 'payment_request', payout, 'submit'));
    await money.pay(payout, ['dm.aa', 'tm.aa', 'fn2.aa']);
    expect(await money.entries(payout)).toEqual([['SETTLE_OUT', '-70550.00']]);
    expect(await stored(id)).toMatchObject({ payout_amount: '70550.00' });
    expect((await money.pool(of))[0]).toBe('0.00');
    expect(await refusal(act('fn.aa', 'project_settlement', id, 'reverse', { opinion: '重算' }))).toEqual([
      400,
      '结算后已有付款或开票，不能反结算',
    ]);
  });
});

describe('a supplement', () => {
  it('is paid to the supplier on his contract against his further invoice', STORY, async () => {
    const { act, as } = rules;
    const of = await moves.funded('结算丙S', '10000.00', { export_mode: 'buyout' });
    await sail(of.shipment);
    await sell(of, '10000.00', '71050.00');
    const excluded = { refund_excluded: true, refund_excluded_reason: '退税另行结算' };
    const [ordered] = await rules.example.services.db.query<{ id: string }>(
      'select id from export_contract__items where parent_id = $1::uuid',
      [of.contract],
    );
    const item = { export_line: ordered?.id, goods_id: of.goods, unit: '007' };
    const purchase = await money.purchase(of, of.contract, {
      items: [{ ...item, quantity: '100', unit_price: '705.50' }],
    });
    const chosen = { residual_to: 'supplement', supplement_contract_id: purchase };
    const id = await settlement(of, { ...excluded, ...chosen });
    expect(await stored(id)).toMatchObject({ risk_bearer: 'partner', residual: '70550.00' });
    await must(act('sp.aa', 'project_settlement', id, 'submit'));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    const payment = String((await stored(id))['payout_id']);
    // What is left of a buyout is no money of the partner's: he gets it in the price of his goods.
    const straight = await as('sp.aa', 'POST', '/data/payment_request', {
      ...{ business_type: 'agency', partner_id: of.partner, need_date: '2026-11-22', purpose: '结余' },
      ...{ pay_type: 'other', payee_kind: 'partner', payee_name: '结算丙S', payee_account: '62221111' },
      ...{ payee_bank: '中国银行', goods_lines: [{ settlement_id: id, amount: '70550.00' }] },
    });
    expect(straight.problems).toMatchObject([
      {
        path: 'goods_lines.0.settlement_id',
        message: '买断出口的结余不能支付委托方，须以货款凭补开的发票付供应商',
      },
    ]);
    expect(await rules.stored('payment_request', payment)).toMatchObject({
      ...{ pay_type: 'goods', payee_kind: 'supplier', partner_id: of.partner, supplier_id: of.supplier },
    });
    const [bank] = await rules.example.services.db.query<{ id: string }>(
      'select id from supplier__banks where parent_id = $1::uuid',
      [of.supplier],
    );
    const [line] = await rules.example.services.db.query<{ id: string; purchase_contract_id: string }>(
      'select id, purchase_contract_id from payment_request__goods_lines where parent_id = $1::uuid',
      [payment],
    );
    expect(line?.purchase_contract_id).toBe(purchase);
    const { version } = await rules.stored('payment_request', payment);
    await must(
      as('sp.aa', 'PATCH', `/data/payment_request/${payment}`, {
        ...{ version, supplier_account: bank?.id },
        ...{
          payee_name: '结算丙S供应商',
          payee_account: '62220001',
          payee_bank: '中国银行',
          cnaps: '104332000019',
        },
        goods_lines: [{ id: line?.id, amount: '70550.00' }],
      }),
    );
    expect((await refusal(act('sp.aa', 'payment_request', payment, 'submit')))[1]).toBe(
      '付款金额超过已回票或已进仓金额',
    );
    const invoiced = { quantity: '100', net: '62433.63', tax: '8116.37' };
    await money.invoice(of, { purchase, shipment: of.shipment, ...invoiced });
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'tm.aa', 'fn2.aa']);
    expect(await money.entries(payment)).toEqual([['SETTLE_OUT', '-70550.00']]);
    expect((await money.pool(of))[0]).toBe('0.00');
    expect(await stored(id)).toMatchObject({ payout_amount: '70550.00' });
  });

  it('reaches goods that are invoiced and paid in full, over a change of the purchase', STORY, async () => {
    const { act, as } = rules;
    const { db } = rules.example.services;
    const of = await moves.funded('结算戊S', '10000.00', { export_mode: 'buyout' });
    await sail(of.shipment);
    await sell(of, '10000.00', '71050.00');
    const one = async (table: string, parent: string): Promise<string> => {
      const [row] = await db.query<{ id: string }>(`select id from ${table} where parent_id = $1::uuid`, [parent]); // prettier-ignore
      return String(row?.id);
    };
    const export_line = await one('export_contract__items', of.contract);
    const item = { export_line, goods_id: of.goods, quantity: '1', unit: '007', unit_price: '50000' };
    const terms = {
      delivery_date: '2026-12-31',
      delivery_place: '宁波',
      quality_terms: '按样品',
      invoice_terms: '交货后十日内开票',
    };
    const purchase = await money.purchase(of, of.contract, { items: [item], ...terms });
    const whole = { quantity: '1', net: '44247.79', tax: '5752.21' };
    await money.invoice(of, { purchase, shipment: of.shipment, ...whole });
    const line = { purchase_contract_id: purchase, shipment_id: of.shipment, amount: '50000.00' };
    const goods = await money.payment(of, { pay_type: 'goods', goods_lines: [line] });
    await must(act('sp.aa', 'payment_request', goods, 'submit'));
    await money.pay(goods, ['dm.aa', 'tm.aa', 'fn2.aa']);
    const contract = () => rules.stored('purchase_contract', purchase);
    expect(await contract()).toMatchObject({ status: 'completed' });
    const excluded = { refund_excluded: true, refund_excluded_reason: '退税另行结算' };
    const id = await settlement(of, excluded);
    expect(await stored(id)).toMatchObject({ residual: '20550.00' });
    const dearer = { id: await one('purchase_contract__items', purchase), unit_price: '70550.000000' };
    const changes = { items: [dearer] };
    await must(act('sp.aa', 'purchase_contract', purchase, 'amend', { opinion: '结算补差', inputs: { changes } })); // prettier-ignore
    await money.approve('purchase_contract', purchase, ['dm.aa', 'tm.aa']);
    expect(await contract()).toMatchObject({ status: 'executing', unpaid: '20550.00' });
    const chosen = { residual_to: 'supplement', supplement_contract_id: purchase };
    const known = { version: (await stored(id))['version'], ...chosen };
    await must(as('sp.aa', 'PATCH', `/data/project_settlement/${id}`, known));
    await must(act('sp.aa', 'project_settlement', id, 'submit'));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    const payment = String((await stored(id))['payout_id']);
    const worth = { unit: '个', quantity: '1', unit_price: '18185.84', amount: '18185.84', tax_rate: '13', tax: '2364.16' }; // prettier-ignore
    const invoice = await rules.given('goods_invoice', {
      ...{ sales_id: rules.example.masters.sales, dept_code: 'AA', business_type: 'agency' },
      ...{ invoice_type: '32', invoice_number: '26332000000000000871', billing_date: '2026-11-10' },
      ...{ supplier_id: of.supplier, partner_id: of.partner, is_supplement: true, status: 'verified' },
      ...{ net_amount: '18185.84', tax_amount: '2364.16' },
      items: [{ row_no: 1, goods_id: of.goods, commodity_name: '铜阀门', ...worth }],
      matches: [{ purchase_line: dearer.id, shipment_id: of.shipment, shipment_line: await one('shipment__items', of.shipment), quantity: '1', net_amount: '18185.84' }], // prettier-ignore
    });
    await must(act('fn.aa', 'goods_invoice', invoice, 'match'));
    expect(await moves.vouchers(invoice)).toEqual([
      ['AP_ESTIMATE', '20550.00', ''],
      ['AP_GOODS', '', '20550.00'],
      ['VAT_IN', '2364.16', ''],
      ['COGS', '', '2364.16'],
    ]);
    expect(await rules.stored('shipment', of.shipment)).toMatchObject({ invoiced_quantity: '1.0000' });
    const { version } = await rules.stored('payment_request', payment);
    const bank = await one('supplier__banks', of.supplier);
    await must(as('sp.aa', 'PATCH', `/data/payment_request/${payment}`, { version, supplier_account: bank }));
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'tm.aa', 'fn2.aa']);
    expect(await money.entries(payment)).toEqual([['SETTLE_OUT', '-20550.00']]);
    expect(await contract()).toMatchObject({ status: 'completed', unpaid: '0.00' });
  });
});

describe('T-09 business of our own', () => {
  it('is estimated to the cent', STORY, async () => {
    const { db } = rules.example.services;
    const of = await money.trader('自营甲');
    for (const [table, id] of [
      ['buyer', of.buyer],
      ['supplier', of.supplier],
      ['goods', of.goods],
    ])
      await db.query(`update ${table} set business_type = 'self', partner_id = null where id = $1::uuid`, [
        id,
      ]);
    await db.query('update goods set vat_rate = 13, refund_rate = 13 where id = $1::uuid', [of.goods]);
    const estimate = await moves.draft('sp.aa', 'estimate', {
      ...{
        title: '自营阀门',
        currency: 'USD',
        rate: '7.1',
        incoterm: 'CIF',
        buyer_id: of.buyer,
        supplier_id: of.supplier,
      },
      ...{ ocean_freight: '2000.00', insurance_fee: '110.00', commission: '1000.00', inland_fee: '6000.00' },
      ...{ term_days: 60, fund_days: 60, sinosure_fee: '1242.50', bank_fee: '300.00' },
      items: [{ goods_id: of.goods, quantity: '100', unit_price: '500', purchase_price: '2825' }],
    });
    expect(await rules.stored('estimate', estimate)).toMatchObject({
      ...{
        revenue_cny: '355000.00',
        fob_net: '46890.00',
        purchase_total: '282500.00',
        refund_total: '32500.00',
      },
      ...{ fund_cost: '2260.00', total_cost: '259802.50', exchange_cost: '5.5407', profit: '73116.50' },
      profit_rate: '20.5962',
    });
  });

  it('earns what its project came to, and the pool ends with the project', STORY, async () => {
    const { act, given } = rules;
    const { db } = rules.example.services;
    const today = companyToday(new Date());
    const sales_id = rules.example.masters.sales;
    const [department] = await db.query<{ code: string }>(
      'select d.code from department d join person p on p.dept_id = d.id where p.id = $1::uuid',
      [sales_id],
    );
    // Nobody but a partner's salesperson has given it a department: it is that of who manages it.
    const own = { business_type: 'self', sales_id, dept_code: department?.code };
    const project = await given('project', {
      ...{ ...own, name: '自营阀门项目', manager_id: rules.example.masters.sales, fund_limit: '400000' },
      ...{ start_date: addDays(today, -60), status: 'active' },
    });
    const pool_id = await given('fund_pool', {
      ...{ ...own, pool_type: 'project', account_kind: 'general', project_id: project, currency: 'CNY' },
      status: 'active',
    });
    // The goods are paid 60 days before everything else.
    for (const [at, [entry_type, amount, day]] of [
      ['PAY_GOODS', '-282500.00', addDays(today, -60)],
      ['RCV_SETTLE', '214950.00', today],
      ['RCV_SETTLE', '141640.00', today],
      ['REBATE_RCV', '32500.00', today],
      ['PAY_FREIGHT', '-20300.00', today],
      ['PAY_PREMIUM', '-2029.00', today],
      ['PAY_COMMISSION', '-7160.00', today],
      ['BANK_FEE', '-300.00', today],
    ].entries())
      await given('fund_ledger_entry', {
        ...{
          business_type: 'self',
          pool_id,
          project_id: project,
          entry_type,
          net_type: entry_type,
          amount,
          currency: 'CNY',
        },
        ...{ business_date: day, balance_after: '0', source_resource: 'project', source_id: project },
        ...{ source_line: String(at), event: '试验' },
      });
    await db.query('update project set received_book = 355000, received_usd = 50000 where id = $1::uuid', [
      project,
    ]);
    await must(act('sp.aa', 'project', project, 'start_settle'));
    const [made] = await db.query<{ id: string }>('select id from project_settlement where project_id = $1::uuid', [project]); // prettier-ignore
    const id = made?.id ?? '';
    await must(act('sp.aa', 'project_settlement', id, 'calculate'));
    expect(await stored(id)).toMatchObject({
      ...{
        received_cny: '356590.00',
        refund_amount: '32500.00',
        goods_cost: '282500.00',
        freight_cost: '20300.00',
      },
      ...{
        premium_cost: '2029.00',
        commission_cost: '7160.00',
        finance_cost: '300.00',
        exchange_gain: '1590.00',
      },
      ...{ company_profit: '76801.00', fund_cost: '2260.00', assessed_profit: '74541.00' },
    });
    await must(act('sp.aa', 'project_settlement', id, 'submit'));
    await money.approve('project_settlement', id, ['dm.aa', 'fn.aa']);
    // Its profit is drawn on: what moves it comes before the settlement, or after its reversal.
    const charge = await moves.draft('tr.aa', 'finance_charge', {
      ...{ kind: 'bank', charge_date: today, bank_account_id: money.accounts.cny, currency: 'CNY' },
      ...{ amount: '10.00', bearer: 'partner', allocations: [{ pool_id, amount: '10.00' }] },
    });
    const came = await moves.draft('fn.aa', 'domestic_receipt', {
      ...{ business_type: 'self', kind: 'other', value_date: today, bank_account_id: money.accounts.cny },
      ...{ bank_ref: money.key(), payer_kind: 'other', payer_name: '甲', amount: '10.00' },
    });
    const ofProject = 'update domestic_receipt set project_id = $2::uuid where id = $1::uuid';
    await db.query(ofProject, [came, project]);
    const asked = await moves.draft('sp.aa', 'payment_request', {
      ...{ business_type: 'self', pay_type: 'other', payee_kind: 'other', payee_name: '甲' },
      ...{ payee_account: '62229999', payee_bank: '中国银行', cnaps: '104332000019', bearer: 'company' },
      ...{ need_date: today, purpose: '试验' },
      fee_lines: [{ fee_item: 'other', amount: '10.00', invoice_due: today }],
    });
    await db.query('update payment_request set project_id = $2::uuid where id = $1::uuid', [asked, project]);
    for (const [who, key, late] of [
      ['tr.aa', 'finance_charge', charge],
      ['fn.aa', 'domestic_receipt', came],
      ['sp.aa', 'payment_request', asked],
    ] as const)
      expect(await refusal(act(who, key, late, 'submit'))).toEqual([400, '项目已结算，不能操作']);
    await db.query('update fund_pool set balance = 76801 where id = $1::uuid', [pool_id]);
    expect(await refusal(act('fn.aa', 'project', project, 'close'))).toEqual([400, '项目资金未清，不能关闭']);
    await db.query('update fund_pool set balance = 0, available = 0 where id = $1::uuid', [pool_id]);
    const stateOfAsked = 'update payment_request set status = $2 where id = $1::uuid';
    await db.query(stateOfAsked, [asked, 'approved']);
    const unpaid = [400, '项目还有未完成的付款，不能关闭'];
    expect(await refusal(act('fn.aa', 'project', project, 'close'))).toEqual(unpaid);
    await db.query(stateOfAsked, [asked, 'draft']);
    await must(act('fn.aa', 'project', project, 'close'));
    expect(await refusal(act('sp.aa', 'payment_request', asked, 'submit'))).toEqual([
      400,
      '项目已结算，不能操作',
    ]);
    expect((await rules.stored('fund_pool', pool_id))['status']).toBe('disabled');
  });
});

describe('a project', () => {
  it(
    'is closed when its pools are empty; they shut with it, and nothing goes into them any more',
    STORY,
    async () => {
      const { act, given, stored, example } = rules;
      const project = await given('project', {
      ...{ business_type: 'self', name: '自营项目甲', manager_id: example.masters.sales, start_date: '2026-01-01' },
      ...{ fund_limit: '1000.00', sales_id: example.masters.sales, dept_code: 'AA', status: 'active' },
    }); // prettier-ignore
      const receives = (amount: string) =>
      moves.draft('fn.aa', 'domestic_receipt', {
        ...{ business_type: 'self', kind: 'other', project_id: project, payer_kind: 'other', payer_name: '展会组委会' },
        ...{ value_date: '2026-11-20', bank_account_id: money.accounts.cny, bank_ref: money.key(), amount },
      }); // prettier-ignore
      const first = await receives('500.00');
      await must(act('fn.aa', 'domestic_receipt', first, 'submit'));
      // It waits for its approval while the project is closed.
      const late = await receives('70.00');
      await must(act('fn.aa', 'domestic_receipt', late, 'submit'));
      await money.approve('domestic_receipt', first, ['fn2.aa']);
      const pools = () =>
      example.services.db.query<Fields>('select balance, status from fund_pool where project_id = $1::uuid', [project]); // prettier-ignore
      expect(await pools()).toEqual([{ balance: '500.00', status: 'active' }]);
      expect(await refusal(act('fn.aa', 'project', project, 'close'))).toEqual([
        400,
        '项目资金未清，不能关闭',
      ]);
      expect((await refusal(act('sp.aa', 'project', project, 'close')))[0]).toBe(403);
      expect(await stored('project', project)).toMatchObject({
        actual_income: '500.00',
        actual_cost: '0.00',
      });
      await must(act('fn.aa', 'domestic_receipt', first, 'reverse', { opinion: '退回' }));
      // What was undone was neither earned nor spent.
      expect(await stored('project', project)).toMatchObject({ actual_income: '0.00', actual_cost: '0.00' });
      await must(act('fn.aa', 'project', project, 'close'));
      expect(await pools()).toEqual([{ balance: '0.00', status: 'disabled' }]);
      expect(await refusal(money.decide('fn2.aa', 'domestic_receipt', late))).toEqual([
        400,
        '资金池已停用，不能收付',
      ]);
      expect(await stored('domestic_receipt', late)).toMatchObject({ status: 'pending' });
      expect(await pools()).toEqual([{ balance: '0.00', status: 'disabled' }]);
    },
  );
});

describe('T-10 commission', () => {
  it('collects the settlements of a closed month once, by tiers and factor', STORY, async () => {
    const { act, given } = rules;
    const { db } = rules.example.services;
    const scheme = await given('commission_scheme', {
      name: '业务员提成',
      person_kind: 'salesperson',
      base: 'profit',
      progressive: true,
      overdue_factor: '0.5',
      valid_from: '2026-01-01',
      tiers: [
        { from_amount: '0', to_amount: '50000', rate: '10' },
        { from_amount: '50000', to_amount: '200000', rate: '15' },
        { from_amount: '200000', rate: '20' },
      ],
      status: 'active',
    });
    const period = await given('accounting_period', {
      period: '202609',
      start_date: '2026-09-01',
      end_date: '2026-09-30',
      status: 'open',
    });
    const of = await money.trader('提成甲');
    const contract = await money.contract(of);
    for (const [profit, late] of [
      ['76801.00', 0],
      ['60000.00', 95],
      ['5263.35', 10],
    ]) {
      const shipment = await money.shipment(of, contract, { quantity: '1' });
      await sail(shipment);
      const id = await moves.draft('sp.aa', 'project_settlement', {
        object_kind: 'shipment',
        shipment_id: shipment,
        settle_date: '2026-09-20',
      });
      await db.query(
        `update project_settlement set status = 'approved', company_profit = $2, days_late = $3, settled_on = '2026-09-20'
         where id = $1::uuid`,
        [id, profit, late],
      );
    }
    const id = await moves.draft('fn.aa', 'commission_statement', {
      period: '202609',
      person_id: rules.example.masters.sales,
      scheme_id: scheme,
    });
    expect((await act('fn.aa', 'commission_statement', id, 'calculate')).msg).toBe(
      '会计期间未结账，不能计算提成',
    );
    await db.query(`update accounting_period set status = 'closed' where id = $1::uuid`, [period]);
    await must(act('fn.aa', 'commission_statement', id, 'calculate'));
    expect(await rules.stored('commission_statement', id)).toMatchObject({
      base_amount: '112064.35',
      commission: '14309.65',
      payable: '14309.65',
    });
    await must(act('fn.aa', 'commission_statement', id, 'calculate'));
    expect(await rules.stored('commission_statement', id)).toMatchObject({ base_amount: '112064.35' });
    // Who pays it and whose it is see what is paid.
    for (const who of ['fn.aa', 'sp.aa'])
      expect([who, await must(rules.as(who, 'GET', `/data/commission_statement/${id}`))]).toMatchObject([
        who,
        { deduct: '0.00', payable: '14309.65' },
      ]);
    await must(act('fn.aa', 'commission_statement', id, 'submit'));
    await money.approve('commission_statement', id, ['fn2.aa', 'gm.aa']);
    await must(
      act('fn.aa', 'commission_statement', id, 'pay', {
        inputs: { bank_account_id: money.accounts.cny, paid_date: '2026-11-20' },
      }),
    );
    expect(await moves.vouchers(id)).toEqual([
      ['SELL_EXP', '14309.65', ''],
      ['STAFF_PAY', '', '14309.65'],
      ['STAFF_PAY', '14309.65', ''],
      ['BANK_CNY', '', '14309.65'],
    ]);
    const ledger = await rules.as('fn.aa', 'POST', '/data/business_ledger/query', {
      currentPage: 1,
      pageSize: 5,
    });
    expect(ledger.status).toBe(200);
    const told = await db.query<{ event: string }>(
      `select distinct event from sys_notice where event in ('COMMISSION_APPROVED', 'SETTLED') order by 1`,
      [],
    );
    expect(told.map(({ event }) => event)).toEqual(['COMMISSION_APPROVED', 'SETTLED']);
  });
});
