import type { CallGroup } from './call.ts';
import { NAME, RECORD, TEXT, WHOLE } from './common.ts';
import { RECORD_BODY } from './limits.ts';
import type { Shape } from './shape.ts';

const PLACE = {
  type: 'object',
  required: ['resource', 'fieldPath'],
  properties: { resource: NAME, fieldPath: NAME },
  additionalProperties: false,
} as const;

const QUERY = {
  type: 'object',
  properties: {
    keyword: { type: ['string', 'null'], maxLength: 100 },
    /** The form as it stands; of a column its line, of an action's input what the dialog asks for. */
    record: { type: ['object', 'null'] },
    /** Of a column or an action's input: the head. */
    parent: { type: ['object', 'null'] },
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 200 },
    id: {},
    /** Exact labels, numbers or names to resolve in one call (paste from Excel). */
    texts: { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', maxLength: 200 } },
  },
  additionalProperties: false,
} as const;

const PICKED = {
  type: 'object',
  required: ['id', 'label', 'caption', 'fill', 'fillLabels', 'paths'],
  properties: {
    id: TEXT,
    label: TEXT,
    caption: { type: 'array', items: TEXT },
    /** What picking it puts into the form, and the texts of that. */
    fill: RECORD,
    fillLabels: RECORD,
    /** Values of the record that rules of the asking resource read, by path from the field: `buyer_id.is_sanctioned`. */
    paths: RECORD,
  },
  additionalProperties: false,
} as const;

const ANSWER = {
  type: 'object',
  required: ['records', 'total', 'currentPage', 'pageSize'],
  properties: {
    records: { type: 'array', items: PICKED },
    total: WHOLE,
    currentPage: WHOLE,
    pageSize: WHOLE,
  },
  additionalProperties: false,
} as const;

export type LookupForm = Shape<typeof QUERY>;
export type LookupAnswer = Shape<typeof ANSWER>;

/** What may be picked for a reference or dictionary field. */
export const LOOKUP_CALLS = {
  'POST /lookup/:resource/:fieldPath': {
    title: '选择引用或字典的值',
    permission: 'resource',
    isReading: true,
    params: PLACE,
    limits: { body: RECORD_BODY },
    body: QUERY,
    data: ANSWER,
  },
} as const satisfies CallGroup;
