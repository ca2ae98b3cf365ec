import { addDays } from '#engine/values/dates.ts';
import type { Story } from './story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** What becomes of one document now and then, and where it is found. */
export interface End {
  readonly resource: string;
  /** Nothing happens where a document of the company has come there already. */
  readonly state: string;
  /** Which of them counts; default: each. */
  readonly kind?: string;
  /** Documents that it may become of: `id`, and who looks after them as `owner`; `$1` is the company. Default: it is made anew. */
  readonly of?: string;
  readonly daysAgo: number;
  readonly play: (story: Story, found: Found, world: World) => Promise<unknown>;
}

export interface Found {
  readonly [column: string]: string;
  readonly id: string;
  readonly owner: string;
}

/** Documents in a state, looked after by the role that does. */
export const inState = (resource: string, state: string, owner: string): string =>
  `select id, '${owner}' as owner from "${resource}" where co_code = $1 and status = '${state}' and not is_deleted order by created_at desc`;

/** Plays what has not come about by itself. */
export async function playEnds(world: World, title: string, ends: readonly End[]): Promise<void> {
  for (const [place, end] of ends.entries()) {
    await unlessRefused(() => play(world, end));
    world.onStep(title, place + 1, ends.length);
  }
}

async function play(world: World, end: End): Promise<void> {
  const { resource, state, of, daysAgo } = end;
  const { services, company, today, begin } = world.stage;
  if (await isReached(world, end)) return;
  const [found] =
    of === undefined ? [{ id: '', owner: '' }] : await services.db.query<Found>(`${of} limit 1`, [company]);
  if (found === undefined) return;
  await end.play(begin(`end ${resource} ${state}`, addDays(today, -daysAgo)), found, world);
}

/** Whether a record has come to a state: of the company, or of whichever where all share them. */
export async function isReached(
  { stage: { services, company } }: World,
  { resource, state, kind = 'true' }: Pick<End, 'resource' | 'state' | 'kind'>,
): Promise<boolean> {
  const isShared = services.definitions.catalog().resources[resource]?.scope === 'global';
  const known = await services.db.query(
    `select 1 from "${resource}" where ${isShared ? '$1' : 'co_code'} = $1 and status = $2 and not is_deleted and ${kind} limit 1`,
    [company, state],
  );
  return known.length > 0;
}
