import type { VoucherBookDefinition } from '#engine/schema/ledger-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { sessionOf } from '#server/records/follow/write-session.ts';
import { completeNewMany } from '#server/records/prepare/complete-record.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { drawNumbers } from '#server/records/write/draw-number.ts';
import { persistManyNew } from '#server/records/write/persist-record.ts';
import { runSaveRules } from '#server/records/write/save-rules.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import { ensurePeriod } from './voucher-period.ts';

/** Vouchers of documents of one resource, within their company. */
export interface VoucherRun {
  readonly tx: Tx;
  readonly call: Call;
  readonly resource: Resource;
  readonly book: VoucherBookDefinition;
}

/** A voucher that is about to be written. */
export interface NewVoucher {
  readonly document: OpenRecord;
  readonly date: string;
  readonly event: string;
  readonly lines: readonly OpenRecord[];
  readonly reverses: string | null;
}

/** Writes vouchers in their order and gives their ids. */
export async function writeVouchers(
  run: VoucherRun,
  made: readonly NewVoucher[],
): Promise<readonly string[]> {
  const { tx, call, resource, book } = run;
  const vouchers = openSystemCall(call.services, call.caller, resource.resource);
  const periods = await periodsOf(run, made);
  const drafts = made.map((voucher): OpenRecord => {
    const values = valuesOf(run, voucher, periods.get(voucher.date) ?? null);
    return { ...stampNew(vouchers, values), ...values };
  });
  const records = await completeNewMany(tx, vouchers, drafts);
  const numbers = await drawNumbers(tx, vouchers, records, 'post');
  for (const [index, record] of records.entries()) {
    const number = numbers[index] ?? null;
    if (number !== null && resource.number !== undefined) record[resource.number.field] = number;
  }
  const saved = await persistManyNew(tx, vouchers, { records, reason: { action: 'create' } });
  for (const [index, record] of saved.entries()) {
    await runSaveRules(tx, vouchers, { record, previous: null, action: 'create', created: [] });
    noteVoucher(run, {
      id: String(record['id']),
      event: made[index]?.event ?? '',
      lines: linesOf(record[book.lines]),
    });
  }
  return saved.map(({ id }) => String(id));
}

function valuesOf(
  { call, resource, book }: VoucherRun,
  { document, date, event, lines, reverses }: NewVoucher,
  period: string | null,
): OpenRecord {
  const [sourceResource, sourceId] = book.source;
  return {
    ...ownersOf(resource, document),
    [book.date]: date,
    [book.event]: event,
    [sourceResource]: call.resource.resource,
    [sourceId]: document['id'],
    [book.reverses]: reverses,
    [book.lines]: lines.map((line) => ({ ...line })),
    ...(book.made === undefined ? {} : { status: book.made }),
    ...(book.label === undefined ? {} : { [book.label]: recordLabel(call.resource, document) }),
    ...(book.period === undefined ? {} : { [book.period.field]: period }),
  };
}

/** The periods of the days of vouchers, each asked once. What a period books is made alone: it may enter its own. */
async function periodsOf(
  { tx, call, resource }: VoucherRun,
  made: readonly NewVoucher[],
): Promise<ReadonlyMap<string, string | null>> {
  const periods = new Map<string, string | null>();
  for (const voucher of made) {
    const { date, document } = voucher;
    const day = { date, document: { resource, record: document } };
    if (!periods.has(date)) periods.set(date, await ensurePeriod(tx, call, day));
  }
  return periods;
}

function ownersOf(resource: Resource, source: OpenRecord): OpenRecord {
  return Object.fromEntries(
    ['co_code', 'business_type', 'dept_code', 'sales_id']
      .filter((name) => resource.fields[name] !== undefined && source[name] !== undefined)
      .map((name) => [name, source[name]]),
  );
}

function noteVoucher(
  { tx, resource, book }: VoucherRun,
  made: { readonly id: string; readonly event: string; readonly lines: readonly OpenRecord[] },
): void {
  const { columns } = book;
  sessionOf(tx).vouchers.push({
    resource: resource.resource,
    id: made.id,
    event: made.event,
    lines: made.lines.map((line) => ({
      code: textOf(line[columns.code]),
      name: columns.name === undefined ? '' : textOf(line[columns.name] ?? ''),
      debit: textOf(line[columns.debit] ?? '0'),
      credit: textOf(line[columns.credit] ?? '0'),
    })),
  });
}
