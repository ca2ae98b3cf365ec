import { useEffect, useRef } from 'react';

export interface AppKeys {
  readonly onSearch: () => void;
  readonly onKeyList: () => void;
  /** Alt+N where the page in front has no button of its own for it. */
  readonly onNew: () => void;
}

/**
 * The keys that hold everywhere. Alt+N and Alt+C press the button of the page in front that names them in
 * `aria-keyshortcuts`; F1 opens the help of the field or cell that has the focus.
 */
export function useAppKeys(keys: AppKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || event.defaultPrevented) return;
      if (isHandled(event, latest.current)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isHandled(event: KeyboardEvent, keys: AppKeys): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && !event.altKey && event.key.toLowerCase() === 'k') keys.onSearch();
  else if (event.key === 'F1') return helpOfField();
  else if (event.key === '?' && !isControl && !event.altKey && !isTyping(event.target)) keys.onKeyList();
  // The code, not the key: Alt makes other characters of letters on some keyboards.
  else if (event.altKey && !isControl && event.code === 'KeyN') return press('Alt+N') || (keys.onNew(), true);
  else if (event.altKey && !isControl && event.code === 'KeyC') return press('Alt+C');
  else return false;
  return true;
}

function press(shortcut: string): boolean {
  if (hasDialog()) return false;
  const front = [...document.querySelectorAll<HTMLElement>('.pane')].find(
    (pane) => pane.style.display !== 'none',
  );
  const button = front?.querySelector<HTMLElement>(`[aria-keyshortcuts="${shortcut}"]:not(:disabled)`);
  button?.click();
  return button !== null && button !== undefined;
}

function helpOfField(): boolean {
  const field = document.activeElement?.closest('[role=gridcell], [data-field]');
  const button = field?.querySelector<HTMLElement>('.why-button');
  button?.click();
  return button !== null && button !== undefined;
}

function hasDialog(): boolean {
  return document.querySelector('.ant-modal-wrap:not([style*="display: none"])') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
