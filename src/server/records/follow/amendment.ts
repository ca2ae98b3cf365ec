import { AppError } from '#server/kernel/errors.ts';
import { AMENDED } from '#engine/ledger/posting-moment.ts';
import { greatestLength } from '#engine/fields/text-value.ts';
import { checkRecord, hasErrors } from '#engine/record/check-record.ts';
import type { AmendmentDefinition } from '#engine/schema/effects-definition.ts';
import { mergeRecord } from '#engine/record/merge-record.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { openedCall } from '#server/records/action/amend-record.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';
import { prepareChange } from '#server/records/prepare/prepare-record.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { runPostings } from '#server/records/ledger/run-postings.ts';
import { runVouchers } from '#server/records/ledger/run-vouchers.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { refuseProblems, runChecks } from '#server/records/rules/run-rules.ts';
import { persistChange } from '#server/records/write/persist-record.ts';
import { runSaveRules } from '#server/records/write/save-rules.ts';
import { runSystemAction, type SystemContext } from '#server/records/write/system-write.ts';
import {
  asChangeProblem,
  patchOf,
  raisedValues,
  readChanges,
  type ReadChanges,
} from './amendment-changes.ts';
import { checkLimits } from './check-limits.ts';
import { withChosenKeys } from './spoken-changes.ts';
import { otherOpenAmendments, refuseSecondAmendment } from './open-amendments.ts';
import { sessionOf } from './write-session.ts';
import { refuseUsedLines } from '#server/records/write/used-lines.ts';

/** An amendment in hand: its declaration, its own record, and what it changes. */
interface Amending {
  readonly amendment: AmendmentDefinition;
  readonly record: OpenRecord;
  readonly target: OpenRecord;
  readonly targetCall: Call;
  readonly read: ReadChanges;
}

/** The old values of an amendment's lines, and what its snapshots show; part of the write of its own record. */
export async function describeAmendment(db: Reader, call: Call, record: OpenRecord): Promise<OpenRecord> {
  const amending = await amendingOf(db, call, record);
  if (amending === null) return record;
  const { amendment, read, target } = amending;
  const cell = call.resource.fields[amendment.changes]?.fields?.['old_value'];
  const held = cell === undefined ? 0 : greatestLength(cell, cell.type === 'textarea' ? 'textarea' : 'text');
  const old = new Map(read.changes.map((change) => [change.index, change.oldText.slice(0, held)]));
  const changes = linesOf(record[amendment.changes]).map((line, index) => ({
    ...line,
    old_value: old.get(index) ?? null,
  }));
  const before = stateBefore(target, openState(amending.targetCall, amendment));
  const stage = amendment.stage === undefined ? {} : { [amendment.stage]: before };
  return { ...record, ...stage, ...snapshotsOf(amending), [amendment.changes]: changes };
}

/** The target as it was and as it would be, without what only travels with answers. */
function snapshotsOf({ amendment, target, targetCall, read }: Amending): OpenRecord {
  if (amendment.snapshots === undefined) return {};
  const [before, after] = amendment.snapshots;
  const changed = mergeRecord(targetCall.resource, target, patchOf(target, read.changes));
  return { [before]: plainText(target), [after]: plainText(changed) };
}

function plainText(record: ErpRecord): string {
  return JSON.stringify(record, (key, value: unknown) => (key.startsWith('_') ? undefined : value));
}

