import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { saysNothing } from '#web/fields/field-text.ts';
import { columnName } from '../table/list-column.ts';

/** As many as stand beside a number without pushing it away. */
const SHOWN = 2;

/**
 * The fields of a record that say with whom it is, for its head: those that its list shows, so that customers do not read
 * their own name, filled and readable, the same party once. What is itself a party says so by its own name.
 */
export function partiesOf(
  { fields, list, isNamed }: Pick<Resource, 'fields' | 'list' | 'isNamed'>,
  record: ErpRecord,
): readonly Field[] {
  if (isNamed === true) return [];
  const told = new Set<unknown>();
  const parties = list.columns.flatMap((column) => {
    const field = fields[columnName(column)];
    const value = field === undefined ? undefined : record[field.name];
    if (field?.leadsTo !== 'party' || saysNothing(field, record) || told.has(value)) return [];
    told.add(value);
    return [field];
  });
  return parties.slice(0, SHOWN);
}
