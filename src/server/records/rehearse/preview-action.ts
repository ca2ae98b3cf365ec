import type { Plan } from '#contract/plan.ts';
import { CREATION } from '#engine/ledger/posting-moment.ts';
import { AppError } from '#server/kernel/errors.ts';
import { performAction, requireAction } from '#server/records/action/run-action.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { addNew, changeRecord, readForWrite } from '#server/records/write/save-record.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { rehearse, rehearsing } from './rehearse.ts';
import { tellPlan } from './tell-plan.ts';

/** An action to rehearse, with what was typed in the form and not saved yet. */
export interface ActionPreview {
  /** Null: the form of a new record. */
  readonly id: string | null;
  readonly version: number | null;
  readonly fields: OpenRecord;
  /** An action, or the creation itself: no action has the name of an operation. */
  readonly action: string;
  readonly inputs: unknown;
  readonly opinion: string | null;
}

/**
 * What an action would do: the form's changes are saved, the action is run, and all is undone. An action that asks for a
 * reason is rehearsed as if one were given.
 * @throws FORBIDDEN, UNKNOWN_ACTION, NOT_FOUND, STALE_VERSION
 */
export async function previewAction(call: Call, asked: ActionPreview): Promise<Plan> {
  const action = asked.action === CREATION && asked.id === null ? null : requireAction(call, asked.action);
  if (action !== null && (action.system === true || !call.access.operations.has(action.key)))
    throw new AppError('FORBIDDEN');
  const own = rehearsing(call);
  const created: CreatedRecord[] = [];
  let id = asked.id;
  return rehearse(own, {
    act: async (tx) => {
      created.length = 0;
      const saved = await saveFirst(tx, own, { asked, created });
      ({ id } = saved);
      if (action === null) return saved.id;
      const before = await readForWrite(tx, own, { ...saved, operation: action.key });
      const opinion = asked.opinion ?? (action.reason === true ? '（意见）' : null);
      const request = { version: null, opinion, inputs: asked.inputs };
      await performAction(tx, own, { action, before, request, created, isSystem: false });
      return saved.id;
    },
    tell: (tx, { refusal }) =>
      tellPlan(tx, own, {
        own: { resource: call.resource.resource, id: id ?? '' },
        isNew: asked.id === null,
        created,
        refusal,
      }),
  });
}

/** Saves what the form holds; gives the record, and the version that it must have then. */
async function saveFirst(
  tx: Tx,
  call: Call,
  { asked, created }: { readonly asked: ActionPreview; readonly created: CreatedRecord[] },
): Promise<{ readonly id: string; readonly version: number | null }> {
  const { id, version, fields } = asked;
  if (id === null) {
    if (!call.access.operations.has('create')) throw new AppError('FORBIDDEN');
    const saved = await addNew(tx, call, { body: fields, created });
    return { id: String(saved['id']), version: null };
  }
  if (Object.keys(fields).length === 0) return { id, version };
  if (!call.access.operations.has('update')) throw new AppError('FORBIDDEN');
  await changeRecord(tx, call, { id, version, fields, created });
  return { id, version: null };
}
