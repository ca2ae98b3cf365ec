import { type ClosedMonth, lastClosedDay, lastRevaluedStart } from './close-months.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

const SETTLED = 12;
/** Days from the last money of a shipment to its settlement. */
const WAITING_DAYS = 12;

interface Settled {
  readonly id: string;
  readonly owner: string;
  readonly day: string;
}

/** Entrusted shipments ($1: company) whose money is all there, with nothing to be paid and no settlement; `e.last`: the day of the last of it. */
const READY = `from shipment s join person o on o.id = s.sales_id
       cross join lateral (select max(f.created_at at time zone 'Asia/Shanghai')::date as last from fund_ledger_entry f where f.shipment_id = s.id) e
     where s.co_code = $1 and s.status = 'shipped' and s.recv_progress in ('full', 'over') and s.business_type = 'agency'
       and s.export_mode = 'entrusted' and not s.is_deleted
       and not exists (select 1 from project_settlement x where x.shipment_id = s.id and not x.is_deleted)
       and not exists (select 1 from payment_request r where r.co_code = s.co_code and r.status not in ('paid', 'void', 'reversed')
         and (exists (select 1 from payment_request__goods_lines g where g.parent_id = r.id and g.shipment_id = s.id)
           or exists (select 1 from payment_request__fee_lines g where g.parent_id = r.id and g.shipment_id = s.id)))`;

/**
 * Shipments whose money was all there months ago were settled then: what commissions are reckoned of. One of each
 * salesperson and month comes first, so that many have a commission; in the month that is to be closed next each has one.
 */
export async function settleEarly(world: World): Promise<void> {
  const { stage } = world;
  const closed = lastClosedDay(world);
  const early = await stage.services.db.query<Settled & Record<string, unknown>>(
    `select s.id, split_part(o.personid, '.', 1) as owner, (e.last + $3::int)::text as day,
       row_number() over (partition by s.sales_id, date_trunc('month', e.last + $3::int) order by e.last desc) as turn
     ${READY} and e.last + $3::int <= $2::date order by turn, e.last desc, s.shipment_no limit 30`,
    [stage.company, closed, WAITING_DAYS],
    'demo_early',
  );
  const has = new Set<string>();
  let settled = 0;
  for (const row of early) {
    if (settled >= SETTLED) break;
    if (!(await settle(world, row))) continue;
    settled += 1;
    if (row.day >= lastRevaluedStart(world)) has.add(row.owner);
  }
  const late = await stage.services.db.query<Settled & Record<string, unknown>>(
    `select s.id, split_part(o.personid, '.', 1) as owner, ($2::date - $3::int)::text as day
     ${READY} and e.last + $3::int <= $2::date order by e.last desc, s.shipment_no`,
    [stage.company, closed, WAITING_DAYS],
    'demo_late',
  );
  for (const row of late) if (!has.has(row.owner) && (await settle(world, row))) has.add(row.owner);
}

async function settle({ stage }: World, { id, owner, day }: Settled): Promise<boolean> {
  let isSettled = false;
  await unlessRefused(async () => {
    const story = stage.begin(`early ${id}`, day);
    const settlement = await beginSettlement(story, owner, id);
    await story.approve(owner, 'project_settlement', { id: settlement });
    isSettled = true;
  });
  return isSettled;
}

/** The settlement of an entrusted shipment, its figures reckoned; its id. */
export async function beginSettlement(story: Story, owner: string, shipmentId: string): Promise<string> {
  const made = await story.create(owner, 'project_settlement', {
    object_kind: 'shipment',
    shipment_id: shipmentId,
    settle_date: story.day(),
    refund_excluded: true,
    refund_excluded_reason: '退税由委托方自行办理',
  });
  const id = String(made['id']);
  await story.act(owner, 'project_settlement', { id, action: 'calculate' });
  return id;
}

interface Due extends Record<string, unknown> {
  readonly person: string;
  readonly scheme: string;
  readonly account: string;
}

type Fate = 'paid' | 'approved' | 'pending' | 'rejected' | 'calculated' | 'draft' | 'reversed';
/** Where the statements that come last stand, the very last first; all before are paid. */
const LATE: readonly Fate[] = ['draft', 'calculated', 'pending', 'approved', 'rejected', 'reversed'];

/** The commissions of a closed month, of all whose settlements stand in it. */
export async function makeCommissions(world: World, { period, day }: ClosedMonth): Promise<void> {
  const { stage } = world;
  const rows = await stage.services.db.query<Due & { readonly period: string }>(
    `select p.period, s.sales_id as person, min(c.id::text) as scheme, min(a.id::text) as account
     from project_settlement s join accounting_period p on p.co_code = s.co_code and s.settled_on between p.start_date and p.end_date
       join commission_scheme c on c.co_code = s.co_code and c.status = 'active'
         and c.person_kind = 'salesperson'
       join company_bank_account a on a.co_code = s.co_code and a.currency = 'CNY' and a.status = 'active'
     where s.co_code = $1 and p.end_date < $2::date and s.status = 'approved' group by 1, 2 order by 1 desc, 2`,
    [stage.company, lastRevaluedStart(world)],
    'demo_commissions',
  );
  for (const [place, row] of rows.entries())
    if (row.period === period)
      await unlessRefused(async () => {
        const story = stage.begin(`commission ${period} ${place}`, day);
        const isFirst = place === rows.length - 1;
        await makeStatement(story, row, (isFirst ? null : LATE[place]) ?? 'paid');
      });
}

async function makeStatement(
  story: Story,
  { person, period, scheme, account }: Due & { readonly period: string },
  fate: Fate,
): Promise<void> {
  const key = 'commission_statement';
  const made = await story.create('fn', key, { period, person_id: person, scheme_id: scheme });
  if (fate === 'draft') return;
  const id = String(made['id']);
  await story.act('fn', key, { id, action: 'calculate' });
  if (fate === 'calculated') return;
  if (fate === 'rejected')
    return story.approve('fn', key, { id, rejection: '有一票运费尚未入账，请核对后重新计算' });
  await story.approve('fn', key, { id, ...(fate === 'pending' ? { levels: 1 } : {}) });
  if (fate === 'reversed')
    return void (await story.act('gm', key, { id, action: 'reverse', opinion: '漏计一票，重新计提' }));
  if (fate !== 'paid') return;
  story.wait(3);
  const inputs = { bank_account_id: account, paid_date: story.day() };
  await story.act('fn', key, { id, action: 'pay', inputs });
}
