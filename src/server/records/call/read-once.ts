import type { Tx } from './statement.ts';

const READ = Symbol('read once');

/** What a transaction asks again and again without changing it: read the first time, remembered until its end. */
export async function readOnce<T>(tx: Pick<Tx, 'memory'>, key: string, read: () => Promise<T>): Promise<T> {
  const known = (tx.memory.get(READ) ?? new Map()) as Map<string, Promise<T>>;
  tx.memory.set(READ, known);
  const asked = known.get(key) ?? read();
  known.set(key, asked);
  try {
    return await asked;
  } catch (error) {
    known.delete(key);
    throw error;
  }
}
