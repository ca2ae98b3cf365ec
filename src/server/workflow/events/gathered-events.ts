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
    const key = keyOf(delivery);
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

/** What two transactions of one doing have gathered, as if it had been one. */
export function joinGathered(
  before: readonly GatheredEvent[],
  further: readonly GatheredEvent[],
): readonly GatheredEvent[] {
  const joined = new Map<string, GatheredEvent>();
  for (const { first, count } of [...before, ...further]) {
    const [one] = first;
    if (one === undefined) continue;
    const known = joined.get(keyOf(one));
    joined.set(keyOf(one), {
      first: [...(known?.first ?? []), ...first].slice(0, MOST_TOLD_ALONE),
      count: (known?.count ?? 0) + count,
    });
  }
  return [...joined.values()];
}

/** What was gathered as JSON, to be told by a later transaction. */
export function gatheredText(gathered: readonly GatheredEvent[]): string {
  return JSON.stringify(gathered, (_name, value: unknown) =>
    value instanceof Set ? { [SET]: [...value] } : value,
  );
}

/** What `gatheredText` has made a text of. */
export function gatheredFrom(text: string): readonly GatheredEvent[] {
  // Its shape is known: nobody else writes it.
  return JSON.parse(text, (_name, value: unknown) => {
    const members: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, SET) : null;
    return Array.isArray(members) ? new Set(members) : value;
  }) as readonly GatheredEvent[];
}

const SET = '$set';

function keyOf({ event, company, resource, to }: Delivery): string {
  return [event, company, resource ?? '', ...to].join('|');
}

function gatheringOf(tx: Tx): Gathering | null {
  // Set above, under a symbol of this file.
  return (tx.memory.get(GATHERING) as Gathering | undefined) ?? null;
}
