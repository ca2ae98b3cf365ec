import { useEffect, useState, useSyncExternalStore } from 'react';
import type { FormStore } from '../form/form-store.ts';

const DIRTY_PAUSE_MS = 150;

/**
 * Whether something differs from what is saved; looked at after a pause, since it compares every line. When the page is
 * left before that, it is told at once.
 */
export function useDirty(store: FormStore, onDirty: (isDirty: boolean) => void): boolean {
  const revision = useSyncExternalStore(store.subscribeAny, store.revision);
  const [isDirty, setDirty] = useState(() => store.isDirty());
  useEffect(() => {
    const timer = setTimeout(() => setDirty(store.isDirty()), DIRTY_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [store, revision]);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  useEffect(() => () => onDirty(store.isDirty()), [store, onDirty]);
  return isDirty;
}
