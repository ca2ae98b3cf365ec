import { checkRecord } from '#engine/record/check-record.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { importFields, pathOf } from './import-fields.ts';

/**
 * What a row leaves empty although its record is called by it. Other gaps are filled before it is handed in, as those of
 * any draft; but nobody finds one of a thousand without a name. Of a record that is there already only what the file itself
 * says counts.
 * @param body what the file says of an existing record; null: the record is new
 */
export function missingCells(
  call: Call,
  record: OpenRecord,
  body: OpenRecord | null,
): readonly FieldProblem[] {
  const { resource } = call;
  const fillable = new Set(importFields(call).map(pathOf));
  return checkRecord(resource, record, recordScope(call, record), { complete: true }).filter(
    ({ code, path }) => {
      const isAsked = path === resource.label && fillable.has(path);
      return code === 'required' && isAsked && (body === null || Object.hasOwn(body, path));
    },
  );
}
