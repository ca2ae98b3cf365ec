import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';
import type { MoneySteps, Trader } from './money-steps.ts';
import type { RefundCase, refundSteps } from './refund-steps.ts';

/** An export, in CNY if nothing else is said, of 100 pieces at 100.00, bought at 80.00 without VAT, whose money has come. */
export interface Export {
  readonly of: Trader;
  readonly shipment: string;
  readonly purchase: string;
  readonly contract: string;
  readonly project: string | null;
  readonly currency: string;
}

interface Wanted {
  /** Business of the company's own: the project it is of. */
  readonly project?: string;
  /** What came in; 10,000.00 when not said, null for nothing. */
  readonly received?: string | null;
  /** When it came in. */
  readonly day?: string;
  readonly currency?: 'CNY' | 'USD';
  readonly changes?: Fields;
}

/** Steps up to what a settlement rests on: goods bought at the company's risk, shipped, paid by the buyer, refunded at 9 %. */
export function exportSteps(rules: RulesExample, money: MoneySteps, refunds: ReturnType<typeof refundSteps>) {
  const { act, given, example } = rules;
  const { db } = example.services;
  async function project(name: string): Promise<string> {
    const manager_id = example.masters.sales;
    const [department] = await db.query<{ code: string }>(
      'select d.code from department d join person p on p.dept_id = d.id where p.id = $1::uuid',
      [manager_id],
    );
    return given('project', {
      ...{ business_type: 'self', name, manager_id, sales_id: manager_id, dept_code: department?.code },
      ...{ start_date: '2026-06-01', fund_limit: '400000', status: 'active' },
    });
  }

  async function shipped(name: string, wanted: Wanted = {}): Promise<Export> {
    const of = await money.trader(name, { export_mode: 'buyout' });
    await db.query(
      `update cooperation_agreement set risk_deviation = false, foreign_risk_party = 'company', goods_risk_party = 'company',
       fx_party = 'company' where partner_id = $1::uuid`,
      [of.partner],
    );
    await db.query(`update goods set hs_code_id = (select id from hs_code where code = '8481809990') where id = $1::uuid`, [of.goods]); // prettier-ignore
    const trade: Fields = { export_mode: 'buyout', currency: wanted.currency ?? 'CNY' };
    if (wanted.project !== undefined) {
      for (const [table, id] of Object.entries({ buyer: of.buyer, supplier: of.supplier, goods: of.goods }))
        await db.query(`update ${table} set business_type = 'self', partner_id = null where id = $1::uuid`, [id]); // prettier-ignore
      Object.assign(trade, { business_type: 'self', partner_id: null, project_id: wanted.project });
    }
    const contract = await money.contract(of, trade, '100');
    const purchase = await money.purchase(of, contract, {
      ...(wanted.project === undefined
        ? {}
        : { business_type: 'self', partner_id: null, project_id: wanted.project }),
    });
    const line = { quantity: '100', purchase_contract_id: purchase };
    const sailed = { atd: '2026-06-01', bl_no: 'COSU1', invoice_date: '2026-06-01' };
    const shipment = await money.shipment(of, contract, line, { ...trade, ...sailed, ...wanted.changes });
    await db.query(`update shipment set status = 'shipped' where id = $1::uuid`, [shipment]);
    const done = {
      of,
      shipment,
      purchase,
      contract,
      project: wanted.project ?? null,
      currency: String(trade['currency']),
    };
    if (wanted.received !== null) await paid(done, wanted.received ?? '10000.00', wanted.day);
    return done;
  }

  /** The buyer's money comes for the shipment; what is foreign is sold to the bank. */
  async function paid(one: Export, amount: string, day = '2026-11-20'): Promise<void> {
    const { split } = await came(one, { amount, day, line: { nature: 'goods', shipment_id: one.shipment } });
    if (one.currency === 'USD') await sold(split, { amount, day });
  }

  /** The buyer's money comes for what a line says; `told` changes the receipt, of which `amount` is credited. */
  async function came(
    one: Export,
    {
      amount,
      day,
      line,
      told = {},
    }: { readonly amount: string; readonly day: string; readonly line: Fields; readonly told?: Fields },
  ): Promise<{ readonly split: string; readonly splitLine: string }> {
    const isForeign = one.currency === 'USD';
    const receipt = await money.receipt({
      ...{ currency: one.currency, gross_amount: amount, payer_name: one.of.buyerName, value_date: day },
      bank_account_id: isForeign ? money.accounts.usd : money.accounts.cny,
      ...told,
    });
    const claim = await claimed(receipt, { of: one.of, owner: one.project, amount });
    const split = await money.split(receipt, claim, {
      ...{ split_date: day, ...(isForeign ? { settle_rate: '7.105000' } : {}) },
      lines: [{ settle_mode: isForeign ? 'spot' : 'none', amount, ...line }],
    });
    return { split, splitLine: await lineOf('receipt_split__lines', split) };
  }

  async function sold(
    split: string,
    { amount, day }: { readonly amount: string; readonly day: string },
  ): Promise<void> {
    const line = {
      source_kind: 'spot',
      split_id: split,
      split_line: await lineOf('receipt_split__lines', split),
      amount,
    };
    const made = await must(
      rules.as('tr.aa', 'POST', '/data/fx_settlement', {
        ...{
          deal_date: day,
          value_date: day,
          amount,
          bank_rate: '7.105000',
          bank_ref: money.key(),
          lines: [line],
        },
        ...{ bank_account_id: money.accounts.usd, cny_account_id: money.accounts.cny },
        amount_cny: (Number(amount) * 7.105).toFixed(2),
      }),
    );
    await must(act('tr.aa', 'fx_settlement', String(made['id']), 'submit'));
    await money.approve('fx_settlement', String(made['id']), ['fn.aa']);
  }

  const lineOf = async (table: string, id: string): Promise<string> =>
    (await db.query<{ id: string }>(`select id from ${table} where parent_id = $1::uuid`, [id]))[0]?.id ?? '';

  async function claimed(
    receipt: string,
    { of, owner, amount }: { readonly of: Trader; readonly owner: string | null; readonly amount: string },
  ): Promise<string> {
    if (owner === null) return money.claim(receipt, of, amount);
    await must(act('sp.aa', 'receipt', receipt, 'claim', { inputs: { project_id: owner, buyer_id: of.buyer, amount } })); // prettier-ignore
    return lineOf('receipt__claims', receipt);
  }

  /** So many pieces on a declaration that customs have closed, with the supplier's invoice; gives the refund. */
  async function closed(one: Export, quantity: string): Promise<string> {
    return (await refunds.closedExport(caseOf(one, quantity), one)).refund;
  }

  const caseOf = ({ project: owner }: Export, quantity: string) => ({
    net: (Number(quantity) * 80).toFixed(2),
    fob: (Number(quantity) * 100).toFixed(2),
    ...{
      quantity,
      exportDate: '2026-06-01',
      business: owner === null ? ('agency' as const) : ('self' as const),
    },
  });

  return {
    project,
    shipped,
    came,
    closed,
    /** So many pieces that customs have let go. */
    released: (one: Export, quantity: string): Promise<Pick<RefundCase, 'declaration' | 'shipmentLine'>> =>
      refunds.released(caseOf(one, quantity), one),
    /** The settlement that a project draws up. */
    settling: async (id: string): Promise<string> => {
      await must(act('sp.aa', 'project', id, 'start_settle'));
      const [made] = await db.query<{ id: string }>(`select id from project_settlement where project_id = $1::uuid and status = 'draft'`, [id]); // prettier-ignore
      return made?.id ?? '';
    },
  };
}
