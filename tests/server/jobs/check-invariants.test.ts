import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { checkAll, checkInvariants } from '#server/workflow/jobs/check-invariants.ts';
import { figureInvariants } from '#server/workflow/jobs/figure-invariants.ts';
import { ledgerInvariants } from '#server/workflow/jobs/ledger-invariants.ts';
import { limitInvariants } from '#server/workflow/jobs/limit-invariants.ts';
import { INVARIANTS } from '#server/business/invariants/all-invariants.ts';
import { type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';

let rules: RulesExample;
const AGENCY = { business_type: 'agency', dept_code: 'AA' };

beforeAll(async () => {
  rules = await startRulesExample({});
  await rules.given('currency', { code: 'CNY', name: '人民币', symbol: '¥', decimals: 2, status: 'active' });
}, 600_000);
afterAll(() => rules.example.close());

/** What administrators are told from here on, by the record that the notice opens. */
async function toldOf(record: string): Promise<readonly Fields[]> {
  return rules.example.services.db.query<Fields>(
    `select p.personid as who, n.content, n.level from sys_notice n join person p on p.id = n.person_id
     where n.event = 'DATA_INVARIANT' and n.record_id = $1::uuid order by n.id`,
    [record],
  );
}

const change = (text: string, values: readonly unknown[]) =>
  rules.example.services.db.execute(text, [...values]);

async function anExportContract(quantity: string): Promise<{ readonly id: string; readonly line: string }> {
  const { goods } = rules.example.masters;
  const id = await rules.given('export_contract', {
    ...AGENCY,
    partner_id: rules.example.masters.partner,
    currency: 'USD',
    more_less: '5',
    status: 'approved',
    items: [{ line_no: 1, goods_id: goods, quantity, unit_price: '1' }],
  });
  const [row] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [id],
  );
  return { id, line: row?.id ?? '' };
}

async function lineOf(table: string, id: string): Promise<string> {
  const text = `select id from ${table} where parent_id = $1::uuid`;
  return (await rules.example.services.db.query<{ id: string }>(text, [id]))[0]?.id ?? '';
}

const aPurchase = (quantity: string) =>
  rules.given('purchase_contract', {
    ...AGENCY,
    vat_rate: '13',
    status: 'executing',
    items: [{ quantity, unit_price: '10' }],
  });

/** A line of 100 yuan with 40 at risk on shipments. */
const aCreditLine = () =>
  rules.given('credit_line', {
    partner_id: rules.example.masters.partner,
    purpose: 'shipment_risk',
    amount: '100',
    exposure: '40',
    valid_from: '2026-01-01',
    valid_to: '2099-01-01',
    status: 'active',
  });

/** A refund of all that an invoice was matched with. */
async function aRefund(): Promise<{ readonly invoice: string; readonly refund: string }> {
  const invoice = await rules.given('goods_invoice', {
    ...AGENCY,
    net_amount: '100',
    tax_amount: '13',
    status: 'matched',
    items: [{ row_no: 1, quantity: '10', unit_price: '10', amount: '100', tax_rate: '13', tax: '13' }],
    matches: [{ quantity: '10', net_amount: '100' }],
  });
  const match_line = await lineOf('goods_invoice__matches', invoice);
  const refund = await rules.given('tax_refund', {
    ...AGENCY,
    status: 'collecting',
    items: [{ match_line, quantity: '10' }],
  });
  return { invoice, refund };
}

const shipped = (contract: { id: string; line: string }, quantity: string, values: Fields = {}) =>
  rules.given('shipment', {
    ...AGENCY,
    partner_id: rules.example.masters.partner,
    currency: 'USD',
    status: 'approved',
    items: [{ contract_id: contract.id, contract_line: contract.line, quantity, unit_price: '1' }],
    ...values,
  });

/** A settled shipment on which nothing was posted. */
async function aSettlement(): Promise<{ readonly id: string; readonly shipment: string }> {
  const shipment = await shipped(await anExportContract('100'), '1', { status: 'settled' });
  const id = await rules.given('project_settlement', {
    ...{ object_kind: 'shipment', shipment_id: shipment, settle_date: '2026-01-01', status: 'approved' },
    ...{ fee_due: '0', entries_sum: '0', received_cny: '0', fee_trueup: '0' },
  });
  return { id, shipment };
}

/** Makes a record that keeps an invariant, and how it comes to break it behind the rules' back. */
const CASES: Readonly<
  Record<string, () => Promise<{ readonly id: string; readonly spoil: () => Promise<unknown> }>>
