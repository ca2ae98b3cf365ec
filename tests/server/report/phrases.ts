/** The days that the reports of a test look at. */
export interface Days {
  readonly today: string;
  readonly from: string;
  readonly to: string;
}

/** A report reckoned by a statement of its own, written from what the columns mean and not from the report's file. */
export interface Statement {
  readonly report: number;
  readonly who: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** What is kept from this reader: the titles that the report names. Otherwise every column is shown. */
  readonly hidden?: readonly string[];
  /** `key`: the record's id, or the groups of the line from outside in; all others are columns. */
  readonly sql: string;
}

export const of = (alias: string): string => `${alias}.co_code = 'AA' and not ${alias}.is_deleted`;
export const month = (date: string): string => `to_char(${date}, 'YYYY-MM')`;
export const sailed = (alias: string): string => `${of(alias)} and ${alias}.has_sailed`;
export const going = (alias: string): string =>
  `${of(alias)} and ${alias}.status in ('approved', 'amending', 'declared', 'shipped', 'settled')`;
export const inUsd = (amount: string): string => `round(${amount} * h.amount_usd / h.total_amount, 2)`;
export const within =
  ({ from, to }: Pick<Days, 'from' | 'to'>) =>
  (date: string): string =>
    `${date} between '${from}' and '${to}'`;
export const paidBack = (table: string, day: string): string =>
  `coalesce((select sum(r.principal) from ${table}__repayments r where r.parent_id = f.id and r.repay_date <= '${day}'), 0)`;
export const LENT = `${of('f')} and f.status in ('drawn', 'partial_repaid', 'repaid', 'overdue', 'extended')`;
export const SENT_LINES = `receipt_split__lines l join receipt_split s on s.id = l.parent_id and ${of('s')} and s.status = 'posted'`;
/** What was charged as our fee; of goods at the company's risk the true-up is the margin and no fee. */
export const FEE_ENTRIES = `fund_ledger_entry e left join shipment r on r.id = e.shipment_id where ${of('e')}
  and (e.net_type = 'AGENCY_FEE' or e.net_type = 'FEE_TRUEUP' and r.risk_bearer is distinct from 'company')`;
export const PAID_STATEMENTS = `${of('c')} and c.status in ('pending', 'approved', 'paid')`;
