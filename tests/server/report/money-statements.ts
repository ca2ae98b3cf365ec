import {
  type Days,
  inUsd,
  LENT,
  month,
  of,
  paidBack,
  PAID_STATEMENTS,
  sailed,
  FEE_ENTRIES,
  SENT_LINES,
  type Statement,
  within,
} from './phrases.ts';

/** Reports over money, loans, settlements and commissions. */
export function moneyStatements({ today, from, to }: Days): readonly Statement[] {
  const at = within({ from, to });
  const supplied = `${of('f')} and f.status in ('drawn', 'repaid', 'overdue')`;
  const kindOfLoan = `case f.financing_type when 'order' then '订单融资' when 'packing' then '打包贷款' when 'shipment' then '出运后融资'
    when 'sinosure' then '信保融资' when 'rebate' then '退税融资' else '代垫货款' end`;
  const overdue = (day: string, amount: string, rest: string): string =>
    `select 'overdue', ${amount} from ${rest} and h.has_sailed
       and greatest(${day}, h.receipt_due_date + 1) <= '${to}'`;
  const PAID_GOODS = `payment_request__goods_lines g join payment_request p on p.id = g.parent_id and ${of('p')}
    where p.status = 'paid' and p.paid_date <= '${today}' and g.purchase_contract_id = k.id`;
  return [
    {
      report: 1,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(what) as key, sum(figure) as now from (
        select 'contracts' as what, k.amount_usd as figure from export_contract k
          where ${of('k')} and k.status in ('approved', 'signed', 'executing', 'completed') and ${at('k.sign_date')}
        union all select 'exports', h.amount_usd from shipment h where ${sailed('h')} and ${at('h.atd')}
        union all select 'receipts', l.amount_usd from ${SENT_LINES} where ${at('s.split_date')}
        union all select 'exchanged', x.amount_cny from fx_settlement x where ${of('x')} and x.status = 'posted' and ${at('x.deal_date')}
        union all select 'payments', p.actual_cny from payment_request p where ${of('p')} and p.status = 'paid' and ${at('p.paid_date')}
        union all select 'refunds', r.amount from tax_refund__receipts r join tax_refund t on t.id = r.parent_id where ${of('t')} and t.status <> 'cancelled' and ${at('r.receive_date')}
        union all select 'fees', -e.amount from ${FEE_ENTRIES} and ${at('e.business_date')}
        union all select 'margin', e.company_profit from project_settlement e
          where ${of('e')} and e.status = 'approved' and e.business_type = 'self' and ${at('e.settled_on')}
        union all select 'commissions', c.payable from commission_statement c where ${of('c')} and c.status = 'paid' and ${at('c.paid_date')}
        union all select 'loans', f.amount_cny from financing f where ${LENT} and f.start_date <= '${to}'
        union all select 'loans', -r.principal from financing__repayments r join financing f on f.id = r.parent_id where ${of('f')} and r.repay_date <= '${to}'
        union all select 'loans', f.amount from scf_financing f where ${supplied} and f.start_date <= '${to}'
        union all select 'loans', -r.principal from scf_financing__repayments r join scf_financing f on f.id = r.parent_id
          where ${of('f')} and r.repay_date <= '${to}'
        union all select 'pool', e.amount from fund_ledger_entry e where ${of('e')} and e.currency = 'CNY' and e.business_date <= '${to}'
        union all (select 'active', count(distinct h.partner_id) from shipment h where ${sailed('h')} and ${at('h.atd')})
        union all ${overdue('h.receipt_due_date', 'h.amount_usd', `shipment h where ${of('h')}`)}
        union all ${overdue("coalesce(h.last_received_on, '1970-01-01')", `-${inUsd('h.short_amount')}`, `shipment h where ${of('h')} and h.short_amount > 0`)}
        union all ${overdue("coalesce(h.written_off_on, h.last_received_on, '1970-01-01')", `-${inUsd('h.written_off_amount')}`, `shipment h where ${of('h')} and h.written_off_amount > 0`)}
        union all ${overdue('s.split_date', `-${inUsd('l.counted_amount')}`, `${SENT_LINES} join shipment h on h.id = l.shipment_id where l.nature = 'goods'`)}
        union all ${overdue('l.applied_on', `-${inUsd('l.counted_amount')}`, `receipt_split__applications l join receipt_split s on s.id = l.parent_id and ${of('s')} and s.status = 'posted' join shipment h on h.id = l.shipment_id where true`)}
        union all ${overdue('r.paid_date', inUsd('r.amount'), `remittance_return r join shipment h on h.id = r.shipment_id where ${of('r')} and r.status = 'done' and r.nature in ('goods', 'advance')`)}
        union all ${overdue("coalesce(h.last_received_on, '1970-01-01')", inUsd('-h.unreceived'), `shipment h where ${of('h')} and h.unreceived < 0`)}
        union all select what, null from unnest(array['contracts', 'exports', 'receipts', 'exchanged', 'payments', 'refunds', 'fees', 'margin', 'commissions', 'active']) what
        ) v group by what`, // Of what there is in a compared period alone, the line says nothing of now.
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
            : `select e.currency, a.account_no as account, e.amount, e.business_date as day from bank_entry e left join company_bank_account a on a.id = e.account_id where ${of('e')}
                union all select a.currency, a.account_no, 0, '${from}'::date - 1 from company_bank_account a where ${of('a')} and a.status = 'active'`
        }) e where day <= '${from}' group by 1`,
    })),
    {
      report: 38,
      who: 'gm.aa',
      sql: `select key, amount, principal, due - '${today}'::date as left from (
          select f.id as key, f.amount_cny as amount, f.amount_cny - ${paidBack('financing', today)} as principal, f.due_date as due
            from financing f where ${LENT} and f.start_date <= '${today}'
          union all select f.id, f.amount, f.amount - ${paidBack('scf_financing', today)}, f.due_date
            from scf_financing f where ${supplied} and f.start_date <= '${today}') v
        where principal > 0 and due - '${today}'::date <= 30`,
    },
    {
      report: 46,
      who: 'gm.aa',
      params: { from, to },
      sql: `select v.*, case when cny > 0 then cny end as cny_in, case when cny < 0 then -cny end as cny_out from (
        select l.id as key, l.amount as got, null::numeric as paid, l.book_cny as cny from ${SENT_LINES} where ${at('s.split_date')}
        union all select r.id, r.amount - coalesce(r.posted_amount, 0), null, round((r.amount - coalesce(r.posted_amount, 0)) * r.book_rate, 2)
          from receipt r where ${of('r')} and r.status <> 'void' and r.amount > coalesce(r.posted_amount, 0) and ${at('r.value_date')}
        union all select r.id, r.amount, null, r.amount from domestic_receipt r where ${of('r')} and r.status = 'posted' and ${at('r.value_date')}
        union all select p.id, null, p.amount, -p.actual_cny from payment_request p where ${of('p')} and p.status = 'paid' and ${at('p.paid_date')}
        union all select r.id, null, r.amount, -r.sum_cny from remittance_return r where ${of('r')} and r.status = 'done' and ${at('r.paid_date')}) v`,
    },
    {
      report: 61,
      who: 'gm.aa',
      sql: `select key, advance, "offset", refunded, advance - "offset" - refunded as left from (
          select k.id as key, k.advance_paid,
            (select coalesce(sum(g.amount), 0) from ${PAID_GOODS} and p.pay_type = 'advance') as advance,
            (select coalesce(sum(g.offset_advance), 0) from ${PAID_GOODS}) as "offset",
            (select coalesce(sum(d.amount), 0) from domestic_receipt d join payment_request p on p.id = d.payment_request_id and ${of('p')}
              where ${of('d')} and d.status = 'posted' and d.kind = 'supplier_refund' and p.pay_type = 'advance'
                and d.purchase_contract_id = k.id and d.value_date <= '${today}') as refunded
          from purchase_contract k where ${of('k')}) v where advance - "offset" - refunded > 0 and advance_paid > 0`,
    },
    {
      report: 62,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(${month('t.export_date')}) as key, count(*) as count, sum(t.expected) as expected, sum(t.expected) as declared,
          sum(t.net_received) as received,
          sum(case when t.status in ('declared', 'approved', 'partial', 'letter', 'receipt_hold') then t.outstanding end) as open, avg(t.received_date - t.declared_date) as wait,
          sum((select sum(i.nonrefund_tax) from tax_refund__items i where i.parent_id = t.id)) as nonrefund,
          sum(case when t.status in ('rejected', 'deemed') then t.expected - t.net_received
            else (select sum(i.rejected_amount) from tax_refund__items i where i.parent_id = t.id) end) as denied
        from tax_refund t where ${of('t')} and t.status <> 'cancelled' and ${at('t.export_date')} group by 1`,
    },
    {
      report: 62,
      who: 'gm.aa',
      params: { from, to, state: ['declared', 'letter'] },
      sql: `select jsonb_build_array(${month('t.export_date')}) as key, count(*) as count, sum(t.outstanding) as open
        from tax_refund t where ${of('t')} and t.status in ('declared', 'letter') and ${at('t.export_date')} group by 1`,
    },
    {
      report: 904,
      who: 'fn.aa',
      params: { state: 'bank_failed' },
      sql: `select p.id as key, p.amount_cny as cny from payment_request p where ${of('p')} and p.status = 'bank_failed'`,
    },
    {
      report: 64,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(kind, who) as key, sum(lent) as lent, sum(repaid) as repaid, sum(income) as income, sum(balance) as balance, sum(balance) - sum(late) as sound, sum(late) as late
        from (select ${kindOfLoan} as kind, f.partner_id as who, case when ${at('f.start_date')} then f.amount_cny end as lent, null::numeric as repaid,
            null::numeric as income, b as balance, case when f.due_date < '${to}' then b else 0 end as late
            from financing f cross join lateral (select f.amount_cny - ${paidBack('financing', to)} as b) x where ${LENT} and f.start_date <= '${to}'
          union all select ${kindOfLoan}, f.partner_id, null, r.principal, r.interest + coalesce(r.penalty, 0), null, null
            from financing__repayments r join financing f on f.id = r.parent_id where ${of('f')} and ${at('r.repay_date')}
          union all select '供应链融资', c.partner_id, case when ${at('f.start_date')} then f.amount end, null, null, b, case when f.due_date < '${to}' then b else 0 end
            from scf_financing f left join scf_customer c on c.id = f.customer_id
            cross join lateral (select f.amount - ${paidBack('scf_financing', to)} as b) x where ${supplied} and f.start_date <= '${to}'
          union all select '供应链融资', c.partner_id, null, r.principal, r.interest, null, null
            from scf_financing__repayments r join scf_financing f on f.id = r.parent_id left join scf_customer c on c.id = f.customer_id
            where ${of('f')} and ${at('r.repay_date')}) v
        group by kind, who`,
    },
    {
      report: 66,
      who: 'gm.aa',
      params: { from, to },
      sql: `with v as (select l.fee_item as item, p.payee_name as who, l.actual_cny as cny, l.shipment_id as ticket
            from payment_request__fee_lines l join payment_request p on p.id = l.parent_id where ${of('p')} and p.status = 'paid' and ${at('p.paid_date')}
          union all select l.fee_item, b.issuer_name, case when coalesce(b.paid_amount, 0) = 0 then l.amount
              else round(l.amount * (b.total_amount - b.paid_amount) / b.total_amount, 2) end, l.shipment_id from business_invoice__allocations l join business_invoice b on b.id = l.parent_id
            where ${of('b')} and b.status = 'approved' and l.fee_line is null and ${at('b.billing_date')}
            and (coalesce(b.paid_amount, 0) = 0 or b.currency = 'CNY' and b.total_amount > b.paid_amount)
          union all select 'bank', '银行', c.amount_cny, c.company_shipment_id from finance_charge c
            where ${of('c')} and c.status = 'approved' and c.bearer = 'company' and ${at('c.charge_date')}
          union all select 'bank', '银行', l.amount, l.shipment_id from finance_charge__allocations l join finance_charge c on c.id = l.parent_id
            where ${of('c')} and c.status = 'approved' and ${at('c.charge_date')})
        select jsonb_build_array(item, who) as key, count(distinct ticket) as shipments, sum(cny) as amount,
          (select sum(h.total_cny) from shipment h where h.id in (select o.ticket from v o where o.item is not distinct from v.item and o.who is not distinct from v.who)) as exported
        from v group by item, who`,
    },
    {
      report: 72,
      who: 'gm.aa',
      params: { from, to, metric: 'profit' },
      sql: `select jsonb_build_array(coalesce(e.buyer_id, j.buyer_id)) as key, count(*) as count, sum(e.company_profit) as usd
        from project_settlement e left join project j on j.id = e.project_id
        where ${of('e')} and e.status = 'approved' and e.company_profit is not null and ${at('e.settled_on')} group by 1`,
    },
    {
      report: 71,
      who: 'gm.aa',
      params: { from, to },
      sql: `select e.id as key, e.received_cny as income, e.goods_cost as goods, e.refund_amount as refund, e.finance_cost as finance, e.company_profit as profit,
          e.freight_cost + e.premium_cost + e.commission_cost + e.other_cost + e.company_cost as costs, e.company_profit / e.received_cny as rate, case when e.currency = 'USD' and e.exchange_cost > 0 and h.fob_net <> 0 then e.exchange_cost end as cost
        from project_settlement e left join shipment h on h.id = e.shipment_id where ${of('e')} and e.status = 'approved' and ${at('e.settled_on')}`,
    },
    {
      report: 73,
      who: 'gm.aa',
      params: { from, to },
      sql: `select jsonb_build_array(cur, month) as key, sum(sold) as sold, sum(book) as book, sum(bank) as bank, sum(bank) - sum(book) as gain, sum(spread) as spread,
          sum(reval) as reval, sum(held) as held, sum(floating) as floating
        from (select x.currency as cur, ${month('x.deal_date')} as month, x.amount as sold, x.book_cny as book, x.amount_cny as bank, x.gain as spread,
            null::numeric as reval, null::numeric as held, null::numeric as floating
            from fx_settlement x where ${of('x')} and x.status = 'posted' and ${at('x.deal_date')}
          union all select r.currency, ${month('p.end_date')}, null, null, null, null, case when r.side = 'credit' then -r.difference else r.difference end, null, null
            from accounting_period__revaluations r join accounting_period p on p.id = r.parent_id
            where ${of('p')} and p.status in ('revalued', 'closed') and ${at('p.end_date')}
          union all select x.currency, ${month('x.hold_date')}, null, null, null, null, null, x.left_amount, round(x.left_amount * (
              (select q.rate from currency_rate q where not q.is_deleted and q.kind = 'book' and q.currency = x.currency and q.date <= '${to}' order by q.date desc limit 1)
              - (select s.book_rate from receipt_split s where s.id = x.split_id)), 2)
            from fx_holding x where ${of('x')} and x.status in ('holding', 'partial') and ${at('x.hold_date')}) v
        group by cur, month`,
    },
    {
      report: 78,
      who: 'gm.aa',
      sql: `select c.id as key, c.base_amount as base, c.commission, c.adjust, c.deduct, c.payable from commission_statement c where ${PAID_STATEMENTS}`,
    },
    {
      report: 79,
      who: 'gm.aa',
      sql: `select l.id as key, l.profit, l.counted as base, c.tier_rate / 100 as tier,
          coalesce(b.name_en, pb.name_en) as buyer
        from commission_statement__lines l join commission_statement c on c.id = l.parent_id
        left join shipment h on h.id = l.shipment_id left join buyer b on b.id = h.buyer_id
        left join project_settlement s on s.id = l.settlement_id left join project p on p.id = s.project_id left join buyer pb on pb.id = p.buyer_id
        where ${PAID_STATEMENTS}`,
    },
    {
      report: 80,
      who: 'gm.aa',
      sql: `select jsonb_build_array(c.dept_id) as key, count(distinct c.person_id) as people, sum(c.commission) as commission,
          sum((select sum(l.profit) from commission_statement__lines l where l.parent_id = c.id)) as profit
        from commission_statement c where ${PAID_STATEMENTS} group by c.dept_id`,
    },
    {
      report: 81,
      who: 'gm.aa',
      sql: `select jsonb_build_array(c.period) as key, sum(c.payable) as due, sum(c.payable) filter (where c.status = 'paid') as paid,
          sum(c.payable) - coalesce(sum(c.payable) filter (where c.status = 'paid'), 0) as open, sum(c.deduct) as deduct
        from commission_statement c where ${PAID_STATEMENTS} group by c.period`,
    },
    ...(['hold', 'spot'] as const).map((mode) => ({
      report: 58,
      who: 'gm.aa',
      params: { from, to, mode },
      sql: `select jsonb_build_array(cur, month) as key, sum(n) as count, sum(got) as got, sum(sold) as sold, sum(bank) as bank_cny, sum(gain) as gain, sum(held) as held,
          sum(unsold) as unsold
        from (select r.currency as cur, ${month('r.value_date')} as month, 1 as n, x.got, null::numeric as sold, null::numeric as bank, null::numeric as gain,
            null::numeric as held, null::numeric as unsold
            from receipt r cross join lateral (select sum(l.amount) as got from ${SENT_LINES} where s.receipt_id = r.id and l.settle_mode = '${mode}') x
            where ${of('r')} and r.status <> 'void' and x.got > 0 and ${at('r.value_date')}
          union all select x.currency, ${month('x.deal_date')}, null, null, l.amount, l.bank_cny, l.gain, null, null
            from fx_settlement__lines l join fx_settlement x on x.id = l.parent_id
            where ${of('x')} and x.status = 'posted' and l.source_kind = '${mode}' and ${at('x.deal_date')}
          union all ${
            mode === 'hold'
              ? `select x.currency, ${month('x.hold_date')}, null, null, null, null, null, x.left_amount, null
                  from fx_holding x where ${of('x')} and x.status <> 'void' and ${at('x.hold_date')}`
              : `select s.currency, ${month('s.split_date')}, null, null, null, null, null, null,
                    greatest(0, l.amount - coalesce(l.sold_amount, 0) - coalesce(l.returned_fc, 0)) from ${SENT_LINES} where l.settle_mode = 'spot' and ${at('s.split_date')}`
          }) v
        group by cur, month`,
    })),
  ];
}
