import { readsLedger } from '#engine/ledger/ledger-figures.ts';
import { dueScopes, type PlannedEntry } from '#engine/ledger/plan-entries.ts';
import { isAt } from '#engine/ledger/posting-moment.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { attachForMany } from '#server/records/prepare/complete-record.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import { accountIds } from './account-rows.ts';
import { postingBase } from './posted-entries.ts';
import { inCompanyOf, plannedEntry, type Posted } from './run-postings.ts';
import { newEntry, writeEntries } from './write-entries.ts';

/**
 * Whether new records of a resource may post together, one after the other in one go: nothing is held, and no posting
 * reads what the one before it moves.
 */
export function canPostTogether({ resource, catalog }: Call): boolean {
  if (resource.holds.length > 0) return false;
  return resource.postings.every(
    (posting) => posting.reverse !== undefined || !readsLedger(posting, resource, catalog),
  );
}

/**
 * Postings of many new records of one company, in their order, with as many statements as one needs. Gives the records as
 * they are then. See `canPostTogether`.
 */
export async function postTogether(
  tx: Tx,
  call: Call,
  records: readonly OpenRecord[],
): Promise<readonly Posted[]> {
  const moments = records.map((after) => ({ before: null, after, action: null }));
  const [first] = records;
  if (first === undefined || call.resource.postings.length === 0) return moments.map(asPosted);
  const own = inCompanyOf(call, first);
  const stored = await readInOrder(tx, own, records);
  const planned = stored.flatMap((record) => plannedOf(own, record));
  const ids = await accountIds(
    tx,
    own,
    planned.map(({ entry }) => entry),
  );
  const entries = planned.flatMap(({ entry, document, key }, index) => {
    const id = ids[index];
    if (entry.account === null || id === undefined) return [];
    const account = { resource: entry.account.resource, id };
    return [{ ...newEntry(entry, { account, key }), document }];
  });
  await writeEntries(tx, { call: own, record: first, action: null }, entries);
  const after = await readInOrder(tx, own, records);
  return moments.map((moment, index) => asPosted({ ...moment, after: after[index] ?? moment.after }));
}

function asPosted(moment: Pick<Posted, 'before' | 'after' | 'action'>): Posted {
  return { ...moment, reversed: null };
}

interface PlannedOf {
  readonly document: OpenRecord;
  readonly entry: PlannedEntry;
  readonly key: string;
}

/** What a new record posts; a head that posts the same twice is at fault. */
function plannedOf(call: Call, document: OpenRecord): readonly PlannedOf[] {
  const moment = { before: null, after: document, action: null };
  const scope = { ...recordScope(call, document), before: null };
  const taken = new Set<string>();
  const planned: PlannedOf[] = [];
  for (const posting of call.resource.postings) {
    if (posting.reverse !== undefined || !isAt(posting.at, moment, call.resource)) continue;
    for (const here of dueScopes(posting, scope)) {
      const entry = plannedEntry(posting, here);
      if (entry === null) continue;
      const base = postingBase(String(document['id']), entry);
      if (!taken.has(base)) planned.push({ document, entry, key: `${base}:0` });
      else if (entry.line === null) throw new AppError('RULE_REFUSED', { message: '已过账，不能重复过账' });
      taken.add(base);
    }
  }
  return planned;
}

/** Records as they are stored now, with the values behind their references, in the order given. */
export async function readInOrder(
  tx: Tx,
  call: Call,
  records: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  const stored = await readStoredMany(
    tx,
    call,
    records.map(({ id }) => String(id)),
  );
  await attachForMany(tx, call, stored);
  const byId = new Map(stored.map((record) => [String(record['id']), record]));
  return records.map((record) => byId.get(String(record['id'])) ?? record);
}
