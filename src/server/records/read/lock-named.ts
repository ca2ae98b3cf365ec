import { lockRank } from '#server/records/call/lock-order.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { linesOf, type OpenRecord } from './attach-references.ts';
import { lockRows } from './read-stored.ts';

/**
 * Locks the documents that a posting document names, in the lock order, before anything is read of them: what it takes
 * from their figures (a fee that is charged once, a share of what is left) and asks of their state must hold until it is
 * posted itself. It would lock most of them later, when it has written what they sum up.
 */
export async function lockNamedDocuments(tx: Tx, call: Call, record: OpenRecord): Promise<void> {
  const { catalog, resource } = call;
  if (resource.postings.length === 0) return;
  const named = new Map<string, Set<string>>();
  const note = (to: unknown, value: unknown): void => {
    const target = typeof to === 'string' ? catalog.resources[to] : undefined;
    if (target === undefined || target.kind !== 'document') return;
    const ids = named.get(target.resource) ?? new Set();
    for (const id of Array.isArray(value) ? value : [value])
      if (typeof id === 'string' && id !== record['id']) ids.add(id);
    if (ids.size > 0) named.set(target.resource, ids);
  };
  for (const field of Object.values(resource.fields)) {
    if (field.type === 'reference') note(field.to, record[field.name]);
    const cells = Object.values(field.fields ?? {}).filter(({ type }) => type === 'reference');
    for (const line of linesOf(record[field.name])) for (const cell of cells) note(cell.to, line[cell.name]);
  }
  const ordered = [...named].sort(([a], [b]) => lockRank(catalog, a) - lockRank(catalog, b));
  for (const [key, ids] of ordered) {
    const target = catalog.resources[key];
    if (target !== undefined) await lockRows(tx, target, [...ids]);
  }
}
