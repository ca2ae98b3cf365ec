import { fieldAt } from '#engine/filter/scope.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { OpenRecord } from './open-record.ts';

/** Columns of an amendment's lines that hold a value of the field that `field` beside them names. */
export const AMENDED_VALUES = ['old_value', 'new_value'] as const;

/** True for the lines of an amendment's changes; `prefix` is their name with a dot. */
export function isAmendedLines({ amendment }: Resource, prefix: string): boolean {
  return amendment !== undefined && prefix === `${amendment.changes}.`;
}

/**
 * How a value in an amendment's line reads: as the field that it is of reads elsewhere. Null where its text is what people
 * read anyway.
 * @example amendedWords({ field: 'items.quantity' }, '400.0000', amendment) // '400'
 */
export function amendedWords(
  line: OpenRecord,
  value: unknown,
  { resource: { amendment }, catalog }: { readonly resource: Resource; readonly catalog: Catalog },
): string | null {
  const target = catalog.resources[amendment?.of ?? ''];
  const path = line['field'];
  if (target === undefined || typeof path !== 'string' || typeof value !== 'string') return null;
  const field = fieldAt({ resource: target, catalog }, path);
  switch (field?.type) {
    case 'decimal':
    case 'money':
      return shownNumber(value, field);
    case 'percent':
      return `${shownNumber(value, field)}%`;
    case 'boolean':
      return value === 'true' ? '是' : value === 'false' ? '否' : null;
    default:
      return null;
  }
}
