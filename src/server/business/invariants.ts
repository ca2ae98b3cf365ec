import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
const SHIPPED = `('approved', 'amending', 'declared', 'shipped', 'settled')`;
const NO_PURCHASE = `('draft', 'rejected', 'void', 'terminated')`;
const LENT = `('drawn', 'partial_repaid', 'overdue', 'extended')`;
const INSURED = `('declared', 'underwritten', 'claim_notice', 'claiming')`;
const sumOf = (column: string, lines: string): string =>
  `coalesce((select sum(l.${column}) from ${lines} l where l.co_code = t.co_code and l.parent_id = t.id), 0)`;
/** Entries in yuan of the object of a settlement. */
const entriesOf = (where: string): string =>
  `coalesce((select sum(e.amount) from fund_ledger_entry e
    where e.co_code = t.co_code and e.object_key = t.object_key and e.currency = 'CNY' and ${where}), 0)`;

/** What no declaration says: limits, ledgers, accounts and vouchers are looked through by what they declare. */
export const INVARIANTS: readonly Invariant[] = [
  {
    code: 'INV-01',
    title: '认领不超过到账金额，分割不超过认领金额',
    of: 'receipt',
    broken: `t.status <> 'void' and (${sumOf('amount', 'receipt__claims')} > t.amount
      or exists (select 1 from receipt__claims c where c.co_code = t.co_code and c.parent_id = t.id
        and (select coalesce(sum(s.total), 0) from receipt_split s where s.co_code = t.co_code and s.claim_line = c.id
          and not s.is_deleted and s.status in ('pending', 'posted')) > c.amount))`,
  },
  {
    code: 'INV-14',
    title: '结汇水单的明细等于合计，汇差等于银行入账减入池',
    of: 'fx_settlement',
    broken: `t.status = 'posted' and (${sumOf('amount', 'fx_settlement__lines')} <> t.amount
      or ${sumOf('bank_cny', 'fx_settlement__lines')} <> t.amount_cny or t.gain <> t.amount_cny - t.pool_cny)`,
  },
  {
    code: 'INV-01',
    title: '全部认领后分担的扣费等于扣费合计',
    of: 'receipt',
    broken: `t.status <> 'void' and t.unclaimed_amount = 0 and ${sumOf('amount', 'receipt__claims')} = t.amount
      and ${sumOf('charge_amount', 'receipt__claims')} <> coalesce(t.foreign_charge, 0) + coalesce(t.bank_charge, 0)`,
  },
  {
    code: 'INV-14',
    title: '暂挂外币户余额等于未结汇的暂挂与划转',
    of: 'fund_pool',
    broken: `t.account_kind = 'fx_hold' and coalesce(t.balance, 0) <> coalesce((select sum(h.left_amount) from fx_holding h
        where h.co_code = t.co_code and h.currency = t.currency and h.partner_id is not distinct from t.partner_id
          and h.project_id is not distinct from t.project_id and h.status <> 'void' and not h.is_deleted), 0)
      + coalesce((select sum(e.amount) from fund_ledger_entry e where e.co_code = t.co_code and e.pool_id = t.id
          and e.source_resource = 'fund_transfer'), 0)`,
  },
  {
    code: 'INV-14',
    title: '划转两端之和为零',
    of: 'fund_transfer',
    broken: `exists (select 1 from fund_ledger_entry e where e.co_code = t.co_code and e.source_resource = 'fund_transfer'
      and e.source_id = t.id::text group by e.currency having sum(e.amount) <> 0)`,
  },
  {
    code: 'INV-14',
    title: '暂挂结汇入池的人民币等于水单明细',
    of: 'fx_settlement',
    broken: `t.status = 'posted' and coalesce((select sum(e.amount) from fund_ledger_entry e where e.co_code = t.co_code
        and e.source_resource = 'fx_settlement' and e.source_id = t.id::text and e.net_type = 'HOLD_IN'), 0)
      <> coalesce((select sum(l.pool_cny) from fx_settlement__lines l where l.co_code = t.co_code and l.parent_id = t.id
        and l.source_kind = 'hold'), 0)`,
  },
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
      and t.voucher_date between p.start_date and p.end_date and (t.created_at at time zone 'Asia/Shanghai')::date > p.closed_at)`,
  },
  {
    code: 'INV-05',
    title: '出运数量不超过合同数量(含溢短装)',
    of: 'export_contract',
    broken: `exists (select 1 from export_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from shipment__items l join shipment s on s.id = l.parent_id and s.co_code = l.co_code
        where l.co_code = t.co_code and l.contract_line = i.id and not s.is_deleted and s.status in ${SHIPPED})
        > i.quantity * (1 + coalesce(t.more_less, 0) / 100))`,
  },
  {
    code: 'INV-06',
    title: '采购数量不超过外销合同数量(含溢短装)',
    of: 'export_contract',
    broken: `exists (select 1 from export_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from purchase_contract__items l join purchase_contract p on p.id = l.parent_id and p.co_code = l.co_code
        where l.co_code = t.co_code and l.export_line = i.id and not p.is_deleted and p.status not in ${NO_PURCHASE})
        > i.quantity * (1 + coalesce(t.more_less, 0) / 100))`,
  },
  {
    code: 'INV-06',
    title: '采购合同的付款、回票与冲抵不超过允许金额',
    of: 'purchase_contract',
    params: ['PAY_TOLERANCE', 'QTY_TOLERANCE'],
    broken: `coalesce(t.advance_paid, 0) + coalesce(t.goods_paid, 0) - coalesce(t.supplier_refunded, 0) > t.total_amount * (1 + $2::numeric)
      or coalesce(t.invoiced_total, 0) > t.total_amount * (1 + $3::numeric)
      or coalesce(t.advance_offset, 0) > coalesce(t.advance_paid, 0)`,
  },
  {
    code: 'INV-06',
    title: '采购合同行的出运数量不超过采购数量(含溢短装)',
    of: 'purchase_contract',
    params: ['QTY_TOLERANCE'],
    broken: `exists (select 1 from purchase_contract__items i where i.co_code = t.co_code and i.parent_id = t.id
      and (select coalesce(sum(l.quantity), 0) from shipment__items l join shipment s on s.id = l.parent_id and s.co_code = l.co_code
        where l.co_code = t.co_code and l.purchase_line = i.id and not s.is_deleted and s.status in ${SHIPPED})
        > i.quantity * (1 + $2::numeric))`,
  },
  {
    code: 'INV-07',
    title: '采购合同行的库存等于进仓减出仓与退仓，不为负',
    of: 'purchase_contract',
    broken: `exists (select 1 from purchase_contract__items i
      cross join lateral (select coalesce(sum(case when e.doc_type <> 'in' then -l.quantity when e.status = 'stored' then l.quantity end), 0) as left_over
        from warehouse_entry__items l join warehouse_entry e on e.id = l.parent_id and e.co_code = l.co_code
        where l.co_code = t.co_code and l.stock_line = i.id and not e.is_deleted and e.status in ('pending', 'stored', 'issued')) s
      where i.co_code = t.co_code and i.parent_id = t.id and (s.left_over < 0 or s.left_over <> coalesce(i.stock, 0)))`,
  },
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
  {
    code: 'INV-11',
    title: '授信可用额度等于额度减已用与占用，融资用途不为负',
    of: 'credit_line',
    // Risk control may let shipments go beyond their line.
    broken: `t.status in ('active', 'frozen')
      and (t.available is distinct from t.amount - coalesce(t.used, 0) - coalesce(t.occupied, 0)
        or (t.available < 0 and t.purpose <> 'shipment_risk'))`,
  },
  {
    code: 'INV-11',
    title: '授信已用与占用等于其融资的未还本金与在批金额',
    of: 'credit_line',
    broken: `coalesce(t.financed, 0) <> (select coalesce(sum(f.amount_cny - coalesce(r.repaid, 0)), 0) from financing f
        left join lateral (select sum(p.principal) as repaid from financing__repayments p where p.co_code = f.co_code and p.parent_id = f.id) r on true
        where f.co_code = t.co_code and f.credit_line_id = t.id and not f.is_deleted and f.status in ${LENT})
      or coalesce(t.occupied, 0) <> (select coalesce(sum(f.amount_cny), 0) from financing f
        where f.co_code = t.co_code and f.credit_line_id = t.id and not f.is_deleted and f.status in ('pending', 'approved'))`,
  },
  {
    code: 'INV-11',
    title: '融资的还本与未还本金之和等于融资人民币金额，流水与还款记录一致',
    of: 'financing',
    broken: `t.principal_left < 0 or t.principal_left + ${sumOf('principal', 'financing__repayments')} <> t.amount_cny
      or (t.status = 'repaid') <> (t.principal_left = 0 and t.start_date is not null)
      or ${sumOf('principal', 'financing__repayments')} <> -coalesce((select sum(e.amount) from fund_ledger_entry e where e.co_code = t.co_code
        and e.source_resource = 'financing' and e.source_id = t.id::text and e.net_type in ('FIN_REPAY', 'REBATE_BACK')), 0)`,
  },
  {
    code: 'INV-12',
    title: '信保限额的占用等于申报金额减申报后收汇，超限额的申报有标记',
    of: 'insurance_application',
    broken: `t.kind = 'sinosure' and t.status in ${INSURED} and (t.used_usd < 0
      or coalesce(t.used_usd, 0) > coalesce(t.insured_usd, 0)
      or coalesce(t.over_limit, false) <> (t.insured_usd > coalesce(t.limit_available, 0)))`,
  },
  {
    code: 'INV-12',
    title: '买方信用限额的已用等于有效申报的占用',
    of: 'insurance_policy',
    broken: `exists (select 1 from insurance_policy__limits l where l.co_code = t.co_code and l.parent_id = t.id
      and coalesce(l.used, 0) <> (select coalesce(sum(a.used_usd), 0) from insurance_application a where a.co_code = t.co_code
        and a.limit_id = l.id and not a.is_deleted and a.kind = 'sinosure' and a.status in ${INSURED}))`,
  },
  {
    code: 'INV-13',
    title: '交单金额不超过信用证可用金额',
    of: 'letter_of_credit',
    broken: `${sumOf('amount', 'letter_of_credit__presentations')} > trunc(t.amount * (1 + coalesce(t.tolerance_plus, 0) / 100.0), coalesce((select c.decimals from currency c where c.code = t.currency limit 1), 2)::int)`,
  },
  {
    code: 'INV-13',
    title: '装运不晚于最迟装运期，交单不晚于交单期与有效期',
    of: 'letter_of_credit',
    broken: `exists (select 1 from shipment s where s.co_code = t.co_code and s.lc_id = t.id and not s.is_deleted
        and s.status in ('shipped', 'settled') and s.atd > t.latest_shipment)
      or exists (select 1 from letter_of_credit__presentations p
        left join document_submission d on d.id = p.submission_id and d.co_code = p.co_code
        where p.co_code = t.co_code and p.parent_id = t.id and p.present_date > coalesce(d.due_date, t.expiry_date))`,
  },
  {
    code: 'INV-20',
    title: '费用发票的付款不超过总额，分摊合计等于总额',
    of: 'business_invoice',
    broken: `coalesce(t.paid_amount, 0) > t.total_amount
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
            where r.co_code = t.co_code and r.shipment_id = t.id and r.status = 'done' and not r.is_deleted) x)
      or t.short_amount > round(t.total_amount * $2::numeric, 2))`,
  },
  {
    code: 'INV-16',
    title: '结算后收取的代理费等于应收代理费，公司承担风险的结算对象余额为零',
    of: 'project_settlement',
    broken: `t.status = 'approved' and t.object_kind = 'shipment' and (
      -${entriesOf(`e.net_type in ('AGENCY_FEE', 'FEE_TRUEUP')`)} <> t.fee_due
      or (t.risk_bearer = 'company' and ${entriesOf('true')} <> 0))`,
  },
  {
    code: 'INV-17',
    title: '结算快照等于结算对象的流水，结算后没有新流水',
    of: 'project_settlement',
    broken: `t.status = 'approved' and t.object_kind = 'shipment'
      and (${entriesOf('true')} <> coalesce(t.entries_sum, 0) - coalesce(t.fee_trueup, 0)
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
  {
    code: 'INV-23',
    title: '明细单的委托方、客户、币种、出口模式与业务类型同其合同，数量与单价大于零',
    of: 'shipment',
    broken: `t.status <> 'cancelled' and exists (select 1 from shipment__items l
      left join export_contract__items i on i.co_code = l.co_code and i.id = l.contract_line
      left join export_contract c on c.co_code = i.co_code and c.id = i.parent_id
      where l.co_code = t.co_code and l.parent_id = t.id
        and (l.quantity <= 0 or l.unit_price <= 0
          or (c.id is not null and (c.partner_id, c.buyer_id, c.currency, c.export_mode, c.business_type)
            is distinct from (t.partner_id, t.buyer_id, t.currency, t.export_mode, t.business_type))))`,
  },
  {
    code: 'INV-22',
    title: '自营单据没有委托方，单据与委托方同属一家公司',
    of: { withFields: ['business_type', 'partner_id', 'co_code'] },
    broken: `t.partner_id is not null and (t.business_type = 'self'
      or not exists (select 1 from partner p where p.id = t.partner_id and p.co_code = t.co_code))`,
  },
];
