import type { Subject } from '#engine/schema/resource.ts';
import { addDays, companyToday } from '#engine/values/dates.ts';
import type { Services } from '#server/records/services.ts';
import { type Actor, groupAdministrator, partnerOf, staffOf } from './staff.ts';
import { openStory, type Story } from './story.ts';

/** A demo company with its people, on which stories are played. */
export interface Stage {
  readonly company: string;
  readonly services: Services;
  /** The last day of the demo: yesterday, so that nothing happens in the future. */
  readonly today: string;
  readonly personId: (actor: Actor) => string;
  /** Whether the company has that person: a small one has no second of a role. */
  readonly has: (actor: Actor) => boolean;
  /** A partner's own account among the actors. */
  readonly asPartner: (partnerId: string) => Promise<Actor>;
  /** Starts a story; the same seed gives the same story, and another one in each chapter. */
  readonly begin: (seed: string, day: string) => Story;
}

/** Opens the stage of a company whose people exist; its stories end at their next step once the signal is given. */
export async function openStage(
  services: Services,
  {
    company,
    chapter,
    signal,
  }: { readonly company: string; readonly chapter: number; readonly signal: AbortSignal },
): Promise<Stage> {
  const staff = new Map(await staffOf(services, company));
  const group = await groupAdministrator(services);
  if (group !== null) staff.set('group', group);
  const today = addDays(companyToday(services.clock()), -1);
  const subjectOf = (actor: Actor): Subject => {
    const found = staff.get(actor);
    if (found === undefined) throw new RangeError(`no ${actor} in ${company}`);
    return found;
  };
  const actors = new Map([...staff].toReversed().map(([actor, { id }]) => [id, actor]));
  return {
    company,
    services,
    today,
    personId: (actor) => subjectOf(actor).id,
    has: (actor) => staff.has(actor),
    asPartner: async (partnerId) => {
      const actor = `partner ${partnerId}`;
      if (!staff.has(actor)) staff.set(actor, await partnerOf(services, company, partnerId));
      return actor;
    },
    begin: (seed, day) =>
      openStory(
        { services, company, today, subjectOf, actors, signal },
        { seed: `${company}${chapter === 0 ? '' : ` ${chapter}`} ${seed}`, day },
      ),
  };
}
