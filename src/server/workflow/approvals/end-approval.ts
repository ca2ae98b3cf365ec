import { actionTarget, stateRefusal } from '#engine/lifecycle/action-states.ts';
import type { Action, FieldProblem } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { drawNumber } from '#server/records/write/draw-number.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { persistChange, personOf } from '#server/records/write/persist-record.ts';
import { attachFor, openCopy, settle, withOwnWrites } from '#server/records/prepare/complete-record.ts';
import { lockNamedDocuments } from '#server/records/read/lock-named.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { checkFresh } from '#server/records/prepare/check-fresh.ts';
import { checkReferences } from '#server/records/prepare/check-references.ts';
import { checkMoment } from '#engine/record/check-record.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { applyAmendment, closeTarget } from '#server/records/follow/amendment.ts';
import { checkBlockers } from '#server/records/follow/check-blockers.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers } from '#server/records/ledger/run-vouchers.ts';
import { noteApproved, noteMoved, noteWarnings, sessionOf } from '#server/records/follow/write-session.ts';
import { refuseProblems, requireChecks, runEffects } from '#server/records/rules/run-rules.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { type ApprovalCase, updateCase } from './approval-case.ts';
import { requireApproval } from './approval-definition.ts';
import { cancelTasks } from './approval-tasks.ts';
import { withValuesBefore } from './undo-submission.ts';
import { requireComplete } from './require-complete.ts';

/** The last approval: checks again, the new state, stamps, number, effects, event. */
export async function finishApproval(
  tx: Tx,
  call: Call,
  step: {
    readonly running: ApprovalCase;
    readonly record: OpenRecord;
    readonly created: CreatedRecord[];
    readonly opinion: string | null;
  },
): Promise<OpenRecord> {
  const { running, record: before, created, opinion } = step;
  const { action, approval } = requireApproval(call, running.action);
  const left = leftMeanwhile(call, action, before);
  if (left !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: left });
  await lockNamedDocuments(tx, call, before);
  await attachFor(tx, call, before);
  const standing = await stillAgainst(tx, call, { action, record: before });
  refuseProblems(standing, 'RULE_REFUSED');
  refuseProblems(await checkFresh(tx, call, { record: before, message: approval.fresh }), 'RULE_REFUSED');
  const record = openCopy(call, before);
  record['status'] = targetState(approval.approved, before);
  if (call.resource.fields['approved_by'] !== undefined) record['approved_by'] = personOf(call);
  if (call.resource.fields['approved_at'] !== undefined)
    record['approved_at'] = call.services.clock().toISOString();
  const own = withOwnWrites(call, approval.then ?? [], { record, before });
  const changed = await settle(tx, call, { record: own, before });
  requireComplete(call, action, changed);
  const scope = { ...recordScope(call, changed), before };
  const found = checkMoment(call.resource, changed, scope, 'approved');
  refuseProblems(found);
  noteWarnings(tx, [...standing, ...found]);
  refuseProblems(
    await checkReferences(tx, call, {
      record: changed,
      previous: before,
      isSystem: true,
      moment: 'approved',
    }),
  );
  const number = await drawNumber(tx, call, { record: changed, at: 'post' });
  if (number !== null && call.resource.number !== undefined) changed[call.resource.number.field] = number;
  const rules = { tx, call, record: changed, previous: before, action: action.key, created };
  await requireChecks(approval.checks ?? [], rules);
  const after = await persistChange(tx, call, {
    before,
    after: changed,
    reason: { action: 'approved', opinion },
    storage: { previous_status: String(before['status']) },
  });
  const posted = await runPostings(tx, call, { before, after, action: 'approved' });
  await runEffects(approval.effects ?? [], { ...rules, record: posted.after });
  const context = { tx, services: call.services, caller: call.caller, created };
  if (call.resource.amendment !== undefined) await applyAmendment(context, call, posted.after);
  noteMoved(tx, call, { before, after, action: 'approved' });
  sessionOf(tx).isDecision = true;
  noteApproved(tx, call, String(after['id']));
  await runFollows(tx, call, approval.then ?? [], {
    record: posted.after,
    previous: before,
    action: 'approved',
    created,
  });
  await runVouchers(tx, call, posted);
  await endCase(tx, call, { ...running, record_version: Number(after['version']) }, 'approved');
  const settled = (await readStored(tx, call, String(before['id']))) ?? after;
  const { event } = approval;
  // Who hears of the document by its own event knows that it is approved.
  const told = event === undefined ? undefined : await emitEvent(tx, call, { event, record: settled });
  const ended = { running, record: settled, event: 'TASK_APPROVED', opinion };
  await tellSubmitter(tx, call, { ...ended, ...(told === undefined ? {} : { except: told.people }) });
  return settled;
}

