import type { Following } from '#server/records/following.ts';
import { approvalOf } from './approvals/approval-case.ts';
import { beginApproval } from './approvals/begin-approval.ts';
import { closedDeciders } from './approvals/closed-deciders.ts';
import { simulateApproval } from './approvals/simulate-approval.ts';
import { emitEvent } from './events/emit-event.ts';

/** What this floor does in the transaction of a write; people and their sessions are the business of identity. */
export function buildFollowing(identity: Pick<Following, 'endSessions' | 'subjectsOf'>): Following {
  return { beginApproval, approvalOf, closedDeciders, simulateApproval, emitEvent, ...identity };
}
