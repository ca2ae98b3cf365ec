import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { subtractDecimals } from '#engine/values/decimal.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { type FigureCause, noteCause, recordKey, sessionOf } from '#server/records/follow/write-session.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { AccountRow } from './account-rows.ts';
import type { NewEntry, PostingSource } from './write-entries.ts';

/** Notes entries for the preview and the answer of the write. */
export function noteEntries(
  tx: Tx,
  written: {
    readonly resource: Resource;
    readonly entries: readonly NewEntry[];
    readonly records: readonly OpenRecord[];
  },
): void {
  const { resource, entries, records } = written;
  const { ledger } = resource;
  const session = sessionOf(tx);
  for (const [index, entry] of entries.entries()) {
    const record = records[index] ?? {};
    session.entries.push({
      ledger: resource.resource,
      id: String(record['id']),
      account: { resource: entry.account.resource.resource, id: entry.account.id },
      type: entry.net,
      amount: entry.amount,
      after: String(record[ledger?.after ?? '']),
      date: entry.date,
      isMirror: entry.reverses !== null,
    });
  }
}

/** Notes which column moved an account, and what was forced on it: for the limits at the end of the write. */
export function noteAccount(
  tx: Tx,
  source: PostingSource,
  { account, entries }: { readonly account: AccountRow; readonly entries: readonly NewEntry[] },
): void {
  const session = sessionOf(tx);
  const resource = account.call.resource.resource;
  const key = recordKey(resource, account.id);
  for (const entry of entries) {
    noteCause(tx, { resource, id: account.id, line: null }, causeOf(source, entry));
    if (entry.isForced)
      session.forced.set(key, subtractDecimals(session.forced.get(key) ?? '0', entry.amount));
  }
}

/** The place in the posting document that an entry came from. */
export function causeOf(source: PostingSource, entry: NewEntry | undefined): FigureCause {
  const document = entry === undefined ? source.record : documentOf(source, entry);
  return {
    resource: source.call.resource.resource,
    id: String(document['id']),
    path: entry?.path ?? '',
  };
}

/** The document that an entry is of. */
export function documentOf({ record }: PostingSource, { document }: NewEntry): ErpRecord {
  return document ?? record;
}
