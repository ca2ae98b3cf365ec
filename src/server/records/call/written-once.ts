import type { ResourceAccess } from '#engine/access/resource-access.ts';
import type { EvaluationContext, Subject } from '#engine/schema/resource.ts';

interface Written {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** People who stay (the system, tests) come to many places in statements. */
const MAX_WRITTEN = 2_000;
const written = new WeakMap<Subject, WeakMap<ResourceAccess, Map<string, Written>>>();

/** What a condition may read and be remembered for the day; the time, parameters and rates move. */
const KEPT: ReadonlySet<PropertyKey> = new Set(['subject', 'today']);

/**
 * A condition of what somebody may see, put into SQL once for the person, the grant and the place in a statement: the
 * session hands out the same person for some seconds only, and a changed right is another grant. `write` adds its values
 * to `values`; what it reads of its surroundings besides person and day is written anew every time.
 */
export function writtenOnce(
  who: { readonly access: ResourceAccess; readonly context: EvaluationContext },
  at: { readonly key: string; readonly values: unknown[] },
  write: (context: EvaluationContext) => string,
): string {
  const { subject, today } = who.context;
  const byAccess = written.get(subject) ?? new WeakMap<ResourceAccess, Map<string, Written>>();
  written.set(subject, byAccess);
  const known = byAccess.get(who.access) ?? new Map<string, Written>();
  byAccess.set(who.access, known);
  const { values } = at;
  const from = values.length;
  const key = `${at.key} ${today} ${from}`;
  const before = known.get(key);
  if (before !== undefined) {
    values.push(...before.values);
    return before.sql;
  }
  const { context, isKept } = watchedContext(who.context);
  const sql = write(context);
  if (!isKept()) return sql;
  if (known.size >= MAX_WRITTEN) known.clear();
  known.set(key, { sql, values: values.slice(from) });
  return sql;
}

/** A context that tells whether nothing was read of it but person and day. */
export function watchedContext(context: EvaluationContext): {
  readonly context: EvaluationContext;
  readonly isKept: () => boolean;
} {
  let isKept = true;
  const watched = new Proxy(context, {
    get(target, name, receiver): unknown {
      if (!KEPT.has(name)) isKept = false;
      return Reflect.get(target, name, receiver);
    },
    ownKeys(target) {
      isKept = false;
      return Reflect.ownKeys(target);
    },
  });
  return { context: watched, isKept: () => isKept };
}
