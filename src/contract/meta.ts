import type { CallGroup } from './call.ts';
import { FLAG, OF_RESOURCE, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

/** What a variant shows of its company before anybody signs in (design section 4). */
const SITE = {
  title: 'Site',
  type: 'object',
  required: [
    'coCode',
    'coName',
    'label',
    'slogan',
    'background',
    'accent',
    'hotline',
    'copyright',
    'allowRegister',
    'hasOidc',
  ],
  properties: {
    coCode: TEXT,
    coName: TEXT,
    label: TEXT,
    slogan: TEXT,
    background: TEXT_OR_NULL,
    accent: TEXT,
    hotline: TEXT,
    copyright: TEXT,
    allowRegister: FLAG,
    /** Whether one can log in by an identity provider. */
    hasOidc: FLAG,
  },
  additionalProperties: false,
} as const;

/** A page as the router needs to know it; nothing of what it shows. */
const ROUTE = {
  type: 'object',
  required: ['path', 'title', 'kind'],
  properties: {
    path: TEXT,
    title: TEXT,
    kind: TEXT,
    guard: { enum: ['menu', 'login', 'public'] },
    audience: { enum: ['staff', 'partner', 'both', 'administration'] },
    component: TEXT,
    report: { type: ['string', 'number'] },
    resource: TEXT,
    /** The list that the page belongs to. */
    list: TEXT,
  },
  additionalProperties: false,
} as const;

/** What the role may see of a resource: titles, pages and operations, without the fields. */
const RESOURCE_ENTRY = {
  type: 'object',
  required: ['resource', 'title', 'kind', 'hash', 'label', 'operations', 'pages'],
  properties: {
    resource: TEXT,
    title: TEXT,
    kind: TEXT,
    hash: TEXT,
    label: TEXT,
    operations: { type: 'array', items: TEXT },
    pages: { type: 'array', items: { title: 'PageDefinition', type: 'object' } },
  },
  additionalProperties: false,
} as const;

const NAMED = {
  type: 'object',
  required: ['name', 'title'],
  properties: { name: TEXT, title: TEXT },
  additionalProperties: false,
} as const;

/** What the file of a resource gives to a role. */
const SHIPPED_GRANT = {
  type: 'object',
  required: ['actions', 'hidden_fields', 'readonly_fields', 'isConditional'],
  properties: {
    actions: { type: 'array', items: TEXT },
    hidden_fields: { type: 'array', items: TEXT },
    readonly_fields: { type: 'array', items: TEXT },
    isConditional: FLAG,
  },
  additionalProperties: false,
} as const;

/** Roles by resources with the rights that the files give. */
const PERMISSION_MATRIX = {
  type: 'object',
  required: ['roles', 'resources'],
  properties: {
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'code', 'name'],
        properties: { id: TEXT, code: TEXT, name: TEXT },
        additionalProperties: false,
      },
    },
    resources: {
      type: 'array',
      items: {
        type: 'object',
        required: ['resource', 'title', 'operations', 'fields', 'shipped'],
        properties: {
          resource: TEXT,
          title: TEXT,
          operations: { type: 'array', items: NAMED },
          fields: { type: 'array', items: NAMED },
          /** By role code. */
          shipped: { type: 'object', additionalProperties: SHIPPED_GRANT },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

/** What is wrong in a definition file, and where. */
const FAULT = {
  type: 'object',
  required: ['path', 'line', 'column', 'message', 'text'],
  properties: { path: TEXT, line: WHOLE, column: WHOLE, message: TEXT, text: TEXT },
  additionalProperties: false,
} as const;

/** Without a path: the present version of every file. */
const FILE_QUERY = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1, maxLength: 300 } },
  additionalProperties: false,
} as const;

/** A version of a definition file as it served. */
const DEFINITION_VERSION = {
  type: 'object',
  required: ['path', 'version', 'at', 'author', 'is_gone'],
  properties: {
    path: TEXT,
    version: WHOLE,
    at: TEXT,
    /** The person or account that wrote the file. */
    author: TEXT,
    /** From this version on the file was gone. */
    is_gone: FLAG,
    /** Of one file: what differs from the version before. */
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path'],
        properties: { path: TEXT, old: {}, new: {} },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export type DefinitionVersion = Shape<typeof DEFINITION_VERSION>;
export type Site = Shape<typeof SITE>;
export type RouteEntry = Shape<typeof ROUTE>;
export type ResourceEntry = Shape<typeof RESOURCE_ENTRY>;
export type PermissionMatrix = Shape<typeof PERMISSION_MATRIX>;

/** What the browser learns of definitions, routes and the company it serves. */
export const META_CALLS = {
  'GET /meta/site': { title: '站点', permission: 'public', data: SITE },
  'GET /meta/routes': { title: '全部路由', permission: 'public', data: { type: 'array', items: ROUTE } },
  'GET /meta/resources': {
    title: '可见的资源',
    permission: 'session',
    data: { type: 'array', items: RESOURCE_ENTRY },
  },
  'GET /meta/resources/:resource': {
    title: '资源定义',
    permission: 'resource',
    params: OF_RESOURCE,
    data: { title: 'DefinitionAnswer', type: 'object' },
  },
  'GET /meta/permission-matrix': { title: '权限矩阵', permission: 'admin', data: PERMISSION_MATRIX },
  'GET /meta/faults': {
    title: '定义文件的错误',
    permission: 'admin',
    data: { type: 'array', items: FAULT },
  },
  'GET /meta/definitions': {
    title: '定义文件的版本',
    permission: 'admin',
    query: FILE_QUERY,
    data: { type: 'array', items: DEFINITION_VERSION },
  },
} as const satisfies CallGroup;