/** After a save: what is wrong with the changes as the target's own, by writing them and undoing that again. */
export async function rehearseAmendment(
  tx: Tx,
  call: Call,
  { record, isSubmission }: { readonly record: OpenRecord; readonly isSubmission: boolean },
): Promise<void> {
  const amending = await amendingOf(tx, call, record);
  if (amending === null) return;
  refuseProblems(amending.read.problems);
  if (amending.read.changes.length === 0) return;
  const { states } = sessionOf(tx);
  const { length } = states;
  try {
    await tx.savepoint(async () => {
      await writeChanges(tx, amending, { isSubmission, created: [] });
      const context = { tx, services: call.services, caller: call.caller };
      if (isSubmission) await leaveChange(context, call, { record, isTakingAnew: true });
      const limits = await checkLimits(tx, sessionOf(tx));
      throw new Rehearsed(limits.filter(({ level }) => level !== 'warning'));
    });
  } catch (error) {
    const problems = error instanceof Rehearsed ? error.problems : problemsIn(error);
    const told = problems.map((problem) =>
      asChangeProblem(amending.amendment, { changes: amending.read.changes, problem }),
    );
    const [first] = told;
    if (first !== undefined) throw new AppError('RULE_REFUSED', { problems: told, message: first.message });
  } finally {
    // What only the approval will move.
    states.length = length;
  }
}

/** Puts the target into its state of change, unless it is there; refused while another amendment holds it open. */
export async function openTarget(context: SystemContext, call: Call, record: OpenRecord): Promise<void> {
  // Two at once: the second waits here, and then sees the first.
  await lockTarget(context.tx, call, record);
  const amending = await amendingOf(context.tx, call, record);
  if (amending === null) return;
  const { title } = amending.targetCall.resource;
  await refuseSecondAmendment(context.tx, call, { record, target: title });
  const isOpen = amending.target['status'] === openState(amending.targetCall, amending.amendment);
  if (!isOpen) await moveTarget(context, amending, 'open');
}

/** Lets the target go on as it was before, with what it had frozen, unless another amendment holds it open. */
export async function closeTarget(context: SystemContext, call: Call, record: OpenRecord): Promise<void> {
  await leaveChange(context, call, { record, isTakingAnew: false });
}

/** Takes the target out of its state of change, unless another amendment holds it open. */
async function leaveChange(
  context: SystemContext,
  call: Call,
  { record, isTakingAnew }: { readonly record: OpenRecord; readonly isTakingAnew: boolean },
): Promise<void> {
  await lockTarget(context.tx, call, record);
  const amending = await amendingOf(context.tx, call, record);
  if (amending === null || amending.target['status'] !== openState(amending.targetCall, amending.amendment))
    return;
  const others = await otherOpenAmendments(context.tx, call, record);
  if (others.length === 0) await moveTarget(context, amending, 'close', isTakingAnew);
}

/** After a save of an amendment that is not handed in: its target is held open, one that it named before is let go. */
export async function followTarget(
  context: SystemContext,
  call: Call,
  { record, previous }: { readonly record: OpenRecord; readonly previous: OpenRecord | null },
): Promise<void> {
  const by = call.resource.amendment?.by ?? '';
  if (previous !== null && previous[by] === record[by]) return;
  if (previous !== null) await closeTarget(context, call, previous);
  await openTarget(context, call, record);
}

async function lockTarget(tx: Tx, call: Call, record: OpenRecord): Promise<void> {
  const { amendment } = call.resource;
  const id = amendment === undefined ? null : record[amendment.by];
  if (amendment === undefined || typeof id !== 'string') return;
  const targetCall = openSystemCall(call.services, call.caller, amendment.of);
  await readStored(tx, targetCall, id, { isLocking: true });
}

async function moveTarget(
  context: SystemContext,
  { amendment, targetCall, target }: Amending,
  move: 'open' | 'close',
  isTakingAnew = false,
): Promise<void> {
  const isBack = move === 'close' && !isTakingAnew;
  const moved = { id: String(target['id']), action: amendment[move], ...(isBack ? { isBack } : {}) };
  await runSystemAction(context, targetCall.resource.resource, moved);
}

/**
 * The last approval: the changes are written as a full save of the target, which then leaves its state of change and takes
 * anew what it freezes in the state it enters. Last its ledgers follow: `before` is the target without the changes.
 */
