import type { ApprovalStatus } from '#contract/approval.ts';
import { projectRecord } from '#engine/access/project-record.ts';
import { checkMoment, checkRecord } from '#engine/record/check-record.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall, openSystemCall } from '#server/records/call/open-call.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { isRecordId, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { visibleChanges } from '#server/records/read/record-history.ts';
import { runChecks } from '#server/records/rules/run-rules.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type ApprovalCase, findOpenCase, listCases, snapshotOf } from './approval-case.ts';
import { submittingAction } from './approval-definition.ts';
import { TASKS } from './approval-tasks.ts';
import { hasApproved, stepsOf } from './approval-steps.ts';
import { standingOf } from './may-decide.ts';
import { simulateApproval } from './simulate-approval.ts';
import { readTaskBook } from './task-book.ts';

/** Where the approval of a record stands: steps, who decides next and why, what changed since the last submission, what the checks say. */
export async function approvalStatus(
  services: Services,
  caller: Caller,
  asked: { readonly resource: string; readonly id: string },
): Promise<ApprovalStatus> {
  const call = openAnyCall(services, caller, asked.resource);
  const { record, task } = await readForApproval(services, call, asked.id);
  const fills = task === null ? [] : fillable(call, record);
  const cases = await listCases(services.db, asked);
  const tasks = await readTaskBook(call, cases);
  const [latest, previous] = cases;
  const running = latest !== undefined && latest.ended_at === null ? latest : null;
  const steps = latest === undefined ? [] : stepsOf(latest, tasks);
  const isHidden = caller.subject.kind === 'partner';
  const base = running === null ? latest : previous;
  await attachFor(services.db, call, record);
  const current = running === null ? null : (steps.find((step) => step.status === 'pending') ?? null);
  return {
    status: latest?.status ?? 'none',
    flow: isHidden ? null : (latest?.flow.name ?? null),
    amount_cny: isHidden ? null : (latest?.flow.amount_cny ?? null),
    record_version: Number(record['version']),
    submitted_by:
      latest === undefined || (isHidden && latest.flow.submitter_id !== caller.subject.id)
        ? null
        : { id: latest.flow.submitter_id, name: latest.flow.submitter_name },
    submitted_at: latest?.submitted_at ?? null,
    // Levels and who decides them are the house's own.
    steps: isHidden ? [] : steps,
    next:
      current === null || isHidden
        ? null
        : {
            title: current.title,
            persons: current.persons,
            reason: current.reason,
            due_at: dueOf(running, tasks),
          },
    task: task === null ? null : { id: String(task['id']), version: Number(task['version']), fields: fills },
    canWithdraw:
      running !== null && running.flow.submitter_id === caller.subject.id && !steps.some(hasApproved),
    changes:
      base === undefined || running === null
        ? []
        : visibleChanges(
            call,
            diffRecords(call.resource, base.snapshot, snapshotOf(record)).filter(
              ({ field }) => call.resource.fields[field]?.standard !== true,
            ),
            projectRecord(call.resource, record, call.access, {
              catalog: call.catalog,
              context: caller.context,
            }),
          ),
    // They judge by what customers do not read: risk levels, releases. What bars an own submission its refusal says.
    checks: isHidden
      ? []
      : await checksOf(services, call, { record, action: running?.action ?? null, fills }),
    earlier: isHidden
      ? []
      : cases
          .slice(1)
          .map((old) => ({ submitted_at: old.submitted_at, status: old.status, steps: stepsOf(old, tasks) })),
    preview: running === null && !isHidden ? await simulateApproval(call, record) : null,
  };
}

/** The record for whoever may read it, and for whoever has to decide on it. */
async function readForApproval(
  services: Services,
  call: Call,
  id: string,
): Promise<{ readonly record: OpenRecord; readonly task: OpenRecord | null }> {
  if (!isRecordId(id)) throw new AppError('NOT_FOUND');
  const task = await myTask(services, call, id);
  const mayRead = call.access.operations.has('read') || call.access.operations.has('list');
  const seen = mayRead ? await readStored(callersReader(call), call, id) : null;
  if (seen !== null) return { record: seen, task };
  const system = openSystemCall(services, call.caller, call.resource.resource);
  const record = task === null ? null : await readStored(services.db, system, id);
  if (record === null) throw new AppError('NOT_FOUND');
  return { record, task };
}