> = {
  'INV-05': async () => {
    const contract = await anExportContract('100');
    const shipment = await shipped(contract, '105');
    return {
      id: contract.id,
      spoil: () =>
        change('update shipment__items set quantity = 105.01 where parent_id = $1::uuid', [shipment]),
    };
  },
  'INV-06': async () => {
    const id = await rules.given('purchase_contract', {
      ...AGENCY,
      vat_rate: '13',
      status: 'executing',
      items: [{ quantity: '10', unit_price: '10' }],
      advance_paid: '40',
      goods_paid: '60',
      invoiced_total: '105',
    });
    return {
      id,
      spoil: () => change('update purchase_contract set advance_offset = 41 where id = $1::uuid', [id]),
    };
  },
  限额: async () => {
    const id = await shipped(await anExportContract('100'), '100');
    return {
      id,
      spoil: () => change('update shipment set fee_invoice_asked = 2 where id = $1::uuid', [id]),
    };
  },
  'INV-09': async () => {
    const id = await rules.given('goods_invoice', {
      ...AGENCY,
      net_amount: '100',
      tax_amount: '0',
      status: 'matched',
      items: [{ row_no: 1, quantity: '10', unit_price: '10', amount: '100' }],
      matches: [{ quantity: '10', net_amount: '100' }],
    });
    return {
      id,
      spoil: () =>
        change('update goods_invoice__matches set net_amount = 100.01 where parent_id = $1::uuid', [id]),
    };
  },
  'INV-06 出运': async () => {
    const id = await aPurchase('100');
    const line = await lineOf('purchase_contract__items', id);
    const shipment = await shipped(await anExportContract('200'), '105');
    const bought = 'update shipment__items set purchase_line = $2::uuid where parent_id = $1::uuid';
    await change(bought, [shipment, line]);
    return {
      id,
      spoil: () =>
        change('update shipment__items set quantity = 105.01 where parent_id = $1::uuid', [shipment]),
    };
  },
  'INV-07': async () => {
    const id = await aPurchase('10');
    const purchase_line = await lineOf('purchase_contract__items', id);
    const entry = { ...AGENCY, purchase_contract_id: id, items: [{ purchase_line, quantity: '10' }] };
    await rules.given('warehouse_entry', { ...entry, doc_type: 'in', status: 'stored' });
    const back = await rules.given('warehouse_entry', { ...entry, doc_type: 'return', status: 'issued' });
    return {
      id,
      spoil: () =>
        change('update warehouse_entry__items set quantity = 10.01 where parent_id = $1::uuid', [back]),
    };
  },
  'INV-09 退税': async () => {
    const { invoice, refund } = await aRefund();
    return {
      id: invoice,
      spoil: () =>
        change('update tax_refund__items set net_amount = 100.01 where parent_id = $1::uuid', [refund]),
    };
  },
  'INV-10': async () => {
    const { refund } = await aRefund();
    const rates = 'net_amount = 100, vat_rate = 13, refund_rate = 13';
    await change(`update tax_refund__items set ${rates}, refund_amount = 13 where parent_id = $1::uuid`, [
      refund,
    ]);
    return {
      id: refund,
      spoil: () =>
        change('update tax_refund__items set refund_amount = 13.01 where parent_id = $1::uuid', [refund]),
    };
  },
  'INV-10 期限': async () => {
    const { refund } = await aRefund();
    const dates = `final_deadline = '2026-01-01', declared_date = '2026-01-01'`;
    await change(`update tax_refund set ${dates} where id = $1::uuid`, [refund]);
    return {
      id: refund,
      spoil: () => change(`update tax_refund set declared_date = '2026-01-02' where id = $1::uuid`, [refund]),
    };
  },
  'INV-10 待补收汇': async () => {
    const { refund } = await aRefund();
    await change(
      `update tax_refund set status = 'receipt_hold', receipt_check = 'late' where id = $1::uuid`,
      [refund],
    );
    return {
      id: refund,
      spoil: () => change(`update tax_refund set status = 'received' where id = $1::uuid`, [refund]),
    };
  },
  'INV-11': async () => {
    const id = await aCreditLine();
    return { id, spoil: () => change('update credit_line set used = 41 where id = $1::uuid', [id]) };
  },
  'INV-11 占用': async () => {
    const id = await aCreditLine();
    const text = 'update credit_line set occupied = 1, available = available - 1 where id = $1::uuid';
    return { id, spoil: () => change(text, [id]) };
  },
  'INV-12': async () => {
    const id = await rules.given('insurance_application', {
      ...AGENCY,
      kind: 'sinosure',
      currency: 'USD',
      insured_amount: '10',
      ship_date: '2026-01-10',
      declared_date: '2026-01-12',
      status: 'declared',
    });
    const text =
      'update insurance_application set used_usd = coalesce(insured_usd, 0) + 1 where id = $1::uuid';
    return { id, spoil: () => change(text, [id]) };
  },
  'INV-13': async () => {
    const id = await rules.given('letter_of_credit', {
      ...AGENCY,
      lc_no: 'LC-INV',
      currency: 'USD',
      amount: '100',
      tolerance_plus: 5,
      status: 'presented',
      presentations: [{ amount: '105' }],
    });
    return {
      id,
      spoil: () =>
        change('update letter_of_credit__presentations set amount = 105.01 where parent_id = $1::uuid', [id]),
    };
  },
  'INV-13 装运': async () => {
    const lc_id = await rules.given('letter_of_credit', {
      ...AGENCY,
      ...{ lc_no: 'LC-ATD', currency: 'USD', amount: '1000', status: 'shipped' },
      latest_shipment: '2026-01-01',
    });
    const sailed = { lc_id, payment_term: 'LC_SIGHT', status: 'shipped', atd: '2026-01-01' };
    const shipment = await shipped(await anExportContract('100'), '100', sailed);
    return {
      id: lc_id,
      spoil: () => change(`update shipment set atd = '2026-01-02' where id = $1::uuid`, [shipment]),
    };
  },
  'INV-20': async () => {
    const shipment = await shipped(await anExportContract('100'), '1');
    const id = await rules.given('business_invoice', {
      ...AGENCY,
      partner_id: rules.example.masters.partner,
      currency: 'USD',
      net_amount: '100',
      tax_amount: '6',
      fc_amount: '15',
      status: 'approved',
      allocations: [{ shipment_id: shipment, amount: '106' }],
    });
    return {
      id,
      spoil: () =>
        change('update business_invoice__allocations set amount = 105 where parent_id = $1::uuid', [id]),
    };
  },
  'INV-21': async () => {
    const nothing = { opening: '0', total_in: '0', total_out: '0', closing: '0' };
    const day = { account_id: rules.example.masters.account, balance_date: '2020-01-01' };
    const id = await rules.given('bank_balance', { ...day, ...nothing });
    return { id, spoil: () => change('update bank_balance set closing = 1 where id = $1::uuid', [id]) };
  },
  'INV-08': async () => {
    const id = await shipped(await anExportContract('100'), '100');
    return { id, spoil: () => change('update shipment set received_amount = 1 where id = $1::uuid', [id]) };
  },
  'INV-16': async () => {
    const { id } = await aSettlement();
    return { id, spoil: () => change('update project_settlement set fee_due = 1 where id = $1::uuid', [id]) };
  },
  'INV-17': async () => {
    const { id } = await aSettlement();
    return {
      id,
      spoil: () => change('update project_settlement set entries_sum = 1 where id = $1::uuid', [id]),
    };
  },
  'INV-18': async () => {
    const { id } = await aSettlement();
    const shared = { person_id: rules.example.masters.sales, status: 'calculated' };
    const of = (period: string, settlement_id: string) =>
      rules.given('commission_statement', { ...shared, period, lines: [{ settlement_id, kind: 'settle' }] });
    await of('202001', id);
    const second = await of('202002', (await aSettlement()).id);
    const again =
      'update commission_statement__lines set settlement_id = $2::uuid where parent_id = $1::uuid';
    return { id, spoil: () => change(again, [second, id]) };
  },
  'INV-19': async () => {
    const id = await rules.given('deposit', {
      ...{ kind: 'out_bank', counterparty: '银行', amount: '100', source: 'pool', status: 'held' },
      moves: [{ kind: 'return', move_date: '2026-01-01', amount: '100' }],
    });
    return {
      id,
      spoil: () => change('update deposit__moves set counted = 100.01 where parent_id = $1::uuid', [id]),
    };
  },
  'INV-19 户': async () => {
    const { partner } = rules.example.masters;
    const id = await rules.given('fund_pool', {
      ...{
        pool_type: 'partner',
        partner_id: partner,
        account_kind: 'deposit',
        currency: 'CNY',
        status: 'active',
      },
    });
    const kept = { kind: 'in_agree', partner_id: partner, amount: '100', source: 'pool', status: 'draft' };
    const deposit = await rules.given('deposit', kept);
    return { id, spoil: () => change(`update deposit set status = 'held' where id = $1::uuid`, [deposit]) };
  },
  'INV-25': async () => {
    const { id, shipment } = await aSettlement();
    return { id, spoil: () => change('update shipment set unsold_spot = 1 where id = $1::uuid', [shipment]) };
  },
  'INV-23': async () => {
    const id = await shipped(await anExportContract('100'), '1');
    return {
      id,
      spoil: () => change('update shipment__items set unit_price = 0 where parent_id = $1::uuid', [id]),
    };
  },
  'INV-23 币种': async () => {
    const id = await shipped(await anExportContract('100'), '1');
    return { id, spoil: () => change(`update shipment set currency = 'EUR' where id = $1::uuid`, [id]) };
  },
  'INV-22': async () => {
    const { id } = await anExportContract('1');
    return {
      id,
      spoil: () => change(`update export_contract set business_type = 'self' where id = $1::uuid`, [id]),
    };
  },
};

