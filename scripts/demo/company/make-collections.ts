import { addDays, daysBetween } from '#engine/values/dates.ts';
import { inLanes } from './lanes.ts';
import { lendOn } from './lend.ts';
import type { OwnRecords } from './make-own-records.ts';
import { TERM_DAYS } from './make-parties.ts';
import type { DemoShipment } from './make-shipments.ts';
import { MoneyStory } from './money-story.ts';
import { unlessRefused } from './unless-refused.ts';
import type { World } from './world.ts';

/** A buyer sends one transfer for so many shipments at most, when they fall due within so many days. */
const TOGETHER = 4;
const TOGETHER_DAYS = 75;
/** Of so many transfers one leaves out an invoice that is due: the buyer is late. */
const LATE_EVERY = 28;
/** Buyers on open terms that do not pay what fell due so many days ago: their insurer is asked. */
const LOST_DAYS = [55, 150] as const;
const LOST = 2;
/** Of so many transfers one is lent on before it comes. */
const LENT_EVERY = 8;
/** What stays in the pool instead of being paid on. */
const KEPT_EVERY = 4;

interface Due {
  readonly shipment: DemoShipment;
  readonly on: string;
}

type Transfer = readonly [DemoShipment, ...DemoShipment[]];

interface Coming {
  readonly transfer: Transfer;
  readonly on: string;
}

/** What buyers have paid in the course of the two years for what fell due; few of them are late. */
export async function makeCollections(
  world: World,
  {
    unpaid,
    own,
    holder,
  }: {
    readonly unpaid: readonly DemoShipment[];
    readonly own: OwnRecords;
    /** The partner who keeps a part of what comes in its currency. */
    readonly holder: string;
  },
): Promise<void> {
  const coming = transfersOf(unpaid, world.stage.today).flatMap((one, place) =>
    place % LATE_EVERY === 7 ? withoutLast(one) : [one],
  );
  const lost = new Set(coming.filter((one) => isOpenTerm(one, world.stage.today)).slice(-LOST));
  const held = coming.find(({ transfer: [{ contract }] }) => contract.buyer.partner?.id === holder);
  let done = 0;
  await inLanes(coming, world.lanes, async (one, place) => {
    const { transfer, on } = one;
    const story = world.stage.begin(`collection ${place}`, on);
    if (lost.has(one)) return;
    if (place % LENT_EVERY === 3)
      await unlessRefused(() => lendOn(world.stage, `collection ${place}`, transfer[0]));
    const fate = one === held ? 'held' : place % KEPT_EVERY === 0 ? 'sold' : 'paid';
    await unlessRefused(() => new MoneyStory(story, transfer, own).play(fate));
    world.onStep('收汇与付款', (done += 1), coming.length);
  });
}

/** One shipment of a partner on open terms, due within the days. */
function isOpenTerm({ transfer: [first, ...others], on }: Coming, today: string): boolean {
  const { buyer, term } = first.contract;
  const age = daysBetween(on, today);
  const isLate = age >= LOST_DAYS[0] && age <= LOST_DAYS[1];
  return others.length === 0 && buyer.partner !== null && ['OA', 'TT_AFTER'].includes(term) && isLate;
}

/** Shipments of one buyer and currency that are due by a day, several to a transfer, by the day on which it comes. */
function transfersOf(shipments: readonly DemoShipment[], until: string): readonly Coming[] {
  const groups = new Map<string, Due[]>();
  for (const shipment of shipments) {
    const { contract, day } = shipment;
    const on = addDays(day, Math.max(6, TERM_DAYS[contract.term] ?? 0));
    const key = `${contract.buyer.id} ${contract.currency} ${contract.mode}`;
    groups.set(key, [...(groups.get(key) ?? []), { shipment, on }]);
  }
  return [...groups.values()]
    .flatMap((group) => together(group.filter(({ on }) => on < until)))
    .sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0));
}

function withoutLast({ transfer: [first, ...others], on }: Coming): readonly Coming[] {
  return others.length === 0 ? [] : [{ transfer: [first, ...others.slice(0, -1)], on }];
}

function together(group: readonly Due[]): readonly Coming[] {
  const transfers: { transfer: [DemoShipment, ...DemoShipment[]]; on: string; first: string }[] = [];
  for (const { shipment, on } of [...group].sort((a, b) => (a.on < b.on ? -1 : 1))) {
    const last = transfers.at(-1);
    if (
      last !== undefined &&
      last.transfer.length < TOGETHER &&
      daysBetween(last.first, on) <= TOGETHER_DAYS
    ) {
      last.transfer.push(shipment);
      last.on = on;
    } else transfers.push({ transfer: [shipment], on, first: on });
  }
  return transfers;
}
