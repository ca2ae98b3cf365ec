import type { DecidedTask } from '#contract/approval.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { persistChange } from '#server/records/write/persist-record.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { prepareChange } from '#server/records/prepare/prepare-record.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { cleanOpinion } from '#server/records/action/run-action.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import { afterWrite, inTransaction } from '#server/records/write/save-record.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { keepAnswer } from '#server/records/write/keep-answer.ts';
import { writeAudit } from '#server/records/write/write-audit.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type ApprovalCase, findOpenCase, updateCase } from './approval-case.ts';
import { requireApproval } from './approval-definition.ts';
import { closeTask, createTask, markSkipped, openLevel, readTask, TASKS } from './approval-tasks.ts';
import { endCase, finishApproval, release, tellSubmitter } from './end-approval.ts';
import { requireOwnChecks, requireOwnPart } from './require-complete.ts';
import { approversAmong } from './approve-right.ts';
import { keptApart } from './kept-apart.ts';
import { insertDelegation, requireDelegate, requirePeriod } from './give-delegation.ts';
import { lockPeople, rightBehind } from './may-decide.ts';
import { requireCurrent, requireDecider, standFor } from './require-decider.ts';

/** What somebody decides. */
export interface Decision {
  readonly kind: 'approve' | 'reject' | 'delegate';
  /** Of the record or of the task; null: the record must be as submitted. */
  readonly version: number | null;
  readonly opinion: string | null;
  /** Values of the fields that the state opens to the approver's role. */
  readonly fields?: unknown;
  /** delegate: to whom, and (with a standing delegation) until when. */
  readonly to?: string | null;
  readonly until?: string | null;
}

/** What became of it. */
export interface Decided {
  readonly task: OpenRecord;
  readonly record: { readonly resource: string; readonly id: string; readonly status: unknown };
  /** The approval has ended with this decision. */
  readonly isEnded: boolean;
  readonly created: readonly CreatedRecord[];
}

/** Approves, rejects or hands on a task. Everything that follows from the last approval happens in the same transaction, or nothing. */
export async function decideTask(
  services: Services,
  caller: Caller,
  decided: TaskDecision,
): Promise<Decided> {
  const call = await callOfTask(services, caller, decided.taskId);
  const created: CreatedRecord[] = [];
  const result = await inTransaction(
    call,
    (tx) => {
      // A deadlock runs it again: what the first time made is gone.
      created.length = 0;
      return decideIn(tx, call, { ...decided, created });
    },
    async (tx, outcome) => {
      await keepAnswer(tx, caller, presentDecided({ ...outcome, created }));
      return outcome;
    },
  );
  await afterWrite(call);
  return { ...result, created };
}

/** A task and what is decided of it. */
export interface TaskDecision {
  readonly taskId: string;
  readonly decision: Decision;
}

/** The system's call on the resource that a task is about. @throws NOT_FOUND */
export async function callOfTask(services: Services, caller: Caller, taskId: string): Promise<Call> {
  const task = /^[0-9a-f-]{36}$/.test(taskId)
    ? await readTask(services.db, openSystemCall(services, caller, TASKS), taskId, false)
    : null;
  if (task === null) throw new AppError('NOT_FOUND');
  return openSystemCall(services, caller, String(task['resource']));
}

/** Decides a task in the transaction. */
export async function decideIn(
  tx: Tx,
  call: Call,
  { taskId, decision, created }: TaskDecision & { readonly created: CreatedRecord[] },
): Promise<Outcome> {
  const taskCall = openSystemCall(call.services, call.caller, TASKS);
  await lockPeople(tx, call);
  const first = await readTask(tx, taskCall, taskId, false);
  const recordId = String(first?.['record_id']);
  // The record first, then the case, then the task: the order in which a withdrawal locks too.
  const record = await readStored(tx, call, recordId, { isLocking: true });
  const running = await findOpenCase(tx, { resource: call.resource.resource, id: recordId }, true);
  const task = await readTask(tx, taskCall, taskId, true);
  if (task === null) throw new AppError('NOT_FOUND');
  const standing = await requireDecider(tx, call, { task, record, running });
  if (task['status'] !== 'pending' || running === null || record === null) throw new AppError('TASK_DONE');
  if (!running.flow.levels.some((level) => level.tasks.includes(String(task['id']))))
    throw new AppError('TASK_DONE');
  requireCurrent({ record, task, running }, decision.version);
  const step: Step = { running, record, task, decision, created };
  return DECIDING[decision.kind](tx, standFor(call, standing), step);
}

/** A decision as whoever made it is answered. */
export function presentDecided({ task, record, isEnded, created }: Decided): DecidedTask {
  return {
    ...task,
    _record: record,
    _ended: isEnded,
    ...(created.length === 0 ? {} : { _created: created }),
  };
}

interface Step {
  readonly running: ApprovalCase;
  readonly record: OpenRecord;
  readonly task: OpenRecord;
  readonly decision: Decision;
  readonly created: CreatedRecord[];
}

/** What became of a task, without what was made. */
export type Outcome = Omit<Decided, 'created'>;

const DECIDING: Readonly<Record<Decision['kind'], (tx: Tx, call: Call, step: Step) => Promise<Outcome>>> = {
  approve,
  reject,
  delegate: handOn,
};

