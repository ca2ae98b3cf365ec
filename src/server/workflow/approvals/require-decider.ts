import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { ApprovalCase } from './approval-case.ts';
import { keptApart } from './kept-apart.ts';
import { delegatorsOf } from './delegations.ts';
import { type Standing, standingOf } from './may-decide.ts';

/**
 * Who decides, asked now. A task that is done is told to whoever it was for; anybody else hears nothing of it.
 * @throws OWN_DOCUMENT, FORBIDDEN, NOT_FOUND
 */
export async function requireDecider(
  tx: Tx,
  call: Call,
  open: {
    readonly task: OpenRecord;
    readonly record: OpenRecord | null;
    readonly running: ApprovalCase | null;
  },
): Promise<Standing> {
  const { subject, context } = call.caller;
  const { task, record, running } = open;
  const isForeign = task['co_code'] !== undefined && task['co_code'] !== subject.co_code;
  if (isForeign) throw new AppError('NOT_FOUND');
  if (task['submitter_id'] === subject.id)
    throw new AppError('OWN_DOCUMENT', { message: '不能审核本人提交的单据' });
  if (record === null || running === null || task['status'] !== 'pending') {
    const named: unknown = task['assignee_ids'];
    const at = { today: context.today, kind: call.resource.resource };
    const stands = [subject.id, ...(await delegatorsOf(tx, subject.id, at))];
    const wasAsked = Array.isArray(named) && named.some((id) => stands.includes(String(id)));
    throw new AppError(wasAsked || task['acted_by'] === subject.id ? 'TASK_DONE' : 'FORBIDDEN');
  }
  const apart = await keptApart(tx, call, { record, submitterId: running.flow.submitter_id });
  if (apart.has(subject.id)) throw new AppError('OWN_DOCUMENT', { message: '不能审核本人经办的单据' });
  const standing = await standingOf(tx, call, { task, record, running });
  if (standing === null) throw new AppError('FORBIDDEN');
  return standing;
}

/** The call with the colleague for whom the caller decides: the audit names both. */
export function standFor(call: Call, { onBehalfOf }: Standing): Call {
  return onBehalfOf === null ? call : { ...call, caller: { ...call.caller, onBehalfOf } };
}

/** The record must be what the approver looked at. */
export function requireCurrent(
  at: { readonly record: OpenRecord; readonly task: OpenRecord; readonly running: ApprovalCase },
  version: number | null,
): void {
  const isAsSubmitted = at.record['version'] === at.running.record_version;
  const isSeen = version === at.record['version'];
  if (isSeen || (isAsSubmitted && (version === null || version === at.task['version']))) return;
  throw new AppError('STALE_VERSION', { message: '单据已变更，请刷新后审核' });
}
