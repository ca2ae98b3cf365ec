import { checkBuild } from './build-watch.ts';

/** A part of the program did not come, also not when it was asked for again. */
export class ChunkFault extends Error {
  override readonly name = 'ChunkFault';
}

/** A short gap in the network heals within these; what lasts longer is for the person to retry. */
const WAITS_MS = [300, 1_000, 3_000];

/**
 * Loads a part of the program (`() => import('./page.tsx')`) and asks again, waiting longer each time, when it does not
 * come. The last failure looks whether a new build has taken the part away.
 * @throws ChunkFault
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  waitsMs: readonly number[] = WAITS_MS,
): Promise<T> {
  const [waitMs, ...longer] = waitsMs;
  try {
    return await load();
  } catch (cause) {
    if (waitMs === undefined) {
      void checkBuild();
      throw new ChunkFault('页面程序没有加载出来', { cause });
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await loadStyleAgain(cause);
    return loadChunk(load, longer);
  }
}

/** The builder's loader asks for a style sheet once only: without this a page that came at the second try would stand bare. */
async function loadStyleAgain(fault: unknown): Promise<void> {
  const address = /preload CSS for (\S+)/.exec(fault instanceof Error ? fault.message : '')?.[1];
  if (address === undefined) return;
  await new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      resolve(null);
    });
    document.head.append(link);
  });
}
