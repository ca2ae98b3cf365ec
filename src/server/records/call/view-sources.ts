/**
 * The queries behind resources of kind `view`, by the name in their `source`. Each gives the columns of the resource's
 * fields, `id` and (company scope) `co_code` among them. They are part of the program: nothing of a caller is in them.
 */
export const VIEW_SOURCES: Readonly<Record<string, string>> = {
  notices: `select n.id, n.title, n.content, n.level, n.event as event_code, n.resource, n.record_id::text as record_id, n.link, n.co_code,
    n.person_id::text as receiver_id, n.created_at, n.read_at,
    case when n.archived_at is not null then 'archived' when n.read_at is not null then 'read' else 'unread' end as status
    from sys_notice n`,
  bank_unmatched: `select e.id, e.co_code, 'book' as side, e.account_id, e.business_date as movement_date, e.currency, e.amount, e.counterparty,
      coalesce(e.bank_ref, e.source_no) as reference, e.source_no as note, null::uuid as statement_id
    from bank_entry e
    where exists (select 1 from bank_statement s where s.account_id = e.account_id and not s.is_deleted
        and e.business_date between s.from_date and s.to_date)
      and not exists (select 1 from bank_statement__lines l join bank_statement s on s.id = l.parent_id and not s.is_deleted
        where l.entry_id = e.id)
    union all
    select l.id, s.co_code, 'bank', s.account_id, l.value_date, s.currency, l.amount, l.counterparty, l.bank_ref,
      coalesce(l.note, l.summary), s.id
    from bank_statement__lines l join bank_statement s on s.id = l.parent_id and not s.is_deleted
    where l.entry_id is null`,
  fund_plan_actual: `with planned as (
      select p.co_code, p.dept_id, p.week_start, 'out' as direction, o.pay_type, '' as in_kind, sum(o.amount) as planned
      from fund_plan p join fund_plan__outs o on o.parent_id = p.id
      where not p.is_deleted and p.status in ('approved', 'executing', 'closed') group by 1, 2, 3, 5
      union all
      select p.co_code, p.dept_id, p.week_start, 'in', '', i.kind, sum(i.amount)
      from fund_plan p join fund_plan__ins i on i.parent_id = p.id
      where not p.is_deleted and p.status in ('approved', 'executing', 'closed') group by 1, 2, 3, 6
    ), moved as (
      select r.co_code, d.id as dept_id, date_trunc('week', r.paid_date)::date as week_start, 'out' as direction, r.pay_type, '' as in_kind,
        sum(r.actual_cny) as actual, coalesce(sum(r.actual_cny) filter (where not exists (select 1 from fund_plan__outs o
          join fund_plan p on p.id = o.parent_id and not p.is_deleted and p.status in ('approved', 'executing', 'closed')
          where o.payment_request_id = r.id)), 0) as outside
      from payment_request r join department d on d.co_code = r.co_code and d.code = r.dept_code and not d.is_deleted
      where not r.is_deleted and r.status = 'paid' group by 1, 2, 3, 5
      union all
      select e.co_code, d.id, date_trunc('week', e.business_date)::date, 'in', '',
        case e.net_type when 'REBATE_RCV' then '退税' when 'DOM_RCV' then '国内收款' when 'RCV_SETTLE' then '收汇' when 'HOLD_IN' then '收汇'
          else '融资' end, sum(e.amount), 0
      from fund_ledger_entry e join partner t on t.id = e.partner_id
      join department d on d.co_code = e.co_code and d.code = t.dept_code and not d.is_deleted
      where e.currency = 'CNY' and e.net_type in ('RCV_SETTLE', 'HOLD_IN', 'REBATE_RCV', 'DOM_RCV', 'FIN_DRAW', 'REBATE_ADV')
      group by 1, 2, 3, 6
    )
    select md5(concat_ws('|', co_code, dept_id, week_start, direction, pay_type, in_kind))::uuid as id, co_code, d.code as dept_code,
      null::uuid as sales_id, week_start, week_start + 6 as week_end, dept_id, direction, nullif(pay_type, '') as pay_type,
      nullif(in_kind, '') as in_kind, coalesce(planned, 0) as planned, coalesce(actual, 0) as actual, coalesce(outside, 0) as outside,
      coalesce(actual, 0) - coalesce(planned, 0) as difference,
      case when planned > 0 then round(coalesce(actual, 0) / planned, 6) end as exec_rate
    from planned full join moved using (co_code, dept_id, week_start, direction, pay_type, in_kind)
    join department d using (co_code) where d.id = dept_id`,
  business_ledger: `select s.id, s.co_code, s.dept_code, s.sales_id, s.business_type, 'shipment' as row_kind, s.id as shipment_id, s.partner_id,
      s.buyer_id, c.contract_nos, s.atd, s.currency, s.total_amount as invoice_amount, s.received_amount, s.unreceived,
      s.received_cny, -l.goods as goods_paid, -l.fees as fees_paid, -coalesce(s.fee_sum, 0) as agency_fee, i.invoice_in,
      s.expected_refund_total as expected_refund, l.refund as refund_received, l.financing as financing_left, l.balance
    from shipment s
    cross join lateral (select string_agg(distinct k.contract_no, '、' order by k.contract_no) as contract_nos
      from shipment__items x join export_contract k on k.id = x.contract_id where x.parent_id = s.id) c
    cross join lateral (select coalesce(sum(m.gross_amount), 0) as invoice_in from goods_invoice__matches m
      join goods_invoice g on g.id = m.parent_id and g.status in ('matched', 'certified', 'declared', 'refunded') where m.shipment_id = s.id) i
    cross join lateral (select
        coalesce(sum(e.amount) filter (where e.net_type in ('PAY_GOODS', 'PAY_ADVANCE')), 0) as goods,
        coalesce(sum(e.amount) filter (where e.net_type in ('PAY_FREIGHT', 'PAY_PREMIUM', 'PAY_COMMISSION', 'PAY_OTHER', 'BANK_FEE', 'FIN_CHARGE')), 0) as fees,
        coalesce(sum(e.amount) filter (where e.net_type = 'REBATE_RCV'), 0) as refund,
        coalesce(sum(e.amount) filter (where e.net_type in ('FIN_DRAW', 'FIN_REPAY', 'REBATE_ADV', 'REBATE_BACK')), 0) as financing,
        coalesce(sum(e.amount) filter (where e.net_type not in ('DEPOSIT_IN', 'DEPOSIT_OUT')), 0) as balance
      from fund_ledger_entry e where e.shipment_id = s.id and e.currency = 'CNY') l
    where not s.is_deleted and s.status not in ('draft', 'rejected', 'cancelled')
    union all
    select r.id, p.co_code, p.dept_code, p.sales_id, p.business_type, 'receipt', r.shipment_id, p.partner_id, p.buyer_id, k.contract_no,
      s.atd, p.currency, s.total_amount, r.counted_amount, s.unreceived, r.amount_cny, null, r.fee_cny, r.agency_fee, null, null, null,
      null, null
    from receipt_split__lines r
    join receipt_split p on p.id = r.parent_id and p.status = 'posted' and not p.is_deleted
    left join shipment s on s.id = r.shipment_id
    left join export_contract k on k.id = r.contract_id`,
};
