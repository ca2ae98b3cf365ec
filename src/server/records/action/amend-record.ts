import type { EditableDefinition } from '#engine/schema/lifecycle-definition.ts';
import type { Action, ErpRecord, Resource } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { prepareChange } from '#server/records/prepare/prepare-record.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import type { Reader } from '#server/records/call/statement.ts';

/** The inputs of an action that amends, apart from the changes it carries. */
export interface AmendInputs {
  /** A PATCH body without version; null when the action carries none. */
  readonly changes: ErpRecord | null;
  readonly inputs: unknown;
}

/** Takes `changes` out of the inputs of an action that may amend; other actions have no such input. */
export function splitChanges(action: Action, inputs: unknown): AmendInputs {
  if (action.amends === undefined || typeof inputs !== 'object' || inputs === null)
    return { changes: null, inputs };
  const { changes, ...others }: OpenRecord = { ...inputs };
  if (changes === undefined || changes === null) return { changes: null, inputs: others };
  if (typeof changes !== 'object' || Array.isArray(changes))
    throw new AppError('BAD_REQUEST', { message: 'changes应为对象' });
  return { changes: { ...changes }, inputs: others };
}

/**
 * The record with the changes of a 变更. They pass the same checks as a PATCH, as if the state opened exactly the
 * fields that the action amends and whoever may run it could edit them; what the role may never write stays closed.
 */
export async function amendRecord(
  db: Reader,
  call: Call,
  amended: { readonly action: Action; readonly current: OpenRecord; readonly changes: ErpRecord },
): Promise<OpenRecord> {
  const { action, current, changes } = amended;
  const opened = openedCall(call, { edit: action.amends ?? [], current });
  const prepared = await prepareChange(db, opened, { current, body: changes });
  refuseProblems(prepared.problems);
  return prepared.record;
}

/** A call that may write these fields of a record, whatever its state opens. */
export function openedCall(
  call: Call,
  opened: { readonly edit: EditableDefinition; readonly current: OpenRecord },
): Call {
  return {
    ...call,
    resource: openedResource(call.resource, { edit: opened.edit, status: String(opened.current['status']) }),
    access: { ...call.access, operations: new Set([...call.access.operations, 'update']) },
  };
}

function openedResource(
  resource: Resource,
  { edit, status }: { readonly edit: EditableDefinition; readonly status: string },
): Resource {
  const { lifecycle } = resource;
  const state = lifecycle?.states[status];
  if (lifecycle === undefined || state === undefined) return resource;
  const states = { ...lifecycle.states, [status]: { ...state, edit } };
  return { ...resource, lifecycle: { ...lifecycle, states } };
}
