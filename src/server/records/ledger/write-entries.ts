import { digitsOf } from '#engine/fields/decimal-value.ts';
import type { PlannedEntry } from '#engine/ledger/plan-entries.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import type { LedgerDefinition } from '#engine/schema/ledger-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { addDecimals, roundDecimal } from '#engine/values/decimal.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { refreshRollupsOfMany } from '#server/records/derive/refresh-rollups.ts';
import { searchColumns } from '#server/records/derive/search-index.ts';
import { checkReferencesOfMany } from '#server/records/prepare/check-references.ts';
import { completeNewMany } from '#server/records/prepare/complete-record.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import { drawNumbers } from '#server/records/write/draw-number.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import { writeAudits } from '#server/records/write/write-audit.ts';
import { insertRows } from '#server/records/write/write-rows.ts';
import { type AccountRow, amountOf, lockAccounts, storeAccount } from './account-rows.ts';
import { HEAD_LINE } from './posted-entries.ts';
import { refuseClosed } from './voucher-period.ts';
import { causeOf, documentOf, noteAccount, noteEntries } from './note-entries.ts';

/** An entry that is about to be written: of a planned posting, or the mirror of another entry. */
export interface NewEntry {
  readonly account: { readonly resource: Resource; readonly id: string };
  readonly type: string;
  readonly net: string;
  readonly line: string | null;
  readonly amount: string;
  readonly date: unknown;
  readonly values: ErpRecord;
  /** The entry that it mirrors. */
  readonly reverses: string | null;
  readonly key: string;
  readonly isForced: boolean;
  readonly path: string;
  /** The document that posts it, where several of one resource post together. */
  readonly document?: ErpRecord;
}

/** The document that posts. */
export interface PostingSource {
  readonly call: Call;
  readonly record: ErpRecord;
  readonly action: string | null;
}

/** What a planned posting becomes on its account. */
export function newEntry(
  planned: PlannedEntry,
  at: { readonly account: NewEntry['account']; readonly key: string },
): NewEntry {
  const { type, line, amount, date, values, isForced, path } = planned;
  return { ...at, type, net: type, line, amount, date, values, reverses: null, isForced, path };
}

/**
 * Writes entries in their order: locks their accounts by id, runs the balance of each on, inserts all with one statement
 * a ledger, and brings accounts and figures over the ledgers up to date, each once.
 */
export async function writeEntries(
  tx: Tx,
  source: PostingSource,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { call, record } = source;
  const document = { resource: call.resource, record };
  await refuseClosed(tx, call, { dates: entries.map(({ date }) => date), document });
  const accounts = await lockAll(tx, source.call, entries);
  const ordered = groupBy(entries, ({ account }) => account.resource.account?.ledger ?? '');
  for (const [key, group] of ordered) await writeLedger(tx, source, { key, entries: group, accounts });
}

interface LedgerWrite {
  readonly key: string;
  readonly entries: readonly NewEntry[];
  readonly accounts: ReadonlyMap<string, AccountRow>;
}

