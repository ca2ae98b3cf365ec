import type { InboxTab } from './inbox-table.tsx';

/**
 * The kind of document that the inbox shows alone; null: all. Its cards count what waits for oneself: they filter nothing
 * else, and a kind of which nothing waits any more filters nothing.
 * @param groups what waits, by kind; null until it is known
 */
export function shownKind(
  tab: InboxTab,
  chosen: string | null,
  groups: readonly { readonly resource: string }[] | null,
): string | null {
  if (tab !== 'mine') return null;
  return groups === null || groups.some(({ resource }) => resource === chosen) ? chosen : null;
}
