import type { CallGroup } from './call.ts';
import {
  BATCH_RESULT,
  CHANGE,
  NAME,
  NOTHING,
  OF_RECORD,
  OF_RESOURCE,
  OPINION,
  RECORD,
  TEXT,
  TEXT_OR_NULL,
  VERSION,
} from './common.ts';
import { QUERY_BODY, RECORD_BODY } from './limits.ts';
import type { Shape } from './shape.ts';
import { APPROVER, APPROVAL_PREVIEW, FORM_SOURCE, PREVIEW } from './preview.ts';

const OF_ACTION = {
  type: 'object',
  required: ['resource', 'id', 'action'],
  properties: { ...OF_RECORD.properties, action: NAME },
  additionalProperties: false,
} as const;

const OF_BATCH = {
  type: 'object',
  required: ['resource', 'action'],
  properties: { ...OF_RESOURCE.properties, action: NAME },
  additionalProperties: false,
} as const;

/** Without a version the answer says so itself. */
const ACTION = {
  type: 'object',
  properties: {
    version: { type: ['integer', 'null'] },
    opinion: OPINION,
    inputs: { type: ['object', 'null'] },
  },
  additionalProperties: false,
} as const;

const BATCH_ROWS = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  items: {
    type: 'object',
    required: ['id', 'version'],
    properties: { id: NAME, version: VERSION, opinion: OPINION },
    additionalProperties: true,
  },
} as const;

/** A list of rows (the first one's opinion counts for all), or rows with an opinion and inputs. */
const BATCH = {
  anyOf: [
    BATCH_ROWS,
    {
      type: 'object',
      required: ['records'],
      properties: { records: BATCH_ROWS, opinion: OPINION, inputs: { type: ['object', 'null'] } },
      additionalProperties: false,
    },
  ],
} as const;

/** One step in the life of a record. */
const HISTORY_ENTRY = {
  type: 'object',
  required: [
    'id',
    'at',
    'person_id',
    'person_name',
    'for_sales_id',
    'for_sales_name',
    'on_behalf_name',
    'action',
    'action_title',
    'from_status',
    'from_title',
    'to_status',
    'to_title',
    'opinion',
    'changes',
  ],
  properties: {
    id: TEXT,
    at: TEXT,
    person_id: TEXT_OR_NULL,
    person_name: TEXT_OR_NULL,
    for_sales_id: TEXT_OR_NULL,
    for_sales_name: TEXT_OR_NULL,
    /** The colleague for whom it was decided. */
    on_behalf_name: TEXT_OR_NULL,
    action: TEXT,
    action_title: TEXT,
    from_status: TEXT_OR_NULL,
    from_title: TEXT,
    to_status: TEXT_OR_NULL,
    to_title: TEXT,
    opinion: TEXT_OR_NULL,
    changes: { type: 'array', items: CHANGE },
  },
  additionalProperties: false,
} as const;

const READ_AMONG = {
  type: 'object',
  required: ['ids'],
  properties: { ids: { type: 'array', maxItems: 500, items: { type: 'string', maxLength: 100 } } },
  additionalProperties: false,
} as const;

export type BatchForm = Shape<typeof BATCH>;
export type BatchResult = Shape<typeof BATCH_RESULT>;
export type Approver = Shape<typeof APPROVER>;
export type ApprovalPreview = Shape<typeof APPROVAL_PREVIEW>;
export type FormSource = Shape<typeof FORM_SOURCE>;
export type Preview = Shape<typeof PREVIEW>;
export type Change = Shape<typeof CHANGE>;
export type HistoryEntry = Shape<typeof HISTORY_ENTRY>;

const WRITE = { permission: 'resource', limits: { body: RECORD_BODY }, data: RECORD } as const;

/** The generic data API: every resource, no resource named. */
export const RECORD_CALLS = {
  'GET /data/:resource/:id': {
    title: '查看',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: RECORD,
  },
  'POST /data/:resource': {
    ...WRITE,
    title: '新增',
    operation: 'create',
    params: OF_RESOURCE,
    body: RECORD,
  },
  'PATCH /data/:resource/:id': {
    ...WRITE,
    title: '修改',
    operation: 'update',
    params: OF_RECORD,
    body: RECORD,
  },
  'DELETE /data/:resource/:id': {
    title: '删除',
    permission: 'resource',
    operation: 'delete',
    params: OF_RECORD,
    query: { type: 'object', properties: { version: TEXT }, additionalProperties: true },
    data: NOTHING,
  },
  'POST /data/:resource/preview': {
    // With "action" (and "inputs", "opinion"; "_action" and so on where the resource has fields of these names) also
    // what the action would do.
    title: '试算与推演，不保存',
    permission: 'resource',
    isReading: true,
    params: OF_RESOURCE,
    limits: { body: RECORD_BODY },
    body: RECORD,
    data: PREVIEW,
  },
  'POST /data/:resource/:id/actions/:action': {
    ...WRITE,
    title: '执行操作',
    params: OF_ACTION,
    body: ACTION,
  },
  'POST /data/:resource/actions/:action': {
    title: '批量执行操作',
    permission: 'resource',
    params: OF_BATCH,
    limits: { body: RECORD_BODY },
    body: BATCH,
    data: { type: 'array', items: BATCH_RESULT },
  },
  'GET /data/:resource/:id/history': {
    title: '修改历史',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: { type: 'array', items: HISTORY_ENTRY },
  },
  'POST /data/:resource/:id/read': {
    title: '标为已读',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: NOTHING,
  },
  'POST /data/:resource/reads': {
    title: '其中已读的记录',
    permission: 'resource',
    operation: 'list',
    params: OF_RESOURCE,
    limits: { body: QUERY_BODY },
    body: READ_AMONG,
    data: { type: 'array', items: TEXT },
  },
} as const satisfies CallGroup;
