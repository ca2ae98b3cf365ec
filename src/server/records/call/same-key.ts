import type { Field } from '#engine/schema/resource.ts';
import { bind } from './statement.ts';

const INDEXED_AS: Readonly<Partial<Record<Field['type'], string>>> = {
  text: 'text',
  dictionary: 'text',
  reference: 'uuid',
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * SQL: a column has a value, empty equals empty. Written so that an index serves it where the column is stored as the
 * value is; any other is compared as text, JSON whatever its blanks and the order of its keys.
 */
export function sameKeySql(
  column: string,
  key: { readonly field: Field | undefined; readonly value: unknown },
  values: unknown[],
): string {
  const { field, value } = key;
  if (value === null || value === undefined) return `${column} is null`;
  const bound = bind(values, value);
  const type = indexedAs(field, value);
  if (type !== null) return `${column} = ${bound}::${type}`;
  return field?.type === 'json'
    ? `${column} is not distinct from ${bound}::jsonb`
    : `${column}::text is not distinct from ${bound}::text`;
}

function indexedAs(field: Field | undefined, value: unknown): string | null {
  if (field === undefined || field.multiple === true || typeof field.to === 'object') return null;
  const type = INDEXED_AS[field.type] ?? null;
  const isFitting = typeof value === 'string' && (type !== 'uuid' || UUID.test(value));
  return isFitting ? type : null;
}
