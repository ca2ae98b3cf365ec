import { AppError } from '#server/errors.ts';
import type { OpenRecord } from '#server/operations/attach-references.ts';
import type { Call } from '#server/operations/open-call.ts';
import { submittingAction } from './approval-definition.ts';
import { matchFlow } from './approval-flow.ts';
import { type ResolvedLevel, resolveLevels } from './find-approvers.ts';

/** Who would decide if the record were submitted now, and why. */
export interface ApprovalPreview {
  readonly flow: string | null;
  readonly amount_cny: string | null;
  readonly levels: readonly ResolvedLevel[];
  /** Why a submission would be refused: no flow, nobody to decide, no rate. */
  readonly problem: string | null;
}

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
      levels,
      problem: empty === undefined ? null : `“${empty.title}”没有可用的审核人`,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { flow: null, amount_cny: null, levels: [], problem: error.message };
  }
}
