import { randomBytes } from 'node:crypto';
import type { Tx } from './statement.ts';

const REHEARSAL = Symbol('rehearsal');

/** Says of a transaction that it only tries what a write would do and is undone afterwards. */
export function markRehearsal(tx: Tx): void {
  tx.memory.set(REHEARSAL, true);
}

/** True in a transaction that is undone afterwards: no number is drawn in it, and nobody is told of it. */
export function isRehearsal(tx: Tx): boolean {
  return tx.memory.has(REHEARSAL);
}

/** What stands for a number in a rehearsal: the counter is not touched, and no two rehearsals are in each other's way. */
export function rehearsedNumber(): string {
  return `~${randomBytes(6).toString('hex')}`;
}

/** A text without the stand-ins for numbers: nobody is shown a number that no document will have. */
export function withoutRehearsed(text: string): string {
  return text.replace(/~[0-9a-f]{12}/g, '').trim();
}
