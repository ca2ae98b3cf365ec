import type { TabHandle } from './tab-context.ts';

type Page = Pick<TabHandle, 'id' | 'refreshKey'>;

const ends = new Map<string, AbortController>();

/**
 * Fires when a page is over: its tab was closed, or refreshed. The end of an effect does not tell, since a page whose tab
 * goes behind another ends its effects too, and goes on with them when it comes back.
 */
export function endOf(page: Page): AbortSignal {
  const key = keyOf(page);
  const end = ends.get(key) ?? new AbortController();
  ends.set(key, end);
  return end.signal;
}

/** Ends all pages but these. */
export function keepPages(pages: readonly Page[]): void {
  const kept = new Set(pages.map(keyOf));
  for (const [key, end] of ends)
    if (!kept.has(key)) {
      ends.delete(key);
      end.abort();
    }
}

function keyOf({ id, refreshKey }: Page): string {
  return `${refreshKey} ${id}`;
}
