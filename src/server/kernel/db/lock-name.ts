import type { Queryable } from './database.ts';

/** Nobody else goes on under the same name until the transaction ends: for what has no row yet that could be locked. */
export async function lockName(tx: Pick<Queryable, 'query'>, name: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** The same for many names, in one order whoever asks, so that two never wait for each other in a circle. */
export async function lockNames(tx: Pick<Queryable, 'query'>, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.query(
    `select pg_advisory_xact_lock(k) from (select distinct hashtextextended(t, 0) as k from unnest($1::text[]) t order by 1) l`,
    [names],
  );
}
