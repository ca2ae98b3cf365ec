import type { Services } from '#server/records/services.ts';
import type { Tx } from '#server/records/call/statement.ts';

/** Something that an event is told of once, until it happens anew. */
export interface ToldOnce {
  readonly event: string;
  readonly about: string;
  /** What was told up to then was of something else. */
  readonly since: Date;
}

/**
 * Notes that it is told, in the transaction that tells it; false when that was noted before. The channels of an event are
 * the administrator's to choose, so a notice cannot be the mark. Of several at once one is first, the others wait for it.
 */
export async function noteTold(
  tx: Tx,
  { clock }: Services,
  { event, about, since }: ToldOnce,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into sys_told (event, about, at) values ($1, $2, $3::timestamptz)
     on conflict (event, about) do update set at = excluded.at where sys_told.at <= $4::timestamptz returning about`,
    [event, about, clock().toISOString(), since.toISOString()],
  );
  return rows.length > 0;
}
