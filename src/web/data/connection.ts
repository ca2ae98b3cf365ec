/** Whether the server can be reached: a lost connection is said once and recovers by itself. */

const PROBE_MS = 3_000;
const listeners = new Set<() => void>();
let isLost = false;

/** A call found nobody at the other end. */
export function noteLostConnection(): void {
  if (isLost) return;
  setLost(true);
  setTimeout(() => void probe(), PROBE_MS);
}

export function isConnectionLost(): boolean {
  return isLost;
}

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function probe(): Promise<void> {
  const isBack = await fetch('/erp/api/meta/site', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    (response) => response.ok,
    () => false,
  );
  if (isBack) setLost(false);
  else setTimeout(() => void probe(), PROBE_MS);
}

function setLost(value: boolean): void {
  isLost = value;
  for (const listener of listeners) listener();
}
