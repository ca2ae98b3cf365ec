import type { LimitDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { rollupFieldsOf } from '#server/records/derive/rollup-fields.ts';
import { countedIn } from '#server/records/derive/rollup-sums.ts';
import type { MovedRecord, WriteSession } from './write-session.ts';

/**
 * Whose limited figure counts a document that this transaction approved: the record's id, or the ids of its lines where
 * the limit is of each; empty for a limit that is not of claims. A document of the same kind that the figure does not
 * count claims nothing of it.
 */
export async function approvedClaims(
  tx: Tx,
  { approved }: WriteSession,
  limited: { readonly moved: MovedRecord; readonly limit: LimitDefinition; readonly record: ErpRecord },
): Promise<ReadonlySet<string>> {
  const { moved, limit, record } = limited;
  if (limit.claim !== true || approved.size === 0) return new Set();
  const claiming = new Set<string>();
  for (const rollup of rollupFieldsOf(moved.resource)) {
    const isAsked = rollup.lines === (limit.each ?? null) && rollup.field.name in limit.assert;
    const documents = isAsked ? approved.get(rollup.rollup.of.split('.')[0] ?? '') : undefined;
    if (documents === undefined) continue;
    const found = await countedIn(tx, moved.call, { rollup, record, documents: [...documents] });
    for (const id of found) claiming.add(id);
  }
  return claiming;
}
