import type { ErpRecord } from '#engine/schema/resource.ts';

/** A record that was created a moment ago: its edit tab shows it without asking for it again. */
const saved = new Map<string, ErpRecord>();

export function keepSaved(id: string, record: ErpRecord): void {
  saved.clear();
  saved.set(id, record);
}

/** The record, once. React may ask twice while it mounts, so it goes with the next one kept. */
export function takeSaved(id: string): ErpRecord | null {
  const record = saved.get(id) ?? null;
  if (record !== null) setTimeout(() => saved.delete(id), 0);
  return record;
}

/** A new record that was saved in order to be submitted: its form goes on with the submission where it appears next. */
let toSubmit: string | null = null;

export function keepSubmission(id: string | null): void {
  toSubmit = id;
}

export function isBeingSubmitted(id: string | undefined): boolean {
  return id !== undefined && id === toSubmit;
}
