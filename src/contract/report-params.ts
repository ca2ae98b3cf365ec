import { FLAG, TEXT } from './common.ts';

/** What was chosen, by the names of the parameters. */
export const PARAM_VALUES = { type: 'object', additionalProperties: true } as const;

/** A parameter of a report as its page asks for it. */
export const PARAM = {
  type: 'object',
  required: ['name', 'type', 'title', 'required', 'multiple', 'value'],
  properties: {
    name: TEXT,
    type: TEXT,
    title: TEXT,
    required: FLAG,
    multiple: FLAG,
    /** Its default. */
    value: {},
    options: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'label'],
        properties: { value: TEXT, label: TEXT },
        additionalProperties: false,
      },
    },
    to: TEXT,
    /** The field whose candidates are offered. */
    lookup: {
      type: 'object',
      required: ['resource', 'path'],
      properties: { resource: TEXT, path: TEXT },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;
