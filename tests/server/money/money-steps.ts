import { companyToday } from '#engine/values/dates.ts';
import { expect } from 'vitest';
import type { Answer } from '../trade/trade-example.ts';
import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';

/** People whom the flow of money needs, each in the role he acts in. */
export const MONEY_PEOPLE = {
  'sp.aa': 'SP',
  'dm.aa': 'DM',
  'tm.aa': 'TM',
  'rk.aa': 'RK',
  'fn.aa': 'FN',
  'fn2.aa': 'FN',
  'tr.aa': 'TR',
  'gm.aa': 'GM',
} as const;

/** A partner with what its trade needs: agreement, rate, buyer, supplier. */
export interface Trader {
  readonly partner: string;
  readonly buyer: string;
  readonly buyerName: string;
  readonly supplier: string;
  readonly goods: string;
}

/** What a supplier's invoice is about, and its amounts. */
interface MatchedInvoice {
  readonly purchase: string;
  readonly shipment: string;
  readonly quantity: string;
  readonly net: string;
  readonly tax: string;
}

/** The steps of money through the API, each by who does it in a company. */
export interface MoneySteps {
  /** The company's accounts: foreign currency and CNY. */
  readonly accounts: { readonly usd: string; readonly cny: string };
  readonly trader: (name: string, changes?: Fields) => Promise<Trader>;
  /** A signed contract of one line, at 10 a piece if nothing else is said: what is shipped takes its price from here. */
  readonly contract: (of: Trader, changes?: Fields, price?: string) => Promise<string>;
  readonly purchase: (of: Trader, contract: string, changes?: Fields) => Promise<string>;
  /** An approved shipment of one line. */
  readonly shipment: (of: Trader, contract: string, line: Fields, changes?: Fields) => Promise<string>;
  /** Money arrives; the amounts as ordered and charged. */
  readonly receipt: (changes: Fields) => Promise<string>;
  /** The id of the new claim's line. */
  readonly claim: (receipt: string, of: Trader, amount: string) => Promise<string>;
  readonly draftSplit: (receipt: string, claim: string, changes: Fields) => Promise<string>;
  /** A split that is submitted and approved. */
  readonly split: (
    receipt: string,
    claim: string,
    changes: Fields,
    people?: readonly string[],
  ) => Promise<string>;
  readonly decide: (who: string, resource: string, id: string) => Promise<Answer>;
  readonly approve: (resource: string, id: string, people: readonly string[]) => Promise<void>;
  /** All of a purchase enters the warehouse. Answers the purchase line. */
  readonly enter: (of: Trader, purchase: string, quantity: string) => Promise<string>;
  /** The goods enter the warehouse, and the supplier's invoice is matched with what was bought and shipped. */
  readonly invoice: (of: Trader, invoice: MatchedInvoice) => Promise<string>;
  /** A payment up to its submission. */
  readonly payment: (of: Trader, changes: Fields) => Promise<string>;
  /** Its approvals and what treasury does. */
  readonly pay: (id: string, people: readonly string[], changes?: Fields) => Promise<void>;
  /** The general account of a partner: balance, held, available. */
  readonly pool: (of: Trader, kind?: string) => Promise<readonly [string, string, string]>;
  /** Entries of a document in their order: type and amount. */
  readonly entries: (id: string) => Promise<readonly (readonly [string, string])[]>;
  readonly key: () => string;
}

