import { addDays } from '#engine/values/dates.ts';
import type { Actor } from './staff.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** Nobody lets a document wait for longer. */
const PATIENCE_DAYS = 14;

interface Waiting {
  readonly [column: string]: string | boolean | null;
  readonly resource: string;
  readonly id: string;
  /** Who handed it in; null: a partner. */
  readonly owner: Actor | null;
  /** Of those of its kind the one that was handed in last. */
  readonly isNewest: boolean;
  readonly isFreshThere: boolean;
}

/**
 * What has waited for months is decided at last. Where nothing of its kind would wait then, the newest is taken back and
 * handed in again, as people do with papers that have aged.
 */
export async function answerWaiting(world: World): Promise<void> {
  const { stage } = world;
  const all = await waitingOf(world);
  for (const [place, waiting] of all.entries()) {
    const story = stage.begin(`answer ${waiting.id}`, addDays(stage.today, -2 - (place % 3)));
    await unlessRefused(() => answer(world, story, waiting));
    world.onStep('久未审核的单据', place + 1, all.length);
  }
}

async function answer({ stage }: World, story: Story, waiting: Waiting): Promise<void> {
  const { resource, id, owner, isNewest, isFreshThere } = waiting;
  if (!isNewest || isFreshThere) return story.agree(resource, id);
  const { submit } = stage.services.definitions.catalog().resources[resource]?.lifecycle?.actions ?? {};
  // What partners hand in is theirs, what other actions ask cannot be asked again.
  if (owner === null || !stage.has(owner) || submit?.approval === undefined) return;
  // After a first decision this is refused, and the document waits on.
  await story.withdraw(owner, resource, { id, opinion: '资料已更新，重新提交' });
  await story.act(owner, resource, { id, action: 'submit' });
}

function waitingOf({ stage: { services, company, today } }: World): Promise<readonly Waiting[]> {
  return services.db.query<Waiting>(
    `select t.resource, t.record_id as id, split_part(p.personid, '.', 1) as owner,
            row_number() over (partition by t.resource order by t.submitted_at desc, t.id) = 1 as "isNewest",
            exists (select 1 from approval_task f where f.co_code = t.co_code and f.resource = t.resource
                    and f.status = 'pending' and f.submitted_at >= $2::date) as "isFreshThere"
     from approval_task t left join person p on p.id = t.submitter_id
     where t.co_code = $1 and t.status = 'pending' and t.submitted_at < $2::date
     order by t.submitted_at, t.id`,
    [company, addDays(today, -PATIENCE_DAYS)],
    'demo_waiting',
  );
}
