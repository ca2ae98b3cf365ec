import type { Filter } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';

/** The list that a details page was opened from, for previous and next. */
export interface ListOrigin {
  readonly filter: Filter | null;
  readonly sorters: readonly string[];
}

export function writeListOrigin(origin: ListOrigin & { readonly resource?: Pick<Resource, 'resource'> }): string {
  return JSON.stringify({ f: origin.filter, s: origin.sorters });
}

/** Null when there is none or it cannot be read; the server checks the filter itself. */
export function readListOrigin(text: string | null): ListOrigin | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('s' in value) || !Array.isArray(value.s)) return null;
    const filter = 'f' in value && typeof value.f === 'object' ? (value.f as Filter | null) : null;
    return { filter, sorters: value.s.filter((item) => typeof item === 'string') };
  } catch {
    return null;
  }
}
