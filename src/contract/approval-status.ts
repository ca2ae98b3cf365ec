import { CHANGE, FLAG, NOTHING, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { APPROVAL_PREVIEW, APPROVER } from './preview.ts';

/** What one person did at a level. */
const STEP_DECISION = {
  type: 'object',
  required: ['task_id', 'person_id', 'name', 'for_name', 'result', 'opinion', 'at'],
  properties: {
    task_id: TEXT,
    person_id: TEXT_OR_NULL,
    name: TEXT,
    /** The colleague for whom it was decided, empty in the own name. */
    for_name: TEXT,
    result: TEXT,
    opinion: TEXT_OR_NULL,
    at: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

/** One level of an approval as it stands. */
export const STEP = {
  type: 'object',
  required: ['level_no', 'title', 'mode', 'status', 'persons', 'reason', 'skipped', 'decisions'],
  properties: {
    level_no: WHOLE,
    title: TEXT,
    mode: { enum: ['any', 'all'] },
    status: { enum: ['approved', 'rejected', 'pending', 'waiting', 'skipped', 'cancelled'] },
    persons: { type: 'array', items: APPROVER },
    reason: TEXT,
    /** Why the level was left out. */
    skipped: TEXT_OR_NULL,
    decisions: { type: 'array', items: STEP_DECISION },
  },
  additionalProperties: false,
} as const;

const STEPS = { type: 'array', items: STEP } as const;

/** A record's approval: levels, changes since the last submission, who decides next. */
export const STATUS = {
  title: 'ApprovalStatus',
  type: 'object',
  required: [
    'status',
    'flow',
    'amount_cny',
    'record_version',
    'submitted_by',
    'submitted_at',
    'steps',
    'next',
    'task',
    'canWithdraw',
    'changes',
    'checks',
    'earlier',
    'preview',
  ],
  properties: {
    status: TEXT,
    flow: TEXT_OR_NULL,
    amount_cny: TEXT_OR_NULL,
    record_version: WHOLE,
    submitted_by: { anyOf: [APPROVER, NOTHING] },
    submitted_at: TEXT_OR_NULL,
    steps: STEPS,
    /** Who decides now, and why these people; null when nobody. */
    next: {
      anyOf: [
        {
          type: 'object',
          required: ['title', 'persons', 'reason', 'due_at'],
          properties: {
            title: TEXT,
            persons: { type: 'array', items: APPROVER },
            reason: TEXT,
            due_at: TEXT_OR_NULL,
          },
          additionalProperties: false,
        },
        NOTHING,
      ],
    },
    /** My task on this record, when I may decide it; with the fields that I may fill. */
    task: {
      anyOf: [
        {
          type: 'object',
          required: ['id', 'version', 'fields'],
          properties: { id: TEXT, version: WHOLE, fields: { type: 'array', items: TEXT } },
          additionalProperties: false,
        },
        NOTHING,
      ],
    },
    canWithdraw: FLAG,
    /** What changed since the last submission. */
    changes: { type: 'array', items: CHANGE },
    checks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code', 'message', 'ok'],
        properties: {
          path: TEXT,
          code: TEXT,
          message: TEXT,
          level: { enum: ['error', 'warning'] },
          ok: FLAG,
        },
        additionalProperties: false,
      },
    },
    earlier: {
      type: 'array',
      items: {
        type: 'object',
        required: ['submitted_at', 'status', 'steps'],
        properties: { submitted_at: TEXT, status: TEXT, steps: STEPS },
        additionalProperties: false,
      },
    },
    /** Before a submission: what it would start. */
    preview: { anyOf: [APPROVAL_PREVIEW, NOTHING] },
  },
  additionalProperties: false,
} as const;
