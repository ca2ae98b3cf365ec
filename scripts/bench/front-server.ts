import { type ChildProcess, fork } from 'node:child_process';
import { measuredProgram, NODE_FLAGS } from './build-measured.ts';
import type { ServerOrder } from './server-process.ts';

/** A server in a process of its own. */
export interface FrontServer {
  readonly url: string;
  /** Sends an order and gives its answer; one at a time. */
  readonly ask: (order: ServerOrder) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const START_MS = 600_000;
const ANSWER_MS = 600_000;

/** Starts one on a data folder of its own, with accounts; without business documents unless asked for them. */
export async function startFrontServer(
  env: Readonly<Record<string, string>>,
  demoData: '0' | 'small' = '0',
): Promise<FrontServer> {
  const child = fork(await measuredProgram('server-process'), {
    execArgv: ['--expose-gc', ...NODE_FLAGS],
    env: { ...process.env, ...env, ERP_DEMO_DATA: demoData },
  });
  const url = await messageOf(child, 'ready', START_MS);
  return {
    url: String(url),
    ask: async (order) => {
      const answer = messageOf(child, 'answer', ANSWER_MS);
      child.send(order);
      return answer;
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** The next message of a process that has a member of this name. */
export function messageOf(child: ChildProcess, name: string, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', gone);
    };
    const fail = (why: string): void => {
      end();
      reject(new TypeError(why));
    };
    const hear = (message: unknown): void => {
      if (typeof message !== 'object' || message === null) return;
      if ('fault' in message) fail(String(message.fault));
      if (!(name in message)) return;
      end();
      resolve(Reflect.get(message, name));
    };
    const gone = (): void => fail(`the process ended before "${name}"`);
    const timer = setTimeout(() => fail(`no "${name}" in ${timeoutMs} ms`), timeoutMs);
    child.on('message', hear).on('exit', gone);
  });
}
