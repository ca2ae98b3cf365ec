import { postedProblems } from '#engine/ledger/posted-reads.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { baseOf, entriesOf } from './posted-entries.ts';

/** What changes of stored records may not touch, because entries that live read it; the problems of each. */
export async function closedByEntries(
  db: Reader,
  call: Call,
  changes: readonly { readonly current: OpenRecord; readonly next: OpenRecord }[],
): Promise<readonly (readonly FieldProblem[])[]> {
  const { resource, catalog } = call;
  if (resource.postings.length === 0) return changes.map(() => []);
  const ids = changes.map(({ current }) => String(current['id']));
  const live = (await entriesOf(db, call, ids)).filter(({ isLive }) => isLive);
  return changes.map((change) => {
    const own = live.filter(({ document }) => document === change.current['id']);
    const entries = own.map((entry) => ({ line: entry.line, name: baseOf(entry).split(':')[2] ?? '' }));
    return own.length === 0 ? [] : postedProblems(resource, catalog, { ...change, live: entries });
  });
}
