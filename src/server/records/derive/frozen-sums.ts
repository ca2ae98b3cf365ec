import { isTakenNow } from '#engine/record/frozen-values.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type RollupField, rollupFieldsOf } from './rollup-fields.ts';
import { sumInto } from './rollup-sums.ts';

/**
 * Takes those figures of a stored record anew that this write takes: it enters a state of their `until`, or takes all
 * frozen values anew. `scope` is the record as it will be, its formulas run, with what it was as `before`.
 */
export async function takeFrozenSums(
  db: Reader,
  call: Call,
  { record, scope }: { readonly record: OpenRecord; readonly scope: Scope },
): Promise<OpenRecord> {
  const due = frozenSums(call).filter((rollup) => isDue(rollup, scope));
  let taken: OpenRecord = { ...scope.record };
  for (const rollup of due) taken = await sumInto(db, call, { rollup, record: taken });
  return withSums(record, taken, due);
}

/** Whether a resource keeps figures that are frozen at all. */
export function hasFrozenSums(call: Call): boolean {
  return frozenSums(call).length > 0;
}

function frozenSums({ resource }: Call): readonly RollupField[] {
  return rollupFieldsOf(resource).filter(({ field }) => field.frozen !== undefined);
}

/**
 * What is kept up to date by the writes of what it is over needs no taking, unless the record's own fields say of what; a
 * new record has nothing yet.
 */
function isDue({ field, rollup }: RollupField, scope: Scope): boolean {
  const { before, record, isRefresh } = scope;
  if (before === null || before === undefined) return false;
  const isOpen = ({ status }: ErpRecord): boolean => field.frozen?.open.includes(String(status)) === true;
  if (isRefresh !== true && (isOpen(record) || (isOpen(before) && typeof rollup.by === 'string')))
    return false;
  return isTakenNow(field, scope);
}

function withSums(record: OpenRecord, taken: OpenRecord, due: readonly RollupField[]): OpenRecord {
  const next: OpenRecord = { ...record };
  for (const { field, lines } of due) {
    if (lines === null) next[field.name] = taken[field.name];
    else {
      const sums = linesOf(taken[lines]);
      next[lines] = linesOf(next[lines]).map((line, place) => ({
        ...line,
        [field.name]: sums[place]?.[field.name] ?? null,
      }));
    }
  }
  return next;
}
