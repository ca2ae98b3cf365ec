import { Session } from 'node:inspector/promises';

/** Shares of the busy time of a process, the largest first: ` 12 % pg`, `  4 % putLabels`. */
export type Shares = readonly (readonly [what: string, percent: number])[];

const SAMPLE_US = 500;
const MOST = 12;
/** Waiting, and the profiler itself. */
const NOT_WORK = new Set(['(idle)', '(program)', '(profiler)']);

/** Begins to look at what this process spends its time on; the end gives the shares. */
export async function startProfile(): Promise<() => Promise<Shares>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return sharesOf(profile);
  };
}

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
}

/** Packages and the runtime by their names, our own code by its functions; what only waits is left out. */
function sharesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Shares {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '';
    const took = timeDeltas[index] ?? 0;
    if (NOT_WORK.has(place)) continue;
    busy += took;
    spent.set(place, (spent.get(place) ?? 0) + took);
  }
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([place, took]) => [place, (took / busy) * 100] as const);
}

function placeOf({ functionName, url }: { readonly functionName: string; readonly url: string }): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^./][^/]*)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  if (url.startsWith('node:')) return 'node';
  // What the runtime does in C++: writing to a socket, JSON, collecting garbage.
  if (url === '' && functionName === 'dispatch') return '(profiler)';
  if (url === '') return functionName === '' ? '(native)' : functionName;
  return functionName === '' ? '(anonymous)' : functionName;
}
