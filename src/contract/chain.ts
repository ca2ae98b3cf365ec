import type { CallGroup } from './call.ts';
import { OF_RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { LIMIT } from './plan.ts';
import type { Shape } from './shape.ts';

const DOCUMENT = {
  type: 'object',
  required: ['resource', 'id', 'title', 'label', 'status', 'state', 'amount', 'currency', 'step', 'parent'],
  properties: {
    resource: TEXT,
    id: TEXT,
    title: TEXT,
    label: TEXT,
    status: TEXT_OR_NULL,
    /** Title of the state. */
    state: TEXT,
    amount: TEXT_OR_NULL,
    currency: TEXT_OR_NULL,
    /** Steps before (negative) or after the document that was asked for. */
    step: WHOLE,
    /** `resource:id` of the document that it hangs on; empty for the one that was asked for. */
    parent: TEXT,
  },
  additionalProperties: false,
} as const;

const CHAIN = {
  type: 'object',
  required: ['documents', 'unseen'],
  properties: {
    /** In their order, the one that was asked for among them. */
    documents: { type: 'array', items: DOCUMENT },
    /** How many there are besides that may not be read, or are too many. */
    unseen: WHOLE,
  },
  additionalProperties: false,
} as const;

const RECORD_LIMITS = {
  type: 'object',
  required: ['limits', 'unseen'],
  properties: {
    limits: { type: 'array', items: LIMIT },
    /** How many there are besides, further from their bound. */
    unseen: WHOLE,
  },
  additionalProperties: false,
} as const;

export type RecordLimits = Shape<typeof RECORD_LIMITS>;
export type Chain = Shape<typeof CHAIN>;
export type ChainDocument = Shape<typeof DOCUMENT>;

/** What came from what, and how near a record is to its limits. */
export const CHAIN_CALLS = {
  'GET /data/:resource/:id/chain': {
    title: '单据链',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: CHAIN,
  },
  'GET /data/:resource/:id/limits': {
    title: '额度与上限',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: RECORD_LIMITS,
  },
} as const satisfies CallGroup;
