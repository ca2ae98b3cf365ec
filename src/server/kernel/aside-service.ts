import type { Worker } from 'node:worker_threads';
import { startAside } from './start-aside.ts';

/** A thread that answers questions, one after the other. */
export interface AsideService {
  /** Null when the answer took longer than it may or more memory than there is: the thread was ended. */
  readonly ask: (question: string) => Promise<string | null>;
}

export interface AsideServiceOptions {
  readonly heapMb: number;
  /** How long one answer may take, the start of the thread not counted. */
  readonly timeMs: number;
  /** Unused for so long, the thread ends and its memory is free. */
  readonly idleMs: number;
}

/**
 * A thread that starts with the first question, ends when it is not needed any more, and is replaced when it hangs. Its
 * program posts `ready` once, then one text for each text that it gets.
 */
export function createAsideService(from: string, file: string, options: AsideServiceOptions): AsideService {
  let thread: Promise<Worker> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const stop = async (): Promise<void> => {
    const ending = thread;
    thread = null;
    await (await ending?.catch(() => null))?.terminate();
  };
  const answer = async (question: string): Promise<string | null> => {
    clearTimeout(idle);
    thread ??= start(from, file, options);
    const reply = await questioned(await thread, question, options.timeMs).catch(() => null);
    if (reply === null) await stop();
    else {
      idle = setTimeout(() => void stop(), options.idleMs);
      idle.unref();
    }
    return reply;
  };
  return {
    ask: (question) => {
      const turn = last.then(() => answer(question));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function start(from: string, file: string, { heapMb }: AsideServiceOptions): Promise<Worker> {
  const thread = startAside(from, file, { heapMb });
  await firstMessage(thread);
  // A program that ends does not wait for it.
  thread.unref();
  return thread;
}

async function questioned(thread: Worker, question: string, timeMs: number): Promise<string> {
  const reply = firstMessage(thread, timeMs);
  thread.postMessage(question);
  return String(await reply);
}

/** The next message; fails when the thread ends before, or after `timeMs`. */
function firstMessage(thread: Worker, timeMs?: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      thread.off('message', hear).off('error', fail).off('exit', gone);
    };
    const hear = (message: unknown): void => {
      end();
      resolve(message);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const gone = (): void => fail(new TypeError('the thread ended'));
    const timer =
      timeMs === undefined ? undefined : setTimeout(() => fail(new TypeError('too slow')), timeMs);
    thread.on('message', hear).on('error', fail).on('exit', gone);
  });
}
