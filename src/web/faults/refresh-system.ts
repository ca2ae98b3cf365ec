import { keepDraftsNow } from '#web/data/draft-events.ts';

let isLeavingKept = false;

/** Loads the whole system anew; unsaved work is kept as drafts first. Where drafts cannot be kept the browser asks. */
export async function refreshSystem(): Promise<void> {
  isLeavingKept = await keepDraftsNow();
  location.reload();
}

/** True while the page is left with all work kept: nobody needs to be asked. */
export function isLeavingWithDrafts(): boolean {
  return isLeavingKept;
}
