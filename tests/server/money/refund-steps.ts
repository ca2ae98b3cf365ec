import { addMonths, companyToday } from '#engine/values/dates.ts';
import { type Fields, must, type RulesExample } from '../rules/rules-example.ts';
import type { MoneySteps, Trader } from './money-steps.ts';

/** An export of one line whose declaration customs have closed, with the invoice that is matched to it. */
export interface RefundCase {
  readonly of: Trader;
  readonly refund: string;
  readonly declaration: string;
  readonly shipment: string;
  readonly shipmentLine: string;
  readonly invoice: string;
}

export interface ExportCase {
  readonly mode?: 'buyout' | 'rebate_agent';
  /** Without VAT, at 13 %. */
  readonly net: string;
  readonly exportDate: string;
  /** FOB in CNY, which the invoice of a rebate_agent says. */
  readonly fob?: string;
  readonly quantity?: string;
  readonly matched?: string;
  /** Whether the money for the goods has come; it has when not said. */
  readonly isPaid?: boolean;
  readonly hsCode?: string;
  readonly invoiceStatus?: string;
  /** Whether the invoice says what it is for; it does when not said. */
  readonly isMatched?: boolean;
  /** What the invoice counts in; pieces when not said. */
  readonly unit?: string;
  readonly agreement?: Fields;
  /** CNY when not said: no book rate between then. */
  readonly currency?: string;
  readonly rate?: Fields;
  /** Whose business it is; that of a partner when not said. */
  readonly business?: 'agency' | 'self';
}

