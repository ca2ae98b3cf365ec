import { applyDefaults } from '#engine/record/apply-defaults.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';
import { fillFromReferences } from './fill-references.ts';

/** The record with the defaults of those of its lines that are new; nothing of the head is filled. */
export function withLineDefaults(call: Call, record: OpenRecord): OpenRecord {
  const filled = applyDefaults(call.resource, record, recordScope(call, record));
  const result: OpenRecord = { ...record };
  for (const { name } of lineFieldsOf(call.resource))
    if (Array.isArray(record[name])) result[name] = filled[name];
  return result;
}

/**
 * The record with what its new lines have beside what an action put into them: what their references fill, then their
 * defaults. The values behind the references are there.
 */
export function withNewLines(
  call: Call,
  record: OpenRecord,
  { previous, lists }: { readonly previous: OpenRecord; readonly lists: readonly string[] },
): OpenRecord {
  const references = lists.flatMap((name) =>
    Object.keys(call.resource.fields[name]?.fields ?? {}).map((column) => `${name}.${column}`),
  );
  return withLineDefaults(call, fillFromReferences(call.resource, record, previous, new Set(references)));
}
