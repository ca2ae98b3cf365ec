import type { Action, Resource } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** People, rights and money accounts: what is ended there ends the work of everybody. */
const SPARED: ReadonlySet<string> = new Set([
  'person',
  'role',
  'department',
  'approval_flow',
  'company_bank_account',
  'accounting_period',
  'account',
  'partner',
  'partner_rate',
  'cooperation_agreement',
  'project',
  'insurance_policy',
  'commission_scheme',
]);
/** Where there are fewer in a state, none of them is taken away. */
const KEPT = 2;

interface Counted {
  readonly status: string;
  readonly count: number;
  /** The newest. */
  readonly id: string;
}

/** What ends otherwise than most: a record of each kind is rejected, void, disabled, closed, as far as rules and rights let it. */
export async function makeRareStates(world: World): Promise<void> {
  const { stage } = world;
  const { resources } = stage.services.definitions.catalog();
  const all = Object.values(resources).filter(
    ({ resource, lifecycle, kind, scope }) =>
      lifecycle !== undefined && kind !== 'view' && scope === 'company' && !SPARED.has(resource),
  );
  for (const [place, resource] of all.entries()) {
    let counted = await statesOf(world, resource.resource);
    for (const action of Object.values(resource.lifecycle?.actions ?? {}))
      await unlessRefused(async () => {
        if (await reach(world, { resource, action, counted }))
          counted = await statesOf(world, resource.resource);
      });
    world.onStep('少见的状态', place + 1, all.length);
  }
}

async function statesOf({ stage }: World, table: string): Promise<readonly Counted[]> {
  return stage.services.db.query<Counted & Record<string, unknown>>(
    `select status, count(*)::int as count, (array_agg(id order by created_at desc, id))[1] as id
     from "${table}" where co_code = $1 and not is_deleted group by status`,
    [stage.company],
  );
}

interface Reaching {
  readonly resource: Resource;
  readonly action: Action;
  readonly counted: readonly Counted[];
}

/** Brings a record into the state that an action leads to, where none has it; whether anything was tried. */
async function reach(world: World, { resource, action, counted }: Reaching): Promise<boolean> {
  const { stage } = world;
  const has = (state: string): boolean => counted.some(({ status }) => status === state);
  const story = stage.begin(`rare ${resource.resource} ${action.key}`, addDays(stage.today, -1));
  const { approval, to } = action;
  if (approval !== undefined) {
    const waiting = counted.find(({ status, count }) => status === to && count >= KEPT);
    const isWanted = typeof approval.rejected === 'string' && !has(approval.rejected);
    if (waiting === undefined || !isWanted) return false;
    await story.reject(resource.resource, waiting.id, '资料不齐，请补充后再提交');
    return true;
  }
  const isAsking = Object.values(action.inputs ?? {}).some(({ required }) => required === true);
  if (action.system === true || isAsking || typeof to !== 'string' || to.startsWith('$') || has(to))
    return false;
  const chosen = counted.find(({ status, count }) => action.from.includes(status) && count >= KEPT);
  const actor = actorOf(world, resource, action.key);
  if (chosen === undefined || actor === null) return false;
  await story.act(actor, resource.resource, { id: chosen.id, action: action.key, opinion: '业务需要' });
  return true;
}

/** Somebody of the company whose role may do it, to every record if possible. */
function actorOf({ stage }: World, { access }: Resource, action: string): Actor | null {
  const roles = access
    .filter((entry) => entry.do.includes(action))
    .flatMap(({ role }) => (typeof role === 'string' ? [role] : role))
    .map((role) => role.toLowerCase())
    .filter((role) => stage.has(role));
  return roles.find((role) => role !== 'sp') ?? roles[0] ?? null;
}

/** The months that ended two months ago and more are closed, the oldest first, as far as their checks let them. */
export async function closeMonths(world: World, accounts: Iterable<string>): Promise<void> {
  const { stage } = world;
  const rows = await stage.services.db.query<{ id: string; last: string; late: string; status: string }>(
    `select id, status, end_date::text as last, greatest(end_date + 8,
         (select max(v.created_at at time zone 'Asia/Shanghai')::date from finance_voucher v where v.period_id = p.id))::text as late
     from accounting_period p
     where co_code = $1 and status in ('open', 'revalued') and end_date < $2::date order by end_date`,
    [stage.company, addDays(stage.today, -62)],
    'demo_months',
  );
  const own = [...accounts];
  await unlessRefused(async () => {
    for (const [place, { id, last, late, status }] of rows.entries()) {
      // Not before the last that was entered late.
      const story = stage.begin(`month ${last}`, late);
      for (const account of own) await checkBalance(world, story, account, last);
      if (status === 'open') await story.act('fn', 'accounting_period', { id, action: 'revalue' });
      await story.act(stage.has('fn2') ? 'fn2' : 'fn', 'accounting_period', { id, action: 'close' });
      world.onStep('月末结账', place + 1, rows.length);
    }
  });
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
