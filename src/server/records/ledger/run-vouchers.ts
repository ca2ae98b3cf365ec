import { among } from '#server/kernel/db/among.ts';
import { isAt } from '#engine/ledger/posting-moment.ts';
import { NoVoucherAccount, type PlannedVoucher, planVoucher } from '#engine/ledger/plan-voucher.ts';
import { type VoucherLine, voucherLines } from '#engine/ledger/voucher-lines.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { givenValue } from '#engine/record/compute-record.ts';
import type { VoucherBookDefinition, VoucherDefinition } from '#engine/schema/ledger-definition.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { readInOrder } from './post-together.ts';
import { inCompanyOf, type Posted } from './run-postings.ts';
import { takenBackLines } from './posted-entries.ts';
import { knownAccounts } from './voucher-accounts.ts';
import { voucherBookOf } from './voucher-period.ts';
import { type VoucherRun, writeVouchers } from './write-vouchers.ts';

/** Makes the vouchers of a write, and mirrors those of what it reversed. After everything else of the write. */
export async function runVouchers(tx: Tx, call: Call, posted: Posted): Promise<void> {
  const found = voucherBookOf(call.catalog);
  if (call.resource.vouchers.length === 0 || found === null) return;
  const due = dueVouchers(call, posted);
  if (due.length === 0 && posted.reversed === null) return;
  const run: VoucherRun = { tx, call: inCompanyOf(call, posted.after), ...found };
  if (posted.reversed !== null) await mirrorVouchers(run, posted);
  if (due.length > 0) await vouchAll(run, [posted]);
}

/** Makes the vouchers of many new records of one company, in their order, with as many statements as one needs. */
export async function vouchTogether(tx: Tx, call: Call, posted: readonly Posted[]): Promise<void> {
  const found = voucherBookOf(call.catalog);
  const [first] = posted;
  if (call.resource.vouchers.length === 0 || found === null || first === undefined) return;
  await vouchAll({ tx, call: inCompanyOf(call, first.after), ...found }, posted);
}

function dueVouchers({ resource }: Call, posted: Posted): readonly VoucherDefinition[] {
  return resource.vouchers.filter(({ at }) => isAt(at, posted, resource));
}

/** A voucher that a document gives, with the parts of the document that it covers. */
interface Vouched {
  readonly document: OpenRecord;
  readonly date: string;
  readonly event: string;
  readonly planned: PlannedVoucher;
}

async function vouchAll(run: VoucherRun, all: readonly Posted[]): Promise<void> {
  const { tx, call } = run;
  const records = await readInOrder(
    tx,
    call,
    all.map(({ after }) => after),
  );
  const old = all.filter(({ before }) => before !== null).map(({ after }) => String(after['id']));
  const known = old.length === 0 ? [] : await vouchedParts(run, old);
  const takenBack = await takenBackLines(tx, call, old);
  const vouched = all.flatMap((posted, index) => {
    const record = records[index] ?? posted.after;
    const scope = { ...recordScope(call, record), before: posted.before };
    const own: Part[] = known.filter(({ document }) => document === record['id']);
    const gone = takenBack.filter(({ document }) => document === record['id']);
    return dueVouchers(call, posted).flatMap((voucher): readonly Vouched[] => {
      own.push(...gone.map((line) => ({ ...line, event: voucher.event })));
      const made = planOf(run, voucher, { scope, known: own });
      if (made === null) return [];
      own.push(...partsOf(made));
      return [made];
    });
  });
  await writeVouched(run, vouched);
}

/** Writes vouchers of documents, and remembers what stands in them. */
async function writeVouched(run: VoucherRun, vouched: readonly Vouched[]): Promise<void> {
  if (vouched.length === 0) return;
  const { tx, call, book } = run;
  const pairs = vouched.flatMap(({ planned }) => planned.pairs);
  const accounts = await knownAccounts(tx, call, { book, pairs });
  const made = await writeVouchers(
    run,
    vouched.map(({ document, date, event, planned }) => ({
      document,
      date,
      event,
      lines: voucherLines(planned.pairs, accounts).map((line) => lineRow(book, line)),
      reverses: null,
    })),
  );
  await keepVouched(run, vouched, made);
}

/** The voucher that a definition gives of a document; null where nothing is left to vouch. */
function planOf(
  { call, resource, book }: VoucherRun,
  voucher: VoucherDefinition,
  { scope, known }: { readonly scope: Scope; readonly known: readonly Part[] },
): Vouched | null {
  if (voucher.when !== undefined && !matchesFilter(voucher.when, scope)) return null;
  const id = String(scope.record['id']);
  const parts = known
    .filter(({ event }) => event === voucher.event)
    .map(({ part }) => (part === id ? null : part));
  const cells = resource.fields[book.lines]?.fields ?? {};
  const planned = plan(voucher, scope, { cells, vouched: new Set(parts) });
  if (planned.pairs.length === 0) return null;
  const date =
    voucher.date === undefined ? null : givenValue(resource.fields[book.date], voucher.date, scope);
  const day = typeof date === 'string' ? date : call.caller.context.today;
  return { document: { ...scope.record }, date: day, event: voucher.event, planned };
}

/** A part of a document (its id for the head) that stands in a voucher of an event. */
interface Part {
  readonly document: string;
  readonly event: string;
  readonly part: string;
}

function partsOf({ document, event, planned }: Vouched): readonly Part[] {
  const id = String(document['id']);
  return [...planned.parts].map((part) => ({ document: id, event, part: part ?? id }));
}

