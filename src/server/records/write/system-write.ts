import { checkRecord } from '#engine/record/check-record.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { CreatedRecord, RuleCall } from '#server/records/rules/rule-registry.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { attachReferences } from '#server/records/read/attach-references.ts';
import { checkReferencesOfMany, type WrittenRecord } from '#server/records/prepare/check-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { persistChanges, persistManyNew } from './persist-record.ts';
import { completeChanges, completeNewMany, openCopy } from '#server/records/prepare/complete-record.ts';
import { stampNew } from './stamp-new.ts';
import { lockRows, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { performAction, requireAction } from '#server/records/action/run-action.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers } from '#server/records/ledger/run-vouchers.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { runSaveRules } from './save-rules.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** What a system write needs of the rule that makes it; a `RuleCall` has it all. */
export type SystemContext = Pick<RuleCall, 'tx' | 'services' | 'caller'> & {
  readonly created?: CreatedRecord[];
};

/**
 * Creates a record of any kind, ledgers included, in the rule's transaction: defaults, fill values, formulas, number,
 * uniques, audit, sums. Any field may be given, system fields and status too. References are checked for existence and
 * company; required fields are not, since a made draft may be incomplete. It is added to the answer's `_created`.
 */
export async function insertRecord(
  context: SystemContext,
  key: string,
  values: OpenRecord,
  action: 'create' | 'made' = 'create',
): Promise<OpenRecord> {
  const [saved] = await insertRecords(context, key, [values], action);
  return saved ?? {};
}

/** The same for many records, with as few statements as one needs. */
export async function insertRecords(
  context: SystemContext,
  key: string,
  values: readonly OpenRecord[],
  action: 'create' | 'made' = 'create',
): Promise<readonly OpenRecord[]> {
  const { tx, services, caller, created } = context;
  if (values.length === 0) return [];
  const call = openSystemCall(services, caller, key);
  const records = await readyRecords(context, call, values);
  const stored = await persistManyNew(tx, call, { records, reason: { action } });
  for (const saved of stored) {
    await runSaveRules(tx, call, { record: saved, previous: null, created: created ?? [], action: 'create' });
    created?.push({ resource: key, id: String(saved['id']), label: recordLabel(call.resource, saved) });
  }
  return stored;
}

async function readyRecords(
  { tx }: SystemContext,
  call: Call,
  values: readonly OpenRecord[],
): Promise<readonly OpenRecord[]> {
  const drafts = values.map((given) => {
    for (const name of Object.keys(given)) requireField(call, name);
    return { ...stampNew(call, withoutUndefined(given)), ...withoutUndefined(given) };
  });
  const records = await completeNewMany(tx, call, drafts);
  await refuseUnfit(
    tx,
    call,
    records.map((record) => ({ record, previous: null })),
  );
  return records;
}

/** What the system writes of a record; `action` and the others go into its audit row. */
interface SystemReason {
  readonly action?: string;
  readonly opinion?: string | null;
  /** What follows from a record's own values, in the write that gave them: under its version, with an audit row of its own. */
  readonly isSameWrite?: true;
}

/**
 * Writes fields of a record as the system: no rights, no state, audited, formulas and sums follow. Lines given replace
 * the whole list (keep their ids). `status` may be set; use `runSystemAction` where an action exists.
 */
export async function updateRecordFields(
  context: SystemContext,
  key: string,
  change: { readonly id: string; readonly fields: OpenRecord } & SystemReason,
): Promise<OpenRecord> {
  const { id, fields, ...reason } = change;
  const [saved] = await updateManyRecordFields(context, key, { changes: [{ id, fields }], reason });
  return saved ?? {};
}

/** The same for many records, with as few statements as one needs; each as it then is, in the order in which they were given. */
export async function updateManyRecordFields(
  context: SystemContext,
  key: string,
  {
    changes,
    reason,
  }: {
    readonly changes: readonly { readonly id: string; readonly fields: OpenRecord }[];
    readonly reason: SystemReason;
  },
): Promise<readonly OpenRecord[]> {
  const { services, caller } = context;
  if (changes.length === 0) return [];
  const call = openSystemCall(services, caller, key);
  const written = await prepareUpdates(context, call, changes);
  const moved = written.filter(
    ({ before, after }) =>
      after['status'] !== before['status'] || diffRecords(call.resource, before, after).length > 0,
  );
  const results = new Map(written.map(({ before }) => [before['id'], before]));
  const saved = await persistMoved(context, call, { moved, reason });
  for (const [index, { before, after }] of moved.entries()) {
    const change = { before, after: saved[index] ?? after, action: reason.action ?? null };
    results.set(before['id'], await followUpdate(context, call, change));
  }
  return changes.map(({ id }) => results.get(id) ?? {});
}

/** A record as it is stored and as it will be. */
interface Update {
  readonly before: OpenRecord;
  readonly after: OpenRecord;
}

async function prepareUpdates(
  context: SystemContext,
  call: Call,
  changes: readonly { readonly id: string; readonly fields: OpenRecord }[],
): Promise<readonly Update[]> {
  for (const { fields } of changes) for (const name of Object.keys(fields)) requireField(call, name);
  const merged = await mergeStored(context, call, changes);
  const completed = await completeChanges(context.tx, call, merged);
  const written = merged.map(({ current }, index) => ({
    before: current,
    after: completed[index]?.record ?? current,
  }));
  const asked = written.map(({ before, after }) => ({ record: after, previous: before }));
  await refuseUnfit(context.tx, call, asked);
  return written;
}

async function persistMoved(
  { tx }: SystemContext,
  call: Call,
  { moved, reason }: { readonly moved: readonly Update[]; readonly reason: SystemReason },
): Promise<readonly OpenRecord[]> {
  if (moved.length === 0) return [];
  const changes = moved.map((one) => {
    const was = one.before['status'];
    return one.after['status'] === was ? one : { ...one, storage: { previous_status: String(was) } };
  });
  return persistChanges(tx, call, {
    changes,
    reason: {
      action: reason.action ?? (reason.isSameWrite === true ? 'derive' : 'system'),
      opinion: reason.opinion ?? null,
      ...(reason.isSameWrite === true ? { isSameWrite: true } : {}),
    },
  });
}

/** The stored records, locked, each with what is to be written into it. */
async function mergeStored(
  { tx }: SystemContext,
  call: Call,
  changes: readonly { readonly id: string; readonly fields: OpenRecord }[],
): Promise<readonly { readonly current: OpenRecord; readonly merged: OpenRecord }[]> {
  const ids = changes.map(({ id }) => id);
  const stored = new Map(
    (await readStoredMany(tx, call, ids, { isLocking: true })).map((record) => [record['id'], record]),
  );
  return changes.map(({ id, fields }) => {
    const current = stored.get(id);
    if (current === undefined) throw new AppError('NOT_FOUND', { message: `${call.resource.title}不存在` });
    return { current, merged: openCopy(call, { ...current, ...withoutUndefined(fields) }) };
  });
}

/** What an update by the system entails: postings, what follows, vouchers. */
async function followUpdate(
  { tx, created }: SystemContext,
  call: Call,
  { before, after, action }: Update & { readonly action: string | null },
): Promise<OpenRecord> {
  const { then } = call.resource;
  const posted = await runPostings(tx, call, { before, after, action });
  await runFollows(tx, call, [...then.update, ...then.save], {
    record: posted.after,
    previous: before,
    action: 'update',
    created: created ?? [],
  });
  await runVouchers(tx, call, posted);
  return posted.after;
}

/** A record with its lines, as stored, whoever asks; `_labels` and `_paths` attached. Null when there is none in the company. */
export async function readRecord(
  context: SystemContext,
  key: string,
  id: string,
  isLocking = false,
): Promise<OpenRecord | null> {
  const { tx, services, caller } = context;
  const call = openSystemCall(services, caller, key);
  const record = await readStored(tx, call, id, { isLocking });
  if (record === null) return null;
  await attachReferences(tx, {
    catalog: call.catalog,
    resource: call.resource,
    records: [record],
    withPaths: true,
    withLabels: true,
    company: textOf(record['co_code'] ?? caller.subject.co_code),
  });
  return record;
}

/** Runs a lifecycle action as the system, `"system": true` ones included, in the rule's transaction. */
export async function runSystemAction(
  context: SystemContext,
  key: string,
  run: {
    readonly id: string;
    readonly action: string;
    readonly inputs?: OpenRecord;
    readonly opinion?: string | null;
    /** The state is gone back to: what is frozen in it stays as it was. */
    readonly isBack?: true;
  },
): Promise<OpenRecord> {
  const { tx, services, caller, created } = context;
  const call = openSystemCall(services, caller, key);
  const before = await readStored(tx, call, run.id, { isLocking: true });
  if (before === null) throw new AppError('NOT_FOUND', { message: `${call.resource.title}不存在` });
  return performAction(tx, call, {
    action: requireAction(call, run.action),
    before,
    request: { version: null, opinion: run.opinion ?? '系统', inputs: run.inputs ?? {} },
    created: created ?? [],
    isSystem: true,
    ...(run.isBack === undefined ? {} : { isBack: run.isBack }),
  });
}

/** Locks records of a resource in the order of their ids. */
export async function lockRecords(
  context: SystemContext,
  key: string,
  ids: readonly string[],
): Promise<void> {
  const call = openSystemCall(context.services, context.caller, key);
  await lockRows(context.tx, call.resource, ids);
}

function requireField(call: Call, name: string): void {
  if (Object.hasOwn(call.resource.fields, name) || name.startsWith('_')) return;
  throw new AppError('INTERNAL', {
    cause: new TypeError(`${call.resource.resource} has no field "${name}"`),
  });
}

async function refuseUnfit(
  tx: SystemContext['tx'],
  call: Call,
  written: readonly WrittenRecord[],
): Promise<void> {
  for (const { record } of written) refuseProblems(formatProblems(call, record));
  const asSystem = written.map((one) => ({ ...one, isSystem: true }));
  for (const problems of await checkReferencesOfMany(tx, call, asSystem)) refuseProblems(problems);
}

/** A rule's values are trusted, its sums are not: what does not fit a column is told with its field. */
function formatProblems(call: Call, record: OpenRecord): ReturnType<typeof checkRecord> {
  return checkRecord(call.resource, record, recordScope(call, record), { complete: false }).filter(
    (problem) => problem.code !== 'required' && problem.code !== 'rule' && problem.code !== 'too_few',
  );
}

function withoutUndefined(values: OpenRecord): OpenRecord {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && !name.startsWith('_')),
  );
}
