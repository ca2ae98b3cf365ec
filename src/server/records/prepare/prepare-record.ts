import { isRowOpen } from '#engine/lifecycle/action-states.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import { describeAmendment } from '#server/records/follow/amendment.ts';
import { applyOwn } from '#engine/record/apply-own.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { mergeRecord, problemsAsSubmitted, unknownLines } from '#engine/record/merge-record.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import type { FollowDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { closedChanges, closedFields, dropClosed } from './closed-fields.ts';
import { closedByEntries } from '#server/records/ledger/posted-fields.ts';
import { checkReferencesOfMany } from './check-references.ts';
import { checkSecrets } from './check-secrets.ts';
import { claimProblems, withoutReadOnly } from './server-decided.ts';
import { fillFromReferences, fillPaths, normaliseValues } from './fill-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { emptyRollup } from '#server/records/derive/rollup-fields.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** A record ready to be written, with everything that is wrong with it. */
export interface PreparedRecord {
  readonly record: OpenRecord;
  readonly problems: readonly FieldProblem[];
  /** The row would lie outside what the role may create. */
  readonly isOutside: boolean;
}

/** Parses, stamps, defaults, fills, computes and checks a new record. Nothing is written. */
export async function prepareNew(db: Reader, call: Call, body: unknown): Promise<PreparedRecord> {
  return only(await prepareNewMany(db, call, [body]));
}

/** The same for many new records, with as many statements as one needs. */
export async function prepareNewMany(
  db: Reader,
  call: Call,
  bodies: readonly unknown[],
): Promise<readonly PreparedRecord[]> {
  const { resource } = call;
  const open = editableFields(resource, {}, call.access);
  const parsed = bodies.map((body) => {
    const sent = parseRecord(resource, body, 'create');
    return { ...sent, ...withoutReadOnly(call, sent) };
  });
  const drafts = parsed.map(({ values }) => stampNew(call, openCopy(call, values)));
  const records = await completeNewMany(db, call, drafts);
  const references = await checkReferencesOfMany(
    db,
    call,
    records.map((record) => ({ record, previous: null })),
  );
  const secrets = await Promise.all(parsed.map(({ values }) => checkSecrets(resource, values)));
  return records.map((record, index) => ({
    record,
    problems: [
      ...(parsed[index]?.problems ?? []),
      ...(secrets[index] ?? []),
      ...claimProblems(call, parsed[index]?.claims ?? [], { before: null, after: record }),
      ...closedFields(call, parsed[index]?.values ?? {}, open),
      ...checkRecord(resource, record, recordScope(call, record), { complete: false }),
      ...(references[index] ?? []),
    ],
    isOutside: !isCreatable(call, record),
  }));
}

/** A stored record, read under a lock where it will be written, and the body of its PATCH. */
export interface Change {
  readonly current: OpenRecord;
  readonly body: unknown;
}

/** Merges a PATCH into a stored record, computes and checks the result. Nothing is written. */
export async function prepareChange(db: Reader, call: Call, change: Change): Promise<PreparedRecord> {
  return only(await prepareChanges(db, call, [change]));
}

/** The same for many stored records. */
export async function prepareChanges(
  db: Reader,
  call: Call,
  changes: readonly Change[],
): Promise<readonly PreparedRecord[]> {
  const { resource } = call;
  const merges = changes.map(({ current, body }) => {
    const parsed = parseRecord(resource, body, 'update');
    const values = normaliseValues(resource, openCopy(call, parsed.values));
    const problems = [
      ...parsed.problems,
      ...unknownLines(resource, current, values),
      ...closedChanges(call, current, values),
    ];
    const patch = withLineDefaults(call, dropClosed(call, current, values), current);
    const merged = openCopy(call, mergeRecord(resource, current, patch));
    return { current, patch, problems, values, merged, claims: parsed.claims };
  });
  const records = await completeChanges(db, call, merges);
  const references = await checkReferencesOfMany(
    db,
    call,
    merges.map(({ current }, index) => ({ record: records[index] ?? current, previous: current })),
  );
  const secrets = await Promise.all(merges.map(({ values }) => checkSecrets(resource, values)));
  const posted = await closedByEntries(
    db,
    call,
    merges.map(({ current }, index) => ({ current, next: records[index] ?? current })),
  );
  return merges.map(({ current, patch, problems, claims }, index) => {
    const record = records[index] ?? current;
    const found = [
      ...withoutOldGaps(call, current, {
        patch,
        problems: checkRecord(
          resource,
          record,
          { ...recordScope(call, record), before: current },
          {
            complete: isBeyondDraft(call, record),
          },
        ),
      }),
      ...(references[index] ?? []),
      ...(posted[index] ?? []),
    ];
    const submitted = problemsAsSubmitted(resource, found, { current, patch });
    const claimed = claimProblems(call, claims, { before: current, after: record });
    return {
      record,
      problems: [...problems, ...(secrets[index] ?? []), ...claimed, ...submitted],
      isOutside: false,
    };
  });
}

/** Defaults, fill values, formulas: everything of a new record that is not the caller's. */
export async function completeNew(db: Reader, call: Call, draft: OpenRecord): Promise<OpenRecord> {
  return only(await completeNewMany(db, call, [draft]));
}

