import { DatabaseFault } from '#server/kernel/db/database-fault.ts';

const TRIES = 6;

/**
 * Does a step that leaves nothing behind when it fails, and once more when somebody else was in its way: what a person
 * would do who is told to try again. A busy machine may hold five lanes on one contract longer than a lock is waited for.
 */
export async function again<T>(step: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await step();
    } catch (error) {
      if (tries === TRIES || !isInTheWay(error)) throw error;
    }
}

function isInTheWay(error: unknown): boolean {
  return error instanceof DatabaseFault && (error.kind === 'lock_timeout' || error.kind === 'conflict');
}
