import type { CDPSession, Page } from 'playwright/test';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor that a task took. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Milliseconds of processor that the page's main thread takes while something is done, by a trace of the browser: waiting
 * and other processes do not count, so that a busy machine measures the same.
 */
export async function processorMs(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await work();
  await ended(session);
  await session.detach();
  return busiestMainThread(events) / 1_000;
}

async function ended(session: CDPSession): Promise<void> {
  const complete = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await complete;
}

/** The page is the renderer that works most: others idle in a browser of one page. */
function busiestMainThread(events: readonly TraceEvent[]): number {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const sums = new Map<string, number>();
  for (const event of events) {
    const thread = `${event.pid}:${event.tid}`;
    if (event.name !== TASK || event.ph !== 'X' || !threads.has(thread)) continue;
    sums.set(thread, (sums.get(thread) ?? 0) + (event.tdur ?? event.dur ?? 0));
  }
  return Math.max(0, ...sums.values());
}
