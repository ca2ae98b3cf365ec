import { type ComponentType, use } from 'react';
import { loadChunk } from './load-chunk.ts';

const failed = new Set<() => void>();

/**
 * A component whose code comes when it is shown. Unlike `React.lazy` it can be asked for again after it failed: the
 * boundary around it calls `forgetFailedParts`.
 * @example const ListPage = lazyPart(async () => (await import('./list-page.tsx')).ListPage);
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | null = null;
  const forget = () => {
    loading = null;
  };
  const started = () => {
    loading ??= loadChunk(load).catch((error: unknown) => {
      failed.add(forget);
      throw error;
    });
    return loading;
  };
  return function LazyPart(props: Props) {
    const Part = use(started());
    return <Part {...props} />;
  };
}

/** What failed to load is asked for anew when it is shown next. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
  failed.clear();
}
