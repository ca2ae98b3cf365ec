/** So many ids are remembered: the server repeats no more than the notices of a day. */
const MAX_SEEN = 2_000;

export interface SeenNotices {
  /** Whether an id is heard of for the first time; it is remembered. */
  readonly isNew: (id: string) => boolean;
  /**
   * What was there before is no news, and neither is what is older than the oldest of it: a job at night writes more
   * notices within the minutes that the server goes back than are asked for.
   */
  readonly begin: (newest: readonly string[]) => void;
}

/**
 * Remembers which notices a window has heard of: a stream that is opened again repeats those around its last event.
 * Ids sort by the time they were drawn. Forgets the oldest beyond the limit.
 */
export function rememberSeen(max: number = MAX_SEEN): SeenNotices {
  const seen = new Set<string>();
  let oldestOfBefore = '';
  const isNew = (id: string): boolean => {
    if (seen.has(id) || id < oldestOfBefore) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > max && oldest !== undefined) seen.delete(oldest);
    return true;
  };
  const begin = (newest: readonly string[]): void => {
    for (const id of newest) isNew(id);
    oldestOfBefore = [...newest].sort()[0] ?? '';
  };
  return { isNew, begin };
}
