import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';

/** Accounts that vouchers keep meet the documents behind them, and a closed month stays as it is. */
export const VOUCHER_INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-15',
    title: '待认领收汇的原币余额等于收汇减已入账分割减退汇',
    of: 'account',
    broken: `t.posting_key = 'RCV_UNCLAIMED' and t.status = 'active' and exists (select 1 from (
        select e.currency, case when coalesce(e.credit, 0) <> 0 then e.fc_amount else -e.fc_amount end as amount
          from finance_voucher__entries e join finance_voucher v on v.id = e.parent_id and v.co_code = e.co_code
          where e.co_code = t.co_code and e.posting_key = 'RCV_UNCLAIMED' and v.event_code <> 'MANUAL' and not v.is_deleted
        union all select r.currency, -r.amount from receipt r where r.co_code = t.co_code and r.status <> 'void' and not r.is_deleted
        union all select s.currency, s.total from receipt_split s where s.co_code = t.co_code and s.status = 'posted' and not s.is_deleted
        union all select b.currency, b.amount from remittance_return b
          where b.co_code = t.co_code and b.status = 'done' and b.source_kind = 'unsplit' and not b.is_deleted) x
      where x.currency <> 'CNY' group by x.currency having sum(x.amount) <> 0)`,
  },
  {
    code: 'INV-15',
    title: '委托方资金池科目等于代理出口与代办退税业务的资金明细',
    of: 'partner',
    // What belongs to a buyout stands in the estimate of its settlement, and meets the pool only there.
    broken: `(t.co_code, t.id) in (select x.co_code, x.partner_id from (
        select l.co_code, l.partner_id, coalesce(l.credit, 0) - coalesce(l.debit, 0) as amount
          from finance_voucher__entries l join finance_voucher v on v.id = l.parent_id and v.co_code = l.co_code
          where l.posting_key = 'POOL' and v.event_code <> 'MANUAL' and not v.is_deleted
        union all select p.co_code, p.partner_id, -e.amount
          from fund_pool p join fund_ledger_entry e on e.pool_id = p.id and e.co_code = p.co_code
          left join shipment s on s.id = e.shipment_id and s.co_code = e.co_code
          left join export_contract c on c.id = e.contract_id and c.co_code = e.co_code
          left join project_settlement n on n.id = e.settlement_id and n.co_code = e.co_code
          where p.account_kind = 'general' and p.currency = 'CNY'
            and coalesce(s.export_mode, c.export_mode, n.export_mode, 'entrusted') <> 'buyout') x
      where x.partner_id is not null group by 1, 2 having sum(x.amount) <> 0)`,
  },
  {
    code: 'INV-15',
    title: '已结账的月份结账后没有新凭证',
    of: 'finance_voucher',
    broken: `exists (select 1 from accounting_period p where p.co_code = t.co_code and p.status = 'closed' and not p.is_deleted
      and t.voucher_date between p.start_date and p.end_date and (t.created_at at time zone 'Asia/Shanghai')::date > (p.closed_at at time zone 'Asia/Shanghai')::date)`,
  },
  {
    code: 'INV-15',
    title: '已调汇或已结账的期间，上一期间已结账',
    of: 'accounting_period',
    broken: `t.status in ('revalued', 'closed') and exists (select 1 from accounting_period p where p.co_code = t.co_code
      and p.end_date = t.start_date - 1 and p.status <> 'closed' and not p.is_deleted)`,
  },
];
