import type { ErpRecord, Resource } from '#engine/schema/resource.ts';

/** The prints that a record has as it stands: those without a condition, and what its `_prints` says of the others. */
export function openPrints({ print }: Pick<Resource, 'print'>, record: ErpRecord | null): Resource['print'] {
  const open = record?.['_prints'];
  return Array.isArray(open) ? print.filter(({ id }) => open.includes(id)) : print;
}
