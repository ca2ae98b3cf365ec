import type { CallGroup } from './call.ts';
import { NOTHING, TEXT } from './common.ts';
import { DOCUMENT_RATE } from './limits.ts';

const PERSONID = {
  type: 'object',
  properties: { personid: { type: 'string', maxLength: 1_024 } },
  additionalProperties: true,
} as const;

/** The live notices (spec section 7): identity from the session, the encrypted personid must be the same. */
export const STREAM_CALLS = {
  'GET /sse/connect': {
    title: '消息流',
    below: '/erp/msg',
    permission: 'staff',
    isPassive: true,
    query: PERSONID,
    gives: 'events',
  },
  'POST /sse/close': {
    title: '关闭消息流',
    below: '/erp/msg',
    permission: 'session',
    body: PERSONID,
    data: NOTHING,
  },
} as const satisfies CallGroup;

/** The description of the API itself. */
export const DOCS_CALLS = {
  'GET /docs': { title: '接口说明', permission: 'session', limits: { rate: DOCUMENT_RATE }, gives: 'page' },
  'GET /docs/json': {
    title: '接口说明（OpenAPI 3.1）',
    permission: 'session',
    limits: { rate: DOCUMENT_RATE },
    gives: 'file',
  },
} as const satisfies CallGroup;

/** For whoever watches the process, and the pages themselves. */
export const PUBLIC_CALLS = {
  'GET /health': {
    title: '进程在运行',
    below: '',
    permission: 'public',
    data: {
      type: 'object',
      required: ['status', 'database'],
      properties: {
        status: { const: 'up' },
        database: {
          type: 'object',
          required: ['status', 'since'],
          properties: { status: { enum: ['up', 'down'] }, since: TEXT },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  'GET /ready': {
    title: '可以服务：迁移与导入已完成，数据库可用',
    below: '',
    permission: 'public',
    data: {
      type: 'object',
      required: ['status', 'faults', 'files', 'growing'],
      properties: {
        status: { const: 'ready' },
        faults: { type: 'integer' },
        /** Definition files that are served as they were before. */
        files: { type: 'array', items: TEXT },
        /** Percent of the demo company, while it grows behind. */
        growing: { type: ['integer', 'null'] },
      },
      additionalProperties: false,
    },
  },
  'GET /metrics': {
    title: '运行指标（Prometheus）：凭令牌，未设置令牌时只对本机开放',
    below: '',
    permission: 'public',
    gives: 'text',
  },
  'GET /build.json': { title: '页面的版本', below: '', permission: 'public', gives: 'file' },
  'GET /*': { title: '页面及其文件', below: '', permission: 'public', gives: 'page' },
} as const satisfies CallGroup;
