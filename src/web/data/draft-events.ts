/** Tells those who show it that unsaved work was kept in the browser, and asks the forms to keep theirs now. */
const EVENTS = new EventTarget();
const KEPT = 'kept';

const keepers = new Set<() => Promise<boolean>>();

export function tellDraftKept(): void {
  EVENTS.dispatchEvent(new Event(KEPT));
}

/** Calls back each time; returns what ends it. */
export function onDraftKept(listener: () => void): () => void {
  EVENTS.addEventListener(KEPT, listener);
  return () => EVENTS.removeEventListener(KEPT, listener);
}

/** Whoever has unsaved work keeps it when asked, and answers whether it is safe. Returns what ends it. */
export function onKeepDrafts(keep: () => Promise<boolean>): () => void {
  keepers.add(keep);
  return () => keepers.delete(keep);
}

/** Keeps the unsaved work of every form in front; hidden ones kept theirs when they were left. True when all of it is safe. */
async function keepDraftsNow(): Promise<boolean> {
  const kept = await Promise.all([...keepers].map((keep) => keep()));
  return kept.every(Boolean);
}

let isLeavingKept = false;
/** A browser whose store does not answer holds nobody up. */
const KEEP_MS = 2_000;

/** Keeps all unsaved work before the page is left, so that nobody is asked; where it cannot be kept the browser asks. */
export async function keepForLeaving(): Promise<void> {
  const tooLong = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), KEEP_MS);
  });
  isLeavingKept = await Promise.race([keepDraftsNow(), tooLong]);
}

/** Nobody leaves after all: the next time it is asked anew. */
export function stayWithDrafts(): void {
  isLeavingKept = false;
}

/** True while the page is left with all work kept: nobody needs to be asked. */
export function isLeavingWithDrafts(): boolean {
  return isLeavingKept;
}
