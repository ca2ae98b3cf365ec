/**
 * Lets everybody else be served before the work goes on: awaiting what is there already gives nobody a turn. Of several
 * long pieces of work one goes on at a time, so that ten of them together keep nobody waiting longer than one.
 */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

const waiting: (() => void)[] = [];

/** What a `setImmediate` asks for while one runs comes in the next round: requests are taken in between. */
function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** A pause to be offered often: others are served once so many milliseconds have been worked since. */
export function restAfter(workMs: number): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < workMs) return;
    await letOthers();
    since = performance.now();
  };
}

/** So much is done in one go: some ten milliseconds of records or lines. */
const TURN = 60;

/** Like `map`, with others served in between; `weightOf` says how much an item is, one for a row. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => R,
  weightOf: (item: T) => number = () => 1,
): Promise<R[]> {
  const results: R[] = [];
  let done = 0;
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    done += weightOf(item);
    if (done < TURN) continue;
    await letOthers();
    done = 0;
  }
  return results;
}
