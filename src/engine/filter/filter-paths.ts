import type { Filter } from '../schema/definition.ts';

/** The fields and paths that a filter speaks of, each once. */
export function filterPaths(filter: Filter | undefined | null): readonly string[] {
  const paths = new Set<string>();
  collect(filter, paths);
  return [...paths];
}

/**
 * The members of a filter: its conditions and its joined lists. What is no filter (an unchecked value) becomes a
 * condition without an operator, which never matches.
 */
export function filterParts(filter: Filter): readonly FilterPart[] {
  if (!isObject(filter)) return [{ kind: 'condition', path: '', operator: '', value: filter }];
  return Object.entries(filter).flatMap(([key, part]): readonly FilterPart[] => {
    if (part === undefined) return [];
    if ((key === 'and' || key === 'or') && Array.isArray(part)) return [{ kind: key, filters: part }];
    if (!isObject(part)) return [{ kind: 'condition', path: key, operator: '', value: part }];
    return Object.entries(part).map(([operator, value]) => ({
      kind: 'condition',
      path: key,
      operator,
      value,
    }));
  });
}

export type FilterPart =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'condition'; readonly path: string; readonly operator: string; readonly value: unknown };

function collect(filter: Filter | undefined | null, paths: Set<string>): void {
  if (filter === undefined || filter === null) return;
  for (const part of filterParts(filter)) {
    if (part.kind === 'condition') paths.add(part.path);
    else for (const inner of part.filters) collect(inner, paths);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
