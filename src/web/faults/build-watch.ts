/** Whether the server has other pages than those that this window runs. */

const ADDRESS = '/build.json';
const POLL_MS = 5 * 60_000;
/** Looking at the window again asks at most this often. */
const LOOK_MS = 60_000;

const listeners = new Set<() => void>();
let isOld = false;
let lastAskedMs = 0;

/** True once another build has been seen. */
export function isBuildOld(): boolean {
  return isOld;
}

export function subscribeBuild(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for the stamp of the server's build. Pages without a stamp (development) never grow old. */
export async function checkBuild(): Promise<void> {
  const own = ownStamp();
  if (isOld || own === '') return;
  lastAskedMs = Date.now();
  const stamp = await fetch(ADDRESS, { cache: 'no-store' })
    .then(async (response): Promise<unknown> => (response.ok ? response.json() : null))
    .then(stampIn, () => null);
  if (stamp === null || stamp === own) return;
  isOld = true;
  for (const listener of listeners) listener();
}

/** Asks now and then, and when somebody comes back to the window. Returns how to stop. */
export function watchBuild(): () => void {
  const timer = setInterval(() => void checkBuild(), POLL_MS);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

function look(): void {
  if (document.visibilityState === 'visible' && Date.now() - lastAskedMs > LOOK_MS) void checkBuild();
}

function ownStamp(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content ?? '';
}

function stampIn(value: unknown): string | null {
  return typeof value === 'object' && value !== null && 'stamp' in value && typeof value.stamp === 'string'
    ? value.stamp
    : null;
}
