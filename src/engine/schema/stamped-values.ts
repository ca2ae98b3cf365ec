import type { Filter } from './definition.ts';
import type { ErpRecord } from './resource.ts';

/** The values that a page stamps on what is created there: the plain `eq` members of its `where`. */
export function stampedValues(where: Filter | undefined): ErpRecord {
  const stamped: Record<string, unknown> = {};
  for (const [field, comparison] of Object.entries(where ?? {})) {
    if (comparison === undefined || !isComparison(comparison) || field.includes('.')) continue;
    const value = comparison.eq;
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      stamped[field] = value;
  }
  return stamped;
}

function isComparison(value: unknown): value is { readonly eq?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
