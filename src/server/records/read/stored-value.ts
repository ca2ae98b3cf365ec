import { hasColumn } from '#engine/fields/field-types.ts';
import { hasSqlForm } from '#engine/filter/unstored-sql.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';

/** How a column is read into JSON (`to_json`): decimals as text, since JSON numbers lose digits. */
export function jsonColumn(alias: string, field: Pick<Field, 'type' | 'multiple'>, name: string): string {
  return jsonValue(`${alias}.${quoteName(name)}`, field);
}

/** The same for any expression of a field's type. */
export function jsonValue(column: string, field: Pick<Field, 'type' | 'multiple'>): string {
  if (!DECIMALS.has(field.type)) return column;
  return field.multiple === true ? `${column}::text[]` : `${column}::text`;
}

/** A stored value as it travels: whole numbers as JSON numbers, instants in ISO form, everything else as it is. */
export function travelValue(value: unknown, field: Pick<Field, 'type'>): unknown {
  if (value === null || value === undefined) return null;
  if (field.type === 'integer')
    return Array.isArray(value) ? value.map(Number) : typeof value === 'string' ? Number(value) : value;
  if (field.type === 'datetime' && typeof value === 'string' && !value.endsWith('Z'))
    return new Date(value).toISOString();
  return value instanceof Date ? value.toISOString() : value;
}

/** Whether a stored value may travel in another form than the driver gives it in; see `travelValue`. */
export function isConverted({ type }: Pick<Field, 'type'>): boolean {
  return type === 'integer' || type === 'datetime';
}

/** The fields of a resource that are columns of its own table. */
export function ownColumns(fields: Readonly<Record<string, Field>>): readonly Field[] {
  return Object.values(fields).filter(hasColumn);
}

/** Whether a select can give the value of a field: all but formulas that are not stored and that SQL cannot say. */
export function isSelected(
  field: Field,
  place: { readonly resource: Resource; readonly catalog: Catalog; readonly lines?: string },
): boolean {
  return field.stored !== false || hasSqlForm(field, place);
}

const DECIMALS: ReadonlySet<string> = new Set(['decimal', 'money', 'percent']);
