/** So many ids are remembered: the server repeats no more than the notices of a day. */
const MAX_SEEN = 2_000;

/**
 * Remembers which notices a window has heard of: a stream that is opened again repeats those around its last event.
 * Gives whether an id is new, and forgets the oldest beyond the limit.
 */
export function rememberSeen(max: number = MAX_SEEN): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > max && oldest !== undefined) seen.delete(oldest);
    return true;
  };
}
