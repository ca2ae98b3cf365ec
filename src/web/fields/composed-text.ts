import { useState, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isAtWork = false;

/**
 * A text as it stands when no input method is at work: what searches while one types waits for the characters that are
 * chosen, and does not look for the letters they are spelled with. `isOn` false: nobody follows, the text is as given.
 */
export function useComposedText(text: string, isOn = true): string {
  const isComposing = useSyncExternalStore(isOn ? subscribe : neverChanges, () => isOn && isAtWork);
  const [composed, setComposed] = useState(text);
  if (!isComposing && composed !== text) setComposed(text);
  return isComposing ? composed : text;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function neverChanges(): () => void {
  return () => undefined;
}

function tell(next: boolean): void {
  if (isAtWork === next) return;
  isAtWork = next;
  for (const listener of listeners) listener();
}

// From the beginning: the letters that open a list are being composed before anybody subscribes.
if (typeof document !== 'undefined') {
  document.addEventListener('compositionstart', () => tell(true), true);
  document.addEventListener('compositionend', () => tell(false), true);
  // Text that comes by itself ends it as well, whatever the input method tells.
  document.addEventListener('input', (event) => tell(event instanceof InputEvent && event.isComposing), true);
  // A field may go while something is composed in it: then nobody says that it ended.
  document.addEventListener('focusin', () => tell(false), true);
}
