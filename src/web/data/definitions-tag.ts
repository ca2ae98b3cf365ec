import { DEFINITIONS_HEADER } from '#contract/headers.ts';

/** Whether the server works by the definitions that this window has read. */

/** Between two processes that are renewed one after the other the tags go to and fro: they are not followed each time. */
const PAUSE_MS = 5_000;
const listeners = new Set<() => void>();
let known: string | null = null;
let toldAt = Number.NEGATIVE_INFINITY;
let isWaiting = false;

/** An answer says by which definitions it was made; another tag than the last tells that what was read is old. */
export function noteDefinitions({ headers }: Pick<Response, 'headers'>): void {
  const tag = headers.get(DEFINITIONS_HEADER);
  if (tag === null || tag === known) return;
  const isFirst = known === null;
  known = tag;
  if (isFirst || isWaiting) return;
  const wait = toldAt + PAUSE_MS - Date.now();
  if (wait <= 0) return tell();
  isWaiting = true;
  setTimeout(tell, wait);
}

/** Calls the listener when definitions changed, at once and then no more than every few seconds. Returns how to stop. */
export function subscribeDefinitions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  isWaiting = false;
  toldAt = Date.now();
  for (const listener of listeners) listener();
}
