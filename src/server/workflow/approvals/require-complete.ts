import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import type { Action } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { refuseProblems, runChecks } from '#server/records/rules/run-rules.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';

/** What submitting did not ask for (`"complete": false`) is asked for before the record comes into force. @throws VALIDATION */
export function requireComplete(call: Call, action: Action, record: OpenRecord): void {
  if (action.complete) return;
  refuseProblems(checkRecord(call.resource, record, recordScope(call, record), { complete: true }));
}

/** Whoever approves a level fills in what the state opens to that role, so that the last one does not find it missing. @throws VALIDATION */
export function requireOwnPart(call: Call, action: Action, record: OpenRecord): void {
  if (action.complete) return;
  const open = editableFields(call.resource, record, call.access);
  const missing = checkRecord(call.resource, record, recordScope(call, record), { complete: true }).filter(
    ({ code, path }) => code === 'required' && open.has(path),
  );
  refuseProblems(missing);
}

/**
 * What the last approval checks is told already to whoever can mend it: problems at the fields that the state opens to
 * the approver's role.
 * @throws RULE_REFUSED
 */
export async function requireOwnChecks(
  tx: Tx,
  call: Call,
  own: { readonly action: Action; readonly record: OpenRecord; readonly created: CreatedRecord[] },
): Promise<void> {
  const { action, record, created } = own;
  const open = editableFields(call.resource, record, call.access);
  if (open.size === 0) return;
  const run = { tx, call, record, previous: record, action: action.key, created };
  const problems = await runChecks(action.approval?.checks ?? [], run);
  refuseProblems(
    problems.filter(({ path }) => open.has(path)),
    'RULE_REFUSED',
  );
}