/** The waiting task of the record that the caller may decide now. */
async function myTask(services: Services, call: Call, id: string): Promise<OpenRecord | null> {
  const { subject } = call.caller;
  const key = call.resource.resource;
  if (subject.kind !== 'staff') return null;
  const running = await findOpenCase(services.db, { resource: key, id });
  if (running === null || running.co_code !== subject.co_code) return null;
  if (running.flow.submitter_id === subject.id) return null;
  const system = openSystemCall(services, call.caller, key);
  const record = await readStored(services.db, system, id);
  if (record === null) return null;
  const level = running.flow.levels.find(({ level_no: number }) => number === running.level_no);
  const taskCall = openSystemCall(services, call.caller, TASKS);
  for (const task of await readStoredMany(services.db, taskCall, level?.tasks ?? []))
    if (task['status'] === 'pending' && (await standingOf(services.db, system, { task, record, running })))
      return task;
  return null;
}

function dueOf(running: ApprovalCase | null, tasks: ReadonlyMap<string, OpenRecord>): string | null {
  const level = running?.flow.levels.find(({ level_no }) => level_no === running.level_no);
  const due = level?.tasks.map((id) => tasks.get(id)?.['due_at']).find((at) => typeof at === 'string');
  return typeof due === 'string' ? due : null;
}

function fillable(call: Call, record: OpenRecord): readonly string[] {
  const operations = new Set([...call.access.operations, 'update']);
  return [...editableFields(call.resource, record, { ...call.access, operations })];
}

/** Runs the submission's and the approval's checks without keeping anything they do, and tells what the caller has yet to fill in. */
async function checksOf(
  services: Services,
  call: Call,
  asked: {
    readonly record: OpenRecord;
    readonly action: string | null;
    /** What the caller may fill in as he decides. */
    readonly fills: readonly string[];
  },
): Promise<ApprovalStatus['checks']> {
  const { record } = asked;
  const actions = call.resource.lifecycle?.actions ?? {};
  const action =
    asked.action === null ? submittingAction(call, record['status']) : (actions[asked.action] ?? null);
  // What was decided is not judged again: only what runs now, or may be submitted now.
  if (action === null || (asked.action === null && !action.from.includes(String(record['status']))))
    return [];
  // A later step that completes nothing (an extension) does not hand in the document again.
  if (asked.action === null && !action.complete) return [];
  const scope = recordScope(call, record);
  const own = checkRecord(call.resource, record, scope, { complete: true });
  const unfilled = checkMoment(call.resource, record, scope, 'approved').filter(({ path }) =>
    asked.fills.includes(path),
  );
  const names = [...call.resource.checks.submit, ...(action.approval?.checks ?? action.checks ?? [])];
  const named = await rolledBack(services, (tx) =>
    runChecks(names, { tx, call, record, previous: null, action: action.key, created: [] }),
  );
  const found = [...own, ...unfilled, ...named].map((problem) => ({ ...problem, ok: false }));
  const hasError = found.some((problem) => problem.level !== 'warning');
  return hasError ? found : [verdict(found.length), ...found];
}

/** What the checks come to that found no error: with a warning beside it nothing has simply passed. */
function verdict(warnings: number): ApprovalStatus['checks'][number] {
  return warnings === 0
    ? { path: '', code: 'passed', message: '必填项、业务规则和合规检查均已通过', ok: true }
    : {
        path: '',
        code: 'warned',
        message: `没有阻断的问题，有 ${warnings} 项提醒须核实`,
        level: 'warning',
        ok: false,
      };
}

class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

async function rolledBack<T>(services: Services, work: (tx: Tx) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await services.db.transaction(async (tx) => {
      results.push(await work(tx));
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  const [result] = results;
  if (result === undefined) throw new AppError('INTERNAL');
  return result;
}
