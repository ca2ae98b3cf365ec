import type { CallGroup } from './call.ts';
import { OF_KNOWN_RECORD, TEXT, UUID } from './common.ts';
import type { Shape } from './shape.ts';

const FORM = {
  type: 'object',
  required: ['content'],
  properties: {
    content: { type: 'string', minLength: 1, maxLength: 2_000, pattern: '\\S' },
    mentions: { type: 'array', items: UUID, maxItems: 20, uniqueItems: true },
  },
  additionalProperties: false,
} as const;

const COMMENT = {
  type: 'object',
  required: ['id', 'person_id', 'person_name', 'content', 'mentions', 'mention_names', 'created_at'],
  properties: {
    id: TEXT,
    person_id: TEXT,
    person_name: TEXT,
    content: TEXT,
    mentions: { type: 'array', items: TEXT },
    /** Their names, in the same order; empty of whom nothing is known any more. */
    mention_names: { type: 'array', items: TEXT },
    created_at: TEXT,
  },
  additionalProperties: false,
} as const;

const COLLEAGUE = {
  type: 'object',
  required: ['id', 'name', 'personid', 'department'],
  properties: { id: TEXT, name: TEXT, personid: TEXT, department: TEXT },
  additionalProperties: false,
} as const;

const COLLEAGUES = {
  type: 'object',
  properties: { keyword: { type: 'string', maxLength: 100, default: '' } },
  additionalProperties: false,
} as const;

export type Colleague = Shape<typeof COLLEAGUE>;
export type Comment = Shape<typeof COMMENT>;

/** Comments of a record, for staff who may read it; who is mentioned gets a notice. */
export const COMMENT_CALLS = {
  'GET /comments/:resource/:id': {
    title: '评论',
    permission: 'staff',
    params: OF_KNOWN_RECORD,
    data: { type: 'array', items: COMMENT },
  },
  'GET /comments/:resource/:id/colleagues': {
    title: '可以提及的同事',
    permission: 'staff',
    params: OF_KNOWN_RECORD,
    query: COLLEAGUES,
    data: { type: 'array', items: COLLEAGUE },
  },
  'POST /comments/:resource/:id': {
    title: '发表评论',
    permission: 'staff',
    params: OF_KNOWN_RECORD,
    body: FORM,
    data: COMMENT,
  },
} as const satisfies CallGroup;
