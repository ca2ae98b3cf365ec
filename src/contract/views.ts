import type { CallGroup } from './call.ts';
import { FLAG, NOTHING, OF_KNOWN_RESOURCE, TEXT, TEXT_OR_NULL, UUID } from './common.ts';
import { QUERY_BODY } from './limits.ts';
import type { Shape } from './shape.ts';

const FORM = {
  type: 'object',
  required: ['name', 'settings'],
  properties: {
    id: UUID,
    name: { type: 'string', minLength: 1, maxLength: 40 },
    page: { type: ['string', 'null'], maxLength: 200 },
    is_default: { type: 'boolean', default: false },
    is_shared: { type: 'boolean', default: false },
    settings: { type: 'object', additionalProperties: true },
  },
  additionalProperties: false,
} as const;

const ONE = {
  type: 'object',
  required: ['id'],
  properties: { id: UUID },
  additionalProperties: false,
} as const;

/** A saved view of a list: an own one, or one that a colleague shares. */
const VIEW = {
  type: 'object',
  required: ['id', 'name', 'page', 'is_default', 'is_shared', 'settings', 'is_own'],
  properties: {
    id: TEXT,
    name: TEXT,
    page: TEXT_OR_NULL,
    is_default: FLAG,
    is_shared: FLAG,
    settings: { type: 'object', additionalProperties: true },
    is_own: FLAG,
  },
  additionalProperties: false,
} as const;

const SAVED = {
  type: 'object',
  required: ['id'],
  properties: { id: TEXT },
  additionalProperties: false,
} as const;

export type ViewForm = Shape<typeof FORM>;
export type ViewEntry = Shape<typeof VIEW>;

const VIEWS = { permission: 'resource', operation: 'list', params: OF_KNOWN_RESOURCE } as const;

/** Saved views of lists. */
export const VIEW_CALLS = {
  'GET /views/:resource': { ...VIEWS, title: '保存的视图', data: { type: 'array', items: VIEW } },
  'PUT /views/:resource': {
    ...VIEWS,
    title: '保存视图',
    limits: { body: QUERY_BODY },
    body: FORM,
    data: SAVED,
  },
  'DELETE /views/:resource': { ...VIEWS, title: '删除视图', query: ONE, data: NOTHING },
} as const satisfies CallGroup;
