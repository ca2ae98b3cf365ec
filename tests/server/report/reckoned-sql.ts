import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { isPlainDecimal, sumDecimals } from '#engine/values/decimal.ts';

/** A report reckoned by a statement of its own, written from what the columns mean and not from the report's file. */
export interface Statement {
  readonly report: number;
  readonly who: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** `key`: the record's id, or the groups of the line from outside in; all others are columns. */
  readonly sql: string;
}

export interface Days {
  readonly today: string;
  readonly from: string;
  readonly to: string;
}

/** The statements for these days. */
export function statements({ today, from, to }: Days): readonly Statement[] {
  const of = (alias: string): string => `${alias}.co_code = 'AA' and not ${alias}.is_deleted`;
  const within = (date: string): string => `${date} between '${from}' and '${to}'`;
  const month = (date: string): string => `to_char(${date}, 'YYYY-MM')`;
  const sailed = (alias: string): string => `${of(alias)} and ${alias}.status in ('shipped', 'settled')`;
  const going = (alias: string): string =>
    `${of(alias)} and ${alias}.status in ('approved', 'amending', 'declared', 'shipped', 'settled')`;
  const lent = `${of('f')} and f.status in ('drawn', 'partial_repaid', 'repaid', 'overdue', 'extended')`;
  const supplied = `${of('f')} and f.status in ('drawn', 'repaid', 'overdue')`;
  const paidBack = (table: string, day: string): string =>
    `coalesce((select sum(r.principal) from ${table}__repayments r where r.parent_id = f.id and r.repay_date <= '${day}'), 0)`;
  const sentLines = `receipt_split__lines l join receipt_split s on s.id = l.parent_id and ${of('s')} and s.status = 'posted'`;
  const kindOfLoan = `case f.financing_type when 'order' then '订单融资' when 'packing' then '打包贷款' when 'shipment' then '出运后融资'
    when 'sinosure' then '信保融资' when 'rebate' then '退税融资' else '代垫货款' end`;
  const counted = `${of('c')} and c.status in ('pending', 'approved', 'paid')`;
  const overdue = (day: string, amount: string, rest: string): string =>
    `select '13 逾期未收汇(USD)', ${amount} from ${rest} and h.status in ('shipped', 'settled')
       and greatest(${day}, h.receipt_due_date + 1) <= '${to}'`;
  const inUsd = (amount: string): string => `round(${amount} * h.amount_usd / h.total_amount, 2)`;
  return [
    {
      report: 1,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(what) as key, sum(figure) as now from (
        select '01 新签合同额(USD)' as what, k.amount_usd as figure from export_contract k
          where ${of('k')} and k.status in ('approved', 'signed', 'executing', 'completed') and ${within('k.sign_date')}
        union all select '02 出口额(USD)', h.amount_usd from shipment h where ${sailed('h')} and ${within('h.atd')}
        union all select '03 收汇额(USD)', l.amount_usd from ${sentLines} where ${within('s.split_date')}
        union all select '04 结汇额(CNY)', x.amount_cny from fx_settlement x where ${of('x')} and x.status = 'posted' and ${within('x.deal_date')}
        union all select '05 付款额(CNY)', p.actual_cny from payment_request p where ${of('p')} and p.status = 'paid' and ${within('p.paid_date')}
        union all select '06 退税到账(CNY)', t.received_amount from tax_refund t where ${of('t')} and t.status <> 'cancelled' and ${within('t.received_date')}
        union all select '07 代理费收入(CNY)', s.agency_fee from receipt_split s where ${of('s')} and s.status = 'posted' and ${within('s.split_date')}
        union all select '08 自营毛利(CNY)', e.company_profit from project_settlement e
          where ${of('e')} and e.status = 'approved' and e.business_type = 'self' and ${within('e.settled_on')}
        union all select '09 提成发放(CNY)', c.payable from commission_statement c where ${of('c')} and c.status = 'paid' and ${within('c.paid_date')}
        union all select '10 融资余额(CNY)', f.amount_cny from financing f where ${lent} and f.start_date <= '${to}'
        union all select '10 融资余额(CNY)', -r.principal from financing__repayments r join financing f on f.id = r.parent_id where ${of('f')} and r.repay_date <= '${to}'
        union all select '10 融资余额(CNY)', f.amount from scf_financing f where ${supplied} and f.start_date <= '${to}'
        union all select '10 融资余额(CNY)', -r.principal from scf_financing__repayments r join scf_financing f on f.id = r.parent_id
          where ${of('f')} and r.repay_date <= '${to}'
        union all select '11 资金池余额(CNY)', e.amount from fund_ledger_entry e where ${of('e')} and e.currency = 'CNY' and e.business_date <= '${to}'
        union all (select '12 活跃委托方(家)', count(distinct h.partner_id) from shipment h where ${sailed('h')} and ${within('h.atd')})
        union all ${overdue('h.receipt_due_date', 'h.amount_usd', `shipment h where ${of('h')}`)}
        union all ${overdue('s.split_date', `-${inUsd('l.counted_amount')}`, `${sentLines} join shipment h on h.id = l.shipment_id where l.nature = 'goods'`)}
        union all ${overdue('l.applied_on', `-${inUsd('l.counted_amount')}`, `receipt_split__applications l join receipt_split s on s.id = l.parent_id and ${of('s')} and s.status = 'posted' join shipment h on h.id = l.shipment_id where true`)}
        union all ${overdue('r.paid_date', inUsd('r.amount'), `remittance_return r join shipment h on h.id = r.shipment_id where ${of('r')} and r.status = 'done'`)}
        ) v group by what`,
    },
    {
      report: 12,
      who: 'gm.aa',
      params: { from, to },
      sql: `select h.id as key, 1 as count, h.atd - signed as sea, received - h.atd as money, h.refunded_on - h.atd as refund_days,
          settled - signed as all_days, received::text as received, paid::text as paid, invoiced::text as invoiced, settled::text as settled
        from shipment h
        left join lateral (select k.sign_date as signed from shipment__items i join export_contract k on k.id = i.contract_id
          where i.parent_id = h.id order by i.line_order limit 1) a on true
        left join lateral (select max(s.split_date) as received from ${sentLines} where l.shipment_id = h.id) b on true
        left join lateral (select max(p.paid_date) as paid from payment_request__goods_lines g join payment_request p on p.id = g.parent_id
          where ${of('p')} and p.status = 'paid' and g.shipment_id = h.id) c on true
        left join lateral (select max(g.billing_date) as invoiced from goods_invoice__matches m join goods_invoice g on g.id = m.parent_id
          where ${of('g')} and m.shipment_id = h.id) d on true
        left join lateral (select max(e.settled_on) as settled from project_settlement e
          where ${of('e')} and e.status = 'approved' and e.shipment_id = h.id) e on true
        where ${going('h')} and ${within('coalesce(h.atd, h.etd, h.invoice_date)')}`,
    },
    ...(['资金池', '银行账户'] as const).map((what) => ({
      report: 21,
      who: 'gm.aa',
      params: { of: what, day: from },
      sql: `select jsonb_build_array(e.currency, e.account) as key, sum(e.amount) as closing, sum(e.amount) filter (where day < '${from}') as opening,
          sum(e.amount) filter (where day = '${from}' and amount > 0) as got, sum(e.amount) filter (where day = '${from}' and amount < 0) as paid
        from (${
          what === '资金池'
            ? `select e.currency, p.pool_no as account, e.amount, e.business_date as day from fund_ledger_entry e left join fund_pool p on p.id = e.pool_id where ${of('e')}`
            : `select e.currency, a.account_no as account, e.amount, e.business_date as day from bank_entry e left join company_bank_account a on a.id = e.account_id where ${of('e')}`
        }) e where day <= '${from}' group by 1`,
    })),
    {
      report: 36,
      who: 'gm.aa',
      sql: `select t.id as key, coalesce(due, 0) as due_invoice, coalesce(got, 0) as got_invoice, greatest(coalesce(due, 0) - coalesce(got, 0), 0) as lack_amount,
          t.declared_quantity - t.matched_quantity as lack, t.expected as expected, t.deadline - '${today}'::date as left
        from tax_refund t
        left join lateral (select sum(round(i.quantity * b.unit_price, 2)) as due from customs_declaration__items i
          join customs_declaration d on d.id = i.parent_id and ${of('d')} join shipment__items x on x.id = i.shipment_line
          join purchase_contract__items b on b.id = x.purchase_line where d.id = t.declaration_id) a on true
        left join lateral (select sum(m.gross_amount) as got from goods_invoice__matches m join goods_invoice g on g.id = m.parent_id and ${of('g')}
          where g.status in ('matched', 'certified', 'declared', 'refunded') and m.refund_declaration = t.declaration_id) b on true
        where ${of('t')} and t.status in ('collecting', 'ready', 'declared', 'approved', 'partial', 'letter', 'receipt_hold')
          and t.deadline - '${today}'::date <= 90`,
    },
    {
      report: 37,
      who: 'gm.aa',
      sql: `select c.id as key, c.amount as total, c.left_amount as left_amount, coalesce(c.due_on, c.expiry_date) - '${today}'::date as left
        from letter_of_credit c where ${of('c')} and c.status not in ('draft', 'paid', 'closed', 'cancelled')
          and coalesce(c.due_on, c.expiry_date) - '${today}'::date <= 21`,
    },
    {
      report: 38,
      who: 'gm.aa',
      sql: `select key, amount, principal, due - '${today}'::date as left from (
          select f.id as key, f.amount_cny as amount, f.amount_cny - ${paidBack('financing', today)} as principal, f.due_date as due
            from financing f where ${lent} and f.start_date <= '${today}'
          union all select f.id, f.amount, f.amount - ${paidBack('scf_financing', today)}, f.due_date
            from scf_financing f where ${supplied} and f.start_date <= '${today}') v
        where principal > 0 and due - '${today}'::date <= 30`,
    },
    {
      report: 39,
      who: 'gm.aa',
      sql: `select key, 1 as count, amount from (
          select a.id as key, a.deposit_required as amount, a.end_date as due from cooperation_agreement a where ${of('a')} and a.status in ('effective', 'expiring')
          union all select c.id, c.amount, c.valid_to from credit_line c where ${of('c')} and c.status = 'active'
          union all select l.id, l.amount, l.valid_to from insurance_policy__limits l join insurance_policy p on p.id = l.parent_id
            where ${of('p')} and p.status = 'approved' and l.status in ('active', 'adjusted')
          union all select p.id, null, p.license_expiry from partner p where ${of('p')} and p.status = 'active'
          union all select p.id, p.balance, p.last_entry_at from fund_pool p where ${of('p')} and p.balance < 0
          union all select d.id, null, d.due_date from document_filing d where ${of('d')} and d.status in ('pending', 'incomplete', 'overdue')) v
        where due - '${today}'::date <= 30`,
    },
    {
      report: 46,
      who: 'gm.aa',
      params: { from, to },
      sql: `select r.id as key, r.amount as got, null::numeric as paid, r.book_cny as cny from receipt r where ${of('r')} and r.status <> 'void' and ${within('r.value_date')}
        union all select r.id, r.amount, null, r.amount from domestic_receipt r where ${of('r')} and r.status = 'posted' and ${within('r.value_date')}
        union all select p.id, null, p.amount, -p.actual_cny from payment_request p where ${of('p')} and p.status = 'paid' and ${within('p.paid_date')}
        union all select r.id, null, r.amount, -r.sum_cny from remittance_return r where ${of('r')} and r.status = 'done' and ${within('r.paid_date')}`,
    },
    {
      report: 47,
      who: 'fn.aa',
      params: { from, to },
      sql: `select id as key, net_amount as net, tax_amount as tax, total_amount as total, issuer, receiver from (
          select g.id, net_amount, tax_amount, total_amount, billing_date as day, s.name as issuer, g.purchaser_name as receiver
            from goods_invoice g left join supplier s on s.id = g.supplier_id where ${of('g')} and g.status <> 'void'
          union all select b.id, net_amount, tax_amount, total_amount, billing_date, b.issuer_name, '本公司' from business_invoice b where ${of('b')} and b.status <> 'void'
          union all select b.id, net_amount, tax_amount, total_amount, billing_date, '本公司', b.purchaser_name from sales_invoice b where ${of('b')} and b.status <> 'void'
          union all select b.id, net_amount, tax_amount, total_amount, bill_date, '本公司', b.debtor_name from other_receivable_invoice b where ${of('b')} and b.status <> 'void') v
        where ${within('day')}`,
    },
    {
      report: 51,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, sum(n) as count, sum(usd) as usd, sum(open) as open, sum(got) as got, sum(fee) as fee,
          sum(refund) as refund, sum(pool) as pool, sum(lent) as lent
        from (select h.partner_id as who, 1 as n, h.amount_usd as usd, ${inUsd('h.unreceived')} as open, 0 as got, 0 as fee, 0 as refund, 0 as pool, 0 as lent
            from shipment h where ${sailed('h')} and ${within('h.atd')}
          union all select s.partner_id, 0, 0, 0, l.amount_usd, l.agency_fee, 0, 0, 0 from ${sentLines} where ${within('s.split_date')}
          union all select t.partner_id, 0, 0, 0, 0, 0, t.received_amount, 0, 0 from tax_refund t where ${of('t')} and t.status <> 'cancelled' and ${within('t.received_date')}
          union all select e.partner_id, 0, 0, 0, 0, 0, 0, e.amount, 0 from fund_ledger_entry e
            where ${of('e')} and e.currency = 'CNY' and e.partner_id is not null and e.business_date <= '${to}'
          union all select f.partner_id, 0, 0, 0, 0, 0, 0, 0, f.amount_cny - ${paidBack('financing', to)} from financing f where ${lent} and f.start_date <= '${to}') v
        group by who`,
    },
    {
      report: 53,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(left(i.hs_code, 2), i.hs_code, i.goods_id) as key, sum(i.quantity) as quantity, sum(i.expected_refund) as refund,
          sum(${inUsd('i.amount')}) as usd
        from shipment__items i join shipment h on h.id = i.parent_id where ${sailed('h')} and ${within('h.atd')} group by 1`,
    },
    {
      report: 54,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(h.buyer_id) as key, count(*) as count, sum(h.amount_usd) as usd, avg(h.term_days) as term, sum(${inUsd('h.unreceived')}) as open,
          sum(case when h.receipt_due_date < '${today}' then ${inUsd('h.unreceived')} else 0 end) as late, max(b.limit_amount) as limit
        from shipment h left join buyer b on b.id = h.buyer_id where ${sailed('h')} and ${within('h.atd')} group by h.buyer_id`,
    },
    {
      report: 55,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(supplier_id) as key, count(*) as count, sum(amount) as amount, sum(paid) as paid, sum(amount) - sum(paid) as unpaid,
          sum(invoiced) as invoiced, sum(lack) as lack, sum(refund) as refund, sum(claimed) as claimed
        from (select p.supplier_id, p.total_amount as amount, p.invoiced_total as invoiced, p.delivered_total - p.invoiced_total as lack,
            coalesce(p.goods_paid, 0) + coalesce(p.advance_paid, 0) - coalesce(p.supplier_refunded, 0) as paid,
            (select sum(i.refund) from purchase_contract__items i where i.parent_id = p.id) as refund,
            (select coalesce(sum(x.refund_amount), 0) from tax_refund__items x join tax_refund t on t.id = x.parent_id
              join goods_invoice__matches m on m.id = x.match_line join purchase_contract__items i on i.id = m.purchase_line
              where ${of('t')} and t.status <> 'cancelled' and i.parent_id = p.id) as claimed
          from purchase_contract p where ${of('p')} and p.status in ('pending', 'approved', 'signed', 'executing', 'completed') and ${within('p.sign_date')}) v
        group by supplier_id`,
    },
    {
      report: 56,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(month) as key, count(*) filter (where kind = 'agency' and usd is not null) as a_n, sum(usd) filter (where kind = 'agency') as a_usd,
          sum(profit) filter (where kind = 'agency') as a_profit, count(*) filter (where kind = 'self' and usd is not null) as s_n,
          sum(usd) filter (where kind = 'self') as s_usd, sum(profit) filter (where kind = 'self') as s_profit
        from (select ${month('h.atd')} as month, h.business_type as kind, h.amount_usd as usd, null::numeric as profit from shipment h where ${going('h')} and ${within('h.atd')}
          union all select ${month('e.settled_on')}, e.business_type, null, e.company_profit from project_settlement e
            where ${of('e')} and e.status = 'approved' and ${within('e.settled_on')}) v
        group by month`,
    },
    {
      report: 57,
      who: 'gm.aa',
      params: { from, to },
      sql: `select id as key, total, shipped, total - shipped as left, received, bought, entered, usd, round(shipped * usd / total, 2) as shipped_usd
        from (select k.id, k.total_amount as total, k.amount_usd as usd,
            (select coalesce(sum(i.amount), 0) from shipment__items i join shipment h on h.id = i.parent_id where ${going('h')} and i.contract_id = k.id) as shipped,
            (select coalesce(sum(l.counted_amount), 0) from ${sentLines} where l.contract_id = k.id) as received, bought, entered
          from export_contract k
          cross join lateral (select coalesce(sum(p.total_amount), 0) as bought, coalesce(sum(p.entered_value), 0) as entered from purchase_contract p
            where ${of('p')} and p.status in ('pending', 'approved', 'signed', 'executing', 'completed') and p.export_contract_id = k.id) b
          where ${of('k')} and k.status in ('approved', 'signed', 'executing', 'completed') and ${within('k.sign_date')}) v`,
    },
    {
      report: 62,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(${month('t.export_date')}) as key, count(*) as count, sum(t.expected) as expected, sum(t.expected) as declared,
          sum(t.net_received) as received, avg(t.received_date - t.declared_date) as wait,
          sum((select sum(i.nonrefund_tax) from tax_refund__items i where i.parent_id = t.id)) as nonrefund
        from tax_refund t where ${of('t')} and t.status <> 'cancelled' and ${within('t.export_date')} group by 1`,
    },
    {
      report: 64,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(kind, who) as key, sum(lent) as lent, sum(repaid) as repaid, sum(income) as income, sum(balance) as balance, sum(late) as late
        from (select ${kindOfLoan} as kind, f.partner_id as who, case when ${within('f.start_date')} then f.amount_cny end as lent, null::numeric as repaid,
            null::numeric as income, b as balance, case when f.due_date < '${to}' then b else 0 end as late
            from financing f cross join lateral (select f.amount_cny - ${paidBack('financing', to)} as b) x where ${lent} and f.start_date <= '${to}'
          union all select ${kindOfLoan}, f.partner_id, null, r.principal, r.interest + coalesce(r.penalty, 0), null, null
            from financing__repayments r join financing f on f.id = r.parent_id where ${of('f')} and ${within('r.repay_date')}
          union all select '供应链融资', c.partner_id, case when ${within('f.start_date')} then f.amount end, null, null, b, case when f.due_date < '${to}' then b else 0 end
            from scf_financing f left join scf_customer c on c.id = f.customer_id
            cross join lateral (select f.amount - ${paidBack('scf_financing', to)} as b) x where ${supplied} and f.start_date <= '${to}'
          union all select '供应链融资', c.partner_id, null, r.principal, r.interest, null, null
            from scf_financing__repayments r join scf_financing f on f.id = r.parent_id left join scf_customer c on c.id = f.customer_id
            where ${of('f')} and ${within('r.repay_date')}) v
        group by kind, who`,
    },
    {
      report: 65,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(b.country_id, a.buyer_id) as key, count(*) as count, sum(a.premium) as premium, max(b.limit_amount) as limit,
          sum(a.loss_amount) as loss, sum(a.indemnity) as indemnity,
          sum(case when a.currency = 'USD' then a.insured_amount else ${inUsd('a.insured_amount')} end) as usd
        from insurance_application a left join buyer b on b.id = a.buyer_id left join shipment h on h.id = a.shipment_id
        where ${of('a')} and a.status not in ('draft', 'rejected', 'void') and ${within('a.ship_date')} group by b.country_id, a.buyer_id`,
    },
    {
      report: 66,
      who: 'gm.aa',
      params: { from, to },
      sql: `with v as (select l.fee_item as item, p.payee_name as who, l.actual_cny as cny, l.shipment_id as ticket
            from payment_request__fee_lines l join payment_request p on p.id = l.parent_id where ${of('p')} and p.status = 'paid' and ${within('p.paid_date')}
          union all select 'bank', '银行', l.amount, l.shipment_id from finance_charge__allocations l join finance_charge c on c.id = l.parent_id
            where ${of('c')} and c.status = 'approved' and ${within('c.charge_date')})
        select jsonb_build_array(item, who) as key, count(distinct ticket) as shipments, sum(cny) as amount,
          (select sum(h.total_cny) from shipment h where h.id in (select o.ticket from v o where o.item is not distinct from v.item and o.who is not distinct from v.who)) as exported
        from v group by item, who`,
    },
    {
      report: 67,
      who: 'dc.aa',
      params: { from, to },
      sql: `select jsonb_build_array(forwarder_id, trade_lane, container_type) as key, count(*) as count, sum(teu) as teu, sum(quoted) as quoted, sum(actual) as actual,
          sum(usd) as quoted_usd
        from (select o.forwarder_id, o.trade_lane, h.container_type, o.teu,
            (select sum(q.amount) from logistics_order__quotes q where q.parent_id = o.id and q.currency = 'CNY') as quoted,
            (select sum(q.actual) from logistics_order__quotes q where q.parent_id = o.id and q.currency = 'CNY') as actual,
            (select sum(q.amount) from logistics_order__quotes q where q.parent_id = o.id and q.currency = 'USD') as usd
          from logistics_order o left join shipment h on h.id = o.shipment_id
          where ${of('o')} and o.status not in ('draft', 'cancelled') and ${within('coalesce(o.atd, o.etd)')}) v
        group by 1`,
    },
    {
      report: 68,
      who: 'dc.aa',
      params: { from, to },
      sql: `select jsonb_build_array(o.forwarder_id) as key, count(*) as count, sum(o.teu) as teu, count(*) filter (where o.atd <= o.etd) as punctual,
          sum((select sum(c.gross_weight) from logistics_order__containers c where c.parent_id = o.id)) as gross,
          sum((select count(*) from service_message m where ${of('m')} and m.category = '投诉' and m.record_id = o.shipment_id::text)) as complaints
        from logistics_order o where ${of('o')} and o.status in ('departed', 'arrived') and ${within('o.atd')} group by o.forwarder_id`,
    },
    {
      report: 69,
      who: 'gm.aa',
      params: { from, to, by: 'port_dest_id' },
      sql: `select jsonb_build_array(h.port_dest_id) as key, count(*) as count, sum(h.amount_usd) as usd, sum(coalesce(teu, 0)) as teu, avg(coalesce(arrived, h.eta) - h.atd) as days
        from shipment h left join lateral (select sum(o.teu) as teu, max(o.ata) as arrived from logistics_order o
          where ${of('o')} and o.status <> 'cancelled' and o.shipment_id = h.id) o on true
        where ${sailed('h')} and ${within('h.atd')} group by h.port_dest_id`,
    },
    {
      report: 71,
      who: 'gm.aa',
      params: { from, to },
      sql: `select e.id as key, e.received_cny as income, e.goods_cost as goods, e.refund_amount as refund, e.finance_cost as finance, e.company_profit as profit,
          e.freight_cost + e.premium_cost + e.commission_cost + e.other_cost + e.company_cost as costs, e.company_profit / e.received_cny as rate, e.exchange_cost as cost
        from project_settlement e where ${of('e')} and e.status = 'approved' and ${within('e.settled_on')}`,
    },
    {
      report: 73,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(cur, month) as key, sum(sold) as sold, sum(book) as book, sum(bank) as bank, sum(bank) - sum(book) as gain, sum(spread) as spread,
          sum(reval) as reval, sum(held) as held, sum(floating) as floating
        from (select x.currency as cur, ${month('x.deal_date')} as month, x.amount as sold, x.book_cny as book, x.amount_cny as bank, x.gain as spread,
            null::numeric as reval, null::numeric as held, null::numeric as floating
            from fx_settlement x where ${of('x')} and x.status = 'posted' and ${within('x.deal_date')}
          union all select r.currency, ${month('p.end_date')}, null, null, null, null, case when r.side = 'credit' then -r.difference else r.difference end, null, null
            from accounting_period__revaluations r join accounting_period p on p.id = r.parent_id
            where ${of('p')} and p.status in ('revalued', 'closed') and ${within('p.end_date')}
          union all select x.currency, ${month('x.hold_date')}, null, null, null, null, null, x.left_amount, round(x.left_amount * (
              (select q.rate from currency_rate q where not q.is_deleted and q.kind = 'book' and q.currency = x.currency and q.date <= '${to}' order by q.date desc limit 1)
              - (select s.book_rate from receipt_split s where s.id = x.split_id)), 2)
            from fx_holding x where ${of('x')} and x.status in ('holding', 'partial') and ${within('x.hold_date')}) v
        group by cur, month`,
    },
    {
      report: 78,
      who: 'gm.aa',
      sql: `select c.id as key, c.base_amount as base, c.commission, c.adjust, c.deduct, c.payable from commission_statement c where ${counted}`,
    },
    {
      report: 79,
      who: 'gm.aa',
      sql: `select l.id as key, l.profit, l.counted as base from commission_statement__lines l join commission_statement c on c.id = l.parent_id where ${counted}`,
    },
    {
      report: 80,
      who: 'gm.aa',
      sql: `select jsonb_build_array(c.dept_id) as key, count(distinct c.person_id) as people, sum(c.commission) as commission,
          sum((select sum(l.profit) from commission_statement__lines l where l.parent_id = c.id)) as profit
        from commission_statement c where ${counted} group by c.dept_id`,
    },
    {
      report: 81,
      who: 'gm.aa',
      sql: `select jsonb_build_array(c.period) as key, sum(c.payable) as due, sum(c.payable) filter (where c.status = 'paid') as paid,
          sum(c.payable) - coalesce(sum(c.payable) filter (where c.status = 'paid'), 0) as open, sum(c.deduct) as deduct
        from commission_statement c where ${counted} group by c.period`,
    },
    {
      report: 86,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, count(distinct partner) as partners, count(partner) as count, sum(usd) as usd, sum(pay) as pay
        from (select p.service_id as who, h.partner_id as partner, h.amount_usd as usd, null::numeric as pay
            from shipment h join partner p on p.id = h.partner_id where ${sailed('h')} and ${within('h.atd')} and p.service_id is not null
          union all select c.person_id, null, null, c.payable from commission_statement c join commission_scheme k on k.id = c.scheme_id
            where ${counted} and k.person_kind = 'service' and ${within('c.end_date')}) v
        group by who`,
    },
    {
      report: 87,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, sum(declared) as declared, sum(sent) as sent, sum(faults) as faults, sum(pay) as pay
        from (select p.doc_id as who, case when d.status = 'rejected' then 0 else 1 end as declared, 0 as sent,
            case when d.status in ('rejected', 'amended') then 1 else 0 end as faults, 0 as pay
            from customs_declaration d join shipment h on h.id = d.shipment_id join partner p on p.id = h.partner_id
            where ${of('d')} and d.status <> 'draft' and p.doc_id is not null and ${within('d.declare_date')}
          union all select p.doc_id, 0, 1, case when d.discrepancy is not null then 1 else 0 end, 0
            from document_submission d join shipment h on h.id = d.shipment_id join partner p on p.id = h.partner_id
            where ${of('d')} and d.status in ('sent', 'settled') and p.doc_id is not null and ${within('d.submit_date')}
          union all select c.person_id, 0, 0, 0, c.payable from commission_statement c join commission_scheme k on k.id = c.scheme_id
            where ${counted} and k.person_kind = 'documents' and ${within('c.end_date')}) v
        group by who`,
    },
  ];
}

