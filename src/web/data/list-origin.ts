import type { Filter } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';

/** The list that a details page was opened from, for previous and next. */
export interface ListOrigin {
  readonly filter: Filter | null;
  /** What was searched for; empty for nothing. */
  readonly keyword: string;
  readonly sorters: readonly string[];
}

export function writeListOrigin(
  origin: ListOrigin & { readonly resource?: Pick<Resource, 'resource'> },
): string {
  const { filter, keyword, sorters } = origin;
  return JSON.stringify({ f: filter, s: sorters, ...(keyword === '' ? {} : { q: keyword }) });
}

/** Null when there is none or it cannot be read; the server checks the filter itself. */
export function readListOrigin(text: string | null): ListOrigin | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('s' in value) || !Array.isArray(value.s))
      return null;
    const filter = 'f' in value && typeof value.f === 'object' ? (value.f as Filter | null) : null;
    const keyword = 'q' in value && typeof value.q === 'string' ? value.q : '';
    return { filter, keyword, sorters: value.s.filter((item) => typeof item === 'string') };
  } catch {
    return null;
  }
}
