import { CALL_GROUPS } from '#contract/call-groups.ts';
import type { CallContract, Given, Permission } from '#contract/call.ts';
import { RECORD } from '#contract/common.ts';
import { FIELD_TYPE_BEHAVIOUR } from '#engine/fields/field-types.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import type { RegisteredRoute } from './route-table.ts';

type Json = Readonly<Record<string, unknown>>;

/** One call as the description tells it. */
export interface OpenApiCall extends Json {
  readonly summary: string;
  readonly tags: readonly string[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
  readonly components: Json;
}

/**
 * The OpenAPI description: the calls are the registered routes with the schemas that validate them, the records are the
 * resources as the reader may see them. Nothing is written down twice.
 */
export function openApiDocument(
  routes: readonly RegisteredRoute[],
  resources: readonly Resource[],
): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiCall>> = {};
  const keys = resources.map(({ resource }) => resource);
  for (const route of routes)
    (paths[openApiPath(route.path)] ??= {})[route.method.toLowerCase()] = openApiCall(route, keys);
  return {
    openapi: '3.1.0',
    info: {
      title: '外贸综合服务 ERP 接口',
      version: '1',
      description:
        '所有回答为 { code, msg, data }，成功的 code 为 200。登录后的 authorization 放在 Authorization 头中。',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      schemas: {
        Refusal: REFUSAL,
        Record: { anyOf: keys.map((key) => ({ $ref: `#/components/schemas/${key}` })) },
        ...Object.fromEntries(resources.map((resource) => [resource.resource, recordSchema(resource)])),
      },
    },
  };
}

/** `/data/:resource/:id` as `/data/{resource}/{id}`; what a page's address goes on with is one parameter. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
}

function openApiCall({ method, path, contract }: RegisteredRoute, keys: readonly string[]): OpenApiCall {
  const body = bodyOf(contract);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [TAGS.get(contract) ?? '其他'],
    summary: contract.title,
    description: descriptionOf(contract),
    security: SECURITY[contract.permission],
    parameters: [...pathParameters(openApiPath(path), contract, keys), ...queryParameters(contract)],
    ...(body === null ? {} : { requestBody: body }),
    responses: { '200': successOf(contract), default: REFUSED },
  };
}

function descriptionOf({ permission, operation, limits }: CallContract): string {
  const right = operation === undefined ? '' : `，并有该资源的 ${operation} 权限`;
  const rate = limits?.rate;
  const often = rate === undefined ? '' : `每 ${rate.seconds} 秒最多 ${rate.calls} 次。`;
  return `${CALLERS[permission]}${right}。${often}`;
}

/** Every name in braces is a parameter of the path. */
function pathParameters(path: string, contract: CallContract, keys: readonly string[]): readonly Json[] {
  const schemas = propertiesOf(contract.params);
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'resource' ? { type: 'string', enum: keys } : (schemas[name] ?? { type: 'string' }),
  }));
}

function queryParameters({ query }: CallContract): readonly Json[] {
  const required = isJson(query) && Array.isArray(query['required']) ? query['required'] : [];
  return Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: described(schema),
  }));
}

function bodyOf({ body, takes }: CallContract): Json | null {
  if (takes === 'files')
    return { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } };
  return body === undefined ? null : { content: { 'application/json': { schema: described(body) } } };
}

function successOf({ data, gives }: CallContract): Json {
  const content: Record<string, Json> = gives === undefined ? {} : { [GIVEN[gives]]: {} };
  if (data !== undefined) content['application/json'] = { schema: envelope(described(data)) };
  return { description: '成功', content };
}

function envelope(data: unknown): Json {
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { const: 200 }, msg: { type: 'string' }, data },
  };
}

/** A schema of the contract with the record in its place. */
function described(schema: unknown): unknown {
  if (schema === RECORD) return { $ref: '#/components/schemas/Record' };
  if (Array.isArray(schema)) return schema.map(described);
  if (!isJson(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]));
}

function propertiesOf(schema: unknown): Json {
  return isJson(schema) && isJson(schema['properties']) ? schema['properties'] : {};
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordSchema(resource: Resource): Json {
  return { type: 'object', title: resource.title, properties: fieldSchemas(resource.fields) };
}

function fieldSchemas(fields: Readonly<Record<string, Field>>): Json {
  return Object.fromEntries(
    Object.values(fields)
      .filter((field) => field.type !== 'secret')
      .map((field) => [field.name, fieldSchema(field)]),
  );
}

function fieldSchema(field: Field): Json {
  const about = { title: field.title, ...(field.computed ? { readOnly: true } : {}) };
  if (field.fields === undefined) return { ...FIELD_TYPE_BEHAVIOUR[field.type].jsonSchema(field), ...about };
  const properties = { id: { type: 'string', format: 'uuid' }, ...fieldSchemas(field.fields) };
  return { ...about, type: 'array', items: { type: 'object', properties } };
}

const TAGS: ReadonlyMap<CallContract, string> = new Map(
  Object.entries(CALL_GROUPS).flatMap(([tag, groups]) =>
    groups.flatMap((group) =>
      Object.values<CallContract>(group).map((contract): readonly [CallContract, string] => [contract, tag]),
    ),
  ),
);

const CALLERS = {
  public: '任何人可用',
  visitor: '任何人可用，登录者按其身份',
  pending: '登录后即可用，无须先选择角色',
  session: '登录并选择角色后可用',
  resource: '登录并选择角色后可用，按资源的权限',
  staff: '员工可用',
  admin: '管理员可用',
} as const satisfies Readonly<Record<Permission, string>>;

const SESSION = [{ session: [] }] as const;
const SECURITY = {
  public: [],
  visitor: [{}, ...SESSION],
  pending: SESSION,
  session: SESSION,
  resource: SESSION,
  staff: SESSION,
  admin: SESSION,
} as const satisfies Readonly<Record<Permission, readonly Json[]>>;

const GIVEN = {
  file: 'application/octet-stream',
  events: 'text/event-stream',
  page: 'text/html',
  text: 'text/plain',
} as const satisfies Readonly<Record<Given, string>>;

const REFUSED = {
  description: '拒绝',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
} as const;

const REFUSAL = {
  type: 'object',
  properties: {
    code: { type: 'integer' },
    msg: { type: 'string' },
    data: { type: 'null' },
    requestId: { type: 'string' },
    error: { type: 'string' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          detail: {},
        },
      },
    },
  },
} as const;
