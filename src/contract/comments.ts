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
  required: ['id', 'person_id', 'person_name', 'content', 'mentions', 'created_at'],
  properties: {
    id: TEXT,
    person_id: TEXT,
    person_name: TEXT,
    content: TEXT,
    mentions: { type: 'array', items: TEXT },
    created_at: TEXT,
  },
  additionalProperties: false,
} as const;

export type Comment = Shape<typeof COMMENT>;

/** Comments of a record, for staff who may read it; who is mentioned gets a notice. */
export const COMMENT_CALLS = {
  'GET /comments/:resource/:id': {
    title: '评论',
    permission: 'staff',
    params: OF_KNOWN_RECORD,
    data: { type: 'array', items: COMMENT },
  },
  'POST /comments/:resource/:id': {
    title: '发表评论',
    permission: 'staff',
    params: OF_KNOWN_RECORD,
    body: FORM,
    data: COMMENT,
  },
} as const satisfies CallGroup;
