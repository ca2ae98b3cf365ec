import { AppError } from '#server/kernel/errors.ts';
import { VIEW_SOURCES } from './view-sources.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { quoteName, tableName } from '#server/kernel/db/sql-identifiers.ts';

/** What stands behind `from`: the table of a resource, or the query that a view names. */
export function tableOf(resource: Pick<Resource, 'resource' | 'kind' | 'source'>): string {
  if (resource.kind !== 'view') return quoteName(tableName(resource));
  const source = resource.source ?? resource.resource;
  const query = Object.hasOwn(VIEW_SOURCES, source) ? VIEW_SOURCES[source] : undefined;
  if (query === undefined)
    throw new AppError('INTERNAL', { cause: new TypeError(`view source "${source}" is not defined`) });
  return `(${query})`;
}

/** The table of a resource's lines. */
export function linesTableOf(resource: Pick<Resource, 'resource'>, lines: string): string {
  return quoteName(tableName(resource, lines));
}

/** False for projections: their rows have no version, no soft deletion and no stamps. */
export function isStored(resource: Pick<Resource, 'kind'>): boolean {
  return resource.kind !== 'view';
}