/** What of which documents stands in the new vouchers. */
async function keepVouched(
  { tx, call, resource }: VoucherRun,
  vouched: readonly Vouched[],
  made: readonly string[],
): Promise<void> {
  const rows = vouched.flatMap((one, index) =>
    partsOf(one).map((part) => ({ ...part, voucher: made[index] })),
  );
  await tx.query(
    `insert into sys_vouched (voucher_resource, voucher_id, co_code, resource, record_id, event, part)
     select $1, v, $2, $3, i, e, p from unnest($4::uuid[], $5::uuid[], $6::text[], $7::uuid[]) r(v, i, e, p)`,
    [
      resource.resource,
      call.caller.subject.co_code,
      call.resource.resource,
      rows.map(({ voucher }) => voucher),
      rows.map(({ document }) => document),
      rows.map(({ event }) => event),
      rows.map(({ part }) => part),
    ],
    'vouched_keep',
  );
}

function plan(
  voucher: VoucherDefinition,
  scope: Scope,
  book: Parameters<typeof planVoucher>[2],
): PlannedVoucher {
  try {
    return planVoucher(voucher, scope, book);
  } catch (error) {
    if (!(error instanceof NoVoucherAccount)) throw error;
    throw new AppError('RULE_REFUSED', {
      message: '凭证缺少会计科目',
      problems: [{ path: error.path, code: 'account', message: '凭证缺少会计科目' }],
      cause: error,
    });
  }
}

interface VouchedPart extends Part {
  readonly voucher: string;
}

/** What of documents stands in vouchers that are not mirrored. */
async function vouchedParts(
  { tx, call }: VoucherRun,
  ids: readonly string[],
): Promise<readonly VouchedPart[]> {
  const rows = await tx.query(
    `select record_id, voucher_id, event, part from sys_vouched
     where resource = $1 and record_id = ${among('$2')} and mirror_id is null order by voucher_id`,
    [call.resource.resource, ids],
    'vouched_parts',
  );
  return rows.map((row) => ({
    document: String(row['record_id']),
    voucher: String(row['voucher_id']),
    event: textOf(row['event']),
    part: String(row['part']),
  }));
}

/**
 * Mirrors the vouchers of what was reversed: sides swapped, dated today or on the day that the reversal says. Lines that
 * stood in one of them and were not reversed are vouched anew on that day.
 */
async function mirrorVouchers(run: VoucherRun, posted: Posted): Promise<void> {
  const { tx, call, resource, book } = run;
  const id = String(posted.after['id']);
  const { reversed } = posted;
  const parts = await vouchedParts(run, [id]);
  const isReversed = ({ part }: VouchedPart): boolean =>
    reversed === 'all' || reversed?.has(part === id ? null : part) === true;
  const ids = [...new Set(parts.filter(isReversed).map(({ voucher }) => voucher))].toReversed();
  const vouchers = openSystemCall(call.services, call.caller, resource.resource);
  for (const voucher of ids) {
    const record = await readStored(tx, vouchers, voucher);
    if (record === null) continue;
    const { debit, credit } = book.columns;
    const [mirror] = await writeVouchers(run, [
      {
        document: posted.after,
        date: posted.reversedOn ?? call.caller.context.today,
        event: textOf(record[book.event]),
        lines: linesOf(record[book.lines]).map(({ id: _id, ...line }) => ({
          ...line,
          [debit]: line[credit] ?? null,
          [credit]: line[debit] ?? null,
        })),
        reverses: voucher,
      },
    ]);
    await tx.query('update sys_vouched set mirror_id = $2::uuid where voucher_id = $1::uuid', [
      voucher,
      mirror,
    ]);
  }
  const kept = parts.filter((part) => ids.includes(part.voucher) && !isReversed(part));
  if (kept.length > 0) await vouchKept(run, posted, kept);
}

/** What stays in the ledger of lines whose voucher went with that of another, whatever the moment of its voucher was. */
async function vouchKept(run: VoucherRun, posted: Posted, kept: readonly Part[]): Promise<void> {
  const [record = posted.after] = await readInOrder(run.tx, run.call, [posted.after]);
  const scope = { ...recordScope(run.call, record), before: posted.before };
  const document = String(record['id']);
  const fields = Object.values(run.call.resource.fields).filter(({ type }) => type === 'lines');
  const all = [document, ...fields.flatMap(({ name }) => linesOf(record[name]).map(({ id }) => String(id)))];
  const vouched = run.call.resource.vouchers.flatMap(({ when: _, date: __, ...voucher }) => {
    const { event } = voucher;
    const own = new Set(kept.flatMap((one) => (one.event === event ? [one.part] : [])));
    const known = all.flatMap((part) => (own.has(part) ? [] : [{ document, event, part }]));
    const made = own.size === 0 ? null : planOf(run, voucher, { scope, known });
    return made === null ? [] : [{ ...made, date: posted.reversedOn ?? made.date }];
  });
  await writeVouched(run, vouched);
}

function lineRow({ columns }: VoucherBookDefinition, line: VoucherLine): OpenRecord {
  const { account, side, amount } = line;
  const optional = [
    [columns.key, account.key],
    [columns.name, account.name],
    [columns.currency, line.currency],
    [columns.foreign, line.foreign],
    [columns.rate, line.rate],
  ] as const;
  return {
    ...line.with,
    ...Object.fromEntries(optional.flatMap(([name, value]) => (name === undefined ? [] : [[name, value]]))),
    [columns.code]: account.code,
    [columns.debit]: side === 'debit' ? amount : null,
    [columns.credit]: side === 'credit' ? amount : null,
  };
}
