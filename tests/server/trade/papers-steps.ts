import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';
import type { Answer } from './trade-example.ts';

interface EntryOf {
  readonly doc_type: 'in' | 'out' | 'return';
  readonly purchase?: string;
  readonly shipment?: string;
  readonly quantity: string;
}

/** What the tests of papers begin from: goods bought and shipped. */
export interface PapersSteps {
  /** A signed purchase of so many pieces at 11.30 CNY with 13% VAT, and an approved shipment of some of them at 10 USD. */
  readonly bought: (
    quantity: string,
    more?: { readonly shipped?: string; readonly status?: string; readonly shipment?: Fields },
  ) => Promise<{ readonly contract: string; readonly purchase: string; readonly shipment: string }>;
  readonly tryEntry: (of: EntryOf) => Promise<Answer>;
  readonly entry: (of: EntryOf) => Promise<string>;
  /** Writes into a draft entry what only the warehouse knows. */
  readonly complete: (id: string) => Promise<void>;
  /** The supplier's invoice of all of a purchase, matched. */
  readonly invoiced: (purchase: string, net: string) => Promise<void>;
  /** All of a purchase stands as paid, and the record is written once more. */
  readonly paid: (purchase: string) => Promise<void>;
  readonly decide: (
    who: string,
    resource: string,
    id: string,
    kind?: 'approve' | 'reject',
  ) => Promise<Answer>;
  readonly bank: () => Promise<string>;
  readonly forwarder: () => Promise<string>;
  /** A credit of 100,000.00 USD, 39A 05/05, field 48 21 days, 31D 2025-03-28, of a shipment that has left. */
  readonly credit: (changes?: Fields) => Promise<string>;
}

/** Needs `dc.aa` and `sp.aa` signed in. */
export function papersSteps(rules: RulesExample): PapersSteps {
  const { as, given, example } = rules;
  const { masters, services } = example;
  const own = {
    sales_id: masters.sales,
    dept_code: 'AA',
    business_type: 'agency',
    partner_id: masters.partner,
  };
  let numbers = 0;
  const lineOf = async (table: string, id: string): Promise<string> => {
    const [row] = await services.db.query<{ id: string }>(
      `select id from ${table} where parent_id = $1::uuid order by line_order`,
      [id],
    );
    return row?.id ?? '';
  };
  const tryEntry: PapersSteps['tryEntry'] = async ({ doc_type, purchase, shipment, quantity }) =>
    as('dc.aa', 'POST', '/data/warehouse_entry', {
      doc_type,
      ...(purchase === undefined ? {} : { purchase_contract_id: purchase }),
      ...(shipment === undefined ? {} : { shipment_id: shipment }),
      entry_date: '2026-11-20',
      warehouse: '宁波一号仓',
      inspector: '孙验收',
      items: [
        {
          ...(purchase === undefined
            ? {}
            : { purchase_line: await lineOf('purchase_contract__items', purchase) }),
          ...(shipment === undefined ? {} : { shipment_line: await lineOf('shipment__items', shipment) }),
          goods_id: masters.goods,
          unit: '007',
          quantity,
          packages: 1,
        },
      ],
    });
  return {
    bought: async (quantity, { shipped = '1', status = 'signed', shipment: head = {} } = {}) => {
      const contract = await given('export_contract', {
        ...own,
        export_mode: 'buyout',
        buyer_id: masters.buyer,
        sign_date: '2026-09-01',
        currency: 'USD',
        incoterm: 'FOB',
        incoterm_place: 'NINGBO',
        payment_term: 'TT_ADV',
        more_less: '0',
        items: [
          { goods_id: masters.goods, supplier_id: masters.supplier, quantity, unit: '007', unit_price: '10' },
        ],
        status: 'signed',
      });
      const export_line = await lineOf('export_contract__items', contract);
      const purchase = await given('purchase_contract', {
        ...own,
        export_contract_id: contract,
        supplier_id: masters.supplier,
        sign_date: '2026-09-02',
        vat_rate: '13',
        advance_ratio: '0',
        payment_terms: 'monthly',
        delivery_place: '宁波一号仓',
        items: [{ export_line, goods_id: masters.goods, quantity, unit: '007', unit_price: '11.3' }],
        status,
      });
      numbers += 1;
      const shipment = await given('shipment', {
        ...own,
        invoice_no: `PAPERS-${String(numbers)}`,
        export_mode: 'buyout',
        buyer_id: masters.buyer,
        currency: 'USD',
        incoterm: 'FOB',
        payment_term: 'TT_ADV',
        container_type: '20GP',
        port_dest_id: masters.dest,
        invoice_date: '2026-10-10',
        items: [
          {
            contract_id: contract,
            contract_line: export_line,
            goods_id: masters.goods,
            supplier_id: masters.supplier,
            purchase_contract_id: purchase,
            unit: '007',
            quantity: shipped,
          },
        ],
        status: 'approved',
        ...head,
      });
      return { contract, purchase, shipment };
    },
    tryEntry,
    entry: async (of) => String((await must(tryEntry(of)))['id']),
    complete: async (id) => {
      const { version, items } = await must(as('dc.aa', 'GET', `/data/warehouse_entry/${id}`));
      const lines = (items as readonly Fields[]).map((item) => ({ id: item['id'], packages: 1 }));
      await must(
        as('dc.aa', 'PATCH', `/data/warehouse_entry/${id}`, { version, inspector: '孙验收', items: lines }),
      );
    },
    invoiced: async (purchase, net) => {
      await given('goods_invoice', {
        ...own,
        supplier_id: masters.supplier,
        net_amount: net,
        tax_amount: (Number(net) * 0.13).toFixed(2),
        matches: [
          {
            purchase_line: await lineOf('purchase_contract__items', purchase),
            quantity: '100',
            net_amount: net,
          },
        ],
        status: 'matched',
      });
    },
    paid: async (purchase) => {
      await services.db.query(
        'update purchase_contract set goods_requested = total_amount where id = $1::uuid',
        [purchase],
      );
      const { version } = await must(as('sp.aa', 'GET', `/data/purchase_contract/${purchase}`));
      await must(as('sp.aa', 'PATCH', `/data/purchase_contract/${purchase}`, { version, remark: '已付清' }));
    },
    bank: async () => (await services.db.query<{ id: string }>('select id from bank', []))[0]?.id ?? '',
    forwarder: () =>
      given('forwarder', {
        business_type: 'agency',
        sales_id: masters.sales,
        dept_code: 'AA',
        name: `宁波试验货代${String((numbers += 1))}`,
        status: 'active',
      }),
    credit: (changes = {}) =>
      given('letter_of_credit', {
        ...own,
        lc_no: `LC${String((numbers += 1))}`,
        buyer_id: masters.buyer,
        currency: 'USD',
        amount: '100000.00',
        tolerance_plus: 5,
        tolerance_minus: 5,
        presentation_days: 21,
        issue_date: '2025-01-02',
        expiry_date: '2025-03-28',
        latest_shipment: '2025-03-15',
        partial_shipments: 'ALLOWED',
        status: 'shipped',
        ...changes,
      }),
    decide: async (who, resource, id, kind = 'approve') => {
      const state = await must(as(who, 'GET', `/approval/record/${resource}/${id}`));
      const task = state['task'] as { id: string; version: number } | null;
      return as(who, 'POST', `/approval/${task?.id ?? 'none'}/${kind}`, {
        version: task?.version,
        opinion: '意见',
      });
    },
  };
}
