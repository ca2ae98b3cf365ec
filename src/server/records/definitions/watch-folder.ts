import { areStampsEqual, type FileStamps, stampFiles } from './definition-files.ts';

/** How often the folder is looked at: an edit is live well within a second. */
const POLL_MS = 250;

/**
 * Calls `onChange` after definition files below `folder` were edited, added, removed or replaced. Looks at the stamps of
 * the files instead of asking the system to tell: recursive watches miss replaced files and new folders on Linux, and
 * everything on network shares. A hundred files cost about two milliseconds a look.
 */
export function watchFolder(folder: string, onChange: () => void): { readonly close: () => void } {
  let known: FileStamps | null = null;
  let pending: FileStamps | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    const stamps = await stampFiles(folder).catch(() => null);
    if (stamps !== null) {
      known ??= stamps;
      const hasChanged = !areStampsEqual(known, stamps);
      // A file is read once it has stood still for one look: editors write in several steps.
      if (hasChanged && pending !== null && areStampsEqual(pending, stamps)) {
        known = stamps;
        pending = null;
        onChange();
      } else pending = hasChanged ? stamps : null;
    }
    if (!isClosed) schedule(pending === null ? POLL_MS : SETTLE_MS);
  };
  const schedule = (ms: number): void => {
    timer = setTimeout(() => void look(), ms);
    timer.unref();
  };
  schedule(0);
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const SETTLE_MS = 40;
