import type { CallGroup } from './call.ts';
import { FLAG, OF_RESOURCE, TEXT } from './common.ts';
import type { Shape } from './shape.ts';

const TEXTS = { type: 'array', items: TEXT } as const;

const FIELD = {
  type: 'object',
  required: ['name', 'title', 'isRequired', 'notes', 'columns'],
  properties: {
    name: TEXT,
    title: TEXT,
    isRequired: FLAG,
    /** What may stand in it, where it comes from, what to mind. */
    notes: TEXTS,
    /** Of lines: their columns. */
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'title', 'isRequired', 'notes'],
        properties: { name: TEXT, title: TEXT, isRequired: FLAG, notes: TEXTS },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

/** What a resource is for whoever works with it, from its definition. */
const HELP = {
  title: 'ResourceHelp',
  type: 'object',
  required: ['title', 'mine', 'sections', 'states', 'actions', 'roles'],
  properties: {
    title: TEXT,
    /** What the reader may do. */
    mine: TEXTS,
    sections: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'fields'],
        properties: { title: TEXT, fields: { type: 'array', items: FIELD } },
        additionalProperties: false,
      },
    },
    states: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'isFirst', 'isLast'],
        properties: { title: TEXT, isFirst: FLAG, isLast: FLAG },
        additionalProperties: false,
      },
    },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'from', 'to', 'roles', 'happens', 'isMine'],
        properties: { title: TEXT, from: TEXTS, to: TEXT, roles: TEXTS, happens: TEXTS, isMine: FLAG },
        additionalProperties: false,
      },
    },
    roles: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'operations'],
        properties: { name: TEXT, operations: TEXTS },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export type ResourceHelp = Shape<typeof HELP>;

/** Help that is written by the definitions themselves. */
export const RESOURCE_HELP_CALLS = {
  'GET /meta/resources/:resource/help': {
    title: '单据说明',
    permission: 'resource',
    params: OF_RESOURCE,
    data: HELP,
  },
} as const satisfies CallGroup;
