import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * A new id. Ids sort by the operation's clock, and those of one millisecond (or of a clock that stands still) in the
 * order in which they were made.
 */
export function uuidv7(at: Date): string {
  const msecs = at.getTime();
  sequence = msecs === lastMs ? sequence + 1 : firstSequence();
  lastMs = msecs;
  return v7({ msecs, seq: sequence % MAX_SEQUENCE, random: randomBits() });
}

const MAX_SEQUENCE = 2 ** 32;
const RANDOM_BYTES = 16;
/** Asked of the system for many ids at once: a document of 500 lines draws as many. */
const pool = new Uint8Array(RANDOM_BYTES * 512);
let drawn = pool.length;
let lastMs = -1;
let sequence = 0;

/** Another process may use the same millisecond: the low bits stay random, the start leaves room to count up. */
function firstSequence(): number {
  return Math.floor(Math.random() * 2 ** 30);
}

function randomBits(): Uint8Array {
  if (drawn >= pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += RANDOM_BYTES;
  return pool.subarray(drawn - RANDOM_BYTES, drawn);
}
