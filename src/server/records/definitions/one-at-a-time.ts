/** Work that never runs twice at once. */
export interface Queue {
  /** Runs it; calls during a run make one more run. */
  readonly run: () => Promise<void>;
  /** Ends when nothing runs and nothing waits. */
  readonly settled: () => Promise<void>;
}

/** Makes a queue of one kind of work. */
export function oneAtATime(work: () => Promise<void>, onFault: (error: unknown) => void): Queue {
  let running: Promise<void> | null = null;
  let waiting: Promise<void> | null = null;
  const start = (): Promise<void> => {
    running = work()
      .catch(onFault)
      .finally(() => {
        running = null;
      });
    return running;
  };
  const run = (): Promise<void> => {
    if (running === null) return start();
    waiting ??= running.then(() => {
      waiting = null;
      return start();
    });
    return waiting;
  };
  return { run, settled: async () => void (await (waiting ?? running)) };
}
