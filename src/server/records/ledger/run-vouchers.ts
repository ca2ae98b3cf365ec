import { isAt } from '#engine/ledger/posting-moment.ts';
import { NoVoucherAccount, type PlannedVoucher, planVoucher } from '#engine/ledger/plan-voucher.ts';
import { type VoucherLine, voucherLines } from '#engine/ledger/voucher-lines.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { givenValue } from '#engine/record/compute-record.ts';
import type { VoucherBookDefinition, VoucherDefinition } from '#engine/schema/effects-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { sessionOf } from '#server/records/follow/write-session.ts';
import { attachFor, completeNew } from '#server/records/prepare/complete-record.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { drawNumber } from '#server/records/write/draw-number.ts';
import { persistNew } from '#server/records/write/persist-record.ts';
import { runSaveRules } from '#server/records/write/save-record.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import { inCompanyOf, type Posted } from './run-postings.ts';
import { knownAccounts } from './voucher-accounts.ts';
import { ensurePeriod, voucherBookOf } from './voucher-period.ts';

/** Makes the vouchers of a write, and mirrors those of what it reversed. After everything else of the write. */
export async function runVouchers(tx: Tx, call: Call, posted: Posted): Promise<void> {
  const { vouchers } = call.resource;
  const found = voucherBookOf(call.catalog);
  if (vouchers.length === 0 || found === null) return;
  const due = vouchers.filter(({ at }) => isAt(at, posted, call.resource));
  if (due.length === 0 && posted.reversed === null) return;
  const own = inCompanyOf(call, posted.after);
  const run: VoucherRun = { tx, call: own, ...found, posted };
  if (posted.reversed !== null) await mirrorVouchers(run);
  if (due.length === 0) return;
  const record = (await readStored(tx, own, String(posted.after['id']))) ?? posted.after;
  await attachFor(tx, own, record);
  const scope = { ...recordScope(own, record), before: posted.before };
  for (const voucher of due) await vouch(run, voucher, scope);
}

interface VoucherRun {
  readonly tx: Tx;
  readonly call: Call;
  readonly resource: Resource;
  readonly book: VoucherBookDefinition;
  readonly posted: Posted;
}

async function vouch(run: VoucherRun, voucher: VoucherDefinition, scope: Scope): Promise<void> {
  if (voucher.when !== undefined && !matchesFilter(voucher.when, scope)) return;
  const { book, resource, tx, call } = run;
  const id = String(scope.record['id']);
  const rows = await vouchedParts(run, id);
  const parts = rows
    .filter(({ event }) => event === voucher.event)
    .map(({ part }) => (part === id ? null : part));
  const cells = resource.fields[book.lines]?.fields ?? {};
  const planned = plan(voucher, scope, { cells, vouched: new Set(parts) });
  if (planned.pairs.length === 0) return;
  const lines = voucherLines(planned.pairs, await knownAccounts(tx, call, { book, pairs: planned.pairs }));
  const date =
    voucher.date === undefined ? null : givenValue(resource.fields[book.date], voucher.date, scope);
  const made = await writeVoucher(run, {
    date: typeof date === 'string' ? date : call.caller.context.today,
    event: voucher.event,
    lines: lines.map((line) => lineRow(book, line)),
    reverses: null,
  });
  await tx.query(
    `insert into sys_vouched (voucher_resource, voucher_id, co_code, resource, record_id, event, part)
     select $1, $2::uuid, $3, $4, $5::uuid, $6, p from unnest($7::uuid[]) p`,
    [
      resource.resource,
      made,
      call.caller.subject.co_code,
      call.resource.resource,
      id,
      voucher.event,
      [...planned.parts].map((part) => part ?? id),
    ],
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

interface VouchedPart {
  readonly voucher: string;
  readonly event: string;
  readonly part: string;
}

/** What of a document stands in vouchers that are not mirrored. */
async function vouchedParts({ tx, call }: VoucherRun, id: string): Promise<readonly VouchedPart[]> {
  const rows = await tx.query(
    `select voucher_id, event, part from sys_vouched
     where resource = $1 and record_id = $2::uuid and mirror_id is null order by voucher_id`,
    [call.resource.resource, id],
  );
  return rows.map((row) => ({
    voucher: String(row['voucher_id']),
    event: textOf(row['event']),
    part: String(row['part']),
  }));
}

/** Mirrors the vouchers of what was reversed: sides swapped, dated today or on the day that the reversal says. */
async function mirrorVouchers(run: VoucherRun): Promise<void> {
  const { tx, call, resource, book, posted } = run;
  const id = String(posted.after['id']);
  const { reversed } = posted;
  const parts = await vouchedParts(run, id);
  const isReversed = ({ part }: VouchedPart): boolean =>
    reversed === 'all' || reversed?.has(part === id ? null : part) === true;
  const ids = [...new Set(parts.filter(isReversed).map(({ voucher }) => voucher))].toReversed();
  const vouchers = openSystemCall(call.services, call.caller, resource.resource);
  for (const voucher of ids) {
    const record = await readStored(tx, vouchers, voucher);
    if (record === null) continue;
    const { debit, credit } = book.columns;
    const mirror = await writeVoucher(run, {
      date: posted.reversedOn ?? call.caller.context.today,
      event: textOf(record[book.event]),
      lines: linesOf(record[book.lines]).map(({ id: _id, ...line }) => ({
        ...line,
        [debit]: line[credit] ?? null,
        [credit]: line[debit] ?? null,
      })),
      reverses: voucher,
    });
    await tx.query('update sys_vouched set mirror_id = $2::uuid where voucher_id = $1::uuid', [
      voucher,
      mirror,
    ]);
  }
}

interface NewVoucher {
  readonly date: string;
  readonly event: string;
  readonly lines: readonly OpenRecord[];
  readonly reverses: string | null;
}

async function writeVoucher(run: VoucherRun, made: NewVoucher): Promise<string> {
  const { tx, call, resource, book, posted } = run;
  const vouchers = openSystemCall(call.services, call.caller, resource.resource);
  const [sourceResource, sourceId] = book.source;
  const period = await ensurePeriod(tx, call, made.date, posted.after['id']);
  const values: OpenRecord = {
    ...ownersOf(resource, posted.after),
    [book.date]: made.date,
    [book.event]: made.event,
    [sourceResource]: call.resource.resource,
    [sourceId]: posted.after['id'],
    [book.reverses]: made.reverses,
    [book.lines]: made.lines.map((line) => ({ ...line })),
    ...(book.label === undefined ? {} : { [book.label]: recordLabel(call.resource, posted.after) }),
    ...(book.period === undefined ? {} : { [book.period.field]: period }),
  };
  const record = await completeNew(tx, vouchers, { ...stampNew(vouchers, values), ...values });
  const number = await drawNumber(tx, vouchers, { record, at: 'post' });
  if (number !== null && resource.number !== undefined) record[resource.number.field] = number;
  const saved = await persistNew(tx, vouchers, { record, reason: { action: 'create' } });
  await runSaveRules(tx, vouchers, { record: saved, previous: null, action: 'create', created: [] });
  noteVoucher(run, { id: String(saved['id']), event: made.event, lines: linesOf(saved[book.lines]) });
  return String(saved['id']);
}

function ownersOf(resource: Resource, source: OpenRecord): OpenRecord {
  return Object.fromEntries(
    ['co_code', 'business_type', 'dept_code', 'sales_id']
      .filter((name) => resource.fields[name] !== undefined && source[name] !== undefined)
      .map((name) => [name, source[name]]),
  );
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
