import type { CallGroup } from './call.ts';
import { NAME, RECORD, TEXT, UUID, WHOLE } from './common.ts';
import { LIST_PAGE } from './lists.ts';
import { RESULT } from './reports.ts';
import type { Shape } from './shape.ts';

const OF_PERSON = {
  type: 'object',
  required: ['id'],
  properties: { id: UUID },
  additionalProperties: false,
} as const;

const OF_LIST = {
  type: 'object',
  required: ['id', 'resource'],
  properties: { id: UUID, resource: NAME },
  additionalProperties: false,
} as const;

const OF_FORM = {
  type: 'object',
  required: ['id', 'resource', 'record'],
  properties: { id: UUID, resource: NAME, record: UUID },
  additionalProperties: false,
} as const;

const OF_REPORT = {
  type: 'object',
  required: ['id', 'reportId'],
  properties: { id: UUID, reportId: { type: 'string', pattern: '^[0-9]{1,9}$' } },
  additionalProperties: false,
} as const;

/** Without a role: the first that the person holds. */
const IN_ROLE = {
  type: 'object',
  properties: { role: { type: 'string', maxLength: 30 } },
  additionalProperties: false,
} as const;

const NAMED = {
  type: 'object',
  required: ['code', 'name'],
  properties: { code: TEXT, name: TEXT },
  additionalProperties: false,
} as const;

/** What a person sees in a role: the menu, and of each resource what may be done and what is hidden. */
const PREVIEW = {
  title: 'PersonPreview',
  type: 'object',
  required: ['name', 'role', 'roles', 'menu', 'resources', 'reports'],
  properties: {
    name: TEXT,
    role: TEXT,
    roles: { type: 'array', items: NAMED },
    menu: { type: 'array', items: { title: 'MenuEntry', type: 'object' } },
    resources: {
      type: 'array',
      items: {
        type: 'object',
        required: ['resource', 'title', 'routes', 'operations', 'hidden', 'mayList', 'mayRead'],
        properties: {
          resource: TEXT,
          title: TEXT,
          routes: { type: 'array', items: TEXT },
          /** Titles. */
          operations: { type: 'array', items: TEXT },
          hidden: { type: 'array', items: TEXT },
          mayList: { type: 'boolean' },
          mayRead: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    },
    /** Reports of the menu. */
    reports: {
      type: 'array',
      items: {
        type: 'object',
        required: ['report', 'title', 'route'],
        properties: { report: TEXT, title: TEXT, route: TEXT },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

const LIST_QUERY = {
  type: 'object',
  properties: {
    role: { type: 'string', maxLength: 30 },
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000 },
    keyword: { type: 'string', maxLength: 100 },
  },
  additionalProperties: false,
} as const;

/** The first columns of a list as the person has it, with a page of its rows. */
const LIST = {
  type: 'object',
  required: ['definition', 'page', 'pageSize'],
  properties: {
    definition: { title: 'DefinitionAnswer', type: 'object' },
    page: LIST_PAGE,
    pageSize: WHOLE,
  },
  additionalProperties: false,
} as const;

export type PersonPreview = Shape<typeof PREVIEW>;
export type PreviewList = Shape<typeof LIST>;
export type PreviewListQuery = Shape<typeof LIST_QUERY>;

/** What an administrator is shown of what a colleague would see: read only, and every look is audited. */
export const PERSON_PREVIEW_CALLS = {
  'GET /person-preview/:id': {
    title: '以此人身份预览',
    permission: 'admin',
    params: OF_PERSON,
    query: IN_ROLE,
    data: PREVIEW,
  },
  'POST /person-preview/:id/:resource': {
    title: '以此人身份预览列表',
    permission: 'admin',
    isReading: true,
    params: OF_LIST,
    body: LIST_QUERY,
    data: LIST,
  },
  'GET /person-preview/:id/:resource/:record': {
    title: '以此人身份预览单据',
    permission: 'admin',
    params: OF_FORM,
    query: IN_ROLE,
    data: RECORD,
  },
  'GET /person-preview/:id/reports/run/:reportId': {
    title: '以此人身份预览报表',
    permission: 'admin',
    params: OF_REPORT,
    query: IN_ROLE,
    data: RESULT,
  },
} as const satisfies CallGroup;
