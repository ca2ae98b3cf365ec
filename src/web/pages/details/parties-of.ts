import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { saysNothing } from '#web/fields/field-text.ts';

/** As many as stand beside a number without pushing it away. */
const SHOWN = 2;

/**
 * The fields of a record that say with whom it is, for its head: those that lead to a party, filled and readable, the same
 * party once. What is itself a party says so by its own name.
 */
export function partiesOf(
  { fields, isNamed }: Pick<Resource, 'fields' | 'isNamed'>,
  record: ErpRecord,
): readonly Field[] {
  if (isNamed === true) return [];
  const told = new Set<unknown>();
  const parties = Object.values(fields).filter((field) => {
    const value = record[field.name];
    if (field.leadsTo !== 'party' || saysNothing(field, record) || told.has(value)) return false;
    told.add(value);
    return true;
  });
  return parties.slice(0, SHOWN);
}
