import { v7 } from 'uuid';

/**
 * A new id. Ids sort by the operation's clock, and those of one millisecond (or of a clock that stands still) in the
 * order in which they were made.
 */
export function uuidv7(at: Date): string {
  const msecs = at.getTime();
  sequence = msecs === lastMs ? sequence + 1 : firstSequence();
  lastMs = msecs;
  return v7({ msecs, seq: sequence % MAX_SEQUENCE });
}

const MAX_SEQUENCE = 2 ** 32;
let lastMs = -1;
let sequence = 0;

/** Another process may use the same millisecond: the low bits stay random, the start leaves room to count up. */
function firstSequence(): number {
  return Math.floor(Math.random() * 2 ** 30);
}
