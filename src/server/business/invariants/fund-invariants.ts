import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
import { sumOf } from './sum-of-lines.ts';

/** What came in is claimed and split once, and the pools of currency hold what was entered in them. */
export const FUND_INVARIANTS: readonly Invariant[] = [
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
    title: '暂挂外币户余额等于未结汇的暂挂',
    of: 'fund_pool',
    broken: `t.account_kind = 'fx_hold' and coalesce(t.balance, 0) <> coalesce((select sum(h.left_amount) from fx_holding h
        where h.co_code = t.co_code and h.currency = t.currency and h.partner_id is not distinct from t.partner_id
          and h.project_id is not distinct from t.project_id and h.status <> 'void' and not h.is_deleted), 0)`,
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
];
