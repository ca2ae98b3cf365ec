import { setTimeout as delay } from 'node:timers/promises';
import type { Placement } from './placement.ts';
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { findProcess, isSameProcess, postgresProcessesIn, type ProcessIdentity } from './process-identity.ts';

/** A server that is started again whenever it dies. */
export interface KeptServer {
  readonly pid: () => number;
  /** Ends the watch, then the server. */
  readonly stop: () => Promise<void>;
}

interface KeepOptions {
  readonly settings: readonly string[];
  readonly onFault?: ((message: string, error?: unknown) => void) | undefined;
}

const LOOK_MS = 250;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Watches the server from outside, so that it does not matter who killed it or how. It comes back on the same port:
 * whoever holds its address connects again and finds it.
 */
export function keepRunning(place: Placement, first: Postmaster, options: KeepOptions): KeptServer {
  const ending = new AbortController();
  let running = first;
  const pause = (ms: number): Promise<unknown> =>
    delay(ms, undefined, { ref: false, signal: ending.signal }).catch(() => undefined);

  const watch = async (): Promise<void> => {
    let identity = await findProcess(running.pid);
    while (!ending.signal.aborted) {
      if (identity !== null && (await isSameProcess(identity))) {
        await pause(LOOK_MS);
        continue;
      }
      options.onFault?.('the database server died; starting it again');
      identity = await startAgain();
    }
  };
  const startAgain = async (): Promise<ProcessIdentity | null> => {
    for (let wait = FIRST_PAUSE_MS; !ending.signal.aborted; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        await endOrphans(place.cluster);
        running = await startPostmaster(place, options.settings, first.port);
        return await findProcess(running.pid);
      } catch (error) {
        options.onFault?.('the database server cannot be started again yet', error);
        await pause(wait);
      }
    }
    return null;
  };

  const watching = watch();
  return {
    pid: () => running.pid,
    stop: async () => {
      ending.abort();
      await watching;
      await stopPostmaster(running.pid);
    },
  };
}

/** Backends outlive a killed server until they next look up, and no new one starts beside them. What they had committed is kept. */
async function endOrphans(cluster: string): Promise<void> {
  if ((await findPostmaster(cluster)) !== null) return;
  for (const pid of await postgresProcessesIn(cluster)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself, or belongs to another user and is given time.
    }
  }
}
