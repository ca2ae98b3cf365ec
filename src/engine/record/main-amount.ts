import type { Field, Resource } from '../schema/resource.ts';

/** The amount that a document is known by: the one that its list totals, else the first that is computed. */
export function mainAmount(resource: Pick<Resource, 'fields' | 'list'>): Field | undefined {
  for (const column of resource.list.columns) {
    if (typeof column === 'string' || column.total !== true) continue;
    const field = resource.fields[column.field];
    if (field?.type === 'money') return field;
  }
  return Object.values(resource.fields).find(
    (field) => field.type === 'money' && field.formula !== undefined,
  );
}
