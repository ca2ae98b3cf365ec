import { actionTarget } from '#engine/lifecycle/action-states.ts';
import { givenValues, withAdded } from '#engine/record/apply-own.ts';
import { formulaReads } from '#engine/schema/formula-reads.ts';
import type { Action, ErpRecord } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { drawNumber, takeNumber } from '#server/records/write/draw-number.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { personOf } from '#server/records/write/persist-record.ts';
import { attachFor, openCopy, settle, withOwnWrites } from '#server/records/prepare/complete-record.ts';
import { withNewLines } from '#server/records/prepare/fill-new-lines.ts';
import { withPulled } from '#server/records/pick/pull-lines.ts';
import { describeAmendment } from '#server/records/follow/amendment.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { PerformedAction } from './run-action.ts';

/** The record with inputs, `set`, the new state, stamps and formulas. */
export async function changedRecord(
  tx: Tx,
  call: Call,
  { run, input }: { readonly run: PerformedAction; readonly input: ErpRecord },
): Promise<OpenRecord> {
  const { action, before } = run;
  const target = actionTarget(action, before);
  if (target === null) throw new AppError('ACTION_NOT_ALLOWED', { message: '没有可以返回的状态' });
  const record = openCopy(call, before);
  for (const [name, value] of Object.entries(input))
    if (isWrittenByInput(call, action, name)) record[name] = value;
  const scope = recordScope(call, record, input);
  Object.assign(record, givenValues(call.resource.fields, action.set ?? {}, { ...scope, before }));
  Object.assign(record, withAdded(call.resource, action.add ?? {}, { record, scope: { ...scope, record } }));
  if (action.pull !== undefined) Object.assign(record, await withPulled(tx, call, action, record));
  record['status'] = target;
  stampSubmission(call, record, action);
  if (JSON.stringify(record) !== JSON.stringify(before)) await attachFor(tx, call, record);
  const lists = [...Object.keys(action.add ?? {}), ...Object.keys(action.pull ?? {})];
  if (lists.length > 0) {
    Object.assign(record, withNewLines(call, record, { previous: before, lists }));
    await attachFor(tx, call, record);
  }
  const own = withOwnWrites(call, action.then ?? [], { record, before });
  // What is handed in says what it changes as the target stands now: it may have gone on since the last save.
  const described = action.approval === undefined ? own : await describeAmendment(tx, call, own);
  const left = run.isBack === true ? { ...before, status: target } : before;
  const settled = await settle(tx, call, { record: described, before: left }, action.refresh);
  if (call.resource.number?.at === 'post' && isPosting(call, action, target)) {
    const number = await drawNumber(tx, call, { record: settled, at: 'post' });
    if (number !== null) takeNumber(call, settled, number);
  }
  return settled;
}

/** An input that is called like a field is that field's value, unless `set` says otherwise or it goes into a line that `add` appends. */
function isWrittenByInput({ resource }: Call, { set, add }: Action, name: string): boolean {
  if (!Object.hasOwn(resource.fields, name) || set?.[name] !== undefined) return false;
  return !Object.values(add ?? {}).some((values) =>
    Object.values(values).some(
      (value) => typeof value === 'string' && formulaReads(value).includes(`input.${name}`),
    ),
  );
}

function stampSubmission(call: Call, record: OpenRecord, action: Action): void {
  if (action.approval === undefined && action.key !== 'submit') return;
  const { fields } = call.resource;
  if (fields['submitted_by'] !== undefined) record['submitted_by'] = personOf(call);
  if (fields['submitted_at'] !== undefined) record['submitted_at'] = call.services.clock().toISOString();
  if (fields['reject_reason'] !== undefined) record['reject_reason'] = null;
}

const NOT_POSTED: ReadonlySet<string> = new Set(['void', 'cancelled', 'rejected', 'pending']);

/** A number drawn at posting comes with the first state beyond the drafts. */
function isPosting(call: Call, action: Action, target: string): boolean {
  return (
    action.approval === undefined && target !== call.resource.lifecycle?.initial && !NOT_POSTED.has(target)
  );
}
