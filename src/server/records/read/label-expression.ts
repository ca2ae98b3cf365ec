import { targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/**
 * SQL for the text that names a record. A label that is itself a reference takes the referenced record's label; a line is
 * named by its head and its place: `AAWX202600007 #2`.
 */
export function labelExpression(catalog: Pick<Catalog, 'resources'>, target: string, alias: string): string {
  return labelAt(catalog, target, alias, 0);
}

/** The text that names a record already in hand; references by their loaded label. */
export function recordLabel(resource: Resource, record: Readonly<Record<string, unknown>>): string {
  const labels = record['_labels'];
  const known = isObject(labels) ? labels[resource.label] : undefined;
  const value = known ?? record[resource.label];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const MAX_DEPTH = 3;

function labelAt(catalog: Pick<Catalog, 'resources'>, target: string, alias: string, depth: number): string {
  const place = targetPlace(target, catalog);
  if (place === null) return 'null::text';
  const { resource, lines } = place;
  if (lines !== undefined) {
    const head = `${alias}h`;
    const label = labelAt(catalog, resource.resource, head, depth + 1);
    return `(select coalesce(${label}, '') || ' #' || (${alias}.line_order + 1) from ${tableOf(resource)} ${head} where ${head}.id = ${alias}.parent_id limit 1)`;
  }
  const field = resource.fields[resource.label];
  if (field === undefined || field.type === 'secret') return `${alias}.id::text`;
  if (field.type !== 'reference' || typeof field.to !== 'string' || depth >= MAX_DEPTH)
    return `${alias}.${quoteName(field.name)}::text`;
  const next = targetPlace(field.to, catalog);
  if (next === null || next.lines !== undefined) return `${alias}.${quoteName(field.name)}::text`;
  const inner = `${alias}r`;
  const isSameCompany = resource.scope === 'company' && next.resource.scope === 'company';
  const company = isSameCompany ? ` and ${inner}.co_code = ${alias}.co_code` : '';
  return `(select ${labelAt(catalog, field.to, inner, depth + 1)} from ${tableOf(next.resource)} ${inner} where ${inner}.id = ${alias}.${quoteName(field.name)}${company} limit 1)`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
