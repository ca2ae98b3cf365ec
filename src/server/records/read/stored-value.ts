import type { Field } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';

/** How a column is read into JSON (`to_json`): decimals as text, since JSON numbers lose digits. */
export function jsonColumn(alias: string, field: Pick<Field, 'type' | 'multiple'>, name: string): string {
  const column = `${alias}.${quoteName(name)}`;
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

/** The fields of a resource that are columns of its own table. */
export function ownColumns(fields: Readonly<Record<string, Field>>): readonly Field[] {
  return Object.values(fields).filter((field) => field.type !== 'lines' && field.liveBy === undefined);
}

const DECIMALS: ReadonlySet<string> = new Set(['decimal', 'money', 'percent']);
