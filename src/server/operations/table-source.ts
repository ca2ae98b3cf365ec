import type { Resource } from '#engine/schema/resource.ts';
import { quoteName, tableName } from '#server/db/sql-identifiers.ts';

/** What stands behind `from`: the table of a resource. Views are database views of the same name. */
export function tableOf(resource: Pick<Resource, 'resource'>): string {
  return quoteName(tableName(resource));
}

/** The table of a resource's lines. */
export function linesTableOf(resource: Pick<Resource, 'resource'>, lines: string): string {
  return quoteName(tableName(resource, lines));
}

/** False for projections: their rows have no version, no soft deletion and no stamps. */
export function isStored(resource: Pick<Resource, 'kind'>): boolean {
  return resource.kind !== 'view';
}