/** Every line that only one side has, and every figure that differs by more than its last shown digit. */
export function differences(
  result: ReportResult,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const lines = new Map(result.rows.filter(({ isLine }) => isLine).map((row) => [keyOf(row), row]));
  const found: string[] = [];
  for (const { key, ...expected } of rows) {
    const name = typeof key === 'string' ? key : JSON.stringify(key);
    const line = lines.get(name) ?? lines.get(JSON.stringify(key));
    lines.delete(name);
    if (line === undefined) {
      if (Object.values(expected).some((value) => Number(value ?? 0) !== 0)) found.push(`${name}: no such line`);
      continue;
    }
    for (const [column, value] of Object.entries(expected)) {
      const shown = textOf(line.cells[column]);
      if (!isSame(shown, textOf(value))) found.push(`${name} ${column}: ${shown} instead of ${textOf(value)}`);
    }
  }
  return [...found, ...[...lines.keys()].map((key) => `${key}: a line too many`)];
}

function keyOf(row: ReportResultRow): string {
  return row.id ?? JSON.stringify(row.keys);
}

/** Amounts by currency as their sum: a line has one, or the statement adds them too. */
function textOf(cell: unknown): string {
  if (typeof cell === 'object' && cell !== null) return sumDecimals(Object.values(cell).map(String));
  return cell === null || cell === undefined ? '' : String(cell);
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one === '' ? '0' : one, other === '' ? '0' : other];
  return isPlainDecimal(a) && isPlainDecimal(b) && Math.abs(Number(a) - Number(b)) < 0.00005;
}
