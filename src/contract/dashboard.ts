import { FLAG, TEXT, WHOLE } from './common.ts';
import { PARAM_VALUES } from './report-params.ts';

/** Pages where somebody begins something. */
export const STARTS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['title', 'address'],
    properties: { title: TEXT, address: TEXT },
    additionalProperties: false,
  },
} as const;

/** Cards and charts over reports. */
export const DASHBOARD = {
  type: 'object',
  required: ['starts', 'cards', 'charts'],
  properties: {
    /** What the person may begin from here. */
    starts: STARTS,
    cards: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'report', 'route', 'column', 'params'],
        properties: {
          title: TEXT,
          report: WHOLE,
          route: TEXT,
          column: TEXT,
          currency: TEXT,
          params: PARAM_VALUES,
          /** The same figure of before. */
          before: PARAM_VALUES,
          /** What that is called. */
          against: TEXT,
          tone: TEXT,
          stock: FLAG,
          days: TEXT,
          overdue: TEXT,
          /** The column of whom it concerns. */
          party: TEXT,
          /** What shows the overdue ones alone. */
          late: PARAM_VALUES,
        },
        additionalProperties: false,
      },
    },
    charts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'report', 'route', 'kind', 'x', 'y', 'params'],
        properties: {
          title: TEXT,
          report: WHOLE,
          route: TEXT,
          kind: TEXT,
          x: TEXT,
          y: { type: 'array', items: TEXT },
          top: WHOLE,
          params: PARAM_VALUES,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;
