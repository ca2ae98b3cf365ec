import { actionRefusal } from '#engine/lifecycle/action-states.ts';
import { checkMoment, checkRecord } from '#engine/record/check-record.ts';
import type { Action, ErpRecord } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { inputFields, parseInputs } from './action-inputs.ts';
import { amendRecord, splitChanges } from './amend-record.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { checkFresh } from '#server/records/prepare/check-fresh.ts';
import { checkReferences } from '#server/records/prepare/check-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { persistChange } from '#server/records/write/persist-record.ts';
import { attachFor } from '#server/records/prepare/complete-record.ts';
import { keepMade } from '#server/records/pick/save-made.ts';
import { lockNamedDocuments } from '#server/records/read/lock-named.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { closeTarget, openTarget, rehearseAmendment } from '#server/records/follow/amendment.ts';
import { checkBlockers } from '#server/records/follow/check-blockers.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers } from '#server/records/ledger/run-vouchers.ts';
import { actWithSecond } from '#server/records/second/second-person.ts';
import { noteMoved, noteSubmitted, noteWarnings } from '#server/records/follow/write-session.ts';
import { refuseProblems, requireChecks, runEffects } from '#server/records/rules/run-rules.ts';
import { presentSaved, readForWrite, writeAndShow } from '#server/records/write/save-record.ts';
import { refuseUsedLines } from '#server/records/write/used-lines.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { changedRecord } from './changed-record.ts';

/** What a caller gives an action. */
export interface ActionRequest {
  readonly version: number | null;
  readonly opinion?: string | null;
  readonly inputs?: unknown;
}

/** Runs a lifecycle action on a record and gives the record as it is then. */
export async function runAction(
  call: Call,
  target: { readonly id: string; readonly action: string },
  request: ActionRequest,
): Promise<OpenRecord> {
  const action = requireAction(call, target.action);
  if (action.system === true || !call.access.operations.has(action.key)) throw new AppError('FORBIDDEN');
  const created: CreatedRecord[] = [];
  const work = async (tx: Tx): Promise<void> => {
    created.length = 0;
    const before = await readForWrite(tx, call, {
      id: target.id,
      version: request.version,
      operation: action.key,
    });
    await actWithSecond(tx, call, { action: action.key, before, request, created });
  };
  return writeAndShow(call, work, (db) =>
    presentSaved(db, call, { id: target.id, saved: null, created, hasEffects: true }),
  );
}

/** Runs an action that a record takes by itself, in the transaction of the write that made it due. */
export async function runOwnAction(
  tx: Tx,
  call: Call,
  { action, before }: { readonly action: Action; readonly before: OpenRecord },
): Promise<void> {
  await performAction(tx, call, {
    action,
    before,
    request: { version: null, opinion: '系统' },
    created: [],
    isSystem: true,
  });
}

/** The action of a resource by its key; 404 for anything else, `constructor` included. */
export function requireAction(call: Call, key: string): Action {
  const actions = call.resource.lifecycle?.actions ?? {};
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
  if (action === undefined) throw new AppError('UNKNOWN_ACTION');
  return action;
}

/** One running action. `before` was read under a lock in this transaction. */
export interface PerformedAction {
  readonly action: Action;
  readonly before: OpenRecord;
  readonly request: ActionRequest;
  readonly created: CreatedRecord[];
  /** By an effect or the clock: rights and `system` are not asked for. */
  readonly isSystem: boolean;
  /** Its condition was asked before, under the lock: what was saved since, which it completes, may have met the end of it. */
  readonly isAsked?: true;
  /** The record goes back to a state that it had left for a while: what is frozen there stays as it was. */
  readonly isBack?: true;
}

