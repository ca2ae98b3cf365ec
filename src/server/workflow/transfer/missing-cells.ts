import { checkRecord } from '#engine/record/check-record.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { importFields, pathOf } from './import-fields.ts';

/**
 * Cells that a row leaves empty and its form asks for: a document may be kept as a draft with gaps, but nobody looks over
 * the thousand drafts of a file. Of a record that is there already only what the file itself says counts.
 * @param body what the file says of an existing record; null: the record is new
 */
export function missingCells(
  call: Call,
  record: OpenRecord,
  body: OpenRecord | null,
): readonly FieldProblem[] {
  const fillable = new Set(importFields(call).map(pathOf));
  return checkRecord(call.resource, record, recordScope(call, record), { complete: true }).filter(
    ({ code, path }) => {
      const [head = '', , column] = path.split('.');
      const isFillable = fillable.has(column === undefined ? head : `${head}.${column}`);
      return code === 'required' && isFillable && (body === null || Object.hasOwn(body, head));
    },
  );
}
