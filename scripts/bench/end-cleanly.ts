import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_MS = 15_000;

/**
 * Stops what the benchmark has started over its folder when somebody ends it: the servers' processes by their own
 * handling of the signal, the databases under the folder, then the folder itself.
 */
export function endCleanly(folder: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void stopDatabases(folder).finally(() => {
        rmSync(folder, { recursive: true, force: true });
        process.exit(130);
      });
    });
}

/** A fast shutdown of each: sessions are ended, what is committed stays, as far as anybody asks after it. */
async function stopDatabases(folder: string): Promise<void> {
  const pids = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'postmaster.pid')
    .map((name) => Number(readFileSync(path.join(folder, name), 'utf8').split('\n')[0]));
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGINT');
  const until = Date.now() + STOP_MS;
  while (Date.now() < until && pids.some(isAlive)) await delay(100);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
