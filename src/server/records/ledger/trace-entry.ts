import { canSee } from '#engine/access/resource-access.ts';
import type { LedgerDefinition } from '#engine/schema/ledger-definition.ts';
import { addDecimals, compareDecimals, subtractDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import { recordAddress } from '#engine/schema/record-address.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call } from '#server/records/call/open-call.ts';
import { openPages } from '#server/records/call/open-pages.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { textOf } from '#server/records/call/text-of.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { presentRow } from '#server/records/read/present-record.ts';
import { visibleFields } from '#server/records/list/query-records.ts';
import { isRecordId, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { HEAD_LINE } from './posted-entries.ts';
import { labelKey, visibleLabels } from './visible-labels.ts';

/** A document line that posted an entry; null where the document may not be read. */
interface EntrySource {
  readonly resource: string;
  readonly title: string;
  readonly id: string;
  readonly label: string;
  /** The id of the line; null for the head. */
  readonly line: string | null;
  /** Where the caller reads the document; null without a page. */
  readonly address: string | null;
}

interface TracedPart {
  readonly entry: OpenRecord;
  readonly source: EntrySource | null;
  /** How much of the traced entry this is. */
  readonly amount: string;
}

/** Where the money of an entry came from (money out), or where it went (money in). */
export interface EntryTrace {
  readonly entry: OpenRecord;
  readonly source: EntrySource | null;
  readonly direction: 'from' | 'to';
  readonly parts: readonly TracedPart[];
  /** What no entry covers: an account overdrawn, or money that is still there. */
  readonly rest: string;
  /** What the caller may not read. */
  readonly unseen: { readonly count: number; readonly amount: string };
}

/**
 * 追溯: money is paid out of what came in first. Each living entry in takes a stretch of everything that came in, each out
 * of everything that went out; where two stretches meet, the one paid for the other.
 */
export async function traceEntry(call: Call, id: string): Promise<EntryTrace> {
  const { ledger } = call.resource;
  const stored =
    ledger !== undefined && isRecordId(id) ? await readStored(callersReader(call), call, id) : null;
  if (ledger === undefined || stored === null) throw new AppError('NOT_FOUND');
  if (!canSee(call.access, ledger.amount) || !canSee(call.access, ledger.account))
    throw new AppError('FORBIDDEN');
  const amount = textOf(stored[ledger.amount]);
  const isOut = compareDecimals(amount, '0') < 0;
  const met = await meetings(call, { ledger, entry: stored, isOut });
  const records = await readStoredMany(
    callersReader(call),
    call,
    met.map((one) => one.id),
    { operation: 'read' },
  );
  const byId = new Map(records.map((record) => [String(record['id']), record]));
  const sources = await sourcesOf(call, ledger, [stored, ...records]);
  const seen = met.flatMap((one): TracedPart[] => {
    const record = byId.get(one.id);
    return record === undefined
      ? []
      : [{ entry: shown(call, record), source: sources(record), amount: one.amount }];
  });
  const unseen = met.filter((one) => !byId.has(one.id));
  const whole = isOut ? subtractDecimals('0', amount) : amount;
  const covered = sumDecimals(met.map((one) => one.amount));
  return {
    entry: shown(call, stored),
    source: sources(stored),
    direction: isOut ? 'from' : 'to',
    parts: seen,
    rest: stored['live'] === true ? addDecimals(subtractDecimals(whole, covered), '0') : '0',
    unseen: { count: unseen.length, amount: sumDecimals(unseen.map((one) => one.amount)) },
  };
}

interface Meeting {
  readonly id: string;
  readonly amount: string;
}

async function meetings(
  call: Call,
  traced: { readonly ledger: LedgerDefinition; readonly entry: OpenRecord; readonly isOut: boolean },
): Promise<readonly Meeting[]> {
  const { ledger, entry, isOut } = traced;
  const { resource, services } = call;
  const [table, amount] = [tableOf(resource), quoteName(ledger.amount)];
  const reverses = quoteName(ledger.reverses);
  const sameCompany = resource.scope === 'company' ? ' and t.co_code = $4' : '';
  const rows = await services.db.query(
    `with live as (
       select t.id, abs(t.${amount}) as size, t.${amount} < 0 as out,
         sum(abs(t.${amount})) over (partition by t.${amount} < 0 order by t.posted_seq) as until, t.posted_seq as seq
       from ${table} t
       where t.${quoteName(ledger.account)} = $1::uuid${sameCompany} and t.${reverses} is null
         and not exists (select 1 from ${table} m where m.${reverses} = t.id)),
     me as (select * from live where id = $2::uuid)
     select o.id, (least(o.until, me.until) - greatest(o.until - o.size, me.until - me.size))::text as amount
     from live o, me where o.out <> $3::boolean and o.until > me.until - me.size and o.until - o.size < me.until
     order by o.seq`,
    [entry[ledger.account], entry['id'], isOut, ...(resource.scope === 'company' ? [entry['co_code']] : [])],
  );
  return rows.map((row) => ({ id: String(row['id']), amount: textOf(row['amount']) }));
}

async function sourcesOf(
  call: Call,
  ledger: LedgerDefinition,
  records: readonly OpenRecord[],
): Promise<(record: OpenRecord) => EntrySource | null> {
  const [resourceField, idField, lineField] = ledger.source;
  const placeOf = (record: OpenRecord): { readonly resource: string; readonly id: string } => ({
    resource: textOf(record[resourceField] ?? ''),
    id: textOf(record[idField] ?? ''),
  });
  const labels = await visibleLabels(
    call.services.db,
    call,
    records.map(placeOf).filter(({ id }) => isRecordId(id)),
  );
  return (record) => {
    const place = placeOf(record);
    const label = labels.get(labelKey(place.resource, place.id));
    if (label === undefined) return null;
    const line = record[lineField];
    const resource = call.catalog.resources[place.resource];
    return {
      ...place,
      label,
      title: resource?.title ?? '',
      address: resource === undefined ? null : recordAddress(openPages(resource, call.caller), place.id),
      line: typeof line === 'string' && line !== HEAD_LINE ? line : null,
    };
  };
}

function shown(call: Call, record: OpenRecord): OpenRecord {
  return presentRow(call, record, { fields: visibleFields(call, null) });
}
