import {
  type Days,
  FEE_ENTRIES,
  going,
  inUsd,
  LENT,
  month,
  of,
  paidBack,
  PAID_STATEMENTS,
  sailed,
  SENT_LINES,
  type Statement,
  within,
} from './phrases.ts';

/** Reports over contracts, shipments and their papers. */
export function tradeStatements({ today, from, to }: Days): readonly Statement[] {
  const at = within({ from, to });
  return [
    {
      report: 12,
      who: 'gm.aa',
      params: { from, to },
      hidden: ['回票', '备案'],
      sql: `select h.id as key, 1 as count, h.atd - signed as sea, received - h.atd as money, h.refunded_on - h.atd as refund_days,
          settled - signed as all_days, received::text as received, paid::text as paid, settled::text as settled
        from shipment h
        left join lateral (select k.sign_date as signed from shipment__items i join export_contract k on k.id = i.contract_id
          where i.parent_id = h.id order by i.line_order limit 1) a on true
        cross join lateral (select h.last_received_on as received) b
        left join lateral (select max(p.paid_date) as paid from payment_request__goods_lines g join payment_request p on p.id = g.parent_id
          where ${of('p')} and p.status = 'paid' and g.shipment_id = h.id) c on true
        left join lateral (select max(e.settled_on) as settled from project_settlement__shipments m join project_settlement e on e.id = m.parent_id
          where ${of('e')} and e.status = 'approved' and m.shipment_id = h.id) e on true
        where ${going('h')} and ${at('coalesce(h.atd, h.etd, h.invoice_date)')}`,
    },
    {
      report: 12,
      who: 'tm.aa',
      params: { from, to },
      hidden: ['结算', '签约至结算(天)'],
      sql: `select h.id as key, invoiced::text as invoiced, to_char(filed at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as filing
        from shipment h
        left join lateral (select max(g.billing_date) as invoiced from goods_invoice__matches m join goods_invoice g on g.id = m.parent_id
          where ${of('g')} and g.status in ('matched', 'certified', 'declared', 'refunded') and m.shipment_id = h.id) d on true
        left join lateral (select max(d.filed_at) as filed from document_filing d where ${of('d')} and d.shipment_id = h.id) f on true
        where ${going('h')} and ${at('coalesce(h.atd, h.etd, h.invoice_date)')}`,
    },
    {
      report: 36,
      who: 'fn.aa',
      sql: `select t.id as key, coalesce(due, 0) as due_invoice, coalesce(got, 0) as got_invoice, greatest(coalesce(due, 0) - coalesce(got, 0), 0) as lack_amount,
          t.declared_quantity - t.matched_quantity as lack, t.expected as expected, own.ends - '${today}'::date as left, null::text as cert_due
        from tax_refund t
        left join lateral (select sum(round(i.quantity * coalesce(b.unit_price, x.fob_cny / x.quantity), 2)) as due from customs_declaration__items i
          join customs_declaration d on d.id = i.parent_id and ${of('d')} join shipment__items x on x.id = i.shipment_line
          left join purchase_contract__items b on b.id = x.purchase_line where d.id = t.declaration_id) a on true
        left join lateral (select sum(m.gross_amount) as got from goods_invoice__matches m join goods_invoice g on g.id = m.parent_id and ${of('g')}
          where g.status in ('matched', 'certified', 'declared', 'refunded') and m.refund_declaration = t.declaration_id) b on true
        left join lateral (select min(l.due_date) as reply_by from refund_letter l join refund_letter__lines x on x.parent_id = l.id
          where ${of('l')} and l.status = 'open' and x.refund_id = t.id) c on true
        cross join lateral (select case when t.declared_date is null then t.deadline
          when t.status = 'letter' and reply_by is not null then reply_by
          when t.received_fx_ok is not true then t.receipt_deadline end as ends) own
        where ${of('t')} and t.status in ('collecting', 'ready', 'declared', 'approved', 'partial', 'letter', 'receipt_hold')
          and own.ends - '${today}'::date <= 90
        union all select i.id, null, null, null, null, null, a.cert_due - '${today}'::date, a.cert_due::text
          from agent_invoice_application__items i join agent_invoice_application a on a.id = i.parent_id
          where ${of('a')} and a.kind = 'export_cert' and a.status <> 'void' and a.cert_no is null and a.cert_due - '${today}'::date <= 90`,
    },
    {
      report: 37,
      who: 'gm.aa',
      sql: `select c.id as key, c.amount as total, c.left_amount as left_amount, coalesce(c.due_on, c.expiry_date) - '${today}'::date as left,
          least(c.sailed_on + c.presentation_days::int, c.expiry_date)::text as present_by
        from letter_of_credit c where ${of('c')} and (c.status in ('pending', 'examined', 'amending', 'shipped')
          or c.status in ('presented', 'accepted', 'paid', 'refused') and c.left_amount > 0 and c.expiry_date >= '${today}')
          and coalesce(c.due_on, c.expiry_date) - '${today}'::date <= 21`,
    },
    {
      report: 39,
      who: 'gm.aa',
      hidden: ['单证备案'],
      sql: `select key, 1 as count, amount, due - '${today}'::date as left from (
          select a.id as key, a.deposit_required as amount, a.end_date as due from cooperation_agreement a where ${of('a')} and a.status in ('effective', 'expiring')
          union all select c.id, c.amount, c.valid_to from credit_line c where ${of('c')} and c.status = 'active'
          union all select l.id, l.amount, l.valid_to from insurance_policy__limits l join insurance_policy p on p.id = l.parent_id
            where ${of('p')} and p.status = 'approved' and l.status in ('active', 'adjusted')
          union all select p.id, null, p.license_expiry from partner p where ${of('p')} and p.status = 'active') v
        where due - '${today}'::date <= 30
        union all select p.id, 1, p.balance, (p.last_entry_at at time zone 'Asia/Shanghai')::date - 1 - '${today}'::date from fund_pool p where ${of('p')} and p.balance < 0`,
    },
    {
      report: 39,
      who: 'sp.aa',
      params: { kind: '单证备案' },
      sql: `select d.id as key, 1 as count, d.due_date - '${today}'::date as left from document_filing d
        where ${of('d')} and d.status in ('pending', 'incomplete', 'overdue') and d.due_date - '${today}'::date <= 30
          and (d.sales_id in (select p.id from person p where p.personid in ('sp.aa', 'sp2.aa'))
            or d.created_by = (select p.id from person p where p.personid = 'sp.aa'))`,
    },
    {
      report: 47,
      who: 'fn.aa',
      params: { from, to },
      sql: `select id as key, net_amount as net, tax_amount as tax, total_amount as total, issuer, receiver, purpose from (
          select g.id, net_amount, tax_amount, total_amount, billing_date as day, s.name as issuer, g.purchaser_name as receiver,
            case g.cert_usage when 'credit' then '抵扣' when 'refund' then '退税' when 'rebate_agent' then '代办退税' when 'none' then '不抵扣' end as purpose
            from goods_invoice g left join supplier s on s.id = g.supplier_id where ${of('g')} and g.status not in ('red', 'void')
          union all select b.id, net_amount, tax_amount, total_amount, billing_date, b.issuer_name, '本公司', case b.bearer when 'company' then '公司承担的费用' else '委托方承担的费用' end from business_invoice b where ${of('b')} and b.status <> 'void'
          union all select b.id, net_amount, tax_amount, total_amount, billing_date, '本公司', b.purchaser_name,
            case b.kind when 'export_zero' then '出口发票(零税率)' when 'agency_fee' then '代理服务费发票' when 'domestic' then '内销发票' else '其他' end from sales_invoice b where ${of('b')} and b.status <> 'void'
          union all select b.id, net_amount, tax_amount, total_amount, bill_date, '本公司', b.debtor_name, b.reason from other_receivable_invoice b where ${of('b')} and b.status <> 'void') v
        where ${at('day')}`,
    },
    {
      report: 51,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, sum(n) as count, sum(usd) as usd, sum(open) as open, sum(got) as got, sum(fee) as fee,
          sum(refund) as refund, sum(pool) as pool, sum(lent) as lent
        from (select h.partner_id as who, 1 as n, h.amount_usd as usd, ${inUsd('h.unreceived')} as open, 0 as got, 0 as fee, 0 as refund, 0 as pool, 0 as lent
            from shipment h where ${sailed('h')} and ${at('h.atd')}
          union all select s.partner_id, 0, 0, 0, l.amount_usd, 0, 0, 0, 0 from ${SENT_LINES} where ${at('s.split_date')}
          union all select e.partner_id, 0, 0, 0, 0, -e.amount, 0, 0, 0 from ${FEE_ENTRIES} and ${at('e.business_date')}
          union all select t.partner_id, 0, 0, 0, 0, 0, r.amount, 0, 0 from tax_refund__receipts r join tax_refund t on t.id = r.parent_id where ${of('t')} and t.status <> 'cancelled' and ${at('r.receive_date')}
          union all select e.partner_id, 0, 0, 0, 0, 0, 0, e.amount, 0 from fund_ledger_entry e
            where ${of('e')} and e.currency = 'CNY' and e.partner_id is not null and e.business_date <= '${to}'
          union all select f.partner_id, 0, 0, 0, 0, 0, 0, 0, f.amount_cny - ${paidBack('financing', to)} from financing f where ${LENT} and f.start_date <= '${to}') v
        group by who`,
    },
    {
      report: 53,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(left(i.hs_code, 2), i.hs_code, i.unit, i.goods_id) as key, sum(i.quantity) as quantity, sum(i.expected_refund) as refund,
          sum(${inUsd('i.amount')}) as usd, sum(i.refund_rate / 100 * ${inUsd('i.amount')}) / sum(${inUsd('i.amount')}) as rate
        from shipment__items i join shipment h on h.id = i.parent_id where ${sailed('h')} and ${at('h.atd')} group by 1`,
    },
    {
      report: 54,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(h.buyer_id) as key, count(*) as count, sum(h.amount_usd) as usd, avg(h.term_days) as term, sum(${inUsd('h.unreceived')}) as open,
          sum(case when h.receipt_due_date < '${today}' then ${inUsd('h.unreceived')} else 0 end) as late, max(b.limit_amount) as limit,
          max(b.limit_amount - coalesce(b.limit_available, 0)) / nullif(max(b.limit_amount), 0) as used
        from shipment h left join buyer b on b.id = h.buyer_id where ${sailed('h')} and ${at('h.atd')} group by h.buyer_id`,
    },
    {
      report: 55,
      who: 'fn.aa',
      params: { from, to },
      sql: `select jsonb_build_array(supplier_id) as key, count(*) as count, sum(amount) as amount, sum(paid) as paid, sum(amount) - sum(paid) as unpaid,
          sum(invoiced) as invoiced, sum(lack) as lack, sum(refund) as refund, sum(claimed) as claimed
        from (select p.supplier_id, case when p.status = 'terminated' then p.delivered_total else p.total_amount end as amount, p.invoiced_total as invoiced, p.delivered_total - p.invoiced_total as lack,
            coalesce(p.goods_paid, 0) + coalesce(p.advance_paid, 0) - coalesce(p.supplier_refunded, 0) as paid,
            (select case when p.status = 'terminated' then round(sum(i.refund) * p.delivered_total / p.total_amount, 2) else sum(i.refund) end
              from purchase_contract__items i where i.parent_id = p.id) as refund,
            (select coalesce(sum(x.refund_amount), 0) from tax_refund__items x join tax_refund t on t.id = x.parent_id
              join goods_invoice__matches m on m.id = x.match_line join purchase_contract__items i on i.id = m.purchase_line
              where ${of('t')} and t.status <> 'cancelled' and i.parent_id = p.id) as claimed
          from purchase_contract p where ${of('p')} and p.approved_at is not null and p.status <> 'void' and ${at('p.sign_date')}) v
        group by supplier_id`,
    },
    {
      report: 56,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(month) as key, count(*) filter (where kind = 'agency' and usd is not null) as a_n, sum(usd) filter (where kind = 'agency') as a_usd,
          sum(profit) filter (where kind = 'agency') as a_profit, count(*) filter (where kind = 'self' and usd is not null) as s_n,
          sum(usd) filter (where kind = 'self') as s_usd, sum(profit) filter (where kind = 'self') as s_profit
        from (select ${month('h.atd')} as month, h.business_type as kind, h.amount_usd as usd, null::numeric as profit from shipment h where ${going('h')} and h.has_sailed and ${at('h.atd')}
          union all select ${month('e.settled_on')}, e.business_type, null, e.company_profit from project_settlement e
            where ${of('e')} and e.status = 'approved' and ${at('e.settled_on')}) v
        group by month`,
    },
    {
      report: 57,
      who: 'gm.aa',
      params: { from, to },
      sql: `select id as key, total, shipped, total - shipped as left, received, bought, entered, usd, round(shipped * usd / total, 2) as shipped_usd
        from (select k.id, k.total_amount as total, k.amount_usd as usd,
            (select coalesce(sum(i.amount), 0) from shipment__items i join shipment h on h.id = i.parent_id where ${going('h')} and i.contract_id = k.id) as shipped,
            coalesce(k.advance_received, 0) - coalesce(k.advance_returned, 0) + (select coalesce(sum(round((coalesce(h.received_goods, 0) - coalesce(h.received_returned, 0)) * i.amount / h.total_amount, 2)), 0)
              from shipment__items i join shipment h on h.id = i.parent_id where ${going('h')} and i.contract_id = k.id) as received, bought, entered
          from export_contract k
          cross join lateral (select coalesce(sum(case when p.status = 'terminated' then p.delivered_total else p.total_amount end), 0) as bought,
              coalesce(sum(p.entered_value), 0) as entered from purchase_contract p
            where ${of('p')} and p.approved_at is not null and p.status <> 'void' and p.export_contract_id = k.id) b
          where ${of('k')} and k.status in ('approved', 'signed', 'executing', 'completed') and ${at('k.sign_date')}) v`,
    },
    {
      report: 65,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(b.country_id, a.buyer_id) as key, count(*) as count, sum(a.premium) as premium, max(b.limit_amount) as limit,
          sum(a.loss_amount) as loss, sum(a.indemnity) as indemnity,
          sum(case when a.currency = 'USD' then a.insured_amount else ${inUsd('a.insured_amount')} end) as usd
        from insurance_application a left join buyer b on b.id = a.buyer_id left join shipment h on h.id = a.shipment_id
        where ${of('a')} and a.status not in ('draft', 'rejected', 'void') and ${at('a.ship_date')} group by b.country_id, a.buyer_id`,
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
          where ${of('o')} and o.status not in ('draft', 'cancelled') and ${at('coalesce(o.atd, o.etd)')}) v
        group by 1`,
    },
    {
      report: 68,
      who: 'tm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(o.forwarder_id) as key, count(*) as count, sum(o.teu) as teu, count(*) filter (where o.atd <= o.etd) as punctual,
          sum((select sum(c.gross_weight) from logistics_order__containers c where c.parent_id = o.id)) as gross,
          sum((select count(*) from service_message m where ${of('m')} and m.category = '投诉' and m.resource = 'shipment' and m.record_id = o.shipment_id)) as complaints
        from logistics_order o where ${of('o')} and o.status in ('departed', 'arrived') and ${at('o.atd')} group by o.forwarder_id`,
    },
    {
      report: 69,
      who: 'dc.aa',
      params: { from, to, by: 'port_dest_id' },
      sql: `select jsonb_build_array(h.port_dest_id) as key, count(*) as count, sum(h.amount_usd) as usd, sum(coalesce(teu, 0)) as teu, avg(coalesce(arrived, h.eta) - h.atd) as days
        from shipment h left join lateral (select sum(o.teu) as teu, max(o.ata) as arrived from logistics_order o
          where ${of('o')} and o.status <> 'cancelled' and o.shipment_id = h.id) o on true
        where ${sailed('h')} and ${at('h.atd')} group by h.port_dest_id`,
    },
    {
      report: 86,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, count(distinct partner) as partners, count(partner) as count, sum(usd) as usd, sum(pay) as pay
        from (select p.service_id as who, h.partner_id as partner, h.amount_usd as usd, null::numeric as pay
            from shipment h join partner p on p.id = h.partner_id where ${sailed('h')} and ${at('h.atd')} and p.service_id is not null
          union all select c.person_id, null, null, c.payable from commission_statement c join commission_scheme k on k.id = c.scheme_id
            where ${PAID_STATEMENTS} and k.person_kind = 'service' and ${at('c.end_date')}) v
        group by who`,
    },
    {
      report: 87,
      who: 'fn.aa',
      params: { from, to },
      sql: `select jsonb_build_array(who) as key, sum(declared) as declared, sum(sent) as sent, sum(faults) as faults, sum(pay) as pay
        from (select p.doc_id as who, case when d.status = 'rejected' then 0 else 1 end as declared, 0 as sent,
            case when d.status in ('rejected', 'amended') or exists (select from shipment_version v where ${of('v')} and v.shipment_id = d.shipment_id and v.customs_amended)
              then 1 else 0 end as faults, 0 as pay
            from customs_declaration d join shipment h on h.id = d.shipment_id join partner p on p.id = h.partner_id
            where ${of('d')} and d.status not in ('draft', 'withdrawn') and p.doc_id is not null and ${at('d.declare_date')}
          union all select p.doc_id, 0, 1, case when d.discrepancy is not null then 1 else 0 end, 0
            from document_submission d join shipment h on h.id = d.shipment_id join partner p on p.id = h.partner_id
            where ${of('d')} and d.status in ('sent', 'settled') and p.doc_id is not null and ${at('d.submit_date')}
          union all select c.person_id, 0, 0, 0, c.payable from commission_statement c join commission_scheme k on k.id = c.scheme_id
            where ${PAID_STATEMENTS} and k.person_kind = 'documents' and ${at('c.end_date')}) v
        group by who`,
    },
    {
      report: 70,
      who: 'gm.aa',
      params: { from, to, by: 'buyer' },
      sql: `select jsonb_build_array(buyer, month) as key, sum(usd) as usd, sum(got) as got, sum(n) as count
        from (select h.buyer_id as buyer, ${month('h.atd')} as month, h.amount_usd as usd, null::numeric as got, 1 as n from shipment h where ${sailed('h')} and ${at('h.atd')}
          union all select s.buyer_id, ${month('s.split_date')}, null, l.amount_usd, null from ${SENT_LINES} where ${at('s.split_date')}) v
        group by buyer, month`,
    },
    {
      report: 92,
      who: 'fn.aa',
      params: { from, to },
      sql: `select d.id as key, 1 as count, case when d.complete is distinct from true then 1 end as missing
        from document_filing__docs d join document_filing f on f.id = d.parent_id and ${of('f')} where ${at('f.refund_declared_date')}`,
    },
  ];
}
