import type { Filter } from './definition.ts';
import { filterReads } from './filter-reads.ts';
import type { ColumnDefinition } from './layout-definition.ts';
import type { Resource } from './resource.ts';

/** A column whose total stands below a list. */
export interface TotalColumn {
  readonly field: string;
  /** Which records count; null for all of them. */
  readonly where: Filter | null;
}

/**
 * The totals of a resource's list and pages: what a column's own `where` admits, and never what is dead: a void document
 * is listed, but counts for nothing (effects.md section 1).
 * @example `{ "field": "principal_left", "total": { "where": { "status": { "in": "@outstanding" } } } }`
 */
export function totalColumns(resource: Resource): readonly TotalColumn[] {
  const found = new Map<string, TotalColumn>();
  for (const column of [resource.list, ...resource.pages].flatMap(({ columns }) => columns ?? [])) {
    if (typeof column === 'string' || !hasTotal(column) || found.has(column.field)) continue;
    const own = typeof column.total === 'object' ? column.total.where : null;
    found.set(column.field, { field: column.field, where: living(resource, own) });
  }
  return [...found.values()];
}

/** Whether a column asks for a total. */
export function hasTotal(column: ColumnDefinition): boolean {
  return typeof column !== 'string' && column.total !== undefined && column.total !== false;
}

/** The fields that the condition of a total reads: who may not see one of them is told no part of the sum either. */
export function totalReads({ where }: TotalColumn): readonly string[] {
  return where === null ? [] : filterReads(where).fields;
}

/** The states whose records no total counts, by their titles. */
export function uncountedStates({ lifecycle }: Resource): readonly string[] {
  return (lifecycle?.groups?.['dead'] ?? []).map((state) => lifecycle?.states[state]?.title ?? state);
}

function living({ lifecycle }: Resource, own: Filter | null): Filter | null {
  if ((lifecycle?.groups?.['dead'] ?? []).length === 0) return own;
  const alive: Filter = { status: { nin: '@dead' } };
  return own === null ? alive : { and: [alive, own] };
}
