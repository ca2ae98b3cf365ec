import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { attachReferences, type OpenRecord } from './attach-references.ts';

/**
 * A record with the values behind its references that some paths lead to, beside those that its rules read; the record
 * itself when none of the paths leads on. Read as the system: for decisions of the server.
 */
export async function withPathValues(
  db: Reader,
  { catalog, resource, caller }: Call,
  { record, paths }: { readonly record: OpenRecord; readonly paths: readonly string[] },
): Promise<OpenRecord> {
  const extraPaths = paths.filter((path) => path.includes('.'));
  if (extraPaths.length === 0) return record;
  const copy: OpenRecord = { ...record };
  await attachReferences(db, {
    catalog,
    resource,
    records: [copy],
    withPaths: true,
    withLabels: false,
    company: textOf(record['co_code'] ?? caller.subject.co_code),
    extraPaths,
  });
  return copy;
}
