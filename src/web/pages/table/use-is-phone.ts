import { useSyncExternalStore } from 'react';

/** Too narrow for a table: lists are cards then, and filters stand in a drawer. */
const NARROW = '(max-width: 640px)';

/** True on a phone; follows the window. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
