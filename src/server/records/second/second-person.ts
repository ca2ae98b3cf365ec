import { diffRecords, type RecordChange } from '#engine/record/diff-records.ts';
import type { SecondPersonDefinition } from '#engine/schema/effects-definition.ts';
import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type ActionRequest, performAction, requireAction } from '#server/records/action/run-action.ts';
import { type Call, isSystemCall, openSystemCall } from '#server/records/call/open-call.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { settleNow } from '#server/records/follow/write-session.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { requireNobodyClosed } from './recently-closed.ts';
import { toldChanges, valuesInForce } from './told-changes.ts';

/** A change that waits: of which record, by which action (`update` for fields), and what it was asked with. */
export interface WaitingChange {
  readonly record: OpenRecord;
  readonly action: string;
  readonly changes: readonly RecordChange[];
  /** The fields of a PATCH, or the inputs of an action. */
  readonly body: unknown;
}

/** What of a write waits for a second person; null when nothing of this call does: the system asks nobody. */
export function waitingPart(call: Call): SecondPersonDefinition | null {
  const isFree = call.isConfirmed === true || isSystemCall(call) || call.caller.subject.id === SYSTEM_ID;
  return isFree ? null : (call.resource.secondPerson ?? null);
}

/** True when a call's action waits for a second person. */
export function doesWait(call: Call, action: string): boolean {
  return waitingPart(call)?.actions?.includes(action) === true;
}

/** What a write would change: it is done and undone again. A refusal is that of the write. */
export async function changesOf(
  tx: Tx,
  call: Call,
  { before, write }: { readonly before: OpenRecord; readonly write: () => Promise<OpenRecord> },
): Promise<readonly RecordChange[]> {
  try {
    await tx.savepoint(async () => {
      const changes = diffRecords(call.resource, before, await write());
      // Limits and overlaps are refused now, not when somebody has agreed.
      await settleNow(tx);
      throw new Tried(changes);
    });
  } catch (error) {
    if (error instanceof Tried) return error.changes;
    throw error;
  }
  return [];
}

/**
 * Writes a change down as a document and submits it, as the caller. Null when nobody else could decide on it: the only
 * administrator of a company that has just begun is not locked out, and the audit shows that no document stands behind it.
 * @throws RULE_REFUSED when somebody could until a few days ago
 */
export async function askSecondPerson(
  tx: Tx,
  call: Call,
  waiting: WaitingChange,
): Promise<CreatedRecord | null> {
  const key = call.resource.secondPerson?.in;
  if (key === undefined) return null;
  try {
    const document = await tx.savepoint(() => submitChange(tx, call, { key, waiting }));
    return { ...document, waits: true };
  } catch (error) {
    if (error instanceof AppError && error.code === 'NO_APPROVER') return null;
    throw error;
  }
}

async function submitChange(
  tx: Tx,
  call: Call,
  { key, waiting }: { readonly key: string; readonly waiting: WaitingChange },
): Promise<CreatedRecord> {
  const { services, caller, resource } = call;
  const { record, action, body } = waiting;
  await requireNoneBefore(tx, call, { key, record });
  const created: CreatedRecord[] = [];
  const made = await insertRecord({ tx, services, caller, created }, key, {
    target_resource: resource.resource,
    target_title: resource.title,
    target_id: record['id'],
    target_label: recordLabel(resource, record).slice(0, 100),
    target_action: action,
    target_does:
      action === 'update' ? '修改' : action === 'delete' ? '删除' : requireAction(call, action).title,
    asked_role: caller.subject.role_code,
    body: JSON.stringify({ body: body ?? null, before: oldValues(waiting) }),
    changes: await toldChanges(tx, call, waiting),
  });
  const changeCall = openSystemCall(services, caller, key);
  const before = await readStored(tx, changeCall, String(made['id']), { isLocking: true });
  if (before === null) throw new AppError('NOT_FOUND');
  try {
    await performAction(tx, changeCall, {
      action: requireAction(changeCall, 'submit'),
      before: { ...before },
      request: { version: null },
      created,
      isSystem: true,
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'NO_APPROVER')
      await requireNobodyClosed(tx, call, { waiting, document: changeCall, submitted: before });
    throw error;
  }
  const [document] = created;
  if (document === undefined) throw new AppError('NOT_FOUND');
  return document;
}

/** A new record that nobody has agreed to yet takes no second question: of two answers one would undo the other. */
async function requireNoneBefore(
  tx: Tx,
  { catalog, resource }: Call,
  { key, record }: { readonly key: string; readonly record: OpenRecord },
): Promise<void> {
  const asked = catalog.resources[key];
  const first = resource.secondPerson?.created;
  if (asked === undefined || first === undefined || record['status'] !== first.state) return;
  const [open] = await tx.query(
    `select ${quoteName(asked.label)} as no from ${tableOf(asked)}
     where target_id = $1 and target_action = $2 and status = $3 limit 1`,
    [record['id'], first.action, asked.lifecycle?.actions['submit']?.to],
  );
  if (open === undefined) return;
  const message = `${asked.title}${String(open['no'])}待复核，请等复核后再改，或先由申请人撤回`;
  throw new AppError('RULE_REFUSED', { message, problems: [{ path: '', code: 'second_person', message }] });
}

/** The state and the waiting fields as they were asked about: who changes them meanwhile makes the question another one. */
function oldValues({ record, action, body }: WaitingChange): OpenRecord {
  const names = action === 'update' && typeof body === 'object' && body !== null ? Object.keys(body) : [];
  return Object.fromEntries(['status', ...names].map((name) => [name, record[name] ?? null]));
}

/** Carries what a write would change out of its savepoint. */
class Tried extends Error {
  constructor(readonly changes: readonly RecordChange[]) {
    super('tried');
  }
}

/** Performs an action, or writes it down for a second person; gives the record as it is then. */
export async function actWithSecond(
  tx: Tx,
  call: Call,
  run: {
    readonly action: string;
    readonly before: OpenRecord;
    readonly request: ActionRequest;
    readonly created: CreatedRecord[];
  },
): Promise<OpenRecord> {
  const { before, request, created } = run;
  const action = requireAction(call, run.action);
  const act = (): Promise<OpenRecord> =>
    performAction(tx, call, { action, before: { ...before }, request, created: [], isSystem: false });
  if (doesWait(call, action.key)) {
    const changes = await changesOf(tx, call, { before, write: act });
    // What stood idle counts once it is enabled: whoever agrees sees all that needs two persons.
    const isEnabling = call.resource.secondPerson?.created?.action === action.key;
    const asked = await askSecondPerson(tx, call, {
      record: before,
      action: action.key,
      changes: [...(isEnabling ? valuesInForce(call.resource, before) : []), ...changes],
      body: { inputs: request.inputs, opinion: request.opinion ?? null },
    });
    if (asked !== null) {
      created.push(asked);
      return before;
    }
  }
  return performAction(tx, call, { action, before, request, created, isSystem: false });
}
