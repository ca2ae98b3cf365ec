import { addDays } from '#engine/values/dates.ts';
import { inLanes } from './lanes.ts';
import { lendOn } from './lend.ts';
import type { OwnRecords } from './make-own-records.ts';
import { TERM_DAYS } from './make-parties.ts';
import type { DemoShipment } from './make-shipments.ts';
import { FATES, type MoneyFate, MoneyStory } from './money-story.ts';
import { unlessRefused } from './unless-refused.ts';
import { lastShare, type World } from './world.ts';

/** What becomes of the latest shipments, so that a small company too has something of each; then money that has gone all its way. */
const LATEST: readonly MoneyFate[] = [
  'arrived',
  'paid',
  'held',
  'sold',
  'pending',
  'claimed',
  'requested',
  'posted',
];

/** Of so many shipments one is lent on before its money comes: what arrived only now is still lent. */
const LENT_EVERY = 2;

/** So many of a hundred shipments, that the first start stays quick. */
const SHARE = 0.12;

/**
 * Receipts, splits, sales of currency and payments for shipments that have left, the latest in every state.
 * @returns the shipments that nobody has paid for yet
 */
export async function makeMoney(
  world: World,
  { shipments, own }: { readonly shipments: readonly DemoShipment[]; readonly own: OwnRecords },
): Promise<readonly DemoShipment[]> {
  const shipped = shipments.filter(({ fate }) => fate === 'shipped');
  const left = shipped.filter(
    (shipment) =>
      shipment.contract.buyer.partner !== null &&
      shipment.contract.currency !== 'JPY' &&
      comesOn(shipment) <= world.stage.today,
  );
  // A small company too has something of each.
  const count = Math.max(FATES.length, Math.round(world.whole.shipments * SHARE));
  const chosen = lastShare(world, left, count);
  let done = 0;
  await inLanes(chosen, world.lanes, async ([number, shipment]) => {
    const place = count - 1 - number;
    const story = world.stage.begin(`money ${place}`, comesOn(shipment));
    if (isLentOn(place, shipment)) await unlessRefused(() => lendOn(world.stage, `money ${place}`, shipment));
    await unlessRefused(() => new MoneyStory(story, [shipment], own).play(fateOf(place)));
    world.onStep('收付款', (done += 1), chosen.length);
  });
  const paid = new Set(chosen.map(([, shipment]) => shipment));
  return shipped.filter((shipment) => !paid.has(shipment));
}

/** Buyers pay when it falls due, at sight a few days after sailing. */
function comesOn({ contract, day }: DemoShipment): string {
  return addDays(day, Math.max(12, TERM_DAYS[contract.term] ?? 0));
}

/** Not where the money of the first log-in is still to come: who follows its flow counts on all of it. */
function isLentOn(place: number, { contract }: DemoShipment): boolean {
  const isRepaid = FATES.indexOf(fateOf(place)) >= FATES.indexOf('posted');
  const isLent = place % LENT_EVERY === 0 || fateOf(place) === 'posted';
  return isLent && (isRepaid || contract.buyer.partner?.serial !== 0);
}

function fateOf(place: number): MoneyFate {
  return LATEST[place] ?? (place % 5 === 4 ? 'sold' : 'paid');
}
