import type { PathPlace } from '../schema/field-path.ts';
import type { Field } from '../schema/resource.ts';

/** The columns of lines at a path over references (`items`, `shipment_id.items`), and the place of them; null where there are none. */
export function lineFieldsAt(
  { resource, catalog }: Pick<PathPlace, 'resource' | 'catalog'>,
  path: string,
): { readonly fields: Readonly<Record<string, Field>>; readonly place: PathPlace } | null {
  const [name = '', ...rest] = path.split('.');
  const field = resource.fields[name];
  if (field === undefined) return null;
  if (rest.length === 0)
    return field.type === 'lines'
      ? { fields: field.fields ?? {}, place: { resource, catalog, lines: name } }
      : null;
  const other =
    field.type === 'reference' && typeof field.to === 'string' ? catalog.resources[field.to] : undefined;
  return other === undefined ? null : lineFieldsAt({ resource: other, catalog }, rest.join('.'));
}
