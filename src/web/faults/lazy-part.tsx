import { type ComponentType, createElement, use } from 'react';
import { loadChunk } from './load-chunk.ts';

const failed = new Set<() => void>();

/** A component whose code comes when it is shown, or before. */
export type LazyPart<Props extends object> = ComponentType<Props> & {
  /** Loads the code ahead; what is there then is drawn at once. A failure is told only when it is shown. */
  readonly load: () => Promise<void>;
};

/**
 * A component whose code comes when it is shown. Unlike `React.lazy` it can be asked for again after it failed: the
 * boundary around it calls `forgetFailedParts`. Code that is there is drawn without a wait: a boundary that has shown its
 * fallback keeps it for 300 ms.
 * @example const ListPage = lazyPart(async () => (await import('./list-page.tsx')).ListPage);
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const forget = () => {
    loading = null;
  };
  const started = () => {
    loading ??= loadChunk(load).then(
      (part) => (loaded = part),
      (error: unknown) => {
        failed.add(forget);
        throw error;
      },
    );
    return loading;
  };
  function Part(props: Props) {
    return createElement(loaded ?? use(started()), props);
  }
  return Object.assign(Part, {
    load: () =>
      started().then(
        () => undefined,
        () => forget(),
      ),
  });
}

/** What failed to load is asked for anew when it is shown next. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}
