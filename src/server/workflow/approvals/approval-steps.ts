import type { ApprovalStep } from '#contract/approval.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { ApprovalCase, CaseLevel } from './approval-case.ts';

/** Tasks by id, with the names of who decided and for whom. */
export type TaskBook = ReadonlyMap<
  string,
  OpenRecord & { readonly actor?: string; readonly actedFor?: string }
>;

/** The levels of a case with what was decided. */
export function stepsOf(known: ApprovalCase, tasks: TaskBook): readonly ApprovalStep[] {
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
          for_name: task.actedFor ?? '',
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

/** True when somebody of the level has agreed. */
export function hasApproved(step: ApprovalStep): boolean {
  return step.decisions.some(({ result }) => result === 'approved');
}
