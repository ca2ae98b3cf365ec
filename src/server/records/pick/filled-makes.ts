import type { Tx } from '#server/records/call/statement.ts';

const FILLED = Symbol('filled makes');

interface Making {
  readonly resource: string;
  readonly id: string;
  readonly make: string;
}

/** Says that a person filled the form of what a make of this record gives, so that its action saves no draft besides. */
export function noteFilled(tx: Tx, making: Making): void {
  const known = tx.memory.get(FILLED);
  const filled = known instanceof Set ? known : new Set<unknown>();
  filled.add(keyOf(making));
  tx.memory.set(FILLED, filled);
}

export function isFilled(tx: Tx, making: Making): boolean {
  const known = tx.memory.get(FILLED);
  return known instanceof Set && known.has(keyOf(making));
}

function keyOf({ resource, id, make }: Making): string {
  return [resource, id, make].join('|');
}