export async function moneySteps(rules: RulesExample): Promise<MoneySteps> {
  const { as, act, given, stored, example } = rules;
  const { masters, services } = example;
  let count = 0;
  const key = (): string => `X${(count += 1)}`;
  const scope = { sales_id: masters.sales, dept_code: 'AA' };
  const currency = await services.db.query<{ id: string }>(`select id from currency where code = 'USD'`, []);
  for (const [kind, rate] of [['buy', '7.105000']] as const)
    await given('currency_rate', {
      currency: 'USD',
      currency_id: currency[0]?.id,
      kind,
      date: '2024-01-01',
      rate,
      source: '手工',
    });
  await given('currency', { code: 'CNY', name: '人民币', symbol: '¥', decimals: 2, status: 'active' });
  const bank = (await stored('company_bank_account', masters.account))['bank_id'];
  const [branch] = await services.db.query<{ id: string }>('select id from cnaps limit 1', []);
  const cnaps =
    branch?.id ??
    (await given('cnaps', {
      code: '104332000019',
      branch_name: '中国银行宁波市分行',
      bank_name: '中国银行',
      status: 'active',
    }));
  const cny = await given('company_bank_account', {
    account_name: '试验公司',
    account_no: '331000000001',
    bank_id: bank,
    cnaps_id: cnaps,
    currency: 'CNY',
    account_kind: 'general',
    status: 'active',
  });

  const trader: MoneySteps['trader'] = async (name, changes = {}) => {
    const mode = changes['export_mode'] ?? 'entrusted';
    const own = { ...scope, status: 'active', business_type: 'agency' };
    const partner = await rules.aPartner({
      ...{ name, export_modes: ['buyout', 'entrusted', 'rebate_agent'] },
      banks: [{ account_name: name, account_no: '62221111', cnaps_id: cnaps, is_default: true }],
    });
    await services.db.query('update partner__banks set verified = true where parent_id = $1::uuid', [
      partner,
    ]);
    const rate = await given('partner_rate', {
      ...scope,
      partner_id: partner,
      fee_basis: 'per_usd',
      fee_rate: '0.05',
      vat_included: true,
      valid_from: '2024-01-01',
      status: 'active',
      ...(changes['rate'] as Fields | undefined),
    });
    await given('cooperation_agreement', {
      ...scope,
      partner_id: partner,
      agreement_type: 'agency',
      export_mode: mode,
      start_date: '2024-01-01',
      end_date: '2030-12-31',
      rate_id: rate,
      receipt_days: 180,
      foreign_risk_party: 'partner',
      goods_risk_party: 'partner',
      fx_party: 'partner',
      deviation_reason: '试验',
      status: 'effective',
    });
    const buyerName = `${name.replaceAll(/[^A-Z]/g, '')}${key()} TRADING GMBH`;
    const buyer = await given('buyer', {
      name_en: buyerName,
      country_id: masters.country,
      address: 'Hafenstr. 1',
      partner_id: partner,
      is_related: false,
      ...own,
    });
    const supplier = await given('supplier', {
      name: `${name}供应商`,
      credit_code: null,
      partner_id: partner,
      enterprise_kind: 'manufacturer',
      taxpayer_type: 'general',
      source_place_id: (await stored('supplier', masters.supplier))['source_place_id'],
      risk_level: 'B',
      site_visit_date: '2026-01-05',
      banks: [
        {
          account_name: `${name}供应商`,
          account_no: '62220001',
          cnaps_id: cnaps,
          verified: true,
          is_default: true,
        },
      ],
      ...own,
    });
    await services.db.query('update supplier__banks set verified = true where parent_id = $1::uuid', [
      supplier,
    ]);
    const goods = await given('goods', {
      name: '铜阀门',
      name_en: 'BRASS VALVE',
      brand: '无品牌',
      hs_code_id: (await stored('goods', masters.goods))['hs_code_id'],
      partner_id: partner,
      unit: '007',
      unit1_factor: '0.5',
      elements: [{ element: '材质', value: '铜制' }],
      ...own,
    });
    return { partner, buyer, buyerName, supplier, goods };
  };

  const decide: MoneySteps['decide'] = async (who, resource, id) => {
    const state = await must(as(who, 'GET', `/approval/record/${resource}/${id}`));
    const task = state['task'] as { id: string; version: number } | null;
    return as(who, 'POST', `/approval/${task?.id ?? 'none'}/approve`, {
      version: task?.version,
      opinion: '同意',
    });
  };
  const approve: MoneySteps['approve'] = async (resource, id, people) => {
    for (const who of people) await must(decide(who, resource, id));
  };
  const draftSplit: MoneySteps['draftSplit'] = async (receipt, claim, changes) => {
    const made = await must(
      as('fn.aa', 'POST', '/data/receipt_split', {
        receipt_id: receipt,
        claim_line: claim,
        split_date: '2026-11-20',
        ...changes,
      }),
    );
    return String(made['id']);
  };
  const steps: MoneySteps = {
    accounts: { usd: masters.account, cny },
    key,
    trader,
    contract: (of, changes = {}, price = '10.000000') =>
      given('export_contract', {
        ...scope,
        business_type: 'agency',
        export_mode: 'entrusted',
        partner_id: of.partner,
        buyer_id: of.buyer,
        sign_date: '2026-09-01',
        currency: 'USD',
        incoterm: 'FOB',
        incoterm_place: 'NINGBO',
        payment_term: 'TT_ADV',
        more_less: '5',
        items: [
          {
            goods_id: of.goods,
            supplier_id: of.supplier,
            quantity: '10000',
            unit: '007',
            unit_price: price,
          },
        ],
        status: 'signed',
        ...changes,
      }),
    purchase: async (of, contract, changes = {}) => {
      const [line] = await services.db.query<{ id: string }>(
        'select id from export_contract__items where parent_id = $1::uuid',
        [contract],
      );
      const purchase = await given('purchase_contract', {
        ...scope,
        business_type: 'agency',
        export_contract_id: contract,
        supplier_id: of.supplier,
        partner_id: of.partner,
        sign_date: '2026-09-02',
        vat_rate: '13',
        advance_ratio: '30',
        payment_terms: 'advance',
        items: [
          {
            export_line: line?.id,
            goods_id: of.goods,
            quantity: '10000',
            unit: '007',
            unit_price: '62.150000',
          },
        ],
        status: 'signed',
        ...changes,
      });
      await services.db.query(
        `update purchase_contract set signed_file = array[gen_random_uuid()] where id = $1::uuid`,
        [purchase],
      );
      return purchase;
    },
    shipment: async (of, contract, line, changes = {}) => {
      const [item] = await services.db.query<{ id: string }>(
        'select id from export_contract__items where parent_id = $1::uuid',
        [contract],
      );
      return given('shipment', {
        ...scope,
        business_type: 'agency',
        invoice_no: key(),
        export_mode: 'entrusted',
        partner_id: of.partner,
        buyer_id: of.buyer,
        currency: 'USD',
        incoterm: 'FOB',
        payment_term: 'TT_ADV',
        invoice_date: '2026-10-10',
        items: [
          {
            contract_id: contract,
            contract_line: item?.id,
            goods_id: of.goods,
            supplier_id: of.supplier,
            unit: '007',
            quantity: '1',
            ...line,
          },
        ],
        status: 'approved',
        ...changes,
      });
    },
    receipt: async (changes) => {
      const made = await must(
        as('fn.aa', 'POST', '/data/receipt', {
          bank_ref: key(),
          bank_account_id: masters.account,
          currency: 'USD',
          value_date: '2026-11-18',
          payer_country_id: masters.country,
          ...changes,
        }),
      );
      return String(made['id']);
    },
    claim: async (receipt, of, amount) => {
      const before = new Set(await claimsOf(receipt));
      await must(
        act('sp.aa', 'receipt', receipt, 'claim', {
          inputs: { partner_id: of.partner, buyer_id: of.buyer, amount },
        }),
      );
      return (await claimsOf(receipt)).find((id) => !before.has(id)) ?? '';
    },
    draftSplit,
    split: async (receipt, claim, changes, people = ['fn2.aa']) => {
      const id = await draftSplit(receipt, claim, changes);
      await must(act('fn.aa', 'receipt_split', id, 'submit'));
      await approve('receipt_split', id, people);
      return id;
    },
    decide,
    approve,
    enter: async (of, purchase, quantity) => {
      const [line] = await services.db.query<{ id: string }>(
        'select id from purchase_contract__items where parent_id = $1::uuid',
        [purchase],
      );
      await given('warehouse_entry', {
        ...scope,
        business_type: 'agency',
        doc_type: 'in',
        purchase_contract_id: purchase,
        items: [{ purchase_line: line?.id, goods_id: of.goods, unit: '007', quantity, packages: 1 }],
        status: 'stored',
      });
      return line?.id ?? '';
    },
    invoice: async (of, { purchase, shipment, quantity, net, tax }) => {
      const purchase_line = await steps.enter(of, purchase, quantity);
      return given('goods_invoice', {
        ...scope,
        business_type: 'agency',
        invoice_type: '32',
        invoice_number: key().padStart(20, '2').replace('X', '0'),
        billing_date: '2026-11-10',
        supplier_id: of.supplier,
        partner_id: of.partner,
        net_amount: net,
        tax_amount: tax,
        matches: [{ purchase_line, shipment_id: shipment, quantity, net_amount: net }],
        status: 'matched',
      });
    },
    payment: async (of, changes) => {
      const [account] = await services.db.query<{ id: string }>(
        'select id from supplier__banks where parent_id = $1::uuid',
        [of.supplier],
      );
      const [own] = await services.db.query<{ id: string }>(
        'select id from partner__banks where parent_id = $1::uuid',
        [of.partner],
      );
      const isGoods = changes['pay_type'] === 'goods' || changes['pay_type'] === 'advance';
      const made = await must(
        as('sp.aa', 'POST', '/data/payment_request', {
          business_type: 'agency',
          partner_id: of.partner,
          need_date: '2026-11-22',
          purpose: '试验',
          ...(isGoods
            ? { payee_kind: 'supplier', supplier_id: of.supplier, supplier_account: account?.id }
            : { payee_kind: 'forwarder', payee_name: '货代', payee_account: '62229999', payee_bank: '银行' }),
          ...(changes['payee_kind'] === 'partner' ? { partner_account: own?.id } : {}),
          cnaps: '104332000019',
          ...changes,
        }),
      );
      return String(made['id']);
    },
    pay: async (id, people, changes = {}) => {
      await approve('payment_request', id, people);
      await must(act('tr.aa', 'payment_request', id, 'pay'));
      await must(
        act('tr.aa', 'payment_request', id, 'confirm', {
          inputs: { paid_date: companyToday(new Date()), bank_account_id: cny, bank_ref: key(), ...changes },
        }),
      );
    },
    pool: async (of, kind = 'general') => {
      const [row] = await services.db.query<Record<'balance' | 'frozen' | 'available', string>>(
        'select balance, frozen, available from fund_pool where partner_id = $1::uuid and account_kind = $2',
        [of.partner, kind],
      );
      return [row?.balance ?? '', row?.frozen ?? '', row?.available ?? ''];
    },
    entries: async (id) => {
      const rows = await services.db.query<{ entry_type: string; amount: string }>(
        `select entry_type, amount from fund_ledger_entry where source_id = $1 order by entry_no`,
        [id],
      );
      return rows.map(({ entry_type, amount }) => [entry_type, amount] as const);
    },
  };
  const claimsOf = async (receipt: string): Promise<readonly string[]> => {
    const rows = await services.db.query<{ id: string }>(
      'select id from receipt__claims where parent_id = $1::uuid',
      [receipt],
    );
    return rows.map(({ id }) => id);
  };
  return steps;
}

/** What was refused, for an answer that must be a refusal. */
export async function refusal(answer: Promise<Answer>): Promise<readonly [number, string]> {
  const { status, msg } = await answer;
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  return [status, msg];
}
