import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { labelsOf, labelText } from '#web/fields/field-text.ts';

export interface DoneAction {
  readonly action: string;
  readonly title: string;
}

/**
 * What to say of an action that was called: that it waits for an approval, else what the record has become. Never that it
 * succeeded: 付款 only hands a payment on, and whether it arrives is not known yet.
 * @example doneWords({ action: 'pay', title: '付款' }, { before, next }, resource) // '“付款”已办理，现在是“付款中”'
 */
export function doneWords(
  { action, title }: DoneAction,
  { before, next }: { readonly before: ErpRecord; readonly next: ErpRecord },
  resource: Pick<Resource, 'lifecycle'> | null,
): string {
  if (hasStartedApproval(action, next, resource))
    return title === '提交' ? '已提交审核' : `“${title}”已提交审核，审核同意后生效`;
  const state = stateOf(next, resource);
  return next['status'] === before['status'] || state === ''
    ? `“${title}”已办理`
    : `“${title}”已办理，现在是“${state}”`;
}

/** An approval without levels has ended already: its record is no longer where the action leads. */
function hasStartedApproval(
  action: string,
  next: ErpRecord,
  resource: Pick<Resource, 'lifecycle'> | null,
): boolean {
  const running = next['_approving'];
  if (typeof running === 'object' && running !== null && 'action' in running && running.action === action)
    return true;
  const { approval, to } = resource?.lifecycle?.actions[action] ?? {};
  return approval !== undefined && to === next['status'] && approval.approved !== to;
}

function stateOf(record: ErpRecord, resource: Pick<Resource, 'lifecycle'> | null): string {
  const { status } = record;
  const titled = typeof status === 'string' ? resource?.lifecycle?.states[status]?.title : undefined;
  return labelText(labelsOf(record)['status']) || (titled ?? '');
}
