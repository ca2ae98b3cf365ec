import { shownTime } from '../details/history-row.ts';
import type { ApprovalTask } from './approval-record.ts';

/** When a task is due, and whether that has passed. */
export function dueText(task: ApprovalTask): string {
  if (task.due_at === null) return '不限';
  return `${isOverdue(task) ? '已超时 ' : ''}${shownTime(task.due_at)}`;
}

export function isOverdue({ due_at: dueAt }: ApprovalTask): boolean {
  return dueAt !== null && Date.parse(dueAt) < Date.now();
}

const MOST_NAMED = 2;

/** What changed since the last submission, its first fields by name. */
export function changeText(changed: readonly string[] | null): string {
  if (changed === null) return '首次提交';
  if (changed.length === 0) return '没有变化';
  const named = changed.slice(0, MOST_NAMED).join('、');
  return changed.length > MOST_NAMED ? `${named} 等 ${changed.length} 处` : named;
}

/** How long something waits: hours within two days, then days. */
export function ageText(hours: number): string {
  return hours < 48 ? `${hours} 小时` : `${Math.floor(hours / 24)} 天`;
}
