import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';

/**
 * Who does not decide on a record, whatever the own rights: whoever submitted it, whoever made it, and whom its
 * definition keeps apart (`notBy`: the person who registered the receipt that is split).
 */
export async function keptApart(
  db: Reader,
  call: Call,
  { record, submitterId }: { readonly record: OpenRecord; readonly submitterId: string },
): Promise<ReadonlySet<string>> {
  const apart = [submitterId, record['created_by'], ...(await namedApart(db, call, record))];
  return new Set(apart.filter((id): id is string => typeof id === 'string' && id !== ''));
}

async function namedApart(db: Reader, call: Call, record: OpenRecord): Promise<readonly unknown[]> {
  const actions = Object.values(call.resource.lifecycle?.actions ?? {});
  const paths = [...new Set(actions.flatMap(({ approval }) => approval?.notBy ?? []))];
  const beyond = paths.filter((path) => path.includes('.'));
  const copy: OpenRecord = { ...record };
  if (beyond.length > 0)
    await attachReferences(db, {
      catalog: call.catalog,
      resource: call.resource,
      records: [copy],
      withPaths: true,
      withLabels: false,
      company: textOf(record['co_code'] ?? call.caller.subject.co_code),
      extraPaths: beyond,
    });
  const values = Object(copy['_paths']);
  return paths.map((path): unknown => (path.includes('.') ? Reflect.get(values, path) : copy[path]));
}
