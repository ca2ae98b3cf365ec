import type { JsonSchema } from '../fields/field-behaviour.ts';
import { FIELD_TYPE_BEHAVIOUR } from '../fields/field-types.ts';
import type { Field, Resource } from './resource.ts';

/** JSON Schema 2020-12 of a record as it is stored and sent: every field present, null where it may be empty. Types are generated from it. */
export function recordSchema(resource: Resource): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: resource.title,
    ...objectSchema(Object.values(resource.fields)),
  };
}

function objectSchema(fields: readonly Field[]): JsonSchema {
  const shown = fields.filter((field) => field.type !== 'secret');
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((field) => [field.name, valueSchema(field)])),
    required: shown.map((field) => field.name),
    additionalProperties: false,
  };
}

function valueSchema(field: Field): JsonSchema {
  if (field.type === 'lines') return { description: field.title, type: 'array', items: lineSchema(field) };
  const single = FIELD_TYPE_BEHAVIOUR[field.type].jsonSchema(field);
  const isList = field.multiple === true && field.type !== 'attachment';
  const value = isList ? { type: 'array', items: single } : single;
  const isAlways = ALWAYS.has(field.name) && field.standard;
  return isAlways
    ? { description: field.title, ...value }
    : { description: field.title, anyOf: [value, { type: 'null' }] };
}

const ALWAYS: ReadonlySet<string> = new Set([
  'id',
  'version',
  'co_code',
  'status',
  'created_at',
  'updated_at',
]);

function lineSchema(lines: Field): JsonSchema {
  const { properties, required, ...rest } = objectSchema(Object.values(lines.fields ?? {}));
  return {
    ...rest,
    properties: { id: { type: 'string' }, ...(typeof properties === 'object' ? properties : {}) },
    required: ['id', ...(Array.isArray(required) ? required : [])],
  };
}
