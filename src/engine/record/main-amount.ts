import { hasTotal } from '../schema/list-totals.ts';
import type { Field, Resource } from '../schema/resource.ts';

type Listed = Pick<Resource, 'fields' | 'list'>;

/** The amount that a document is known by: the one that its list totals, else the first that is computed. */
export function mainAmount(resource: Listed): Field | undefined {
  const computed = Object.values(resource.fields).find(
    (field) => field.type === 'money' && field.formula !== undefined,
  );
  return totalledAmount(resource) ?? computed;
}

/** The amount that goes without saying which it is. Who may not see it is left with others, each told by its title. */
export function totalledAmount({ fields, list }: Listed): Field | undefined {
  return list.columns
    .flatMap((column) => (typeof column === 'string' || !hasTotal(column) ? [] : [fields[column.field]]))
    .find((field) => field?.type === 'money');
}
