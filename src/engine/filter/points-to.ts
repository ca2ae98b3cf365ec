import type { Filter } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';

/**
 * The records whose reference leads to this one; a field that holds several is asked whether it has it.
 * @param by the field, or `lines.column`
 * @example pointsTo('supplier_ids', { multiple: true }, id) // { supplier_ids: { has: id } }
 */
export function pointsTo(by: string, { multiple }: Pick<Field, 'multiple'>, id: string): Filter {
  return { [by]: multiple === true ? { has: id } : { eq: id } };
}
