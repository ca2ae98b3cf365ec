import type { ApprovalPreview } from '#contract/records.ts';
import type { ResolvedLevel } from '#server/records/following.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { submittingAction } from './approval-definition.ts';
import { matchFlow } from './approval-flow.ts';
import { resolveLevels } from './find-approvers.ts';

/** Simulates the approval of a record that need not be saved; null when its resource has none. */
export async function simulateApproval(call: Call, record: OpenRecord): Promise<ApprovalPreview | null> {
  const action = submittingAction(call, record['status']);
  if (action === null) return null;
  const { db } = call.services;
  try {
    const matched = await matchFlow(db, call, { record, action: action.key });
    if (matched === null) return { flow: null, amount_cny: null, levels: [], problem: '未配置审核流程' };
    const levels = await resolveLevels(db, call, {
      levels: matched.flow.levels,
      record,
      submitterId: call.caller.subject.id,
    });
    const empty = levels.find((level) => level.skipped === null && level.persons.length === 0);
    return {
      flow: matched.flow.name,
      amount_cny: matched.amountCny,
      levels: levels.map(presentLevel),
      problem: empty === undefined ? null : `“${empty.title}”没有可用的审核人`,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { flow: null, amount_cny: null, levels: [], problem: error.message };
  }
}

/** A level as it is told: where its people come from is the flow's own business. */
function presentLevel(level: ResolvedLevel): ApprovalPreview['levels'][number] {
  const { level_no, title, mode, timeout_hours, persons, reason, skipped } = level;
  return { level_no, title, mode, timeout_hours, persons, reason, skipped };
}
