import type { Queryable } from './database.ts';

/** Nobody else goes on under the same name until the transaction ends: for what has no row yet that could be locked. */
export async function lockName(tx: Pick<Queryable, 'query'>, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
