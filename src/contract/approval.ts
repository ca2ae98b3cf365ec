import type { CallGroup } from './call.ts';
import {
  BATCH_RESULT,
  CREATED,
  FLAG,
  NAME,
  NOTHING,
  OF_RECORD,
  OPINION,
  RECORD,
  RESOURCE_KEY,
  TEXT,
  TEXT_OR_NULL,
  WHOLE,
} from './common.ts';
import { QUERY_BODY, RECORD_BODY } from './limits.ts';
import { LIST_PAGE, LIST_QUERY_PROPERTIES } from './lists.ts';
import { PLAN } from './plan.ts';
import type { Shape } from './shape.ts';
import { STEP, STATUS } from './approval-status.ts';

const OF_TASK = {
  type: 'object',
  required: ['taskId'],
  properties: { taskId: NAME },
  additionalProperties: false,
} as const;

const OF_DELEGATION = {
  type: 'object',
  required: ['id'],
  properties: { id: NAME },
  additionalProperties: false,
} as const;

const INBOX_QUERY = {
  type: 'object',
  properties: { ...LIST_QUERY_PROPERTIES, tab: { enum: ['mine', 'done', 'submitted'], default: 'mine' } },
  additionalProperties: false,
} as const;

/** Of the record or of the task; null: the record must be as submitted. */
const SEEN_VERSION = { type: ['integer', 'null'] } as const;

const DECISION = {
  type: 'object',
  properties: {
    version: SEEN_VERSION,
    opinion: OPINION,
    /** Values of the fields that the state opens to the approver. */
    fields: { type: ['object', 'null'] },
    /** delegate: to whom, and (with a standing delegation) until when. */
    to: { type: 'string', maxLength: 36 },
    until: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  },
  additionalProperties: false,
} as const;

/** A decision that is only tried. */
const DECISION_PREVIEW = {
  type: 'object',
  properties: {
    ...DECISION.properties,
    kind: { enum: ['approve', 'reject', 'delegate'], default: 'approve' },
  },
  additionalProperties: false,
} as const;

