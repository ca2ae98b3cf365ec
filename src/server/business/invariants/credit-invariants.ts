import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
import { sumOf } from './sum-of-lines.ts';

const LENT = `('drawn', 'partial_repaid', 'overdue', 'extended')`;
const INSURED = `('declared', 'underwritten', 'claim_notice', 'claiming')`;

/** Lines of credit, limits of insurance and letters of credit: what is used of them, and within their dates. */
export const CREDIT_INVARIANTS: readonly Invariant[] = [
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
];
