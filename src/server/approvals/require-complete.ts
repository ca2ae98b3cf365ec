import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import type { Action } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/operations/attach-references.ts';
import type { Call } from '#server/operations/open-call.ts';
import { recordScope } from '#server/operations/record-scope.ts';
import { refuseProblems } from '#server/operations/run-rules.ts';

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
