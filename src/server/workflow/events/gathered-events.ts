import type { Tx } from '#server/records/call/statement.ts';
import type { Delivery } from './deliver-event.ts';

/** Deliveries that differ in their records only, the first of them with their number. */
export interface GatheredEvent {
  readonly first: readonly Delivery[];
  readonly count: number;
}

interface Gathering {
  readonly kept: Map<string, { readonly first: Delivery[]; count: number }>;
  /** Of the write that is under way: it may still be refused. */
  pending: Delivery[];
}

const GATHERING = Symbol('gathered events');

/** So many of a kind are told one by one: of more each receiver hears once. */
export const MOST_TOLD_ALONE = 5;

/** From now on the transaction keeps what it would tell: it writes many records for one person's doing. */
export function beginGathering(tx: Tx): void {
  const gathering: Gathering = { kept: new Map(), pending: [] };
  tx.memory.set(GATHERING, gathering);
}

/** Keeps a delivery for later; false where nothing is gathered. What only one receiver may read is never gathered. */
export function isGathered(tx: Tx, delivery: Delivery): boolean {
  const gathering = gatheringOf(tx);
  if (gathering === null || delivery.private !== undefined) return false;
  gathering.pending.push(delivery);
  return true;
}

/** The write under way stands, or is undone: then nobody hears of it. */
export function endGatheredWrite(tx: Tx, isStanding: boolean): void {
  const gathering = gatheringOf(tx);
  if (gathering === null) return;
  const { kept, pending } = gathering;
  gathering.pending = [];
  if (!isStanding) return;
  for (const delivery of pending) {
    const key = [delivery.event, delivery.company, delivery.resource ?? '', ...delivery.to].join('|');
    const group = kept.get(key) ?? { first: [], count: 0 };
    group.count += 1;
    if (group.first.length < MOST_TOLD_ALONE) group.first.push(delivery);
    kept.set(key, group);
  }
}

/** Gives what was gathered and gathers no more. */
export function takeGathered(tx: Tx): readonly GatheredEvent[] {
  const gathering = gatheringOf(tx);
  tx.memory.delete(GATHERING);
  return gathering === null ? [] : [...gathering.kept.values()];
}

function gatheringOf(tx: Tx): Gathering | null {
  // Set above, under a symbol of this file.
  return (tx.memory.get(GATHERING) as Gathering | undefined) ?? null;
}
