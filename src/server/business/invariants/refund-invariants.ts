import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
import { sumOf } from './sum-of-lines.ts';

/** Purchase invoices are matched and refunded once, by the rates of the tax and in time. */
export const REFUND_INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-09',
    title: '退税明细不超过配单的数量与金额，发票号码只登记一次',
    of: 'goods_invoice',
    broken: `exists (select 1 from goods_invoice__matches m
      cross join lateral (select coalesce(sum(l.quantity), 0) as quantity, coalesce(sum(l.net_amount), 0) as net
        from tax_refund__items l join tax_refund r on r.id = l.parent_id and r.co_code = l.co_code
        where l.co_code = t.co_code and l.match_line = m.id and not r.is_deleted and r.status <> 'cancelled') s
      where m.co_code = t.co_code and m.parent_id = t.id and (s.quantity > m.quantity or s.net > m.net_amount))
      or (t.status not in ('red', 'void') and exists (select 1 from goods_invoice o where o.co_code = t.co_code and o.id <> t.id
        and not o.is_deleted and o.status not in ('red', 'void') and o.invoice_number = t.invoice_number
        and o.invoice_code is not distinct from t.invoice_code))`,
  },
  {
    code: 'INV-10',
    title: '退税额等于计税金额乘退税率，不超过应退、核准，期限内申报，逾期未收汇的待补收汇',
    of: 'tax_refund',
    broken: `t.status <> 'cancelled' and (exists (select 1 from tax_refund__items i where i.co_code = t.co_code and i.parent_id = t.id
        and (i.refund_rate < 0 or i.refund_rate > i.vat_rate or i.refund_amount <> round(i.net_amount * i.refund_rate / 100, 2)))
      or t.approved_amount > t.expected or t.net_received > t.approved_amount or t.declared_date > t.final_deadline
      or (t.status in ('declared', 'approved', 'partial', 'received', 'receipt_hold') and (t.status = 'receipt_hold') <> (t.receipt_check = 'late'))
      or exists (select 1 from tax_refund o where o.co_code = t.co_code and o.declaration_id = t.declaration_id and o.id <> t.id
        and not o.is_deleted and o.status <> 'cancelled'))`,
  },
  {
    code: 'INV-09',
    title: '进货发票的配单不超过发票数量与金额',
    of: 'goods_invoice',
    broken: `${sumOf('quantity', 'goods_invoice__matches')} > ${sumOf('quantity', 'goods_invoice__items')}
      or ${sumOf('net_amount', 'goods_invoice__matches')} > t.net_amount`,
  },
];
