import { useEffect, useRef } from 'react';

/**
 * Escape closes a dialog wherever the focus is: the text behind may take it back while the dialog appears, and then
 * the dialog itself hears nothing.
 */
export function useEscape(onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.stopPropagation();
      close.current();
    };
    window.addEventListener('keydown', hear, true);
    return () => window.removeEventListener('keydown', hear, true);
  }, []);
}
