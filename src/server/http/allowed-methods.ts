import type { RegisteredRoute } from './route-table.ts';

/** Takes every address that nothing else takes. */
const ANYTHING = '/*';

/** The methods that an address knows, in the order of the alphabet; none where there is no such address. */
export function methodFinder(routes: readonly RegisteredRoute[]): (path: string) => readonly string[] {
  let patterns: readonly { readonly method: string; readonly pattern: RegExp }[] | null = null;
  return (path) => {
    // The routes are all there by the first request.
    patterns ??= routes
      .filter((route) => route.path !== ANYTHING)
      .map((route) => ({ method: route.method, pattern: patternOf(route.path) }));
    const known = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [
      ...new Set(known.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    ].toSorted();
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('/')}$`);
}
