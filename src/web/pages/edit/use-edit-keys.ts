import { type RefObject, useEffect, useRef } from 'react';

interface EditKeys {
  readonly save: () => void;
  readonly submit: () => void;
  /** Goes to the next problem, or the one before. */
  readonly nextProblem: (step: 1 | -1) => void;
}

/** Ctrl+S saves, Ctrl+Enter submits and F8 goes to the next problem while the form's tab is in front, wherever the focus is in it. */
export function useEditKeys(root: RefObject<HTMLElement | null>, isActive: boolean, keys: EditKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F8' && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        latest.current.nextProblem(event.shiftKey ? -1 : 1);
        return;
      }
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return;
      const isSave = event.key.toLowerCase() === 's';
      if (!isSave && event.key !== 'Enter') return;
      const dialog = document.querySelector('.ant-modal-wrap:not([style*="display: none"])');
      if (dialog !== null && !dialog.contains(root.current)) {
        if (isSave) event.preventDefault();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      endTypedDate();
      if (isSave) latest.current.save();
      else latest.current.submit();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [isActive, root]);
}

/** A picker tells what was typed when it is left: what is saved has to be what stands there. */
function endTypedDate(): void {
  const typedIn = document.activeElement;
  if (!(typedIn instanceof HTMLElement) || typedIn.closest('.ant-picker') === null) return;
  typedIn.blur();
  typedIn.focus();
}
