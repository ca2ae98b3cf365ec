import { fork } from 'node:child_process';
import { measuredProgram, NODE_FLAGS } from './build-measured.ts';
import { messageOf } from './front-server.ts';
import type { RawOrder } from './raw-process.ts';

const START_MS = 30_000;

/** The raw driver's server in a process of its own. */
export async function startRawProcess(
  order: RawOrder,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const child = fork(await measuredProgram('raw-process'), { execArgv: NODE_FLAGS });
  const ready = messageOf(child, 'ready', START_MS);
  child.send(order);
  const url = String(await ready);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
