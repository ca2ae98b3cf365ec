import type { ErpRecord, Resource } from '#engine/schema/resource.ts';

/** What a copy takes over: written values, not identity, number, state or stamps. */
export function copiedValues(resource: Resource, from: ErpRecord): ErpRecord {
  const fields = Object.values(resource.fields).filter(
    (field) => !field.computed && field.type !== 'attachment',
  );
  return {
    ...Object.fromEntries(
      fields.map((field) => {
        const value = from[field.name];
        return [field.name, field.type === 'lines' && Array.isArray(value) ? value.map(withoutId) : value];
      }),
    ),
    _labels: from['_labels'],
    _paths: from['_paths'],
  };
}

function withoutId(line: unknown): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const { id: _id, line_order: _order, ...rest }: Record<string, unknown> = { ...line };
  return rest;
}
