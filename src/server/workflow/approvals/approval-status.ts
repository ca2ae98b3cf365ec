import type { ApprovalPreview, Approver } from '#server/records/following.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openAnyCall, openSystemCall } from '#server/records/call/open-call.ts';
import { attachFor } from '#server/records/prepare/prepare-record.ts';
import { isRecordId, readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { visibleChanges } from '#server/records/read/record-history.ts';
import { runChecks } from '#server/records/rules/run-rules.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { type ApprovalCase, type CaseLevel, listCases, snapshotOf } from './approval-case.ts';
import { submittingAction } from './approval-definition.ts';
import { TASKS } from './approval-tasks.ts';
import { delegatorsOf } from './delegations.ts';
import { activePeople } from './find-approvers.ts';
import { simulateApproval } from './simulate-approval.ts';

/** One level of an approval as it stands. */
interface ApprovalStep {
  readonly level_no: number;
  readonly title: string;
  readonly mode: 'any' | 'all';
  readonly status: 'approved' | 'rejected' | 'pending' | 'waiting' | 'skipped' | 'cancelled';
  readonly persons: readonly Approver[];
  readonly reason: string;
  readonly skipped: string | null;
  readonly decisions: readonly StepDecision[];
}

interface StepDecision {
  readonly task_id: string;
  readonly person_id: string | null;
  readonly name: string;
  readonly result: string;
  readonly opinion: string | null;
  readonly at: string | null;
}

export interface ApprovalStatus {
  readonly status: string;
  readonly flow: string | null;
  readonly amount_cny: string | null;
  readonly record_version: number;
  readonly submitted_by: Approver | null;
  readonly submitted_at: string | null;
  readonly steps: readonly ApprovalStep[];
  /** Who decides now, and why these people; null when nobody. */
  readonly next: {
    readonly title: string;
    readonly persons: readonly Approver[];
    readonly reason: string;
    readonly due_at: string | null;
  } | null;
  /** My task on this record, when I may decide it; with the fields that I may fill. */
  readonly task: { readonly id: string; readonly version: number; readonly fields: readonly string[] } | null;
  readonly canWithdraw: boolean;
  readonly changes: readonly unknown[];
  readonly checks: readonly (FieldProblem & { readonly ok: boolean })[];
  readonly earlier: readonly {
    readonly submitted_at: string;
    readonly status: string;
    readonly steps: readonly ApprovalStep[];
  }[];
  /** Before a submission: what it would start. */
  readonly preview: ApprovalPreview | null;
}

/** Where the approval of a record stands: steps, who decides next and why, what changed since the last submission, what the checks say. */
export async function approvalStatus(
  services: Services,
  caller: Caller,
  asked: { readonly resource: string; readonly id: string },
): Promise<ApprovalStatus> {
  const call = openAnyCall(services, caller, asked.resource);
  const { record, task } = await readForApproval(services, call, asked.id);
  const cases = await listCases(services.db, asked);
  const tasks = await tasksOf(services, call, cases);
  const [latest, previous] = cases;
  const running = latest !== undefined && latest.ended_at === null ? latest : null;
  const steps = latest === undefined ? [] : stepsOf(latest, tasks);
  const isHidden = caller.subject.kind === 'partner';
  const base = running === null ? latest : previous;
  await attachFor(services.db, call, record);
  const current = running === null ? null : (steps.find((step) => step.status === 'pending') ?? null);
  return {
    status: latest?.status ?? 'none',
    flow: latest?.flow.name ?? null,
    amount_cny: latest?.flow.amount_cny ?? null,
    record_version: Number(record['version']),
    submitted_by:
      latest === undefined ? null : { id: latest.flow.submitter_id, name: latest.flow.submitter_name },
    submitted_at: latest?.submitted_at ?? null,
    steps: isHidden ? steps.map(withoutOpinions) : steps,
    next:
      current === null
        ? null
        : {
            title: current.title,
            persons: current.persons,
            reason: current.reason,
            due_at: dueOf(running, tasks),
          },
    task:
      task === null
        ? null
        : { id: String(task['id']), version: Number(task['version']), fields: fillable(call, record) },
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
          ),
    checks: await checksOf(services, call, { record, action: running?.action ?? null }),
    earlier: isHidden
      ? []
      : cases
          .slice(1)
          .map((old) => ({ submitted_at: old.submitted_at, status: old.status, steps: stepsOf(old, tasks) })),
    preview: running === null ? await simulateApproval(call, record) : null,
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
  const seen = mayRead ? await readStored(services.db, call, id) : null;
  if (seen !== null) return { record: seen, task };
  const system = openSystemCall(services, call.caller, call.resource.resource);
  const record = task === null ? null : await readStored(services.db, system, id);
  if (record === null) throw new AppError('NOT_FOUND');
  return { record, task };
}

async function myTask(services: Services, call: Call, id: string): Promise<OpenRecord | null> {
  const { subject, context } = call.caller;
  if (subject.kind !== 'staff') return null;
  const people = [subject.id, ...(await delegatorsOf(services.db, subject.id, context.today))];
  const [row] = await services.db.query(
    `select t.id, t.version from approval_task t where t.co_code = $1 and t.resource = $2 and t.record_id = $3 and t.status = 'pending'
       and t.assignee_ids && $4::uuid[] and t.submitter_id is distinct from $5::uuid and t.is_deleted = false limit 1`,
    [subject.co_code, call.resource.resource, id, people, subject.id],
    'my_task',
  );
  return row ?? null;
}

async function tasksOf(
  services: Services,
  call: Call,
  cases: readonly ApprovalCase[],
): Promise<ReadonlyMap<string, OpenRecord & { readonly actor?: string }>> {
  const ids = cases.flatMap((known) => known.flow.levels.flatMap((level) => level.tasks));
  if (ids.length === 0) return new Map();
  const taskCall = openSystemCall(services, call.caller, TASKS);
  const open = { ...taskCall, access: { ...taskCall.access, companies: 'all' as const } };
  const tasks = await readStoredMany(services.db, open, ids);
  const actors = [...new Set(tasks.map((task) => task['acted_by']).filter((id) => typeof id === 'string'))];
  const company = cases[0]?.co_code ?? call.caller.subject.co_code;
  const names = new Map((await activePeople(services.db, company, actors)).map(({ id, name }) => [id, name]));
  return new Map(
    tasks.map((task) => [String(task['id']), { ...task, actor: names.get(String(task['acted_by'])) ?? '' }]),
  );
}

function stepsOf(
  known: ApprovalCase,
  tasks: ReadonlyMap<string, OpenRecord & { readonly actor?: string }>,
): readonly ApprovalStep[] {
  return known.flow.levels.map((level) => {
    const own = level.tasks.map((id) => tasks.get(id)).filter((task) => task !== undefined);
    const { level_no, title, mode, persons, reason, skipped } = level;
    return {
      level_no,
      title,
      mode,
      persons,
      reason,
      skipped,
      status: stepStatus(known, level, own),
      decisions: own
        .filter((task) => task['acted_at'] !== null && task['acted_at'] !== undefined)
        .map((task) => ({
          task_id: String(task['id']),
          person_id: typeof task['acted_by'] === 'string' ? task['acted_by'] : null,
          name: task.actor ?? '',
          result: String(task['status']),
          opinion: typeof task['opinion'] === 'string' ? task['opinion'] : null,
          at: typeof task['acted_at'] === 'string' ? task['acted_at'] : null,
        })),
    };
  });
}

function stepStatus(
  known: ApprovalCase,
  level: CaseLevel,
  tasks: readonly OpenRecord[],
): ApprovalStep['status'] {
  if (level.skipped !== null) return 'skipped';
  if (tasks.some((task) => task['status'] === 'rejected')) return 'rejected';
  if (tasks.some((task) => task['status'] === 'pending')) return 'pending';
  if (tasks.some((task) => task['status'] === 'approved')) return 'approved';
  return known.ended_at === null ? 'waiting' : 'cancelled';
}

function hasApproved(step: ApprovalStep): boolean {
  return step.decisions.some(({ result }) => result === 'approved');
}

function withoutOpinions(step: ApprovalStep): ApprovalStep {
  return { ...step, decisions: step.decisions.map((decision) => ({ ...decision, opinion: null })) };
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

/** Runs the submission's and the approval's checks without keeping anything they do. */
async function checksOf(
  services: Services,
  call: Call,
  asked: { readonly record: OpenRecord; readonly action: string | null },
): Promise<ApprovalStatus['checks']> {
  const { record } = asked;
  const actions = call.resource.lifecycle?.actions ?? {};
  const action =
    asked.action === null ? submittingAction(call, record['status']) : (actions[asked.action] ?? null);
  if (action === null) return [];
  const own = checkRecord(call.resource, record, recordScope(call, record), { complete: true });
  const names = [...call.resource.checks.submit, ...(action.approval?.checks ?? action.checks ?? [])];
  const named = await rolledBack(services, (tx) =>
    runChecks(names, { tx, call, record, previous: null, action: action.key, created: [] }),
  );
  const found = [...own, ...named].map((problem) => ({ ...problem, ok: false }));
  const hasError = found.some((problem) => problem.level !== 'warning');
  return hasError
    ? found
    : [...found, { path: '', code: 'passed', message: '必填项、业务规则和合规检查均已通过', ok: true }];
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
