import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { areStampsEqual, type FileStamps, stampFiles } from './definition-files.ts';

/** How often the folder is looked at where the system tells nothing. */
const POLL_MS = 900;
/** A file is read once it has stood still for so long: editors write in several steps. */
const SETTLE_MS = 40;

/**
 * Calls `onChange` after definition files below `folder` were edited, added, removed or replaced. The system tells when to
 * look, the stamps of the files what has changed: watches miss new folders and everything on network shares, so it is
 * looked now and then all the same.
 */
export function watchFolder(folder: string, onChange: () => void): { readonly close: () => void } {
  let known: FileStamps | null = null;
  let pending: FileStamps | null = null;
  let isClosed = false;
  let isLooking = false;
  let isTold = false;
  let timer: NodeJS.Timeout;
  const watched = watchEach(() => {
    isTold = true;
    if (!isLooking) schedule(SETTLE_MS);
  });
  const look = async (): Promise<void> => {
    isLooking = true;
    isTold = false;
    const stamps = await stampFiles(folder).catch(() => null);
    isLooking = false;
    if (stamps !== null) {
      if (!isClosed) watched.only([folder, ...[...stamps.keys()].map((path) => dirname(path))]);
      known ??= stamps;
      const hasChanged = !areStampsEqual(known, stamps);
      if (hasChanged && pending !== null && areStampsEqual(pending, stamps)) {
        known = stamps;
        pending = null;
        onChange();
      } else pending = hasChanged ? stamps : null;
    }
    schedule(pending !== null || isTold ? SETTLE_MS : POLL_MS);
  };
  const schedule = (ms: number): void => {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void look(), ms);
    timer.unref();
  };
  schedule(0);
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      watched.only([]);
    },
  };
}

/** Watches of single folders; one that the system refuses is left to looking. */
function watchEach(onEvent: () => void): { readonly only: (folders: readonly string[]) => void } {
  const watches = new Map<string, FSWatcher>();
  const drop = (folder: string): void => {
    watches.get(folder)?.close();
    watches.delete(folder);
  };
  return {
    only: (folders) => {
      const wanted = new Set(folders);
      for (const folder of watches.keys()) if (!wanted.has(folder)) drop(folder);
      for (const folder of wanted) {
        if (watches.has(folder)) continue;
        try {
          const one = watch(folder, { persistent: false }, onEvent);
          // Removed, or the system's watches are used up.
          one.on('error', () => drop(folder));
          watches.set(folder, one);
        } catch {
          continue;
        }
      }
    },
  };
}
