import type { CallGroup } from './call.ts';
import { NAME, NOTHING, OF_JOB, OF_RESOURCE, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { FILE_RATE } from './limits.ts';
import type { Shape } from './shape.ts';

const OF_IMPORT = {
  type: 'object',
  required: ['resource', 'importId'],
  properties: { ...OF_RESOURCE.properties, importId: NAME },
  additionalProperties: false,
} as const;

/** Fields chosen for columns by place: `0:buyer_id,3:items.quantity,5:`; nothing behind the colon leaves a column out. */
const CHOSEN = {
  type: 'object',
  properties: {
    columns: {
      type: 'string',
      maxLength: 8_000,
      pattern: '^(\\d{1,3}:[a-z0-9_.]*)(,\\d{1,3}:[a-z0-9_.]*)*$',
    },
  },
  additionalProperties: false,
} as const;

/** A job as its person sees it. */
const JOB = {
  type: 'object',
  required: ['id', 'status', 'progress', 'message'],
  properties: {
    id: TEXT,
    status: { enum: ['running', 'done', 'failed', 'cancelled'] },
    /** 0 to 1. */
    progress: { type: 'number' },
    message: TEXT,
  },
  additionalProperties: false,
} as const;

const IMPORT_PROBLEM = {
  type: 'object',
  required: ['column', 'message'],
  /** `cell` as the spreadsheet calls it: C7. */
  properties: { column: TEXT, cell: TEXT, message: TEXT },
  additionalProperties: false,
} as const;

/** A row as the preview shows it. */
const IMPORT_ROW = {
  type: 'object',
  required: ['row', 'kind', 'label', 'errors'],
  properties: {
    row: WHOLE,
    kind: { enum: ['create', 'update', 'error'] },
    label: TEXT,
    errors: { type: 'array', items: IMPORT_PROBLEM },
  },
  additionalProperties: false,
} as const;

const IMPORT_COUNTS = {
  type: 'object',
  required: ['create', 'update', 'error'],
  properties: { create: WHOLE, update: WHOLE, error: WHOLE },
  additionalProperties: false,
} as const;

const IMPORT_PREVIEW = {
  type: 'object',
  required: ['importId', 'counts', 'rows', 'ignored', 'columns', 'fields'],
  properties: {
    importId: TEXT,
    counts: IMPORT_COUNTS,
    /** The first rows, and bad ones beyond them. */
    rows: { type: 'array', items: IMPORT_ROW },
    /** Columns that no field has. */
    ignored: { type: 'array', items: TEXT },
    /** The columns of the file by place, each with the field that it fills. */
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'field'],
        properties: { title: TEXT, field: TEXT_OR_NULL },
        additionalProperties: false,
      },
    },
    /** What columns may fill. */
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'title'],
        properties: { name: TEXT, title: TEXT },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

const IMPORT_RESULT = {
  type: 'object',
  required: ['created', 'updated', 'skipped', 'rows'],
  properties: {
    created: WHOLE,
    updated: WHOLE,
    skipped: WHOLE,
    /** Rows that were good when checked and are not any more. */
    rows: { type: 'array', items: IMPORT_ROW },
  },
  additionalProperties: false,
} as const;

export type JobView = Shape<typeof JOB>;
export type ImportProblem = Shape<typeof IMPORT_PROBLEM>;
export type ImportRowView = Shape<typeof IMPORT_ROW>;
export type ImportCounts = Shape<typeof IMPORT_COUNTS>;
export type ImportPreview = Shape<typeof IMPORT_PREVIEW>;
export type ImportResult = Shape<typeof IMPORT_RESULT>;

const IMPORT = { permission: 'resource', operation: 'import' } as const;

/** Jobs of a person, and import in two steps: a file is checked, then its good rows are written. */
export const TRANSFER_CALLS = {
  'GET /jobs/:id': { title: '后台任务的进度', permission: 'session', params: OF_JOB, data: JOB },
  'DELETE /jobs/:id': { title: '取消后台任务', permission: 'session', params: OF_JOB, data: NOTHING },
  'GET /jobs/:id/file': { title: '后台任务的文件', permission: 'session', params: OF_JOB, gives: 'file' },
  'GET /data/:resource/import/template': { ...IMPORT, title: '导入模板', params: OF_RESOURCE, gives: 'file' },
  'POST /data/:resource/import': {
    ...IMPORT,
    title: '检查要导入的文件（xlsx 或 csv）',
    params: OF_RESOURCE,
    query: CHOSEN,
    limits: { rate: FILE_RATE },
    takes: 'files',
    data: IMPORT_PREVIEW,
  },
  'POST /data/:resource/import/:importId/commit': {
    ...IMPORT,
    title: '写入检查过的行',
    params: OF_IMPORT,
    data: IMPORT_RESULT,
  },
  'GET /data/:resource/import/:importId/errors': {
    ...IMPORT,
    title: '导入的错误行',
    params: OF_IMPORT,
    gives: 'file',
  },
} as const satisfies CallGroup;
