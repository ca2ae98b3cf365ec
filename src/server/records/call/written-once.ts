import type { ResourceAccess } from '#engine/access/resource-access.ts';
import type { Subject } from '#engine/schema/resource.ts';

interface Written {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** People who stay (the system, tests) come to many places in statements. */
const MAX_WRITTEN = 2_000;
const written = new WeakMap<Subject, WeakMap<ResourceAccess, Map<string, Written>>>();

/**
 * A condition of what somebody may see, put into SQL once for the person, the grant and the place in a statement: the
 * session hands out the same person for some seconds only, and a changed right is another grant. `write` adds its values
 * to `values`.
 */
export function writtenOnce(
  who: { readonly subject: Subject; readonly access: ResourceAccess; readonly today: string },
  at: { readonly key: string; readonly values: unknown[] },
  write: () => string,
): string {
  const byAccess = written.get(who.subject) ?? new WeakMap<ResourceAccess, Map<string, Written>>();
  written.set(who.subject, byAccess);
  const known = byAccess.get(who.access) ?? new Map<string, Written>();
  byAccess.set(who.access, known);
  const { values } = at;
  const from = values.length;
  const key = `${at.key} ${who.today} ${from}`;
  const before = known.get(key);
  if (before !== undefined) {
    values.push(...before.values);
    return before.sql;
  }
  if (known.size >= MAX_WRITTEN) known.clear();
  const sql = write();
  known.set(key, { sql, values: values.slice(from) });
  return sql;
}
