import { addDays } from '#engine/values/dates.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** The last day of business that is closed: this month and the one before stay open. */
export function lastClosedDay({ stage }: World): string {
  return addDays(`${addDays(stage.today, -62).slice(0, 8)}01`, -1);
}

/** The first day of the last of those months, which is only revalued. */
export function lastRevaluedStart(world: World): string {
  return `${lastClosedDay(world).slice(0, 8)}01`;
}

/** A month that has just been closed, and when that was. */
export interface ClosedMonth {
  readonly period: string;
  readonly day: string;
}

interface Closing {
  /** Bank accounts of the company by currency. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Done before the next month is closed. */
  readonly then: (month: ClosedMonth) => Promise<void>;
}

/** The months that ended two months ago and more are closed, the oldest first; the last of them is revalued only. */
export async function closeMonths(world: World, { accounts, then }: Closing): Promise<void> {
  const { stage } = world;
  await openMissing(world);
  const rows = await stage.services.db.query<{
    id: string;
    period: string;
    last: string;
    late: string;
    status: string;
  }>(
    `select id, period, status, end_date::text as last, greatest(end_date + 8,
         (select max(v.created_at at time zone 'Asia/Shanghai')::date from finance_voucher v where v.period_id = p.id))::text as late
     from accounting_period p
     where co_code = $1 and status in ('open', 'revalued') and end_date <= $2::date order by end_date`,
    [stage.company, lastClosedDay(world)],
    'demo_months',
  );
  await unlessRefused(async () => {
    for (const [place, { id, period, last, late, status }] of rows.entries()) {
      // Not before the last that was entered late.
      const story = stage.begin(`month ${last}`, late);
      if (status === 'open') await decideWaiting(world, story, last);
      for (const account of accounts.values()) await checkBalance(world, story, account, last);
      for (const currency of accounts.keys()) await enterRate(world, story, { currency, last });
      if (status === 'open') await story.act('fn', 'accounting_period', { id, action: 'revalue' });
      if (place < rows.length - 1) {
        await story.act(stage.has('fn2') ? 'fn2' : 'fn', 'accounting_period', { id, action: 'close' });
        await then({ period, day: story.day() });
      }
      world.onStep('月末结账', place + 1, rows.length);
    }
  });
}

/** A month without any voucher has no period yet. */
async function openMissing({ stage }: World): Promise<void> {
  const missing = await stage.services.db.query<{ day: string }>(
    `select d::date::text as day from (select min(start_date) as first, max(start_date) as last from accounting_period where co_code = $1) m
       cross join lateral generate_series(m.first, m.last, interval '1 month') d
     where not exists (select 1 from accounting_period p where p.co_code = $1 and p.start_date = d::date) order by 1`,
    [stage.company],
    'demo_missing_months',
  );
  for (const { day } of missing)
    await stage
      .begin(`missing ${day}`, day)
      .create('fn', 'accounting_period', { period: day.slice(0, 7).replace('-', '') });
}

/** What waits with a date of the month is decided before it is shut; what nobody may agree to any more is sent back. */
async function decideWaiting({ stage }: World, story: Story, last: string): Promise<void> {
  const waiting = await stage.services.db.query<{ resource: string; id: string }>(
    `select d.resource, d.id from (
       select 'warehouse_entry' as resource, id, entry_date as day, co_code, status, is_deleted from warehouse_entry where doc_type <> 'out'
       union all select 'fund_transfer', id, transfer_date, co_code, status, is_deleted from fund_transfer
       union all select 'other_receivable_invoice', id, bill_date, co_code, status, is_deleted from other_receivable_invoice
       union all select 'sales_invoice', id, billing_date, co_code, status, is_deleted from sales_invoice
     ) d where d.co_code = $1 and d.status = 'pending' and not d.is_deleted
       and d.day between date_trunc('month', $2::date)::date and $2::date order by d.day, d.id`,
    [stage.company, last],
    'demo_month_waiting',
  );
  for (const { resource, id } of waiting) {
    await unlessRefused(() => story.agree(resource, id));
    await unlessRefused(() => story.reject(resource, id, '资料不齐，月末前未能补齐，请重新提交'));
  }
}

/** The bank's statement of a day says what the book says. */
async function checkBalance({ stage }: World, story: Story, account: string, day: string): Promise<void> {
  const [known] = await stage.services.db.query<{ id: string; status: string }>(
    `select id, status from bank_balance where account_id = $1::uuid and balance_date = $2::date and not is_deleted`,
    [account, day],
    'demo_balance',
  );
  if (known?.status === 'done') return;
  const made =
    known ?? (await story.create('tr', 'bank_balance', { account_id: account, balance_date: day }));
  const id = String(made['id']);
  const { closing } = await story.read('bank_balance', id);
  await story.update('tr', 'bank_balance', id, { statement: closing });
  await story.act('tr', 'bank_balance', { id, action: 'check' });
}

/** The mid rate of a month's end, where the rates that ship do not reach so far: near the last that is known. */
async function enterRate(
  { stage }: World,
  story: Story,
  { currency, last }: { readonly currency: string; readonly last: string },
): Promise<void> {
  const [known] = await stage.services.db.query<{ rate: string; isThere: boolean }>(
    `select rate::text, date >= date_trunc('month', $2::date) as "isThere" from currency_rate
     where currency = $1 and kind = 'mid' and date <= $2::date and not is_deleted order by date desc limit 1`,
    [currency, last],
    'demo_closing_rate',
  );
  if (known === undefined || known.isThere) return;
  const rate = (Number(known.rate) * (1 + story.roll.between(-80, 80) / 10_000)).toFixed(4);
  await unlessRefused(async () => {
    await story.create('group', 'currency_rate', { currency, kind: 'mid', date: last, rate });
  });
}