const SPOILT = [
  'credit_line',
  'goods_invoice',
  'letter_of_credit',
  'project_settlement',
  'purchase_contract',
  'shipment',
  'tax_refund',
];

/** `INV-10` of `INV-10 期限`. */
const codeOf = (name: string): string => name.split(' ')[0] ?? name;

/** Broken on purpose where money moves: tests/server/money. */
const OF_MONEY = ['INV-01', 'INV-02', 'INV-03', 'INV-04', 'INV-14', 'INV-15'];

describe('the nightly check', () => {
  it('has a case for every invariant', () => {
    const catalog = rules.example.services.definitions.catalog();
    const all = [
      ...INVARIANTS,
      ...ledgerInvariants(catalog),
      ...limitInvariants(catalog),
      ...figureInvariants(catalog),
    ];
    expect([...new Set(all.map(({ code }) => code))].toSorted()).toEqual(
      [...new Set([...Object.keys(CASES).map(codeOf), ...OF_MONEY, 'INV-24'])].toSorted(),
    );
  });

  it('tells of figures that are not what they are over, of a head and of its lines', async () => {
    const { services } = rules.example;
    const check = (): Promise<void> => checkAll(services, figureInvariants(services.definitions.catalog()));
    const contract = await anExportContract('100');
    const other = await anExportContract('100');
    await check();
    expect([...(await toldOf(contract.id)), ...(await toldOf(other.id))]).toEqual([]);
    await change('update export_contract set advance_received = 1 where id = $1::uuid', [contract.id]);
    await check();
    expect(await toldOf(contract.id)).toMatchObject([{ content: expect.stringContaining('INV-24 ') }]);
    await change('update export_contract set advance_received = 0 where id = $1::uuid', [contract.id]);
    await change('update export_contract__items set shipped_quantity = 1 where parent_id = $1::uuid', [
      other.id,
    ]);
    await check();
    expect(await toldOf(other.id)).toMatchObject([{ content: expect.stringContaining('INV-24 ') }]);
    await change(`update sys_notice set event = 'SEEN' where event = 'DATA_INVARIANT'`, []);
  });

  it.each(Object.keys(CASES))(
    'tells administrators of records that break %s, and of no others',
    async (name: string) => {
      const made = await CASES[name]?.();
      if (made === undefined) throw new Error(`no case of ${name}`);
      const code = codeOf(name);
      const { services } = rules.example;
      await checkInvariants(services, INVARIANTS);
      expect(await toldOf(made.id)).toEqual([]);
      await made.spoil();
      await checkInvariants(services, INVARIANTS);
      expect(await toldOf(made.id)).toEqual([
        { who: 'ad.aa', level: 'urgent', content: expect.stringContaining(`夜间核对发现异常：${code} `) },
      ]);
      await change(`update sys_notice set event = 'SEEN' where event = 'DATA_INVARIANT'`, []);
      // A notice opens the first record that is broken: those of later cases are to be the first ones again.
      for (const table of SPOILT)
        await change(`update ${table} set is_deleted = true where id = $1::uuid`, [made.id]);
    },
  );

  it('can ask the database for every declared limit and every kept figure', async () => {
    const { services } = rules.example;
    const { context } = systemCaller(services, 'AA');
    const catalog = services.definitions.catalog();
    const limits = limitInvariants(catalog);
    const figures = figureInvariants(catalog);
    expect(limits.length).toBeGreaterThan(10);
    expect(figures.length).toBeGreaterThan(100);
    for (const { broken, of, title } of [...limits, ...figures]) {
      const values: unknown[] = ['AA'];
      const sql = typeof broken === 'string' ? broken : broken({ context, values });
      const rows = await services.db.query(
        `select t.id from ${String(of)} t where t.co_code = $1 and (${sql})`,
        values,
      );
      expect([title, rows.length]).toEqual([title, expect.any(Number)]);
    }
  });

  it('goes on when one of them cannot be checked', async () => {
    const { services } = rules.example;
    const wrong = { code: 'INV-00', title: '', of: 'shipment', broken: 'no_such_column > 0' };
    const always = { code: 'INV-01', title: '总是', of: 'shipment', broken: 'true' };
    await checkInvariants(services, [wrong, always]);
    const [told] = await services.db.query<Fields>(
      `select content from sys_notice where event = 'DATA_INVARIANT' limit 1`,
    );
    expect(told?.['content']).toMatch(/INV-01 总是：明细单.*、/);
  });
});