export async function applyAmendment(
  context: SystemContext & { readonly created: CreatedRecord[] },
  call: Call,
  record: OpenRecord,
): Promise<void> {
  const { tx, created } = context;
  const amending = await amendingOf(tx, call, record);
  if (amending === null) return;
  const { target: before, targetCall } = amending;
  refuseProblems(amending.read.problems, 'RULE_REFUSED');
  await writeChanges(tx, amending, { isSubmission: true, created });
  await leaveChange(context, call, { record, isTakingAnew: true });
  const after = await readStored(tx, targetCall, String(before['id']));
  if (after === null) return;
  const posted = await runPostings(tx, targetCall, { before, after, action: AMENDED });
  await runVouchers(tx, targetCall, posted);
}

const ALL: ReadonlySet<string> = new Set(['update']);

/** Undoes what was only tried. */
class Rehearsed extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('rehearsed');
  }
}

function problemsIn(error: unknown): readonly FieldProblem[] {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  return error.problems.length > 0 ? error.problems : [{ path: '', code: 'refused', message: error.message }];
}

async function amendingOf(db: Reader, call: Call, record: OpenRecord): Promise<Amending | null> {
  const { amendment } = call.resource;
  const id = amendment === undefined ? null : record[amendment.by];
  if (amendment === undefined || typeof id !== 'string') return null;
  const targetCall = openSystemCall(call.services, call.caller, amendment.of);
  const target = await readStored(db, targetCall, id);
  if (target === null) return null;
  const { resource, catalog } = targetCall;
  await attachReferences(db, {
    catalog,
    resource,
    records: [target],
    withPaths: false,
    withLabels: true,
    company: call.caller.subject.co_code,
    reader: targetCall,
  });
  const chosen = await withChosenKeys(targetCall, amendment, { record, target });
  const { changes, problems } = readChanges(amendment, { record: chosen, target, resource });
  const state = stateBefore(target, openState(targetCall, amendment));
  const raised = raisedValues(amendment, { changes, target, resource, state });
  return { amendment, record, target, targetCall, read: { changes, problems: [...problems, ...raised] } };
}

/** The state that `open` enters. */
function openState({ resource }: Call, amendment: AmendmentDefinition): string {
  return resource.lifecycle?.actions[amendment.open]?.to ?? '';
}

/** The state in which the target was, or still is, before it was opened. */
function stateBefore({ status, previous_status: previous }: OpenRecord, open: string): string {
  return String(status === open ? (previous ?? status) : status);
}

async function writeChanges(
  tx: Tx,
  amending: Amending,
  { isSubmission, created }: { readonly isSubmission: boolean; readonly created: CreatedRecord[] },
): Promise<void> {
  const { target, targetCall, read } = amending;
  const { resource } = targetCall;
  const before = await readStored(tx, targetCall, String(target['id']), { isLocking: true });
  if (before === null) throw new AppError('NOT_FOUND');
  const open = openedCall(
    { ...targetCall, access: { ...targetCall.access, operations: ALL } },
    { edit: '*', current: before },
  );
  const prepared = await prepareChange(tx, open, { current: before, body: patchOf(before, read.changes) });
  const scope = { ...recordScope(targetCall, prepared.record), before };
  const complete = checkRecord(resource, prepared.record, scope, { complete: true, moment: AMENDED });
  const problems = [...prepared.problems, ...(isSubmission ? complete : [])];
  if (hasErrors(problems)) refuseProblems(problems);
  const named = await runChecks(isSubmission ? resource.checks.submit : [], {
    tx,
    call: targetCall,
    record: prepared.record,
    previous: before,
    action: AMENDED,
    created,
  });
  refuseProblems(named, 'RULE_REFUSED');
  await refuseUsedLines(tx, targetCall, { before, after: prepared.record });
  const record = await persistChange(tx, targetCall, {
    before,
    after: prepared.record,
    reason: { action: AMENDED },
  });
  await runSaveRules(tx, targetCall, { record, previous: before, action: 'update', created });
}
