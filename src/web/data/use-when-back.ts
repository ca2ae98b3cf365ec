import { useEffect, useRef } from 'react';

/** One look in this time is enough. */
const PAUSE_MS = 5_000;
/** Whoever works on without leaving the window is told within this time. */
const WORKING_MS = 60_000;

/**
 * Looks for what colleagues have done when somebody comes back to the window, and now and then while somebody works in it.
 * Nothing is asked while nobody is there: the session would never end.
 */
export function useWhenBack(look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    // Whoever shows the page has just read it.
    let last = Date.now();
    const lookAfter = (pauseMs: number) => {
      if (document.visibilityState !== 'visible' || Date.now() - last < pauseMs) return;
      last = Date.now();
      latest.current();
    };
    const back = () => lookAfter(PAUSE_MS);
    const work = () => lookAfter(WORKING_MS);
    window.addEventListener('focus', back);
    document.addEventListener('visibilitychange', back);
    window.addEventListener('pointerdown', work);
    window.addEventListener('keydown', work);
    return () => {
      window.removeEventListener('focus', back);
      document.removeEventListener('visibilitychange', back);
      window.removeEventListener('pointerdown', work);
      window.removeEventListener('keydown', work);
    };
  }, []);
}