/**
 * What stands against the last approval: its blockers and, where the action undoes or takes back instead of handing in a
 * document (which says in its rules what is asked again), whatever stands against the action by now (flows 2.8).
 */
async function stillAgainst(
  tx: Tx,
  call: Call,
  { action, record }: { readonly action: Action; readonly record: OpenRecord },
): Promise<readonly FieldProblem[]> {
  const blocked = await checkBlockers(tx, call, { action: 'approved', record });
  if (action.complete) return blocked;
  const scope = { ...recordScope(call, record), before: record };
  return [
    ...blocked,
    ...(await checkBlockers(tx, call, { action: action.key, record })),
    ...checkMoment(call.resource, record, scope, action.key),
  ];
}

/** Takes a record out of its approval: the state it goes back to, and whatever the submission held is let go. */
export async function release(
  tx: Tx,
  call: Call,
  released: {
    readonly running: ApprovalCase;
    readonly record: OpenRecord;
    readonly to: string;
    readonly action: 'reject' | 'withdraw';
    readonly opinion: string | null;
    readonly created: CreatedRecord[];
  },
): Promise<OpenRecord> {
  const { running, record: before, action, opinion, created } = released;
  const { action: asked, approval } = requireApproval(call, running.action);
  await attachFor(tx, call, before);
  const kept = running.flow.before ?? null;
  const isUndone = released.to === '$previous' && kept !== null;
  const record = isUndone
    ? withValuesBefore(call.resource, openCopy(call, before), kept)
    : openCopy(call, before);
  if (leftMeanwhile(call, asked, before) === null) record['status'] = targetState(released.to, before);
  if (action === 'reject' && call.resource.fields['reject_reason'] !== undefined)
    record['reject_reason'] = opinion;
  const own = withOwnWrites(call, approval.onRelease, { record, before });
  const after = await persistChange(tx, call, {
    before,
    after: await settle(tx, call, { record: own, before }),
    reason: { action, opinion },
    storage: { previous_status: String(before['status']) },
  });
  const posted = await runPostings(tx, call, { before, after, action });
  await runEffects(approval.released, { tx, call, record: posted.after, previous: before, action, created });
  const context = { tx, services: call.services, caller: call.caller, created };
  if (call.resource.amendment !== undefined) await closeTarget(context, call, posted.after);
  noteMoved(tx, call, { before, after, action });
  await runFollows(tx, call, approval.onRelease, {
    record: posted.after,
    previous: before,
    action: 'released',
    created,
  });
  await runVouchers(tx, call, posted);
  return (await readStored(tx, call, String(before['id']))) ?? after;
}

/** Ends a case; what still waits is cancelled. */
export async function endCase(tx: Tx, call: Call, running: ApprovalCase, status: string): Promise<void> {
  await cancelTasks(tx, call, running);
  await updateCase(tx, { ...running, status, ended_at: call.services.clock().toISOString() });
}

/** Tells the submitter how it ended. */
export async function tellSubmitter(
  tx: Tx,
  call: Call,
  told: {
    readonly running: ApprovalCase;
    readonly record: OpenRecord;
    readonly event: string;
    readonly opinion: string | null;
    /** People who know already. */
    readonly except?: ReadonlySet<string>;
  },
): Promise<void> {
  const { running, record, event, opinion, except = new Set() } = told;
  const { submitter_id: submitter } = running.flow;
  const { action } = requireApproval(call, running.action);
  await attachFor(tx, call, record);
  if (action.complete)
    return void (await emitEvent(tx, call, { event, record, opinion, also: [submitter], except }));
  // What is done with a document is not the document: its customer is told of that by the events of its own.
  const words = { title: `${call.resource.title}${action.title}` };
  await emitEvent(tx, call, { event, record, opinion, to: [submitter], words, except });
}

/**
 * What waits for its approval in a state of its own cannot leave it. An action that keeps the state holds up no other: it
 * says here why it cannot run any more, when the record has gone on to a state in which nobody could ask for it; else null.
 */
function leftMeanwhile({ resource }: Call, action: Action, record: OpenRecord): string | null {
  return action.to === '$same' ? stateRefusal(resource, action, record) : null;
}

/** `$previous` and `$same` work for approvals as for actions. */
function targetState(to: string, record: OpenRecord): string {
  const target = actionTarget({ to }, record);
  if (target === null) throw new AppError('ACTION_NOT_ALLOWED', { message: '没有可以返回的状态' });
  return target;
}
