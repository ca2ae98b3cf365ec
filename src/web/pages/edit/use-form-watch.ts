import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { FormStore } from '../form/form-store.ts';
import { DirtyWatch, type Watched } from '../form/form-watch.ts';
import { PreviewWatch, useRunPreview } from '../form/use-preview.ts';

export interface FormWatch {
  readonly dirty: DirtyWatch;
  readonly preview: PreviewWatch;
}

/** Follows a form beside its tree: whether it is dirty, told to the tab, and what the server makes of it. */
export function useFormWatch(
  store: FormStore,
  isActive: boolean,
  onDirty: (isDirty: boolean) => void,
): FormWatch {
  const watch = useMemo(() => ({ dirty: new DirtyWatch(store), preview: new PreviewWatch(store) }), [store]);
  const run = useRunPreview(store);
  useEffect(() => {
    const tell = () => onDirty(watch.dirty.get());
    const forget = watch.dirty.subscribe(tell);
    const stop = watch.dirty.start();
    tell();
    return () => {
      stop();
      forget();
    };
  }, [watch, onDirty]);
  useEffect(() => (isActive ? watch.preview.start(run) : undefined), [watch, isActive, run]);
  return watch;
}

/** A watched value; wakes only who shows it. */
export function useWatched<T>(watched: Watched<T>): T {
  return useSyncExternalStore(watched.subscribe, watched.get);
}
