import type { Field } from '#engine/schema/resource.ts';
import type { ReferenceRow } from './reference-book.ts';

/** Whether a row is of the companies at hand; stamps that the server writes may name people of others. */
export function isNear(
  { co_code: company }: ReferenceRow,
  field: Field,
  companies: readonly string[],
): boolean {
  const isStamp = field.standard && field.computed && isStampName(field.name);
  return isStamp || company === null || companies.includes(company);
}

/** Stamps may name people of another company. */
export function isStampName(name: string): boolean {
  return STAMPS.has(name);
}

const STAMPS: ReadonlySet<string> = new Set([
  'created_by',
  'updated_by',
  'submitted_by',
  'approved_by',
  'sales_id',
]);
