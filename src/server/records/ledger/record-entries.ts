import { canSee } from '#engine/access/resource-access.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import type { LedgerDefinition } from '#engine/schema/ledger-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { NEWEST_POSTED, queryRecords } from '#server/records/list/query-records.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { presentRecord } from '#server/records/read/present-record.ts';
import { isRecordId, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { ledgersOf } from './posted-entries.ts';
import { labelKey, visibleLabels } from './visible-labels.ts';
import { voucherBookOf } from './voucher-period.ts';

/** What a record did to ledgers, through the eyes of whoever asks. */
export interface RecordEntries {
  readonly entries: readonly {
    readonly ledger: string;
    readonly title: string;
    /** The fields of its records that hold what. */
    readonly fields: Pick<
      LedgerDefinition,
      'account' | 'amount' | 'after' | 'type' | 'date' | 'label' | 'summary'
    >;
    /** Of a document in the order of posting, of an account the newest first. */
    readonly records: readonly OpenRecord[];
    /** How many there are. */
    readonly total: number;
  }[];
  /** Of a document what it holds, of an account who holds it. */
  readonly holds: readonly ShownHold[];
  readonly vouchers: readonly {
    readonly resource: string;
    readonly id: string;
    readonly label: string;
    readonly date: unknown;
    readonly event: unknown;
    readonly lines: readonly OpenRecord[];
  }[];
}

/** A hold: the account it is on, or for an account the document; without id and name where that may not be read. */
interface ShownHold {
  readonly resource: string;
  readonly title: string;
  readonly id: string | null;
  readonly label: string | null;
  readonly amount: string;
  readonly currency: string | null;
  readonly since: string;
}

const MOST = 500;

/** Entries, holds and vouchers of a document, and who holds an account. 404 for what the caller may not see. */
export async function recordEntries(call: Call, id: string): Promise<RecordEntries> {
  const stored = isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (stored === null) throw new AppError('NOT_FOUND');
  return {
    entries: await shownEntries(call, id),
    holds: await shownHolds(call, id),
    vouchers: await shownVouchers(call, id),
  };
}

async function shownEntries(call: Call, id: string): Promise<RecordEntries['entries']> {
  const found: RecordEntries['entries'][number][] = [];
  for (const { resource, title, ledger } of ledgersOf(call.catalog)) {
    const own = openAnyCall(call.services, call.caller, resource);
    if (ledger === undefined || !own.access.operations.has('read')) continue;
    const isAccount = call.resource.account?.ledger === resource;
    const [sourceResource, sourceId] = ledger.source;
    const { records, total } = await queryRecords(own, {
      currentPage: 1,
      pageSize: MOST,
      filters: isAccount
        ? { [ledger.account]: { eq: id } }
        : { [sourceResource]: { eq: call.resource.resource }, [sourceId]: { eq: id } },
      sorters: isAccount ? NEWEST_POSTED : ['id'],
      keyword: '',
      group: null,
      columns: null,
      isExact: false,
    });
    if (records.length === 0) continue;
    const { account, amount, after, type, date, label, summary } = ledger;
    const fields = {
      ...{ account, amount, after, type, date },
      ...(label === undefined ? {} : { label }),
      ...(summary === undefined ? {} : { summary }),
    };
    found.push({ ledger: resource, title, fields, records, total });
  }
  return found;
}

async function shownHolds(call: Call, id: string): Promise<readonly ShownHold[]> {
  const { account } = call.resource;
  const isAccount = account !== undefined;
  if (isAccount && (account.held === undefined || !canSee(call.access, account.held))) return [];
  const mine = isAccount ? ['account_resource', 'account_id'] : ['resource', 'record_id'];
  const theirs = isAccount ? ['resource', 'record_id'] : ['account_resource', 'account_id'];
  const rows = await call.services.db.query(
    `select ${theirs[0]} as resource, ${theirs[1]} as id, sum(amount)::text as amount, min(created_at) as since
     from sys_hold where ${mine[0]} = $1 and ${mine[1]} = $2::uuid group by 1, 2 order by 4, 2 limit ${MOST}`,
    [call.resource.resource, id],
  );
  const others = rows.map((row) => ({ resource: textOf(row['resource']), id: String(row['id']) }));
  const labels = await visibleLabels(call.services.db, call, others);
  const accounts = isAccount ? [{ resource: call.resource.resource, id }] : others;
  const currencies = await accountCurrencies(call, accounts);
  return rows.flatMap((row, index): ShownHold[] => {
    const other = others[index];
    const label = other === undefined ? undefined : labels.get(labelKey(other.resource, other.id));
    if (other === undefined || (label === undefined && !isAccount)) return [];
    return [
      {
        resource: other.resource,
        title: call.catalog.resources[other.resource]?.title ?? '',
        id: label === undefined ? null : other.id,
        label: label ?? null,
        amount: textOf(row['amount']),
        currency: currencies.get(isAccount ? id : other.id) ?? null,
        since: row['since'] instanceof Date ? row['since'].toISOString() : textOf(row['since']),
      },
    ];
  });
}

/** What each account is kept in. */
async function accountCurrencies(
  call: Call,
  accounts: readonly { readonly resource: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const resource of new Set(accounts.map((account) => account.resource))) {
    const own = openAnyCall(call.services, call.caller, resource);
    const field = own.resource.fields[own.resource.account?.balance ?? ''];
    if (field === undefined) continue;
    const ids = accounts.filter((account) => account.resource === resource).map(({ id }) => id);
    for (const record of await readStoredMany(call.services.db, own, ids))
      found.set(String(record['id']), currencyOf(field, recordScope(own, record)));
  }
  return found;
}

async function shownVouchers(call: Call, id: string): Promise<RecordEntries['vouchers']> {
  const found = voucherBookOf(call.catalog);
  if (found === null) return [];
  const { resource } = found;
  const own = openAnyCall(call.services, call.caller, resource.resource);
  if (!own.access.operations.has('read')) return [];
  const { db } = call.services;
  const rows = await db.query(
    `select distinct coalesce(v.id, v.mirror) as id from (
       select voucher_id as id, null::uuid as mirror from sys_vouched where resource = $1 and record_id = $2::uuid
       union select null, mirror_id from sys_vouched where resource = $1 and record_id = $2::uuid and mirror_id is not null) v
     order by 1 limit ${MOST}`,
    [call.resource.resource, id],
  );
  return presentVouchers(
    db,
    own,
    rows.map((row) => String(row['id'])),
  );
}

/** Vouchers as the caller of their resource may see them; without a right on them none. */
export async function presentVouchers(
  db: Reader,
  own: Call,
  ids: readonly string[],
): Promise<RecordEntries['vouchers']> {
  const { resource } = own;
  const book = resource.voucherBook;
  if (book === undefined) return [];
  const records = await readStoredMany(db, own, ids, { isLimitingLines: true });
  return Promise.all(
    records.map(async (record) => {
      const shown = await presentRecord(db, own, record);
      return {
        resource: resource.resource,
        id: String(record['id']),
        label: labelOf(resource, shown),
        date: shown[book.date] ?? null,
        event: shown[book.event] ?? null,
        lines: linesOf(shown[book.lines]),
      };
    }),
  );
}

function labelOf(resource: Resource, shown: OpenRecord): string {
  return textOf(shown[resource.label] ?? '');
}
