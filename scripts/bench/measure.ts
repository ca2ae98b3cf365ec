import autocannon from 'autocannon';

/** What one request under load showed. */
export interface Load {
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly failures: number;
}

export interface LoadRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A new body for every request. */
  readonly nextBody?: () => string;
  readonly seconds?: number;
  readonly connections?: number;
}

/** Sends a request over and over from this machine to itself, for a bounded time. */
export async function load(request: LoadRequest): Promise<Load> {
  const { nextBody } = request;
  const result = await autocannon({
    url: request.url,
    connections: request.connections ?? 8,
    duration: request.seconds ?? 5,
    method: request.method ?? 'GET',
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(nextBody === undefined
      ? {}
      : {
          requests: [
            {
              setupRequest: (outgoing: autocannon.Request): autocannon.Request => ({
                ...outgoing,
                body: nextBody(),
              }),
            },
          ],
        }),
  });
  return {
    perSecond: result.requests.average,
    p95Ms: result.latency.p97_5,
    failures: result.errors + result.non2xx,
  };
}

/** Milliseconds that some work takes, the middle of several runs. */
export async function median(runs: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

/** Asks the raw driver's server once. @throws TypeError with what it answered instead */
export async function replay(url: string): Promise<void> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new TypeError(text);
}

/** The middle times of two pieces of work that are done by turns, ms. */
export async function mediansByTurns(
  runs: number,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<{ readonly ours: number; readonly bare: number }> {
  const [ours, bare] = [[], []] as [number[], number[]];
  for (let run = 0; run < runs; run += 1) {
    ours.push((await timed(first)).ms);
    bare.push((await timed(second)).ms);
  }
  return { ours: middle(ours), bare: middle(bare) };
}

/** The middle one of some values; of an even number the mean of the two in the middle. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** What some work gives, and the milliseconds that it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