/** Steps of refunds, everything behind them written as the system. Needs `fn.aa`, `dc.aa`, `gm.aa` signed in. */
export function refundSteps(rules: RulesExample, money: MoneySteps) {
  const { act, as, given, stored, example } = rules;
  const { db } = example.services;
  const idOf = async (sql: string, values: readonly unknown[]): Promise<string> =>
    (await db.query<{ id: string }>(sql, [...values]))[0]?.id ?? '';
  let ports: Promise<Fields> | null = null;

  /** Up to the closing of the declaration, which makes the refund. */
  async function exported(wanted: ExportCase): Promise<RefundCase> {
    const { mode = 'buyout', net, exportDate, fob = net, quantity = '100', matched = quantity } = wanted;
    const name = `退税${money.key()}`;
    const of = await money.trader(name, {
      export_mode: mode,
      rate: { rebate_service_rate: '2', ...wanted.rate },
    });
    if (wanted.agreement !== undefined)
      await db.query(
        `update cooperation_agreement set risk_deviation = false, foreign_risk_party = 'company',
         goods_risk_party = 'company', fx_party = 'company' where partner_id = $1::uuid`,
        [of.partner],
      );
    if (mode === 'rebate_agent') {
      await db.query('update supplier set is_partner_self = true where id = $1::uuid', [of.supplier]);
      await db.query('update partner set refund_filed = true where id = $1::uuid', [of.partner]);
    }
    if (wanted.hsCode !== undefined)
      await db.query('update goods set hs_code_id = (select id from hs_code where code = $2 limit 1) where id = $1::uuid', [of.goods, wanted.hsCode]); // prettier-ignore
    const trade = { export_mode: mode, currency: wanted.currency ?? 'CNY' };
    const price = String(Number(fob) / Number(quantity));
    const contract = await money.contract(of, trade, price);
    const purchase = mode === 'buyout' ? await money.purchase(of, contract) : null;
    const shipment = await money.shipment(
      of,
      contract,
      { quantity, purchase_contract_id: purchase },
      { ...trade, atd: exportDate, bl_no: 'COSU1', invoice_date: exportDate },
    );
    if (wanted.isPaid !== false)
      await db.query(`update shipment set received_goods = total_amount, received_amount = total_amount, unreceived = 0, recv_progress = 'full' where id = $1::uuid`, [shipment]); // prettier-ignore
    const closed = await closedExport(
      { ...wanted, mode, quantity, fob, matched },
      { of, shipment, purchase },
    );
    return { of, ...closed };
  }

  /** The declaration of a shipment that is there, its invoice, and the closing, which makes the refund. */
  async function closedExport(
    wanted: ExportCase,
    at: { readonly of: Trader; readonly shipment: string; readonly purchase: string | null },
  ): Promise<Omit<RefundCase, 'of'>> {
    const { mode = 'buyout', quantity = '100', matched = quantity } = wanted;
    const { of, shipment, purchase } = at;
    const { declaration, shipmentLine } = await released(wanted, at);
    const declarationItem = await idOf('select id from customs_declaration__items where parent_id = $1::uuid', [declaration]); // prettier-ignore
    const invoice = await invoiced({ ...wanted, mode, quantity: matched }, { of, shipment, shipmentLine, purchase, declarationItem }); // prettier-ignore
    await must(act('dc.aa', 'customs_declaration', declaration, 'close'));
    const refund = await idOf('select id from tax_refund where declaration_id = $1::uuid', [declaration]);
    return { refund, declaration, shipment, shipmentLine, invoice };
  }

  /** The declaration of a shipment that customs let go, and the sailing. */
  async function released(
    { net, exportDate, fob = net, quantity = '100', business = 'agency' }: ExportCase,
    { shipment }: { readonly shipment: string },
  ): Promise<Pick<RefundCase, 'declaration' | 'shipmentLine'>> {
    const price = String(Number(fob) / Number(quantity));
    const shipmentLine = await idOf('select id from shipment__items where parent_id = $1::uuid', [shipment]);
    const source_place_id = (await stored('supplier', example.masters.supplier))['source_place_id'];
    await db.query(`update shipment set status = 'approved' where id = $1::uuid`, [shipment]);
    const declaration = await given('customs_declaration', {
      ...(await (ports ??= portsOf())),
      shipment_id: shipment,
      business_type: business,
      customs_no: String(Date.now()).padStart(15, '2') + money.key().slice(1).padStart(3, '0'),
      export_date: exportDate,
      declare_date: exportDate,
      status: 'released',
      items: [{ item_no: 1, shipment_line: shipmentLine, hs_code: '8481804090', quantity, unit: '007', legal_quantity1: '1', source_place_id, unit_price: price, amount: fob }], // prettier-ignore
    });
    await db.query(`update shipment set status = 'shipped' where id = $1::uuid`, [shipment]);
    return { declaration, shipmentLine };
  }

  async function invoiced(
    wanted: ExportCase,
    at: {
      readonly of: Trader;
      readonly shipment: string;
      readonly shipmentLine: string;
      readonly purchase: string | null;
      /** The item of the declaration that it belongs to; found when not said. */
      readonly declarationItem?: string;
    },
  ): Promise<string> {
    const {
      net,
      quantity = '100',
      business = 'agency',
      mode,
      invoiceStatus = 'certified',
      unit = '个',
    } = wanted;
    const { of, shipment, shipmentLine, purchase, declarationItem } = at;
    const line = purchase === null ? '' : await idOf('select id from purchase_contract__items where parent_id = $1::uuid', [purchase]); // prettier-ignore
    return given('goods_invoice', {
      sales_id: example.masters.sales,
      dept_code: 'AA',
      business_type: business,
      invoice_type: '31',
      invoice_number: String(Date.now()).padStart(17, '2') + money.key().slice(1).padStart(3, '0'),
      billing_date: '2026-01-05',
      supplier_id: of.supplier,
      partner_id: business === 'self' ? null : of.partner,
      net_amount: net,
      tax_amount: (Number(net) * 0.13).toFixed(2),
      remarks: mode === 'rebate_agent' ? '代办退税专用' : null,
      cert_usage: mode === 'rebate_agent' ? 'rebate_agent' : 'refund',
      items: [{ row_no: 1, goods_id: of.goods, commodity_name: '铜阀门', unit, quantity, unit_price: String(Number(net) / Number(quantity)), amount: net, tax_rate: '13', tax: (Number(net) * 0.13).toFixed(2) }], // prettier-ignore
      matches: wanted.isMatched === false ? [] : [{ purchase_line: line === '' ? null : line, shipment_id: shipment, shipment_line: shipmentLine, declaration_item: declarationItem ?? null, quantity, net_amount: net }], // prettier-ignore
      status: invoiceStatus,
    });
  }

  async function portsOf(): Promise<Fields> {
    const { country, port, dest } = example.masters;
    const own = { country_id: country, name_en: 'X', status: 'active' };
    const exit_customs_id = await given('port', { ...own, code: '3104', name: '甬江海关', port_kind: 'customs' }); // prettier-ignore
    const broker_id = await given('customs_broker', { name: '退税报关行', customs_code: '3302980001', credit_code: '91330203MA7XYAA274', status: 'active' }); // prettier-ignore
    return {
      ...{ exit_customs_id, broker_id, dest_port_id: dest, exit_port_id: port },
      ...{ trade_country_id: country, dest_country_id: country, consignee: 'X', transport_name: 'A/1', bl_no: 'C' }, // prettier-ignore
      ...{ producer: 'X', contract_no: 'X', package_kind: '22', packages: 1, gross_weight: '2', net_weight: '1' }, // prettier-ignore
      trade_term: '3',
    };
  }

  const read = (id: string, who = 'fn.aa'): Promise<Fields> => must(as(who, 'GET', `/data/tax_refund/${id}`));
  const run = (id: string, action: string, inputs: Fields = {}, opinion = '试验') =>
    act('fn.aa', 'tax_refund', id, action, { inputs, opinion });

  return {
    exported,
    closedExport,
    released,
    invoiced,
    read,
    run,
    number,
    /** Gives every item its 关联号 and declares. */
    declare: async (id: string) => {
      await number(id);
      return run(id, 'declare', { declare_ym: companyToday(new Date()).slice(0, 7).replace('-', '') });
    },
    /** Accepts what was expected, or so much of the first item. */
    accept: async (id: string, amount?: string) => {
      const items = ((await read(id))['items'] as readonly Fields[]).map((item) => ({
        id: item['id'],
        approved_amount: amount ?? item['refund_amount'],
      }));
      return run(id, 'accept', { changes: { items } });
    },
    receive: (id: string, amount: string, bank_ref = money.key(), receive_date = companyToday(new Date())) =>
      run(id, 'receive', { amount, bank_ref, receive_date, bank_account_id: money.accounts.cny }),
    /** The lines of an event's vouchers: debit and credit by posting key. */
    vouchers: async (id: string, event: string): Promise<readonly string[]> => {
      const rows = await db.query<{ line: string }>(
        `select concat(l.posting_key, ' ', coalesce(l.debit::text, ''), '|', coalesce(l.credit::text, '')) as line
         from finance_voucher v join finance_voucher__entries l on l.parent_id = v.id
         where v.source_id = $1 and v.event_code = $2 order by v.created_at, l.line_order`,
        [id, event],
      );
      return rows.map(({ line }) => line);
    },
    /** So many months before today: the last day on which an export of then may be declared is today. */
    monthsAgo: (months: number) => addMonths(companyToday(new Date()), -months),
  };

  async function number(id: string): Promise<void> {
    const { version, items } = await read(id);
    const numbered = (items as readonly Fields[]).map((item, at) => ({ id: item['id'], relation_seq: `${at + 1}` })); // prettier-ignore
    await must(as('fn.aa', 'PATCH', `/data/tax_refund/${id}`, { version, items: numbered }));
  }
}
