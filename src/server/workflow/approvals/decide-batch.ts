import type { BatchDecision } from '#contract/approval.ts';
import type { BatchResult } from '#contract/records.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { formatMoney } from '#engine/values/display.ts';
import { AppError } from '#server/kernel/errors.ts';
import { eachPart, refusalText } from '#server/records/action/batch-action.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { TASKS } from './approval-tasks.ts';
import { decideTask } from './decide-task.ts';

/** Of the parameters: from how much in CNY a document is approved by itself. */
const LIMIT = 'BATCH_APPROVE_MAX';
const SHIPPED_LIMIT = '50000.00';

/**
 * Decides several tasks with one opinion, each in its own transaction. Approved together are documents of one kind, each
 * below the limit; what has no amount is bound by nothing.
 * @throws AppError BAD_REQUEST for approvals of several kinds, FORBIDDEN for who is not staff
 */
export async function decideBatch(
  services: Services,
  caller: Caller,
  batch: BatchDecision,
): Promise<readonly BatchResult[]> {
  if (caller.subject.kind !== 'staff') throw new AppError('FORBIDDEN');
  const ids = batch.tasks.map(({ id }) => id).filter((id) => /^[0-9a-f-]{36}$/.test(id));
  const tasks = await readStoredMany(services.db, openSystemCall(services, caller, TASKS), ids);
  if (batch.action === 'approve' && new Set(tasks.map((task) => task['resource'])).size > 1)
    throw new AppError('BAD_REQUEST', { message: '批量同意只能选择同一类单据' });
  const byId = new Map(tasks.map((task) => [String(task['id']), task]));
  return eachPart(caller, batch.tasks, {
    msg: batch.action === 'approve' ? '审核通过' : '已驳回',
    write: async ({ id, version = null }, own) => {
      const refusal = batch.action === 'approve' ? batchRefusal(own, byId.get(id) ?? {}) : null;
      if (refusal !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: refusal });
      const decision = { kind: batch.action, version, opinion: batch.opinion ?? null };
      await decideTask(services, own, { taskId: id, decision });
    },
    refused: (error) => refusalText({ services }, error),
  });
}

/** Why a task is not approved together with others, in Chinese; null when it may be. */
export function batchRefusal({ context }: Caller, task: OpenRecord): string | null {
  const amount = task['amount_cny'];
  const limit = context.params[LIMIT] ?? SHIPPED_LIMIT;
  if (typeof amount !== 'string' || compareDecimals(amount, limit) < 0) return null;
  return `折人民币${formatMoney(limit)}元及以上的单据须逐份审核`;
}
