import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
import { sumOf } from './sum-of-lines.ts';

/** Entries in yuan of the object of a settlement. */
const entriesOf = (where: string): string =>
  `coalesce((select sum(e.amount) from fund_ledger_entry e
    where e.co_code = t.co_code and e.object_key = t.object_key and e.currency = 'CNY' and ${where}), 0)`;

/** Entries in yuan of the object, but for deposits: a deposit is owed to the customer, whatever it secures. */
const BALANCE = entriesOf(`e.net_type not in ('DEPOSIT_IN', 'DEPOSIT_OUT')`);

/** What was paid, received and settled, and what of it is kept or shared out. */
export const SETTLEMENT_INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-20',
    title: '费用发票的付款不超过总额（外币发票按原币），分摊合计等于总额',
    of: 'business_invoice',
    broken: `(t.currency = 'CNY' and coalesce(t.paid_amount, 0) > t.total_amount)
      or (t.currency <> 'CNY' and (select sum(l.amount) from payment_request__fee_lines l
          join payment_request p on p.id = l.parent_id and p.co_code = l.co_code
        where l.co_code = t.co_code and l.business_invoice_id = t.id and p.status = 'paid' and not p.is_deleted) > t.payable)
      or (t.status = 'approved' and ${sumOf('amount', 'business_invoice__allocations')} <> t.total_amount)`,
  },
  {
    code: 'INV-21',
    title: '银行余额等于银行流水：期初为此前流水之和，期末为期初加收入减支出',
    of: 'bank_balance',
    broken: `t.closing is distinct from t.opening + t.total_in - t.total_out
      or t.opening <> coalesce((select sum(e.amount) from bank_entry e where e.co_code = t.co_code and e.account_id = t.account_id
        and e.business_date < t.balance_date), 0)
      or t.total_in - t.total_out <> coalesce((select sum(e.amount) from bank_entry e where e.co_code = t.co_code
        and e.account_id = t.account_id and e.business_date = t.balance_date), 0)`,
  },
  {
    code: 'INV-08',
    title: '明细单已收汇等于已入账货款加预收转入减退汇，扣费差额在允许比例内',
    of: 'shipment',
    params: ['RECEIPT_SHORT_RATE'],
    broken: `t.status not in ('draft', 'rejected', 'cancelled') and (coalesce(t.received_amount, 0) <> (
        select coalesce(sum(x.amount), 0) from (
          select l.counted_amount as amount from receipt_split__lines l join receipt_split s on s.id = l.parent_id and s.co_code = l.co_code
            where l.co_code = t.co_code and l.shipment_id = t.id and l.nature = 'goods' and s.status = 'posted' and not s.is_deleted
          union all
          select a.counted_amount from receipt_split__applications a join receipt_split s on s.id = a.parent_id and s.co_code = a.co_code
            where a.co_code = t.co_code and a.shipment_id = t.id and s.status = 'posted' and not s.is_deleted
          union all
          select -r.amount from remittance_return r
            join receipt_split__lines l on l.id = r.split_line and l.co_code = r.co_code and l.nature in ('goods', 'advance')
            where r.co_code = t.co_code and r.shipment_id = t.id and r.status = 'done' and not r.is_deleted) x)
      or t.short_amount > round(t.total_amount * $2::numeric, 2))`,
  },
  {
    code: 'INV-16',
    title: '结算后收取的代理费等于应收代理费，公司承担风险的结算对象余额为零',
    of: 'project_settlement',
    broken: `t.status = 'approved' and t.object_kind = 'shipment' and (
      -${entriesOf(`e.net_type in ('AGENCY_FEE', 'FEE_TRUEUP')`)} <> t.fee_due
      or (t.risk_bearer = 'company' and ${BALANCE} <> 0))`,
  },
  {
    code: 'INV-17',
    title: '结算快照等于结算对象的流水，结算后没有新流水',
    of: 'project_settlement',
    broken: `t.status = 'approved' and t.object_kind = 'shipment'
      and (${BALANCE} <> coalesce(t.entries_sum, 0) - coalesce(t.fee_trueup, 0)
        or ${entriesOf(`e.net_type in ('RCV_SETTLE', 'HOLD_IN', 'RETURN_REMIT')`)} <> coalesce(t.received_cny, 0))`,
  },
  {
    code: 'INV-18',
    title: '一张结算单对每个人员只计提一次',
    of: 'project_settlement',
    broken: `exists (select 1 from commission_statement__lines l join commission_statement c on c.id = l.parent_id and c.co_code = l.co_code
      where l.co_code = t.co_code and l.settlement_id = t.id and l.kind = 'settle' and not c.is_deleted and c.status <> 'reversed'
      group by c.person_id having count(*) > 1)`,
  },
  {
    code: 'INV-19',
    title: '保证金的退还与扣没不超过金额',
    of: 'deposit',
    broken: `${sumOf('counted', 'deposit__moves')} > t.amount`,
  },
  {
    code: 'INV-19',
    title: '保证金户余额等于收取的保证金余额合计',
    of: 'fund_pool',
    broken: `t.account_kind = 'deposit' and coalesce(t.balance, 0) <> (
      select coalesce(sum(case when d.source = 'cash' then coalesce(d.cash_received, 0)
          when d.status in ('held', 'partial_returned', 'returned', 'forfeited') then d.amount else 0 end
          - coalesce(d.returned, 0) - coalesce(d.forfeited, 0)), 0)
      from deposit d where d.co_code = t.co_code and d.partner_id = t.partner_id and not d.is_deleted and d.kind like 'in\\_%')`,
  },
  {
    code: 'INV-25',
    title: '已结算的明细单没有未售外汇、结算前未复的函调，待补收汇的退税已计入提成调整',
    of: 'project_settlement',
    params: ['SETTLE_NEEDS_FX_SOLD'],
    broken: `t.status = 'approved' and (exists (select 1 from shipment s where s.id = t.shipment_id and s.co_code = t.co_code
        and s.unsold_spot > 0 and $2::numeric = 1)
      or exists (select 1 from tax_refund r where r.co_code = t.co_code and r.shipment_id = t.shipment_id and not r.is_deleted
        and (exists (select 1 from refund_letter__lines l join refund_letter p on p.id = l.parent_id and p.co_code = l.co_code
            where l.co_code = t.co_code and l.refund_id = r.id and p.status = 'open' and not p.is_deleted and p.sent_date <= t.settled_on)
          or (r.status = 'receipt_hold' and not exists (select 1 from commission_statement__lines l
            where l.co_code = t.co_code and l.refund_id = r.id)))))`,
  },
];