async function approve(tx: Tx, call: Call, step: Step): Promise<Outcome> {
  const { task, running } = step;
  const opinion = cleanOpinion(step.decision.opinion);
  const record = await fillFields(tx, call, step);
  const { action } = requireApproval(call, running.action);
  requireOwnPart(approverCall(call), action, record);
  await requireOwnChecks(tx, approverCall(call), { action, record, created: step.created });
  const closed = await closeTask(tx, call, { task, status: 'approved', opinion, isActor: true });
  await auditDecision(tx, call, { record, action: 'approve', opinion });
  const moved: ApprovalCase = { ...running, record_version: Number(record['version']) };
  if (await isLevelOpen(tx, call, moved)) {
    await updateCase(tx, moved);
    return outcome(call, closed, record, false);
  }
  const after = { id: call.caller.subject.id, name: call.caller.subject.name };
  const next = await openLevel(tx, call, { started: moved, record, after });
  if (next !== null) {
    await updateCase(tx, next);
    return outcome(call, closed, record, false);
  }
  const final = await finishApproval(tx, call, {
    running: markSkipped(moved, after),
    record,
    created: step.created,
    opinion,
  });
  return outcome(call, closed, final, true);
}

/** True while somebody else of the level still has to decide. */
async function isLevelOpen(tx: Tx, call: Call, running: ApprovalCase): Promise<boolean> {
  const level = running.flow.levels.find(({ level_no }) => level_no === running.level_no);
  for (const id of level?.tasks ?? []) {
    const task = await readTask(tx, call, id, false);
    if (task?.['status'] === 'pending') return true;
  }
  return false;
}

async function reject(tx: Tx, call: Call, step: Step): Promise<Outcome> {
  const opinion = cleanOpinion(step.decision.opinion);
  if (opinion === null)
    throw new AppError('REASON_REQUIRED', {
      problems: [{ path: 'opinion', code: 'required', message: '请填写意见' }],
    });
  const closed = await closeTask(tx, call, { task: step.task, status: 'rejected', opinion, isActor: true });
  const { approval } = requireApproval(call, step.running.action);
  const after = await release(tx, call, { ...step, to: approval.rejected, action: 'reject', opinion });
  await endCase(tx, call, step.running, 'rejected');
  await tellSubmitter(tx, call, { running: step.running, record: after, event: 'TASK_REJECTED', opinion });
  return outcome(call, closed, after, true);
}

async function handOn(tx: Tx, call: Call, step: Step): Promise<Outcome> {
  const { decision, running, record, task } = step;
  const { caller, services } = call;
  const to = decision.to ?? '';
  await requireDelegate(tx, caller, to);
  if (to === running.submitted_by) throw new AppError('OWN_DOCUMENT', { message: '不能转给提交人' });
  if ((await keptApart(tx, call, { record, submitterId: running.flow.submitter_id })).has(to))
    throw new AppError('OWN_DOCUMENT', { message: '不能转给单据的经办人' });
  if (!(await approversAmong(tx, call, { record, people: [to] })).has(to))
    throw new AppError('BAD_REQUEST', {
      message: '转审人没有该单据的审核权限',
      problems: [{ path: 'to', code: 'delegate', message: '没有审核权限' }],
    });
  const opinion = cleanOpinion(decision.opinion);
  const closed = await closeTask(tx, call, { task, status: 'delegated', opinion, isActor: true });
  await auditDecision(tx, call, { record, action: 'delegate', opinion });
  const level = running.flow.levels.find(({ tasks }) => tasks.includes(String(task['id'])));
  if (level === undefined) throw new AppError('TASK_DONE');
  const giver = await rightBehind(tx, call, { task, running, record, level });
  await attachFor(tx, call, record);
  const made = await createTask(tx, call, { started: running, record, level, assignees: [to] });
  const levels = running.flow.levels.map((known) =>
    known.level_no === level.level_no
      ? { ...known, tasks: [...known.tasks, made], handed: { ...known.handed, [made]: giver } }
      : known,
  );
  await updateCase(tx, { ...running, flow: { ...running.flow, levels } });
  if (decision.until !== undefined && decision.until !== null) {
    const given = { to, from: caller.context.today, until: decision.until };
    requirePeriod(caller, given, { from: 'until', until: 'until' });
    // What is handed on besides is of the kind that one was looking at.
    await insertDelegation(tx, services, caller, { ...given, kinds: [call.resource.resource], at: 'until' });
  }
  return outcome(call, closed, record, false);
}

/** Writes the fields that the state opens to the approver's role; refuses others. */
async function fillFields(tx: Tx, call: Call, step: Step): Promise<OpenRecord> {
  const { fields } = step.decision;
  if (typeof fields !== 'object' || fields === null || Object.keys(fields).length === 0) {
    await attachFor(tx, call, step.record);
    return step.record;
  }
  const own = approverCall(call);
  const prepared = await prepareChange(tx, own, { current: step.record, body: fields });
  refuseProblems(prepared.problems);
  return persistChange(tx, own, {
    before: step.record,
    after: prepared.record,
    reason: { action: 'update', opinion: null },
  });
}

/** The record opened to what the approver's role may write in its state. */
function approverCall(call: Call): Call {
  return { ...call, access: { ...call.access, role: call.caller.subject.role_code } };
}

async function auditDecision(
  tx: Tx,
  call: Call,
  decided: { readonly record: OpenRecord; readonly action: string; readonly opinion: string | null },
): Promise<void> {
  const { record, action, opinion } = decided;
  await writeAudit(
    tx,
    { caller: call.caller, at: call.services.clock() },
    {
      resource: call.resource.resource,
      record_id: String(record['id']),
      co_code: record['co_code'],
      action,
      from_status: record['status'],
      to_status: record['status'],
      opinion,
    },
  );
}

function outcome(call: Call, task: OpenRecord, record: OpenRecord, isEnded: boolean): Outcome {
  const { previous_status: _previous, _paths, _labels, ...shown } = task;
  return {
    task: shown,
    record: { resource: call.resource.resource, id: String(record['id']), status: record['status'] },
    isEnded,
  };
}
