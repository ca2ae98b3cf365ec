import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { openAnyCall, openSystemCall } from '#server/records/call/open-call.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { cleanOpinion } from '#server/records/action/run-action.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { presentSaved, writeAndShow } from '#server/records/write/save-record.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { findOpenCase } from './approval-case.ts';
import { requireApproval } from './approval-definition.ts';
import { readTask } from './approval-tasks.ts';
import { endCase, release } from './end-approval.ts';

/** Takes a submission back: by the submitter, while no level has acted. */
export async function withdrawApproval(
  services: Services,
  caller: Caller,
  asked: { readonly resource: string; readonly id: string; readonly opinion: string | null },
): Promise<OpenRecord> {
  const own = openAnyCall(services, caller, asked.resource);
  const call = openSystemCall(services, caller, asked.resource);
  const seen = isRecordId(asked.id) ? await readStored(services.db, own, asked.id) : null;
  if (seen === null) throw new AppError('NOT_FOUND');
  const created: CreatedRecord[] = [];
  const work = async (tx: Tx): Promise<void> => {
    created.length = 0;
    const record = await readStored(tx, call, asked.id, { isLocking: true });
    const running = await findOpenCase(tx, { resource: asked.resource, id: asked.id }, true);
    if (record === null || running === null)
      throw new AppError('ACTION_NOT_ALLOWED', { message: '单据不在审核中，不能撤回' });
    if (running.flow.submitter_id !== caller.subject.id)
      throw new AppError('FORBIDDEN', { message: '只有提交人可以撤回' });
    if (!own.access.operations.has('withdraw') && !own.access.operations.has(running.action))
      throw new AppError('FORBIDDEN');
    for (const id of running.flow.levels.flatMap((level) => level.tasks)) {
      const task = await readTask(tx, call, id, true);
      if (task?.['status'] === 'approved')
        throw new AppError('ACTION_NOT_ALLOWED', { message: '已有审核人处理，不能撤回' });
    }
    const { approval } = requireApproval(call, running.action);
    await release(tx, call, {
      running,
      record,
      to: approval.withdrawn,
      action: 'withdraw',
      opinion: cleanOpinion(asked.opinion),
      created,
    });
    await endCase(tx, call, running, 'withdrawn');
  };
  return writeAndShow(call, work, (db) =>
    presentSaved(db, own, { id: asked.id, saved: null, created, hasEffects: true }),
  );
}
