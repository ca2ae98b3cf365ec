import { keepForLeaving } from '#web/data/draft-events.ts';

/** Loads the whole system anew; unsaved work is kept as drafts first. Where drafts cannot be kept the browser asks. */
export async function refreshSystem(): Promise<void> {
  await keepForLeaving();
  location.reload();
}