/** The same for many. */
export async function completeNewMany(
  db: Reader,
  call: Call,
  drafts: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  const { resource } = call;
  await attachForMany(db, call, drafts);
  const again: OpenRecord[] = [];
  const records = drafts.map((draft) => {
    const filled = openCopy(call, fillFromReferences(resource, draft, null));
    const before = referenceIds(call, filled);
    const record = openCopy(call, applyDefaults(resource, filled, recordScope(call, filled)));
    if (referenceIds(call, record) !== before) again.push(record);
    return record;
  });
  await attachForMany(db, call, again);
  const described = await describeAll(db, call, records);
  return described.map((record) => {
    fillRollups(resource, record);
    const entries = [...resource.then.create, ...resource.then.save];
    return withEmptyFields(call, settle(call, withOwnWrites(call, entries, { record, before: null })));
  });
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

/** Fill values and formulas of a merged record. */
export async function completeChange(
  db: Reader,
  call: Call,
  change: { readonly current: OpenRecord; readonly merged: OpenRecord },
): Promise<OpenRecord> {
  return only(await completeChanges(db, call, [change]));
}

async function completeChanges(
  db: Reader,
  call: Call,
  changes: readonly { readonly current: OpenRecord; readonly merged: OpenRecord }[],
): Promise<readonly OpenRecord[]> {
  await attachForMany(
    db,
    call,
    changes.map(({ merged }) => merged),
  );
  const { resource } = call;
  const entries = [...resource.then.update, ...resource.then.save];
  const filled = await describeAll(
    db,
    call,
    changes.map(({ current, merged }) => openCopy(call, fillFromReferences(resource, merged, current))),
  );
  return changes.map(({ current, merged }, index) => {
    const record = filled[index] ?? merged;
    return settle(call, withOwnWrites(call, entries, { record, before: current }));
  });
}

/** What the entries of `then` write into their own record is part of the write. */
export function withOwnWrites(
  call: Call,
  entries: readonly FollowDefinition[],
  { record, before }: { readonly record: OpenRecord; readonly before: OpenRecord | null },
): OpenRecord {
  if (entries.length === 0) return record;
  const scope = { ...recordScope(call, record), ...(before === null ? {} : { before }) };
  return openCopy(call, applyOwn(call.resource, entries, record, scope));
}

/** Clears hidden fields, runs formulas, brings values into stored form. */
export function settle(call: Call, record: OpenRecord): OpenRecord {
  const { resource } = call;
  const cleared = clearHidden(resource, record, recordScope(call, record));
  const computed = computeRecord(resource, cleared, recordScope(call, cleared));
  return normaliseValues(resource, openCopy(call, computed));
}

/** Loads labels and the values that rules and fills read. */
export async function attachFor(db: Reader, call: Call, record: OpenRecord): Promise<void> {
  await attachForMany(db, call, [record]);
}

async function attachForMany(db: Reader, call: Call, records: readonly OpenRecord[]): Promise<void> {
  const { catalog, resource, caller } = call;
  const [first] = records;
  if (first === undefined) return;
  await attachReferences(db, {
    catalog,
    resource,
    records,
    withPaths: true,
    withLabels: true,
    company: textOf(first['co_code'] ?? caller.subject.co_code),
    extraPaths: fillPaths(resource),
  });
}

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new AppError('INTERNAL', { cause: new TypeError('nothing was prepared') });
  return first;
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

/** True once a document has left its initial state: what was complete must stay so. */
function isBeyondDraft(call: Call, record: OpenRecord): boolean {
  const { lifecycle, kind } = call.resource;
  if (kind !== 'document' || lifecycle === undefined) return false;
  const status = record['status'];
  return status !== lifecycle.initial && status !== 'rejected';
}

/** A record submitted incomplete (`"complete": false`) may be filled in bit by bit, by several people: what was missing before is no fault of this change. */
function withoutOldGaps(
  call: Call,
  current: OpenRecord,
  found: { readonly patch: OpenRecord; readonly problems: readonly FieldProblem[] },
): readonly FieldProblem[] {
  const isGap = ({ code, path }: FieldProblem): boolean =>
    code === 'required' && !Object.hasOwn(found.patch, path);
  if (!isBeyondDraft(call, current) || !found.problems.some(isGap)) return found.problems;
  const before = checkRecord(call.resource, current, recordScope(call, current), { complete: true });
  const old = new Set(before.filter(isGap).map(({ path }) => path));
  return found.problems.filter((problem) => !isGap(problem) || !old.has(problem.path));
}

function isCreatable(call: Call, record: OpenRecord): boolean {
  return isRowOpen(recordScope(call, record), call.access, 'create');
}

function withLineDefaults(call: Call, values: OpenRecord, current: OpenRecord): OpenRecord {
  const filled = applyDefaults(call.resource, { ...current, ...values }, recordScope(call, current));
  const result: OpenRecord = { ...values };
  for (const field of lineFieldsOf(call.resource))
    if (Array.isArray(values[field.name])) result[field.name] = filled[field.name];
  return result;
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
