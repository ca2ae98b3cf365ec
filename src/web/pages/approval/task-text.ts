import { compareDecimals } from '#engine/values/decimal.ts';
import { formatMoney } from '#engine/values/display.ts';
import { shownTime } from '../details/history-row.ts';
import type { ApprovalTask } from './approval-record.ts';

/** When a task is due, or since when it is overdue. */
export function dueText(task: ApprovalTask): string {
  if (task.due_at === null) return '不限';
  if (!isOverdue(task)) return shownTime(task.due_at);
  return `超时 ${ageText(Math.floor((Date.now() - Date.parse(task.due_at)) / HOUR_MS))}`;
}

const HOUR_MS = 3_600_000;

/** The amount of a task; what has none, a buyer or a goods, says nothing instead of zero. */
export function amountText({ amount, currency }: Pick<ApprovalTask, 'amount' | 'currency'>): string {
  return amount === null || isZero(amount) ? '' : formatMoney(amount, currency ?? undefined);
}

export function isZero(amount: string): boolean {
  return compareDecimals(amount, '0') === 0;
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
