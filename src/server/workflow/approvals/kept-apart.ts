import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { withPathValues } from '#server/records/read/with-path-values.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader } from '#server/records/call/statement.ts';

/**
 * Who does not decide on a record, whatever the own rights: whoever submitted it, whoever made it (not: by deciding on
 * another, which made it follow), and whom its
 * definition keeps apart (`notBy`: the person who registered the receipt that is split).
 */
export async function keptApart(
  db: Reader,
  call: Call,
  { record, submitterId }: { readonly record: OpenRecord; readonly submitterId: string },
): Promise<ReadonlySet<string>> {
  const maker = (await isMadeByDecision(db, call, record)) ? null : record['created_by'];
  const apart = [submitterId, maker, ...(await namedApart(db, call, record))];
  return new Set(apart.filter((id): id is string => typeof id === 'string' && id !== ''));
}

/** What came of a decision on another document is nobody's making, until who decided has changed it. */
async function isMadeByDecision(db: Reader, call: Call, record: OpenRecord): Promise<boolean> {
  const rows = await db.query(
    `select 1 from sys_audit a where a.resource = any(erp_resource_names($1)) and a.record_id = $2::uuid and a.action = 'made'
       and not exists (select 1 from sys_audit u where u.resource = any(erp_resource_names($1)) and u.record_id = $2::uuid
         and u.action = 'update' and u.person_id = $3::uuid) limit 1`,
    [call.resource.resource, record['id'], record['created_by'] ?? null],
    'made_by_decision',
  );
  return rows.length > 0;
}

async function namedApart(db: Reader, call: Call, record: OpenRecord): Promise<readonly unknown[]> {
  const actions = Object.values(call.resource.lifecycle?.actions ?? {});
  const paths = [...new Set(actions.flatMap(({ approval }) => approval?.notBy ?? []))];
  const copy = await withPathValues(db, call, { record, paths });
  const values = Object(copy['_paths']);
  return paths.map((path): unknown => (path.includes('.') ? Reflect.get(values, path) : copy[path]));
}
