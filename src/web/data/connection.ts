/** Whether the server answers: a lost connection, or a server that is busy, is said once and recovers by itself. */

/** Nobody answers at all; somebody answers that it is too busy, being started or looked after. */
export type Trouble = 'lost' | 'busy';

const PROBE_MS = 3_000;
const LONGEST_PROBE_MS = 30_000;
/** Trouble that comes again within this time is no new one: it is asked less and less often. */
const SAME_MS = 20_000;
const listeners = new Set<() => void>();
let trouble: Trouble | null = null;
let wait = PROBE_MS;
let backAt = Number.NEGATIVE_INFINITY;

/** A call found nobody at the other end. */
export function noteLostConnection(): void {
  note('lost');
}

/** A call was answered that the server cannot work now. */
export function noteBusyServer(): void {
  note('busy');
}

export function isConnectionLost(): boolean {
  return trouble === 'lost';
}

/** What is the matter with the server, null when nothing is. */
export function serverTrouble(): Trouble | null {
  return trouble;
}

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function note(kind: Trouble): void {
  if (trouble !== null) return;
  wait = Date.now() - backAt < SAME_MS ? Math.min(LONGEST_PROBE_MS, wait * 2) : PROBE_MS;
  tell(kind);
  setTimeout(() => void probe(), wait);
}

async function probe(): Promise<void> {
  const now = await fetch('/erp/api/meta/site', {
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_MS),
  }).then(
    (response): Trouble | null => (response.ok ? null : 'busy'),
    (): Trouble => 'lost',
  );
  if (now === null) backAt = Date.now();
  else setTimeout(() => void probe(), PROBE_MS);
  if (now !== trouble) tell(now);
}

function tell(value: Trouble | null): void {
  trouble = value;
  for (const listener of listeners) listener();
}
