import { NOTHING, PROBLEM, RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { PLAN } from './plan.ts';

/** Somebody who may decide. */
export const APPROVER = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: TEXT, name: TEXT },
  additionalProperties: false,
} as const;

/** Who would decide if the record were submitted now, and why. */
export const APPROVAL_PREVIEW = {
  type: 'object',
  required: ['flow', 'amount_cny', 'levels', 'problem'],
  properties: {
    flow: TEXT_OR_NULL,
    amount_cny: TEXT_OR_NULL,
    levels: {
      type: 'array',
      items: {
        type: 'object',
        required: ['level_no', 'title', 'mode', 'timeout_hours', 'persons', 'reason', 'skipped'],
        properties: {
          level_no: WHOLE,
          title: TEXT,
          mode: { enum: ['any', 'all'] },
          timeout_hours: { type: ['number', 'null'] },
          persons: { type: 'array', items: APPROVER },
          /** Why these people, in plain Chinese. */
          reason: TEXT,
          /** Why nobody needs to decide here; null when somebody does. */
          skipped: TEXT_OR_NULL,
        },
        additionalProperties: false,
      },
    },
    /** Why a submission would be refused: no flow, nobody to decide, no rate. */
    problem: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

/** Why a field is hidden, required or read-only now, each a plain Chinese sentence. */
const FIELD_STATE = {
  type: 'object',
  properties: { hidden: TEXT, required: TEXT, readOnly: TEXT },
  additionalProperties: false,
} as const;

/** What a filled form was made from. */
export const FORM_SOURCE = {
  type: 'object',
  required: ['resource', 'title', 'make', 'records', 'choices', 'existing'],
  properties: {
    resource: TEXT,
    title: TEXT,
    make: TEXT,
    records: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'label'],
        properties: { id: TEXT, label: TEXT },
        additionalProperties: false,
      },
    },
    /** Several documents could be made; the first is the filled one. */
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['line', 'per', 'label'],
        properties: { line: TEXT_OR_NULL, per: TEXT_OR_NULL, label: TEXT },
        additionalProperties: false,
      },
    },
    /** Made before, of a source of which only one is; without id and label where it may not be seen. */
    existing: {
      anyOf: [
        {
          type: 'object',
          required: ['resource', 'id', 'label'],
          properties: { resource: TEXT, id: TEXT_OR_NULL, label: TEXT_OR_NULL },
          additionalProperties: false,
        },
        NOTHING,
      ],
    },
  },
  additionalProperties: false,
} as const;

/** What would happen. */
export const PREVIEW = {
  type: 'object',
  required: ['record', 'states', 'problems', 'submitProblems', 'approval', 'from', 'plan'],
  properties: {
    record: RECORD,
    states: { type: 'object', additionalProperties: FIELD_STATE },
    /** What refuses the save. */
    problems: { type: 'array', items: PROBLEM },
    /** What would refuse the submission besides. */
    submitProblems: { type: 'array', items: PROBLEM },
    approval: { anyOf: [APPROVAL_PREVIEW, NOTHING] },
    /** With `_from`: what the form was filled from. */
    from: { anyOf: [FORM_SOURCE, NOTHING] },
    /** What the named action would do; null when none is named. */
    plan: { anyOf: [PLAN, NOTHING] },
  },
  additionalProperties: false,
} as const;
