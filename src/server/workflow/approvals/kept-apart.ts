import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { withPathValues } from '#server/records/read/with-path-values.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';

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
  const copy = await withPathValues(db, call, { record, paths });
  const values = Object(copy['_paths']);
  return paths.map((path): unknown => (path.includes('.') ? Reflect.get(values, path) : copy[path]));
}
