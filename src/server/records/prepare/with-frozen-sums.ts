import { hasFrozenSums, takeFrozenSums } from '#server/records/derive/frozen-sums.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { computedScope, type TakenRecord } from './take-finds.ts';

/** The records with the sums that are taken once and stand from then on; the same ones where a resource has none. */
export async function withFrozenSums(
  db: Reader,
  call: Call,
  taken: {
    readonly found: readonly OpenRecord[];
    readonly written: readonly TakenRecord[];
    readonly isRefresh: boolean;
  },
): Promise<readonly OpenRecord[]> {
  const { found, written, isRefresh } = taken;
  if (!hasFrozenSums(call)) return found;
  const summed: OpenRecord[] = [];
  for (const [index, record] of found.entries()) {
    const before = written[index]?.before ?? null;
    const scope = computedScope(call, { record, before }, { isRefresh });
    summed.push(await takeFrozenSums(db, call, { record, scope }));
  }
  return summed;
}
