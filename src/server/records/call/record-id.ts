import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/**
 * A new id. Ids sort by the operation's clock, and those of one moment in the order in which they were made: an operation
 * keeps the moment at which it began while others draw ids of theirs, so the count never starts again.
 */
export function uuidv7(at: Date): string {
  sequence = (sequence + 1) % MAX_SEQUENCE;
  return v7({ msecs: at.getTime(), seq: sequence, random: randomBits() });
}

const MAX_SEQUENCE = 2 ** 32;
const RANDOM_BYTES = 16;
/** Asked of the system for many ids at once: a document of 500 lines draws as many. */
const pool = new Uint8Array(RANDOM_BYTES * 512);
let drawn = pool.length;
/** Another process may use the same millisecond: the low bits stay random, the start leaves room to count up. */
let sequence = Math.floor(Math.random() * 2 ** 30);

function randomBits(): Uint8Array {
  if (drawn >= pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += RANDOM_BYTES;
  return pool.subarray(drawn - RANDOM_BYTES, drawn);
}
