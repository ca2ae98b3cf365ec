import type { CallGroup } from './call.ts';
import type { Shape } from './shape.ts';
import { FLAG, OF_KNOWN_RESOURCE, TEXT, UUID, WHOLE } from './common.ts';

const CHANGE = {
  type: 'object',
  required: ['field', 'title', 'old', 'new'],
  properties: { field: TEXT, title: TEXT, old: {}, new: {} },
  additionalProperties: false,
} as const;

const STRETCH = {
  title: 'RecomputedStretch',
  type: 'object',
  required: ['looked', 'changed', 'first', 'refused', 'next'],
  properties: {
    looked: WHOLE,
    changed: WHOLE,
    first: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'label', 'changes'],
        properties: { id: TEXT, label: TEXT, changes: { type: 'array', items: CHANGE } },
        additionalProperties: false,
      },
    },
    refused: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'label', 'message'],
        properties: { id: TEXT, label: TEXT, message: TEXT },
        additionalProperties: false,
      },
    },
    /** The next stretch begins after this id; null: that was all. */
    next: { type: ['string', 'null'] },
  },
  additionalProperties: false,
} as const;

export type RecomputedStretch = Shape<typeof STRETCH>;

/** Formulas that were worded otherwise since a record was written: what would change, and doing it. */
export const RECOMPUTE_CALLS = {
  'POST /recompute/:resource': {
    title: '重新计算公式',
    permission: 'admin',
    params: OF_KNOWN_RESOURCE,
    body: {
      type: 'object',
      required: ['apply'],
      properties: {
        apply: FLAG,
        after: { anyOf: [UUID, { type: 'null' }] },
        /** Only these: `total`, `items.amount`. Left out: all that is computed. */
        fields: { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', maxLength: 130 } },
      },
      additionalProperties: false,
    },
    data: STRETCH,
  },
} as const satisfies CallGroup;