/** Guards, inputs, `set`, completeness, checks, the new state, effects, event and the start of an approval, in the transaction. */
export async function performAction(tx: Tx, call: Call, run: PerformedAction): Promise<OpenRecord> {
  const { action, before, request, created } = run;
  const opinion = cleanOpinion(request.opinion);
  await lockNamedDocuments(tx, call, before);
  await attachFor(tx, call, before);
  const { changes, inputs } = splitChanges(action, request.inputs);
  const input = parseInputs(call, action, inputs, before);
  await refuseWhenClosed(call, run, input);
  if (action.reason === true && opinion === null)
    throw new AppError('REASON_REQUIRED', {
      problems: [{ path: 'opinion', code: 'required', message: '请填写意见' }],
    });
  const inputCall = withInput(call, action, input);
  const amended =
    changes === null ? before : await amendRecord(tx, inputCall, { action, current: before, changes });
  await refuseUsedLines(tx, inputCall, { before, after: amended });
  const blocked = await checkBlockers(tx, inputCall, { action: action.key, record: before, input });
  refuseProblems(blocked, 'RULE_REFUSED');
  noteWarnings(tx, blocked);
  refuseProblems(await checkFresh(tx, inputCall, { record: before, message: action.fresh }), 'RULE_REFUSED');
  const changed = await changedRecord(tx, inputCall, { run: { ...run, before: amended }, input });
  const scope = { ...recordScope(inputCall, changed), before };
  const moment = action.key;
  refuseProblems(
    action.complete
      ? checkRecord(call.resource, changed, scope, { complete: true, moment })
      : checkMoment(call.resource, changed, scope, moment),
  );
  noteWarnings(tx, checkMoment(call.resource, changed, scope, moment));
  refuseProblems(
    await checkReferences(tx, inputCall, {
      record: changed,
      previous: before,
      isSystem: run.isSystem,
      moment,
    }),
  );
  const rules = {
    tx,
    call: inputCall,
    record: changed,
    previous: before,
    input,
    action: action.key,
    created,
  };
  await requireChecks(
    [...(action.complete ? call.resource.checks.submit : []), ...(action.checks ?? [])],
    rules,
  );
  const after = await persistChange(tx, inputCall, {
    before,
    after: changed,
    reason: { action: action.key, opinion },
    ...(changed['status'] === before['status']
      ? {}
      : { storage: { previous_status: String(before['status']) } }),
  });
  if (action.pull !== undefined) await keepMade(tx, call, { form: null, saved: after, created });
  const posted = await runPostings(tx, inputCall, { before, after, action: action.key });
  await runEffects(action.effects ?? [], { ...rules, record: posted.after });
  if (call.resource.amendment !== undefined)
    await moveAmendment(tx, inputCall, { action, before, after: posted.after, created });
  noteMoved(tx, call, { before, after, action: action.key });
  await runFollows(tx, inputCall, action.then ?? [], {
    record: posted.after,
    previous: before,
    input,
    action: action.key,
    created,
  });
  await runVouchers(tx, inputCall, posted);
  if (action.approval !== undefined) {
    // What the effects wrote counts for the choice of the flow, and the approved version is the one they left.
    const submitted = await afterEffects(tx, call, { action, record: after });
    await call.services.following.beginApproval(tx, inputCall, {
      record: submitted,
      previous: before,
      action,
    });
    noteSubmitted(tx, call, { id: String(submitted['id']), approved: action.approval.approved });
  }
  const settled = (await readStored(tx, systemReader(call), String(before['id']))) ?? after;
  if (action.event !== undefined)
    await call.services.following.emitEvent(tx, call, {
      event: action.event,
      record: settled,
      opinion,
      previous: before,
    });
  return settled;
}

/** A submission opens the target and is rehearsed; what ends an amendment lets its target go. */
async function moveAmendment(
  tx: Tx,
  call: Call,
  moved: {
    readonly action: Action;
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly created: CreatedRecord[];
  },
): Promise<void> {
  const { action, before, after, created } = moved;
  const context = { tx, services: call.services, caller: call.caller, created };
  const dead = call.resource.lifecycle?.groups['dead'] ?? [];
  const isEnd = dead.includes(String(after['status'])) && before['status'] !== after['status'];
  if (isEnd && action.system !== true) await closeTarget(context, call, after);
  if (action.approval === undefined) return;
  await openTarget(context, call, after);
  await rehearseAmendment(tx, call, { record: after, isSubmission: true });
}

async function afterEffects(
  tx: Tx,
  call: Call,
  { action, record }: { readonly action: Action; readonly record: OpenRecord },
): Promise<OpenRecord> {
  if ((action.effects ?? []).length + (action.then ?? []).length === 0) return record;
  const stored = await readStored(tx, systemReader(call), String(record['id']));
  if (stored === null) return record;
  await attachFor(tx, call, stored);
  return stored;
}

/** The call with the action's inputs readable as `input.x`. */
function withInput(call: Call, action: Action, input: ErpRecord): Call {
  const context = { ...call.caller.context, input, inputFields: inputFields(action) };
  return { ...call, caller: { ...call.caller, context } };
}

/** A call that reads any row: what an effect moved out of the person's rows is still the same record. */
function systemReader(call: Call): Call {
  return { ...call, access: { ...call.access, rows: {}, companies: 'all' } };
}

/** An opinion without blanks around it; null when there is none. */
export function cleanOpinion(opinion: string | null | undefined): string | null {
  const text = opinion?.trim() ?? '';
  return text === '' ? null : text.slice(0, 500);
}

async function refuseWhenClosed(call: Call, run: PerformedAction, input: ErpRecord): Promise<void> {
  const { action, before } = run;
  const scope = recordScope(call, before, input);
  const access = run.isSystem
    ? {
        ...call.access,
        rowsByOperation: { [action.key]: { rows: {}, companies: 'all' as const } },
        operations: new Set([action.key]),
      }
    : call.access;
  const asked = run.isSystem ? asSystemAction(call, action) : actedOn(call, run);
  const reason = actionRefusal(asked, action.key, { record: before, scope, access });
  if (reason !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: reason });
}

function actedOn({ resource }: Call, { action, isAsked }: PerformedAction): Call['resource'] {
  const { lifecycle } = resource;
  if (isAsked !== true || lifecycle === undefined) return resource;
  const { when: _asked, ...open } = action;
  return { ...resource, lifecycle: { ...lifecycle, actions: { ...lifecycle.actions, [action.key]: open } } };
}

/** The system may run its own actions, and those of creation (`$new`) on a record that it just created. */
function asSystemAction(call: Call, action: Action): Call['resource'] {
  const { lifecycle } = call.resource;
  if (lifecycle === undefined) return call.resource;
  const from = action.from.includes('$new') ? [...action.from, lifecycle.initial] : action.from;
  const actions = { ...lifecycle.actions, [action.key]: { ...action, from, system: false } };
  return { ...call.resource, lifecycle: { ...lifecycle, actions } };
}
