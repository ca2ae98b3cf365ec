import { must, type Fields, type RulesExample } from '../rules/rules-example.ts';
import type { MoneySteps, Trader } from './money-steps.ts';

/** A partner whose general account has money from a posted split, with what it came from. */
export interface Funded extends Trader {
  readonly contract: string;
  readonly shipment: string;
  readonly receipt: string;
  readonly claim: string;
  readonly split: string;
  readonly splitLine: string;
  readonly pool: string;
}

/** Steps of what moves, charges and settles money that is in the pools. */
export interface MovementSteps {
  /** USD at 7.105000 for one shipment, spot. */
  readonly funded: (name: string, amount: string, changes?: Fields) => Promise<Funded>;
  readonly poolOf: (partner: string, kind?: string) => Promise<string>;
  /** A document of the person that makes it. */
  readonly draft: (who: string, resource: string, values: Fields) => Promise<string>;
  /** Made, submitted and approved. */
  readonly done: (
    who: string,
    resource: string,
    values: Fields,
    people: readonly string[],
  ) => Promise<string>;
  /** Pairs of posting key, debit and credit of the vouchers of a document, in their order. */
  readonly vouchers: (id: string) => Promise<readonly (readonly [string, string, string])[]>;
  readonly bank: (id: string) => Promise<string>;
  readonly balance: (table: string, id: string, column?: string) => Promise<string>;
}

/** The steps over a running example; `money` are those of receipts and payments. */
export function movementSteps(rules: RulesExample, money: MoneySteps): MovementSteps {
  const { as, act, stored } = rules;
  const { db } = rules.example.services;
  const one = async (text: string, values: readonly unknown[]): Promise<string> =>
    (await db.query<{ id: string }>(text, [...values]))[0]?.id ?? '';
  const poolOf: MovementSteps['poolOf'] = (partner, kind = 'general') =>
    one('select id from fund_pool where partner_id = $1::uuid and account_kind = $2', [partner, kind]);
  const draft: MovementSteps['draft'] = async (who, resource, values) =>
    String((await must(as(who, 'POST', `/data/${resource}`, values)))['id']);
  return {
    poolOf,
    draft,
    funded: async (name, amount, changes = {}) => {
      const trader = await money.trader(name, changes);
      const mode = changes['export_mode'] ?? 'entrusted';
      const item = { goods_id: trader.goods, supplier_id: trader.supplier, unit: '007' };
      const contract = await money.contract(trader, {
        export_mode: mode,
        items: [{ ...item, quantity: '100', unit_price: amount }],
      });
      const shipment = await money.shipment(trader, contract, { quantity: '1' }, { export_mode: mode });
      const receipt = await money.receipt({ gross_amount: amount, payer_name: trader.buyerName });
      const claim = await money.claim(receipt, trader, amount);
      const split = await money.split(receipt, claim, {
        settle_rate: '7.105000',
        lines: [{ nature: 'goods', settle_mode: 'spot', shipment_id: shipment, amount }],
      });
      const splitLine = await one('select id from receipt_split__lines where parent_id = $1::uuid', [split]);
      return {
        ...trader,
        contract,
        shipment,
        receipt,
        claim,
        split,
        splitLine,
        pool: await poolOf(trader.partner),
      };
    },
    done: async (who, resource, values, people) => {
      const id = await draft(who, resource, values);
      await must(act(who, resource, id, 'submit'));
      await money.approve(resource, id, people);
      return id;
    },
    vouchers: async (id) => {
      const rows = await db.query<{ key: string; debit: string | null; credit: string | null }>(
        `select e.posting_key as key, e.debit::text as debit, e.credit::text as credit
         from finance_voucher v join finance_voucher__entries e on e.parent_id = v.id
         where v.source_id = $1 order by v.voucher_no, e.line_order`,
        [id],
      );
      return rows.map(({ key, debit, credit }) => [key, debit ?? '', credit ?? ''] as const);
    },
    bank: async (id) => String((await stored('company_bank_account', id))['balance']),
    balance: async (table, id, column = 'balance') => String((await stored(table, id))[column]),
  };
}
