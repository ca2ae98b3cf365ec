import { FIELD_TYPES } from '#engine/schema/definition.ts';
import { KEY_TYPES } from '#engine/schema/key-types.ts';
import { RESOURCE_SCHEMA } from '#engine/schema/resource-schema.ts';
import type { Catalog, Resource } from '#engine/schema/resource.ts';

type Json = { readonly [key: string]: unknown };

/** What editors offer by name. */
const KINDS = ['resource', 'field', 'state', 'action', 'role', 'dictionary'] as const;
type Kind = (typeof KINDS)[number];

/** Where a name of which kind is written: part of the schema, then the key. */
const NAMED: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  '': { label: 'field', caption: 'field', indexes: 'field' },
  field: { dictionary: 'dictionary', to: 'resource', until: 'state', again: 'action' },
  unique: { fields: 'field' },
  rollup: { of: 'resource', sum: 'field', max: 'field', min: 'field', avg: 'field' },
  lifecycle: { initial: 'state' },
  action: { from: 'state', to: 'state', amends: 'field' },
  approval: { approved: 'state', rejected: 'state', withdrawn: 'state' },
  rule: { each: 'field', require: 'field', hide: 'field', readOnly: 'field', at: 'field', on: 'action' },
  access: { role: 'role', do: 'action', hide: 'field', show: 'field', readOnly: 'field', write: 'field' },
  blocker: { actions: 'action', of: 'resource', at: 'field' },
  make: { do: 'action', same: 'field' },
  follow: { do: 'action' },
  tree: { parent: 'field', path: 'field', depth: 'field' },
  column: { field: 'field' },
  list: { filters: 'field', sort: 'field', group: 'field' },
  section: { fields: 'field', lines: 'field' },
  details: { figures: 'field' },
  page: { filters: 'field', group: 'field' },
};

/**
 * The schema of resource files for editors: a field offers only the keys that fit its type, and places of names offer
 * the names there are (they stay open to others: the lint, not the editor, knows what exists).
 */
export function editorSchema(): Json {
  const parts = Object.entries(RESOURCE_SCHEMA.$defs as Readonly<Record<string, Json>>);
  return {
    ...withNames('', RESOURCE_SCHEMA),
    $defs: {
      ...Object.fromEntries(parts.map(([part, schema]) => [part, withNames(part, schema)])),
      field: byType(withNames('field', RESOURCE_SCHEMA.$defs.field)),
    },
  };
}

/** The names of all definitions as a schema of their own, which the other refers to. */
export function namesSchema(catalog: Catalog): Json {
  const resources = Object.values(catalog.resources);
  const names: Readonly<Record<Kind, readonly string[]>> = {
    resource: resources.flatMap((resource) => [
      resource.resource,
      ...linesOf(resource).map(({ name }) => `${resource.resource}.${name}`),
    ]),
    field: resources.flatMap((resource) => [
      ...Object.keys(resource.fields),
      ...linesOf(resource).flatMap(({ name, fields }) =>
        Object.keys(fields ?? {}).map((cell) => `${name}.${cell}`),
      ),
    ]),
    state: resources.flatMap(({ lifecycle }) => [
      ...Object.keys(lifecycle?.states ?? {}),
      ...Object.keys(lifecycle?.groups ?? {}).map((group) => `@${group}`),
    ]),
    action: resources.flatMap(({ lifecycle }) => Object.keys(lifecycle?.actions ?? {})),
    role: Object.keys(catalog.roles),
    dictionary: Object.keys(catalog.dictionaries),
  };
  return {
    title: '定义中的名称',
    $defs: Object.fromEntries(KINDS.map((kind) => [kind, { enum: [...new Set(names[kind])].toSorted() }])),
  };
}

function linesOf(resource: Resource): readonly Resource['fields'][string][] {
  return Object.values(resource.fields).filter(({ type }) => type === 'lines');
}

/** One alternative for each type, with the keys that it understands. */
function byType(field: Json): Json {
  const properties = field['properties'] as Readonly<Record<string, Json>>;
  const alternatives = FIELD_TYPES.map((type) => ({
    required: field['required'],
    properties: Object.fromEntries(
      Object.entries(properties)
        .filter(
          ([key]) => (KEY_TYPES as Readonly<Record<string, readonly string[]>>)[key]?.includes(type) ?? true,
        )
        .map(([key, schema]) => [
          key,
          key === 'type' ? { const: type, description: schema['description'] } : schema,
        ]),
    ),
    additionalProperties: false,
  }));
  return { type: 'object', description: field['description'], oneOf: alternatives };
}

function withNames(part: string, schema: Json): Json {
  const named = NAMED[part] ?? {};
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>;
  if (schema['properties'] === undefined) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => {
        const kind = named[key];
        return [key, kind === undefined ? value : offering(value, kind)];
      }),
    ),
  };
}

/** The value as it is, with the names offered wherever it is a text. */
function offering(value: Json, kind: Kind): Json {
  const names = { $ref: `names.schema.json#/$defs/${kind}` };
  const types = [value['type']].flat();
  const items = value['items'] as Json | undefined;
  const deeper = items === undefined ? {} : { items: offering(items, kind) };
  return types.includes('string') ? { ...value, ...deeper, anyOf: [names, {}] } : { ...value, ...deeper };
}
