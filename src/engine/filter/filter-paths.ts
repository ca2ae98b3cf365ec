import type { Filter } from '../schema/definition.ts';

/** The field of a tree's records that `under` looks into. */
export const LINEAGE = 'lineage';

/** What `under` reads of a path: the branch of the record that a reference names, or of the record itself (`id`). */
export function lineagePath(path: string): string {
  if (path === 'id') return LINEAGE;
  return `${path.endsWith('.id') ? path.slice(0, -'.id'.length) : path}.${LINEAGE}`;
}

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
    if (part.kind === 'condition') {
      paths.add(part.path);
      if (part.operator === 'under') paths.add(lineagePath(part.path));
    } else for (const inner of part.filters) collect(inner, paths);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
