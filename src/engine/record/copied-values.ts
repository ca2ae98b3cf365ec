import type { ErpRecord, Field, Resource } from '../schema/resource.ts';

/**
 * What a copy takes over: written values, not identity, number, state, stamps, today's date, what is of one record alone,
 * nor what is worked out from elsewhere.
 */
export function copiedValues(resource: Resource, from: ErpRecord): ErpRecord {
  const fields = Object.values(resource.fields).filter(
    (field) => !isOfOne(field) && field.type !== 'attachment' && !isToday(field),
  );
  return {
    ...Object.fromEntries(fields.map((field) => [field.name, copiedValue(field, from[field.name])])),
    _labels: from['_labels'],
    _paths: from['_paths'],
  };
}

function isOfOne({ computed, copied }: Pick<Field, 'computed' | 'copied'>): boolean {
  return computed || copied === false;
}

function isToday({ default: start }: Field): boolean {
  return typeof start === 'object' && start !== null && '$' in start && start['$'] === 'today';
}

function copiedValue({ type, fields = {} }: Field, value: unknown): unknown {
  if (type !== 'lines' || !Array.isArray(value)) return value;
  return value.map((line: unknown) => {
    if (typeof line !== 'object' || line === null) return line;
    const own = Object.entries(line).filter(
      ([name]) =>
        name !== 'id' && name !== 'line_order' && (fields[name] === undefined || !isOfOne(fields[name])),
    );
    return Object.fromEntries(own);
  });
}
