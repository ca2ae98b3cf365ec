import type { Catalog, Field, Resource } from '../schema/resource.ts';
import { isIdentity } from './value-fault.ts';

/** The tree that a field names a record of (its own one for `id`), and the reference that leads upwards; null for none. */
export function treeOf(
  field: Field,
  place: { readonly resource: Resource; readonly catalog: Pick<Catalog, 'resources'> },
): { readonly resource: Resource; readonly parent: string } | null {
  const resource = isIdentity(field) ? place.resource : targetOf(field, place.catalog);
  const parent = resource?.tree?.parent;
  return resource === undefined || parent === undefined ? null : { resource, parent };
}

function targetOf(field: Field, catalog: Pick<Catalog, 'resources'>): Resource | undefined {
  const isOne = field.type === 'reference' && field.multiple !== true;
  if (!isOne || typeof field.to !== 'string') return undefined;
  return Object.hasOwn(catalog.resources, field.to) ? catalog.resources[field.to] : undefined;
}