const BATCH = {
  type: 'object',
  required: ['tasks', 'action'],
  properties: {
    action: { enum: ['approve', 'reject'] },
    opinion: OPINION,
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: TEXT, version: SEEN_VERSION },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

const NEW_DELEGATION = {
  type: 'object',
  required: ['to', 'valid_to'],
  properties: {
    to: { type: 'string', maxLength: 36 },
    valid_from: { type: 'string', maxLength: 10 },
    valid_to: { type: 'string', maxLength: 10 },
    /** Only documents of these kinds; none or left out: of all. */
    kinds: { type: 'array', maxItems: 200, items: RESOURCE_KEY },
  },
  additionalProperties: false,
} as const;

const WITHDRAWAL = {
  type: 'object',
  properties: { version: SEEN_VERSION, opinion: OPINION },
  additionalProperties: false,
} as const;

/** A kind of document. */
const KIND = {
  type: 'object',
  required: ['resource', 'title'],
  properties: { resource: TEXT, title: TEXT },
  additionalProperties: false,
} as const;

/** Somebody decides for somebody else from one day to another. */
const DELEGATION = {
  type: 'object',
  required: ['id', 'from_person', 'from_name', 'to_person', 'to_name', 'valid_from', 'valid_to', 'kinds'],
  properties: {
    id: TEXT,
    from_person: TEXT,
    from_name: TEXT,
    to_person: TEXT,
    to_name: TEXT,
    valid_from: TEXT,
    valid_to: TEXT,
    /** Null: documents of every kind. */
    kinds: { type: ['array', 'null'], items: KIND },
  },
  additionalProperties: false,
} as const;

/** What stands of one's own delegations, and the kinds of documents that one may approve and so give. */
const DELEGATIONS = {
  type: 'object',
  required: ['delegations', 'kinds'],
  properties: {
    delegations: { type: 'array', items: DELEGATION },
    kinds: { type: 'array', items: KIND },
  },
  additionalProperties: false,
} as const;

/** How much waits, by kind of document. */
const COUNTS = {
  type: 'object',
  required: ['mine', 'done', 'submitted', 'groups'],
  properties: {
    mine: WHOLE,
    done: WHOLE,
    submitted: WHOLE,
    groups: {
      type: 'array',
      items: {
        type: 'object',
        required: ['resource', 'title', 'count', 'oldestHours', 'amountCny'],
        properties: {
          resource: TEXT,
          title: TEXT,
          count: WHOLE,
          /** Hours since the oldest was submitted. */
          oldestHours: { type: 'number' },
          amountCny: TEXT_OR_NULL,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

/** A task after a decision, with what became of its record. */
const DECIDED = {
  type: 'object',
  required: ['_record', '_ended'],
  properties: {
    _record: {
      type: 'object',
      required: ['resource', 'id', 'status'],
      properties: { resource: TEXT, id: TEXT, status: {} },
      additionalProperties: false,
    },
    /** The approval has ended with this decision. */
    _ended: FLAG,
    _created: { type: 'array', items: CREATED },
  },
  additionalProperties: true,
} as const;

export type InboxQuery = Shape<typeof INBOX_QUERY>;
export type InboxTab = InboxQuery['tab'];
export type InboxCounts = Shape<typeof COUNTS>;
export type DecisionForm = Shape<typeof DECISION>;
export type DelegationForm = Shape<typeof NEW_DELEGATION>;
export type Delegation = Shape<typeof DELEGATION>;
export type Delegations = Shape<typeof DELEGATIONS>;
export type DecidedTask = Shape<typeof DECIDED>;
export type BatchDecision = Shape<typeof BATCH>;
export type ApprovalStep = Shape<typeof STEP>;
export type ApprovalStatus = Shape<typeof STATUS>;

const DECIDE = {
  permission: 'staff',
  params: OF_TASK,
  limits: { body: RECORD_BODY },
  body: DECISION,
  data: DECIDED,
} as const;

/** Inbox, decisions, delegation and the state of a record's approval. */
export const APPROVAL_CALLS = {
  'POST /approval/tasks/query': {
    title: '审核任务',
    permission: 'session',
    isReading: true,
    limits: { body: QUERY_BODY },
    body: INBOX_QUERY,
    data: LIST_PAGE,
  },
  'GET /approval/counts': { title: '待审数量', permission: 'session', data: COUNTS },
  'POST /approval/batch': {
    title: '批量审核',
    permission: 'session',
    limits: { body: QUERY_BODY },
    body: BATCH,
    data: { type: 'array', items: BATCH_RESULT },
  },
  'GET /approval/delegations': {
    title: '委托',
    permission: 'staff',
    data: DELEGATIONS,
  },
  'POST /approval/delegations': {
    title: '新增委托',
    permission: 'staff',
    body: NEW_DELEGATION,
    data: DELEGATIONS,
  },
  'DELETE /approval/delegations/:id': {
    title: '取消委托',
    permission: 'staff',
    params: OF_DELEGATION,
    data: NOTHING,
  },
  'GET /approval/record/:resource/:id': {
    title: '单据的审核情况',
    permission: 'session',
    params: OF_RECORD,
    data: STATUS,
  },
  'POST /approval/record/:resource/:id/withdraw': {
    title: '撤回',
    permission: 'session',
    params: OF_RECORD,
    body: WITHDRAWAL,
    data: RECORD,
  },
  'POST /approval/:taskId/approve': { ...DECIDE, title: '同意' },
  'POST /approval/:taskId/reject': { ...DECIDE, title: '驳回' },
  'POST /approval/:taskId/delegate': { ...DECIDE, title: '转审' },
  'POST /approval/:taskId/preview': {
    title: '推演审核，不保存',
    permission: 'session',
    isReading: true,
    params: OF_TASK,
    limits: { body: RECORD_BODY },
    body: DECISION_PREVIEW,
    data: PLAN,
  },
} as const satisfies CallGroup;
