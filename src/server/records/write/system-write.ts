import { checkRecord } from '#engine/record/check-record.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { CreatedRecord, RuleCall } from '#server/records/rules/rule-registry.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { attachReferences } from '#server/records/read/attach-references.ts';
import { checkReferences } from '#server/records/prepare/check-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { persistChange, persistManyNew } from './persist-record.ts';
import { completeChange, completeNew, openCopy } from '#server/records/prepare/complete-record.ts';
import { stampNew } from './stamp-new.ts';
import { lockRows, readStored } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { performAction, requireAction } from '#server/records/action/run-action.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers } from '#server/records/ledger/run-vouchers.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { runSaveRules } from './save-record.ts';
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
  const call = openSystemCall(services, caller, key);
  const records: OpenRecord[] = [];
  for (const given of values) records.push(await readyRecord(context, call, given));
  const stored = await persistManyNew(tx, call, { records, reason: { action } });
  for (const saved of stored) {
    await runSaveRules(tx, call, { record: saved, previous: null, created: created ?? [], action: 'create' });
    created?.push({ resource: key, id: String(saved['id']), label: recordLabel(call.resource, saved) });
  }
  return stored;
}

async function readyRecord({ tx }: SystemContext, call: Call, values: OpenRecord): Promise<OpenRecord> {
  for (const name of Object.keys(values)) requireField(call, name);
  const draft = { ...stampNew(call, withoutUndefined(values)), ...withoutUndefined(values) };
  const record = await completeNew(tx, call, draft);
  refuseProblems(formatProblems(call, record));
  refuseProblems(await checkReferences(tx, call, { record, previous: null, isSystem: true }));
  return record;
}

/**
 * Writes fields of a record as the system: no rights, no state, audited, formulas and sums follow. Lines given replace
 * the whole list (keep their ids). `status` may be set; use `runSystemAction` where an action exists.
 */
export async function updateRecordFields(
  context: SystemContext,
  key: string,
  change: {
    readonly id: string;
    readonly fields: OpenRecord;
    readonly action?: string;
    readonly opinion?: string | null;
    /** What follows from a record's own values, in the write that gave them: under its version, with an audit row of its own. */
    readonly isSameWrite?: true;
  },
): Promise<OpenRecord> {
  const { tx, services, caller } = context;
  const call = openSystemCall(services, caller, key);
  for (const name of Object.keys(change.fields)) requireField(call, name);
  const before = await readStored(tx, call, change.id, { isLocking: true });
  if (before === null) throw new AppError('NOT_FOUND', { message: `${call.resource.title}不存在` });
  const merged = openCopy(call, { ...before, ...withoutUndefined(change.fields) });
  const after = await completeChange(tx, call, { current: before, merged });
  refuseProblems(formatProblems(call, after));
  refuseProblems(await checkReferences(tx, call, { record: after, previous: before, isSystem: true }));
  const hasMoved = after['status'] !== before['status'];
  if (!hasMoved && diffRecords(call.resource, before, after).length === 0) return before;
  const saved = await persistChange(tx, call, {
    before,
    after,
    reason: {
      action: change.action ?? (change.isSameWrite === true ? 'derive' : 'system'),
      opinion: change.opinion ?? null,
      ...(change.isSameWrite === true ? { isSameWrite: true } : {}),
    },
    ...(hasMoved ? { storage: { previous_status: String(before['status']) } } : {}),
  });
  const { then } = call.resource;
  const posted = await runPostings(tx, call, { before, after: saved, action: change.action ?? null });
  await runFollows(tx, call, [...then.update, ...then.save], {
    record: posted.after,
    previous: before,
    action: 'update',
    created: context.created ?? [],
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
