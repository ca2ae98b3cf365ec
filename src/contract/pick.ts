import type { CallGroup } from './call.ts';
import { NAME, RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { RECORD_BODY } from './limits.ts';
import type { Shape } from './shape.ts';

const PLACE = {
  type: 'object',
  required: ['resource', 'lines'],
  properties: { resource: NAME, lines: NAME },
  additionalProperties: false,
} as const;

const QUERY = {
  type: 'object',
  properties: {
    /** One of the sources that the list names; default: the first. */
    from: { type: ['string', 'null'], maxLength: 130 },
    keyword: { type: ['string', 'null'], maxLength: 100 },
    /** The form's head as it stands. */
    record: { type: ['object', 'null'] },
    /** Values of the answer's `filters`. */
    filters: { type: ['object', 'null'], maxProperties: 20 },
    /** Ids of lines that are in the form already. */
    except: { type: 'array', maxItems: 2_000, items: { type: 'string', maxLength: 40 } },
    currentPage: { type: 'integer', minimum: 1, maximum: 10_000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 200 },
  },
  additionalProperties: false,
} as const;

const ANSWER = {
  title: 'PickAnswer',
  type: 'object',
  required: ['sources', 'from', 'filters', 'records', 'total', 'currentPage', 'pageSize'],
  properties: {
    sources: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'resource', 'title'],
        properties: { name: TEXT, resource: TEXT, title: TEXT },
        additionalProperties: false,
      },
    },
    /** The source that is shown; null when nothing can be picked. */
    from: TEXT_OR_NULL,
    /** Fields of the head by which the source's documents may be narrowed. */
    filters: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'title'],
        properties: { name: TEXT, title: TEXT },
        additionalProperties: false,
      },
    },
    records: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'source', 'head', 'line'],
        properties: {
          /** Of the source's line, else of the source. */
          id: TEXT,
          source: {
            type: 'object',
            required: ['resource', 'id', 'label'],
            properties: { resource: TEXT, id: TEXT, label: TEXT },
            additionalProperties: false,
          },
          /** Of its document what the filters are of, by field. */
          head: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['value', 'label'],
              properties: { value: TEXT, label: TEXT },
              additionalProperties: false,
            },
          },
          /** As it would stand in the form, with `_from`. */
          line: RECORD,
        },
        additionalProperties: false,
      },
    },
    total: WHOLE,
    currentPage: WHOLE,
    pageSize: WHOLE,
  },
  additionalProperties: false,
} as const;

export type PickForm = Shape<typeof QUERY>;
export type PickAnswer = Shape<typeof ANSWER>;

/** 选取: open lines of other documents for a list of a form. */
export const PICK_CALLS = {
  'POST /pick/:resource/:lines': {
    title: '从其他单据选取明细',
    permission: 'resource',
    isReading: true,
    params: PLACE,
    limits: { body: RECORD_BODY },
    body: QUERY,
    data: ANSWER,
  },
} as const satisfies CallGroup;
