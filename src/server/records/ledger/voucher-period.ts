import type { VoucherBookDefinition } from '#engine/schema/ledger-definition.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { statesOf } from '#engine/schema/state-groups.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { insertRecord } from '#server/records/write/system-write.ts';

/** The resource whose records are vouchers; null where none is declared. */
export function voucherBookOf(
  catalog: Pick<Catalog, 'resources'>,
): { readonly resource: Resource; readonly book: VoucherBookDefinition } | null {
  for (const resource of Object.values(catalog.resources))
    if (resource.voucherBook !== undefined) return { resource, book: resource.voucherBook };
  return null;
}

/** A document of the books: what it is, and what stands in it. */
export interface BookedDocument {
  readonly resource: Resource;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Refuses dates in periods that are closed; a period in use is not closed before this write is committed. */
export async function refuseClosed(
  tx: Tx,
  call: Call,
  booked: { readonly dates: readonly unknown[]; readonly document: BookedDocument },
): Promise<void> {
  for (const date of new Set(booked.dates))
    if (typeof date === 'string') await openPeriodOf(tx, call, { date, document: booked.document });
}

/** A day that something is booked on, by a document. */
interface BookedDay {
  readonly date: string;
  readonly document: BookedDocument;
}

/**
 * The id of the period that a date lies in, null when none is there. What a period itself books is entered in it whatever
 * its state. @throws RULE_REFUSED for a closed one, and for a month without any before a closed one, at the field that has
 * the date
 */
async function openPeriodOf(tx: Tx, call: Call, { date, document }: BookedDay): Promise<string | null> {
  const found = periodsOf(call.catalog);
  if (found === null) return null;
  const { periods, definition } = found;
  const [row] = await tx.query(
    `select t.id, t.status from ${tableOf(periods)} t
     where not t.is_deleted and t.co_code = $1 and $2::date between t.${quoteName(definition.from)} and t.${quoteName(definition.to)}
     order by t.id limit 1 for share`,
    [call.caller.subject.co_code, date],
    'period_of',
  );
  const isShut = (status: unknown): boolean =>
    statesOf(definition.closed, periods.lifecycle?.groups).includes(String(status));
  if (row === undefined) {
    const next = await nextStatus(tx, call, date);
    if (next !== null && isShut(next)) throw closed({ date, document });
    return null;
  }
  if (isShut(row['status']) && row['id'] !== document.record['id']) throw closed({ date, document });
  return String(row['id']);
}

/** The state of the first period after a day; null where none is. Behind a shut one no month is opened any more. */
async function nextStatus(tx: Tx, call: Call, date: string): Promise<string | null> {
  const found = periodsOf(call.catalog);
  if (found === null) return null;
  const from = `t.${quoteName(found.definition.from)}`;
  const [next] = await tx.query(
    `select t.status from ${tableOf(found.periods)} t
     where not t.is_deleted and t.co_code = $1 and ${from} > $2::date order by ${from} limit 1 for share`,
    [call.caller.subject.co_code, date],
    'period_after',
  );
  return next === undefined ? null : String(next['status']);
}

function closed({ date, document: { resource, record } }: BookedDay): AppError {
  const message = `会计期间已结账，不能操作（${date.slice(0, 7)}）`;
  const field = [...resource.postings, ...resource.vouchers]
    .map(({ date: name = '' }) => name.replace(/^parent\./, ''))
    .find((name) => name in resource.fields && record[name] === date);
  const problems = field === undefined ? [] : [{ path: field, code: 'period_closed', message }];
  return new AppError('RULE_REFUSED', { message, problems });
}

/** The same; a month that has none yet gets its period. */
export async function ensurePeriod(tx: Tx, call: Call, day: BookedDay): Promise<string | null> {
  const known = await openPeriodOf(tx, call, day);
  const found = periodsOf(call.catalog);
  if (known !== null || found === null) return known;
  const { periods, definition } = found;
  const { caller, services } = call;
  const month = day.date.slice(0, 7);
  try {
    return await tx.savepoint(async () => {
      const opened = await insertRecord({ tx, caller, services }, periods.resource, {
        [definition.month]: month.replace('-', ''),
        [definition.from]: `${month}-01`,
        [definition.to]: lastDayOf(month),
      });
      return String(opened['id']);
    });
  } catch (error) {
    const isTaken =
      (error instanceof DatabaseFault && error.kind === 'unique') ||
      (error instanceof AppError && error.code === 'DUPLICATE');
    if (!isTaken) throw error;
    return openPeriodOf(tx, call, day);
  }
}

function periodsOf(
  catalog: Catalog,
): { readonly periods: Resource; readonly definition: NonNullable<VoucherBookDefinition['period']> } | null {
  const found = voucherBookOf(catalog);
  const definition = found?.book.period;
  if (found === null || definition === undefined) return null;
  const to = found.resource.fields[definition.field]?.to;
  const periods = typeof to === 'string' ? catalog.resources[to] : undefined;
  return periods === undefined ? null : { periods, definition };
}

function lastDayOf(month: string): string {
  const [year = '', number = ''] = month.split('-');
  const last = new Date(Date.UTC(Number(year), Number(number), 0)).getUTCDate();
  return `${month}-${String(last).padStart(2, '0')}`;
}
