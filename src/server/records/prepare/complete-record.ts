import { applyDefaults, applyLateDefaults } from '#engine/record/apply-defaults.ts';
import { applyOwn } from '#engine/record/apply-own.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { lateDefaults } from '#engine/schema/default-order.ts';
import type { FollowDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import {
  type Attached,
  attachReferences,
  linesOf,
  type OpenRecord,
} from '#server/records/read/attach-references.ts';
import { fillUnstored } from '#server/records/read/unstored-values.ts';
import { withLineDefaults } from './fill-new-lines.ts';
import { withListsFollowing } from './follow-lists.ts';
import { fillFromReferences, fillPaths, normaliseValues } from './fill-references.ts';
import { type ForeignReference, takeOutForeign } from './foreign-references.ts';
import { type Call, isSystemCall } from '#server/records/call/open-call.ts';
import { weightOf } from './record-weight.ts';
import { takeFinds, type TakenRecord } from './take-finds.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { describeAmendment } from '#server/records/follow/amendment.ts';
import { withFrozenSums } from './with-frozen-sums.ts';
import { emptyRollup } from '#server/records/derive/rollup-fields.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** A record with everything that is not the caller's, and the references that were taken out before: see `takeOutForeign`. */
export interface Completed {
  readonly record: OpenRecord;
  readonly foreign: readonly ForeignReference[];
}

/** Defaults, fill values, formulas: everything of a new record that is not the caller's. */
export async function completeNew(db: Reader, call: Call, draft: OpenRecord): Promise<OpenRecord> {
  return only(await completeDrafts(db, call, [draft])).record;
}

/** The same for many. */
export async function completeNewMany(
  db: Reader,
  call: Call,
  drafts: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  return (await completeDrafts(db, call, drafts)).map(({ record }) => record);
}

/** The same, with what was taken out of each. */
export async function completeDrafts(
  db: Reader,
  call: Call,
  drafts: readonly OpenRecord[],
): Promise<readonly Completed[]> {
  const { resource } = call;
  const attached = await attachForMany(db, call, drafts);
  const foreign = drafts.map((draft) => takeOutForeign(call, attached, { record: draft, previous: null }));
  const again: OpenRecord[] = [];
  const records = drafts.map((draft) => {
    const filled = openCopy(call, fillFromReferences(resource, draft, null));
    const before = referenceIds(call, filled);
    const record = openCopy(call, applyDefaults(resource, filled, recordScope(call, filled)));
    if (referenceIds(call, record) !== before) again.push(record);
    return record;
  });
  await attachForMany(db, call, again);
  const entries = [...resource.then.create, ...resource.then.save];
  const described = await describeAll(db, call, records);
  const written = described.map((record) => {
    fillRollups(resource, record);
    return { record: withOwnWrites(call, entries, { record, before: null }), before: null };
  });
  const settled = await withLateDefaults(db, call, { settled: await settleMany(db, call, written), written });
  return settled.map((record, index) => ({
    record: withEmptyFields(call, record),
    foreign: foreign[index] ?? [],
  }));
}

/** Amendments show what their changes stand against. */
async function describeAll(
  db: Reader,
  call: Call,
  records: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  if (call.resource.amendment === undefined) return records;
  const described: OpenRecord[] = [];
  for (const record of records) described.push(await describeAmendment(db, call, record));
  return described;
}

function fillRollups(resource: Resource, record: OpenRecord): void {
  for (const field of Object.values(resource.fields)) {
    if (field.rollup !== undefined) record[field.name] ??= emptyRollup(field);
    for (const cell of Object.values(field.fields ?? {}))
      if (cell.rollup !== undefined)
        for (const line of linesOf(record[field.name])) line[cell.name] ??= emptyRollup(cell);
  }
}

/** Fill values and formulas of merged records. */
export async function completeChanges(
  db: Reader,
  call: Call,
  changes: readonly { readonly current: OpenRecord; readonly merged: OpenRecord }[],
): Promise<readonly Completed[]> {
  const attached = await attachForMany(
    db,
    call,
    changes.map(({ merged }) => merged),
  );
  const { resource } = call;
  const entries = [...resource.then.update, ...resource.then.save];
  const foreign = changes.map(({ current, merged }) =>
    takeOutForeign(call, attached, { record: merged, previous: current }),
  );
  const drafts = changes.map(({ current, merged }) =>
    openCopy(call, withLineDefaults(call, fillFromReferences(resource, merged, current))),
  );
  const filled = await describeAll(db, call, drafts);
  const written = changes.map(({ current, merged }, index) => ({
    record: withOwnWrites(call, entries, { record: filled[index] ?? merged, before: current }),
    before: current,
  }));
  const settled = await withLateDefaults(db, call, { settled: await settleMany(db, call, written), written });
  return settled.map((record, index) => ({ record, foreign: foreign[index] ?? [] }));
}

/** Defaults that read formulas and finds, round by round, and what follows from them. */
async function withLateDefaults(
  db: Reader,
  call: Call,
  { settled, written }: { readonly settled: readonly OpenRecord[]; readonly written: readonly TakenRecord[] },
): Promise<readonly OpenRecord[]> {
  const { resource } = call;
  let records = settled;
  for (const round of lateDefaults(resource)) {
    const again: OpenRecord[] = [];
    const filled = records.map((record, index) => {
      const before = written[index]?.before ?? null;
      const scope = { ...recordScope(call, record), ...(before === null ? {} : { before }) };
      const given = applyLateDefaults(resource, record, { scope, round });
      if (given === record) return record;
      const copy = openCopy(call, given);
      if (referenceIds(call, copy) !== referenceIds(call, record)) again.push(copy);
      return copy;
    });
    if (filled.every((record, index) => record === records[index])) continue;
    await attachForMany(db, call, again);
    const taken = filled.map((record, index) => ({ record, before: written[index]?.before ?? null }));
    records = await settleMany(db, call, taken);
  }
  return records;
}

/** Stored records as a write that changes nothing would leave them. */
export async function completeAgain(
  db: Reader,
  call: Call,
  records: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  const open = records.map((record) => openCopy(call, record));
  await attachForMany(db, call, open);
  return settleMany(
    db,
    call,
    open.map((record, index) => ({ record, before: records[index] ?? record })),
  );
}

/** What the entries of `then` write into their own record is part of the write. */
export function withOwnWrites(
  call: Call,
  entries: readonly FollowDefinition[],
  { record, before }: { readonly record: OpenRecord; readonly before: OpenRecord | null },
): OpenRecord {
  if (entries.length === 0) return record;
  const scope = { ...recordScope(call, record), ...(before === null ? {} : { before }) };
  return openCopy(call, withLineDefaults(call, applyOwn(call.resource, entries, record, scope)));
}

/** Takes finds, clears hidden fields, runs formulas, brings values into stored form. */
export async function settle(
  db: Reader,
  call: Call,
  written: TakenRecord,
  isRefresh = false,
): Promise<OpenRecord> {
  return only(await settleMany(db, call, [written], isRefresh));
}

async function settleMany(
  db: Reader,
  call: Call,
  written: readonly TakenRecord[],
  isRefresh = false,
): Promise<readonly OpenRecord[]> {
  const { resource } = call;
  const found = await takeFinds(db, call, written, {
    attach: (records) => attachForMany(db, call, records),
    copy: (record) => openCopy(call, record),
    isRefresh,
  });
  const summed = await withFrozenSums(db, call, { found, written, isRefresh });
  const finish = (record: OpenRecord, index: number): OpenRecord => {
    const surroundings = { before: written[index]?.before ?? null, isRefresh };
    const shown = clearHidden(resource, record, { ...recordScope(call, record), ...surroundings });
    const cleared = withListsFollowing(call, shown, surroundings.before);
    const computed = computeRecord(resource, cleared, { ...recordScope(call, cleared), ...surroundings });
    return normaliseValues(resource, openCopy(call, computed));
  };
  return mapInTurns(summed, finish, weightOf);
}

/** Loads labels and the values that rules and fills read. */
export async function attachFor(db: Reader, call: Call, record: OpenRecord): Promise<void> {
  await attachForMany(db, call, [record]);
}

/** The same for many records of one company. */
export async function attachForMany(
  db: Reader,
  call: Call,
  records: readonly OpenRecord[],
): Promise<Attached> {
  const { catalog, resource, caller } = call;
  const [first] = records;
  if (first === undefined) return { closed: new Map(), foreign: new Map() };
  const attached = await attachReferences(db, {
    catalog,
    resource,
    records,
    withPaths: true,
    withLabels: true,
    withForeign: true,
    company: textOf(first['co_code'] ?? caller.subject.co_code),
    extraPaths: fillPaths(resource),
    ...(isSystemCall(call) ? {} : { reader: call }),
  });
  fillUnstored(call, records);
  return attached;
}

/** A copy whose head and lines may be changed without touching what it was made from. */
export function openCopy(call: Call, record: ErpRecord): OpenRecord {
  const copy: OpenRecord = { ...record };
  for (const field of lineFieldsOf(call.resource)) {
    const lines = copy[field.name];
    if (Array.isArray(lines)) copy[field.name] = linesOf(lines).map((line) => ({ ...line }));
  }
  return copy;
}

/** Fields that nobody gave a value are null, as they come back from the database. */
function withEmptyFields(call: Call, record: OpenRecord): OpenRecord {
  for (const field of Object.values(call.resource.fields)) {
    record[field.name] ??= field.type === 'lines' ? [] : null;
    for (const cell of Object.values(field.fields ?? {}))
      for (const line of linesOf(record[field.name])) line[cell.name] ??= null;
  }
  return record;
}

function referenceIds(call: Call, record: OpenRecord): string {
  const ids: unknown[] = [];
  for (const field of Object.values(call.resource.fields)) {
    if (field.type === 'reference') ids.push(record[field.name] ?? null);
    for (const cell of Object.values(field.fields ?? {}))
      if (cell.type === 'reference')
        for (const line of linesOf(record[field.name])) ids.push(line[cell.name] ?? null);
  }
  return JSON.stringify(ids);
}

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new AppError('INTERNAL', { cause: new TypeError('nothing was prepared') });
  return first;
}
