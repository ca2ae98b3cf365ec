import { recordTitle } from '#engine/schema/record-title.ts';
import { addWorkingHours } from '#engine/values/workdays.ts';
import type { Approver } from '#contract/records.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { persistChange, persistNew } from '#server/records/write/persist-record.ts';
import { completeNew } from '#server/records/prepare/complete-record.ts';
import { stampNew } from '#server/records/write/stamp-new.ts';
import { readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { isRehearsal, rehearsedNumber } from '#server/records/call/rehearsal.ts';
import { type Tx, statementName } from '#server/records/call/statement.ts';
import type { ApprovalCase, CaseLevel } from './approval-case.ts';
import { type DecidedOn, delegatesOf } from './delegations.ts';
import { decidersNow } from './find-approvers.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** The resource whose rows are the tasks. */
export const TASKS = 'approval_task';

/**
 * Opens the next level that somebody has to decide, with its tasks and notices. `after` is who decided the level before:
 * a level that the same person would decide again is left out when the flow says so. Null when no level is left.
 */
export async function openLevel(
  tx: Tx,
  call: Call,
  run: { readonly started: ApprovalCase; readonly record: OpenRecord; readonly after: Approver | null },
): Promise<ApprovalCase | null> {
  const { started, record, after } = run;
  const levels = [...started.flow.levels];
  const from = levels.findIndex((level) => level.level_no > started.level_no);
  if (from < 0) return null;
  for (let index = from; index < levels.length; index += 1) {
    const level = levels[index];
    if (level === undefined || level.skipped !== null) continue;
    const isSame = after !== null && (await isSameSigner(tx, call, { started, record, level, after }));
    if (isSame && (level.mode === 'any' || level.persons.length === 1)) {
      levels[index] = { ...level, skipped: `与上一级审核人相同（${after.name}），不再重复审核` };
      continue;
    }
    const persons = isSame ? level.persons.filter(({ id }) => id !== after.id) : level.persons;
    const tasks = await createTasks(tx, call, { started, record, level: { ...level, persons } });
    levels[index] = { ...level, tasks };
    return { ...started, flow: { ...started.flow, levels }, level_no: level.level_no };
  }
  return null;
}

/**
 * True when the decision before is this level's too. A level left out is a decision of it, so its right is asked for now;
 * and the decision before must have been that person's own: no right that was handed on or lent signs for two levels.
 */
async function isSameSigner(
  tx: Tx,
  call: Call,
  next: {
    readonly started: ApprovalCase;
    readonly record: OpenRecord;
    readonly level: CaseLevel;
    readonly after: Approver;
  },
): Promise<boolean> {
  const { started, record, level, after } = next;
  if (!level.skip_if_same || !level.persons.some(({ id }) => id === after.id)) return false;
  const decided = started.flow.levels.find(({ level_no }) => level_no === started.level_no);
  for (const { source } of decided === undefined ? [level] : [decided, level]) {
    const holders = await decidersNow(tx, call, { source, record, submitterId: started.flow.submitter_id });
    if (!holders.some(({ id }) => id === after.id)) return false;
  }
  return true;
}

/** The case with the levels that were left out after the last decision marked, for the history. */
export function markSkipped(started: ApprovalCase, after: Approver): ApprovalCase {
  const levels = started.flow.levels.map((level) =>
    level.level_no > started.level_no && level.skipped === null
      ? { ...level, skipped: `与上一级审核人相同（${after.name}），不再重复审核` }
      : level,
  );
  return { ...started, flow: { ...started.flow, levels } };
}

/** One task for a level that any of several people decides, one a person when all must. */
async function createTasks(
  tx: Tx,
  call: Call,
  run: { readonly started: ApprovalCase; readonly record: OpenRecord; readonly level: CaseLevel },
): Promise<readonly string[]> {
  const { level } = run;
  const groups = level.mode === 'all' ? level.persons.map((person) => [person]) : [level.persons];
  const ids: string[] = [];
  for (const group of groups)
    ids.push(await createTask(tx, call, { ...run, assignees: group.map(({ id }) => id) }));
  return ids;
}

/** Writes a task and tells its people, and those who stand in for them today. */
export async function createTask(
  tx: Tx,
  call: Call,
  run: {
    readonly started: ApprovalCase;
    readonly record: OpenRecord;
    readonly level: CaseLevel;
    readonly assignees: readonly string[];
  },
): Promise<string> {
  const { started, record, level, assignees } = run;
  const { flow } = started;
  const taskCall = openSystemCall(call.services, call.caller, TASKS);
  const now = call.services.clock();
  const label = recordLabel(call.resource, record);
  const dueAt =
    level.timeout_hours === null
      ? null
      : addWorkingHours(now.toISOString(), level.timeout_hours, call.caller.context.workdays);
  const values: OpenRecord = {
    ...(taskCall.resource.number === undefined
      ? { task_no: await drawTaskNumber(tx, started.co_code, call.caller.context.today) }
      : {}),
    resource: call.resource.resource,
    record_id: String(record['id']),
    record_no: label.slice(0, 40),
    record_title: `${recordTitle(call.resource, record)} ${label}`.trim().slice(0, 200),
    amount_cny: flow.amount_cny,
    flow_id: flow.flow_id,
    flow_version: flow.version,
    level_no: level.level_no,
    level_title: level.title.slice(0, 20),
    assignee_ids: assignees,
    submitter_id: started.submitted_by,
    submitted_at: started.submitted_at,
    due_at: dueAt,
    result: 'pending',
  };
  const known = Object.fromEntries(
    Object.entries(values).filter(([name]) => taskCall.resource.fields[name] !== undefined),
  );
  const draft = { ...stampNew(taskCall, {}), ...known, co_code: started.co_code };
  if (taskCall.resource.fields['status'] !== undefined) Object.assign(draft, { status: 'pending' });
  const task = await persistNew(tx, taskCall, {
    record: await completeNew(tx, taskCall, draft),
    reason: { action: 'create' },
  });
  const stand = await delegatesOf(tx, assignees, decidedOn(call));
  const told = [...new Set([...assignees, ...stand])].filter((id) => id !== started.submitted_by);
  await emitEvent(tx, call, { event: 'TASK_ASSIGNED', record, to: told });
  return String(task['id']);
}

/** A task as stored, locked when asked; null when there is none. */
export async function readTask(
  tx: Pick<Tx, 'query'>,
  call: Call,
  id: string,
  isLocking: boolean,
): Promise<OpenRecord | null> {
  const taskCall = openSystemCall(call.services, call.caller, TASKS);
  return readStored(tx, taskCall, id, { isLocking });
}

function decidedOn(call: Call): DecidedOn {
  return { today: call.caller.context.today, kind: call.resource.resource };
}

/** What people are told while a task waits for them. */
const WAITING = ['TASK_ASSIGNED', 'TASK_TIMEOUT'] as const;

/** Writes the outcome of a task; who was told that it waits has nothing left to read. */
export async function closeTask(
  tx: Tx,
  call: Call,
  closed: {
    readonly task: OpenRecord;
    readonly status: string;
    readonly opinion: string | null;
    readonly isActor: boolean;
  },
): Promise<OpenRecord> {
  const { task, status, opinion, isActor } = closed;
  const taskCall = openSystemCall(call.services, call.caller, TASKS);
  const outcome: OpenRecord = {
    status,
    result: status,
    ...(isActor
      ? {
          opinion,
          acted_by: call.caller.subject.id,
          acted_for: call.caller.onBehalfOf?.id ?? null,
          acted_at: call.services.clock().toISOString(),
        }
      : {}),
  };
  const known = Object.fromEntries(
    Object.entries(outcome).filter(([name]) => taskCall.resource.fields[name] !== undefined),
  );
  const ended = await persistChange(tx, taskCall, {
    before: task,
    after: { ...task, ...known },
    reason: { action: status, opinion },
  });
  const assignees = (task['assignee_ids'] ?? []) as readonly string[];
  const stand = await delegatesOf(tx, assignees, decidedOn(call));
  await call.services.notices.settle(tx, {
    ...{ recordId: textOf(task['record_id']), events: WAITING },
    to: [...new Set([...assignees, ...stand])],
  });
  return ended;
}

/** Cancels whatever tasks of a case still wait. */
export async function cancelTasks(tx: Tx, call: Call, ended: ApprovalCase): Promise<void> {
  const ids = ended.flow.levels.flatMap((level) => level.tasks);
  if (ids.length === 0) return;
  const taskCall = openSystemCall(call.services, call.caller, TASKS);
  const tasks = await readStoredMany(tx, taskCall, ids, { isLocking: true });
  for (const task of tasks)
    if (task['status'] === 'pending')
      await closeTask(tx, call, { task, status: 'cancelled', opinion: null, isActor: false });
}

async function drawTaskNumber(tx: Tx, company: string, today: string): Promise<string> {
  if (isRehearsal(tx)) return rehearsedNumber();
  const scope = today.slice(0, 4);
  const text = `insert into sys_counter as c (co_code, series, scope, value) values ($1, '${TASKS}', $2, 1)
    on conflict (co_code, series, scope) do update set value = c.value + 1 returning value`;
  const [row] = await tx.query(text, [company, scope], statementName(text));
  return `${company}SP${scope}${textOf(row?.['value'] ?? 1).padStart(6, '0')}`;
}
