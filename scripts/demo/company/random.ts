/** Numbers that look random and are the same at every run (mulberry32). */
export interface Dice {
  /** From 0, below 1. */
  readonly next: () => number;
  /** A whole number of the closed range. */
  readonly between: (low: number, high: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** So many different entries, in their order. */
  readonly some: <T>(list: readonly T[], count: number) => readonly T[];
  readonly isHit: (chance: number) => boolean;
}

/** Dice with a seed: the same text gives the same throws. */
export function dice(seed: string): Dice {
  let state = [...seed].reduce(
    (sum, char) => Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (list) => {
      const found = list[between(0, list.length - 1)];
      if (found === undefined) throw new RangeError('nothing to pick from');
      return found;
    },
    some: (list, count) => {
      const left = list.map((_entry, place) => place);
      while (left.length > count) left.splice(between(0, left.length - 1), 1);
      return left.flatMap((place) => list.slice(place, place + 1));
    },
    isHit: (chance) => next() < chance,
  };
}
