import type { CallGroup } from './call.ts';
import { FLAG, RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

const TOKEN = { type: 'string', maxLength: 100 } as const;

const LINK = { type: 'object', properties: { token: TOKEN }, additionalProperties: false } as const;

const DECISION = {
  type: 'object',
  required: ['token', 'action', 'version'],
  properties: {
    token: TOKEN,
    action: { enum: ['approve', 'reject'] },
    version: { type: 'integer', minimum: 1 },
    opinion: { type: ['string', 'null'], maxLength: 500 },
    fields: { type: ['object', 'null'] },
  },
  additionalProperties: false,
} as const;

const FIELDS = { type: 'array', items: { title: 'FieldDefinition', type: 'object' } } as const;

/** An application as its approver sees it without a session. */
const DOCUMENT = {
  type: 'object',
  required: [
    'title',
    'number',
    'company',
    'approver',
    'level',
    'submittedBy',
    'submittedAt',
    'version',
    'record',
    'sections',
    'editable',
  ],
  properties: {
    title: TEXT,
    number: TEXT,
    company: TEXT,
    approver: TEXT,
    level: TEXT,
    submittedBy: TEXT,
    submittedAt: TEXT_OR_NULL,
    version: WHOLE,
    record: RECORD,
    sections: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'fields'],
        properties: { title: TEXT, fields: FIELDS },
        additionalProperties: false,
      },
    },
    /** Fields that the state opens to the approver. */
    editable: FIELDS,
  },
  additionalProperties: false,
} as const;

const DECIDED = {
  type: 'object',
  required: ['isEnded'],
  properties: { isEnded: FLAG },
  additionalProperties: false,
} as const;

export type ReviewedDocument = Shape<typeof DOCUMENT>;

/** An approval by a link that only its approver's telephone got. */
export const REVIEW_CALLS = {
  'GET /review': { title: '凭审核链接查看', permission: 'public', query: LINK, data: DOCUMENT },
  'POST /review/decide': {
    title: '凭审核链接审核',
    permission: 'public',
    keyedBy: ['token'],
    body: DECISION,
    data: DECIDED,
  },
} as const satisfies CallGroup;
