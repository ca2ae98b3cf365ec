/** Tells those who show it that unsaved work was kept in the browser. */
const EVENTS = new EventTarget();
const KEPT = 'kept';

export function tellDraftKept(): void {
  EVENTS.dispatchEvent(new Event(KEPT));
}

/** Calls back each time; returns what ends it. */
export function onDraftKept(listener: () => void): () => void {
  EVENTS.addEventListener(KEPT, listener);
  return () => EVENTS.removeEventListener(KEPT, listener);
}
