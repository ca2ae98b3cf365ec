import type { Action, Approval } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';

/** The action that started an approval, and what its definition says of it. */
export function requireApproval(
  call: Call,
  key: string,
): { readonly action: Action; readonly approval: Approval } {
  const actions = call.resource.lifecycle?.actions ?? {};
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
  if (action?.approval === undefined)
    throw new AppError('ACTION_NOT_ALLOWED', { message: '该单据不再需要审核' });
  return { action, approval: action.approval };
}

/** The action that a record would be submitted by in its state. */
export function submittingAction(call: Call, status: unknown): Action | null {
  const actions = Object.values(call.resource.lifecycle?.actions ?? {}).filter(
    (action) => action.approval !== undefined,
  );
  return actions.find((action) => action.from.some((state) => state === status)) ?? actions[0] ?? null;
}
