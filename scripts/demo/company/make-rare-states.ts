import type { Action, Resource } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import { actorOf } from './actor-of.ts';
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
