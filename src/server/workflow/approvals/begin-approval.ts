import { runningApproval, runningRefusal } from '#engine/lifecycle/running-approval.ts';
import type { Action } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { uuidOrNull } from '#server/records/write/write-audit.ts';
import { type ApprovalCase, approvalOf, insertCase, snapshotOf, updateCase } from './approval-case.ts';
import { matchFlow } from './approval-flow.ts';
import { openLevel } from './approval-tasks.ts';
import { resolveLevels } from './find-approvers.ts';
import { valuesBefore } from './undo-submission.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * Starts the approval of a submitted record, in the submission's transaction: the flow that fits, a case that keeps it
 * with its people, the tasks of the first level.
 * @throws AppError 未配置审核流程, that a level has nobody to decide, or that another approval of the record is running
 */
export async function beginApproval(
  tx: Tx,
  call: Call,
  submitted: { readonly record: OpenRecord; readonly previous: OpenRecord; readonly action: Action },
): Promise<void> {
  const { record, previous, action } = submitted;
  const { subject } = call.caller;
  await refuseSecondCase(tx, call, record);
  const matched = await matchFlow(tx, call, { record, action: action.key });
  if (matched === null) throw new AppError('NO_APPROVAL_FLOW');
  const levels = await resolveLevels(tx, call, {
    levels: matched.flow.levels,
    record,
    submitterId: subject.id,
  });
  const empty = levels.find((level) => level.skipped === null && level.persons.length === 0);
  if (empty !== undefined) throw new AppError('NO_APPROVER', { message: `“${empty.title}”没有可用的审核人` });
  const now = call.services.clock();
  const started: ApprovalCase = {
    id: uuidv7(now),
    co_code: textOf(record['co_code'] ?? subject.co_code),
    resource: call.resource.resource,
    record_id: String(record['id']),
    record_version: Number(record['version']),
    action: action.key,
    flow: {
      flow_id: matched.flow.id,
      name: matched.flow.name,
      version: matched.flow.version,
      amount_cny: matched.amountCny,
      submitter_id: subject.id,
      submitter_name: subject.name,
      levels: levels.map((level) => ({ ...level, tasks: [] })),
      ...(action.approval?.withdrawn === '$previous'
        ? { before: valuesBefore(call.resource, { previous, record }) }
        : {}),
    },
    level_no: 0,
    status: 'pending',
    submitted_by: uuidOrNull(subject.id),
    submitted_at: now.toISOString(),
    snapshot: snapshotOf(record),
    ended_at: null,
  };
  await insertCase(tx, started);
  const opened = await openLevel(tx, call, { started, record, after: null });
  if (opened === null) throw new AppError('NO_APPROVER');
  await updateCase(tx, opened);
}

/** What keeps its state while it is approved (冲销, 追回) could be asked for twice. The record is locked. */
async function refuseSecondCase(tx: Tx, { resource }: Call, record: OpenRecord): Promise<void> {
  const running = runningApproval(resource, await approvalOf(tx, resource.resource, String(record['id'])));
  if (running !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: runningRefusal(running) });
}
