import { DEFINITIONS_HEADER } from '#contract/headers.ts';

/** Whether the server works by the definitions that this window has read. */

const listeners = new Set<() => void>();
let known: string | null = null;

/** An answer says by which definitions it was made; another tag than the last tells that what was read is old. */
export function noteDefinitions({ headers }: Pick<Response, 'headers'>): void {
  const tag = headers.get(DEFINITIONS_HEADER);
  if (tag === null || tag === known) return;
  const isFirst = known === null;
  known = tag;
  if (!isFirst) for (const listener of listeners) listener();
}

/** Calls the listener when definitions changed. Returns how to stop. */
export function subscribeDefinitions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