async function lockAll(
  tx: Tx,
  call: Call,
  entries: readonly NewEntry[],
): Promise<ReadonlyMap<string, AccountRow>> {
  const all = new Map<string, AccountRow>();
  const byResource = groupBy(entries, ({ account }) => account.resource.resource);
  for (const [, group] of [...byResource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = group;
    if (first === undefined) continue;
    const ids = group.map(({ account }) => account.id);
    const rows = await lockAccounts(tx, call, { resource: first.account.resource, ids });
    for (const [id, row] of rows) all.set(id, row);
  }
  return all;
}

async function writeLedger(tx: Tx, source: PostingSource, write: LedgerWrite): Promise<void> {
  const { entries, accounts } = write;
  const call = openSystemCall(source.call.services, source.call.caller, write.key);
  const { ledger } = call.resource;
  if (ledger === undefined) return;
  const balances = new Map(
    [...accounts].map(([id, { record, definition }]) => [id, amountOf(record, definition.balance)]),
  );
  const scale = digitsOf(call.resource.fields[ledger.after] ?? { type: 'money' }).scale;
  const drafts = entries.map((entry): OpenRecord => {
    const { id } = entry.account;
    const after = roundDecimal(addDecimals(balances.get(id) ?? '0', entry.amount), scale);
    balances.set(id, after);
    return draftOf(call, { entry, ledger, after, source, account: accounts.get(id)?.record ?? {} });
  });
  const records = await insertEntries(tx, call, { entries, drafts });
  for (const [id, account] of accounts) {
    const balance = balances.get(id) ?? '0';
    const own = entries.filter((entry) => entry.account.id === id);
    if (own.length === 0 || account.definition.ledger !== write.key) continue;
    noteAccount(tx, source, { account, entries: own });
    await storeAccount(tx, account, { balance });
  }
  await refreshRollupsOfMany(
    tx,
    call,
    records.map((after, index) => ({ before: null, after, cause: causeOf(source, entries[index]) })),
  );
}

function draftOf(
  call: Call,
  made: {
    readonly entry: NewEntry;
    readonly ledger: LedgerDefinition;
    readonly after: string;
    readonly source: PostingSource;
    readonly account: OpenRecord;
  },
): OpenRecord {
  const { entry, ledger, after, source, account } = made;
  const [sourceResource, sourceId, sourceLine] = ledger.source;
  const { currency } = ledger;
  const document = documentOf(source, entry);
  const owners = Object.fromEntries(
    OWNERS.filter((name) => call.resource.fields[name] !== undefined && Object.hasOwn(document, name)).map(
      (name) => [name, document[name]],
    ),
  );
  const values: OpenRecord = {
    ...owners,
    ...entry.values,
    [ledger.account]: entry.account.id,
    [ledger.amount]: entry.amount,
    [ledger.after]: after,
    [ledger.type]: entry.type,
    [ledger.net]: entry.net,
    [ledger.date]: entry.date,
    [ledger.reverses]: entry.reverses,
    [sourceResource]: source.call.resource.resource,
    [sourceId]: document['id'],
    [sourceLine]: entry.line ?? HEAD_LINE,
    ...(currency === undefined ? {} : { [currency]: account[currency] }),
    ...(ledger.label === undefined ? {} : { [ledger.label]: recordLabel(source.call.resource, document) }),
    ...(ledger.event === undefined ? {} : { [ledger.event]: source.action }),
  };
  return { ...stampNew(call, values), ...values };
}

const OWNERS = ['co_code', 'business_type', 'dept_code', 'sales_id'] as const;

async function insertEntries(
  tx: Tx,
  call: Call,
  { entries, drafts }: { readonly entries: readonly NewEntry[]; readonly drafts: readonly OpenRecord[] },
): Promise<readonly OpenRecord[]> {
  const { services, caller, catalog, resource } = call;
  const now = services.clock();
  const records = (await completeNewMany(tx, call, drafts)).map((record): OpenRecord => ({
    ...record,
    id: uuidv7(now),
  }));
  await refuseReferences(tx, call, { entries, records });
  const drawn = await drawNumbers(tx, call, records);
  for (const [index, record] of records.entries())
    if (resource.number !== undefined) record[resource.number.field] = drawn[index] ?? null;
  const places = await placesOf(tx, call, entries);
  await insertRows(
    tx,
    resource,
    records.map((record, index) => ({
      record,
      storage: {
        ...searchColumns(catalog, resource, record),
        posted_as: entries[index]?.key ?? '',
        posted_seq: places[index],
      },
    })),
  );
  await writeAudits(
    tx,
    { caller, at: now },
    records.map((record) => ({
      resource: resource.resource,
      record_id: String(record['id']),
      co_code: record['co_code'],
      action: 'create',
      changes: diffRecords(resource, {}, record),
    })),
  );
  noteEntries(tx, { resource, entries, records });
  return records;
}

/** The places of entries in the chains of their accounts, which are locked. */
async function placesOf(tx: Tx, call: Call, entries: readonly NewEntry[]): Promise<readonly number[]> {
  const { resource } = call;
  const account = quoteName(resource.ledger?.account ?? '');
  const rows = await tx.query(
    `select a.id, (select max(t.posted_seq) from ${tableOf(resource)} t where t.${account} = a.id and t.co_code = $2) as last
     from unnest($1::uuid[]) a(id)`,
    [[...new Set(entries.map((entry) => entry.account.id))], call.caller.subject.co_code],
  );
  const last = new Map(rows.map((row) => [String(row['id']), Number(row['last'] ?? 0)]));
  return entries.map(({ account: { id } }) => {
    const place = (last.get(id) ?? 0) + 1;
    last.set(id, place);
    return place;
  });
}

/** What an entry refers to is asked as in any record; what only mirrors another entry is not. */
async function refuseReferences(
  tx: Tx,
  call: Call,
  { entries, records }: { readonly entries: readonly NewEntry[]; readonly records: readonly OpenRecord[] },
): Promise<void> {
  const own = records.filter((_record, index) => entries[index]?.reverses === null);
  const found = await checkReferencesOfMany(
    tx,
    call,
    own.map((record) => ({ record, previous: null, isSystem: true })),
  );
  const [first] = found.flat();
  if (first !== undefined) refuseProblems([{ ...first, path: '' }], 'RULE_REFUSED');
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
