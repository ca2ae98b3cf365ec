import { addDays } from '#engine/values/dates.ts';
import { roundDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import type { TradeExample } from '../trade/trade-example.ts';
import type { Planted, Plants } from './planted-data.ts';
import { isSailed } from './reckoned.ts';

/** What was planted: the reports' sources, as the tests reckon with them. */
export interface World {
  readonly shipments: readonly Planted[];
  /** Lines of splits, each with its head as `parent`. */
  readonly splits: readonly Planted[];
  readonly receipts: readonly Planted[];
  readonly payments: readonly Planted[];
  /** Lines of payments for goods. */
  readonly goodsLines: readonly Planted[];
  readonly purchases: readonly Planted[];
  readonly entries: readonly Planted[];
  readonly countries: Readonly<Record<string, string>>;
}

/** Sixty shipments over two years with the money around them: some deleted, of another company, or not counting. */
export async function plantWorld(example: TradeExample, plants: Plants, today: string): Promise<World> {
  const { plant, draw, pick } = plants;
  const { masters, services } = example;
  const people = await services.db.query<{ id: string }>(
    `select id from person where personid in ('sp.aa', 'dm.aa') order by personid`,
    [],
  );
  const usa = await plant('country', {
    code: 'USA',
    iso2: 'US',
    name: '美国',
    name_en: 'USA',
    continent: '北美洲',
    status: 'active',
  });
  const buyers = [masters.buyer];
  for (const name of ['ALPHA INC', 'BETA LLC'])
    buyers.push(
      (
        await plant('buyer', {
          name_en: name,
          buyer_no: name,
          country_id: usa.id,
          partner_id: masters.partner,
          status: 'active',
        })
      ).id,
    );
  const amount = (most: number): string => `${1_000 + draw(most)}.${String(draw(100)).padStart(2, '0')}`;
  const shipments: Planted[] = [];
  const splits: Planted[] = [];
  const receipts: Planted[] = [];
  const payments: Planted[] = [];
  const goodsLines: Planted[] = [];
  const purchases: Planted[] = [];
  const entries: Planted[] = [];
  const pool = await plant('fund_pool', {
    pool_no: 'P1',
    pool_type: 'partner',
    account_kind: 'general',
    partner_id: masters.partner,
    currency: 'CNY',
    balance: '0',
    frozen: '5',
    available: '95',
    status: 'active',
  });
  for (let index = 0; index < 60; index += 1) {
    const atd = addDays(today, -draw(800));
    const total = amount(90_000);
    const currency = pick(['USD', 'USD', 'EUR']);
    const owner = pick(people).id;
    const company = index === 1 ? 'AE' : 'AA';
    const part = roundDecimal(String(Number(total) / 2), 2);
    const status = pick(['shipped', 'shipped', 'settled', 'amending', 'approved', 'cancelled']);
    const shipment = await plant('shipment', {
      shipment_no: `MX${index}`,
      invoice_no: `INV${index}`,
      status,
      has_sailed: isSailed(status),
      business_type: pick(['agency', 'self']),
      sales_id: owner,
      buyer_id: pick(buyers),
      partner_id: masters.partner,
      trade_country_id: pick([usa.id, masters.country]),
      currency,
      invoice_date: atd,
      atd,
      receipt_due_date: addDays(atd, 30 + draw(120)),
      total_amount: total,
      amount_usd: currency === 'USD' ? total : roundDecimal(String(Number(total) * 1.1), 2),
      unreceived: total,
      // Given up after the day that is looked at: it was still owed then.
      ...(index % 7 === 5
        ? { unreceived: '0.00', written_off_amount: total, written_off_on: addDays(today, 1) }
        : {}),
      ...(index % 7 === 3 ? { short_amount: subtractDecimals(total, part) } : {}),
      is_deleted: index === 0,
      co_code: company,
    });
    shipments.push(shipment);
    const split = await plant('receipt_split', {
      split_no: `FG${index}`,
      status: pick(['posted', 'posted', 'draft']),
      split_date: addDays(atd, draw(100)),
      currency,
      partner_id: masters.partner,
      sales_id: owner,
      co_code: company,
    });
    const line = await plant('receipt_split__lines', {
      parent_id: split.id,
      line_order: 0,
      co_code: company,
      shipment_id: shipment.id,
      nature: pick(['goods', 'goods', 'freight']),
      settle_mode: 'spot',
      amount: part,
      counted_amount: part,
      amount_usd: part,
      amount_cny: roundDecimal(String(Number(part) * 7), 2),
    });
    splits.push({ ...line, parent: split });
    receipts.push(
      await plant('receipt', {
        receipt_no: `SH${index}`,
        status: pick(['split', 'claimed', 'void']),
        value_date: atd,
        currency,
        amount: total,
        book_cny: total,
        co_code: company,
      }),
    );
    const payment = await plant('payment_request', {
      pay_no: `HK${index}`,
      status: pick(['paid', 'paid', 'approved']),
      pay_type: pick(['goods', 'advance']),
      payee_name: pick(['甲厂', '乙厂']),
      paid_date: atd,
      need_date: atd,
      currency: 'CNY',
      amount: total,
      actual_cny: total,
      co_code: company,
    });
    payments.push(payment);
    const purchase = await plant('purchase_contract', {
      purchase_no: `CG${index}`,
      status: 'executing',
      supplier_id: masters.supplier,
      sign_date: atd,
      total_amount: total,
      advance_paid: total,
      co_code: company,
    });
    purchases.push(purchase);
    goodsLines.push({
      ...(await plant('payment_request__goods_lines', {
        parent_id: payment.id,
        line_order: 0,
        co_code: company,
        purchase_contract_id: purchase.id,
        amount: total,
        offset_advance: '0.00',
      })),
      parent: payment,
    });
    entries.push(
      await plant('fund_ledger_entry', {
        entry_no: `LS${index}`,
        pool_id: pool.id,
        partner_id: masters.partner,
        entry_type: 'RCV_SETTLE',
        net_type: pick(['RCV_SETTLE', 'PAY_GOODS', 'AGENCY_FEE']),
        amount: index % 3 === 0 ? `-${total}` : total,
        currency: 'CNY',
        business_date: atd,
        co_code: company,
      }),
    );
  }
  return {
    shipments,
    splits,
    receipts,
    payments,
    goodsLines,
    purchases,
    entries,
    countries: { [usa.id]: '美国' },
  };
}
