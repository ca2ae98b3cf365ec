import type { CallGroup } from './call.ts';
import { NOTHING, TEXT, TEXT_OR_NULL, TOTAL, UUID, WHOLE } from './common.ts';
import type { Sent, Shape } from './shape.ts';

const QUERY = {
  type: 'object',
  properties: {
    tab: { enum: ['unread', 'read', 'archived', 'all'], default: 'all' },
    keyword: { type: 'string', maxLength: 100, default: '' },
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 },
    pageSize: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
  },
  additionalProperties: false,
} as const;

const ONE = {
  type: 'object',
  required: ['id'],
  properties: { id: UUID },
  additionalProperties: false,
} as const;

const NOTICE = {
  title: 'Notice',
  type: 'object',
  required: [
    'id',
    'event',
    'level',
    'title',
    'content',
    'resource',
    'record_id',
    'link',
    'read_at',
    'archived_at',
    'created_at',
  ],
  properties: {
    id: TEXT,
    /** Event code of setup/message-events.json. */
    event: TEXT,
    level: TEXT_OR_NULL,
    title: TEXT,
    content: TEXT,
    resource: TEXT_OR_NULL,
    record_id: TEXT_OR_NULL,
    link: TEXT_OR_NULL,
    read_at: TEXT_OR_NULL,
    archived_at: TEXT_OR_NULL,
    created_at: TEXT,
  },
  additionalProperties: false,
} as const;

const PAGE = {
  type: 'object',
  required: ['records', 'total', 'currentPage', 'pageSize'],
  properties: {
    records: { type: 'array', items: NOTICE },
    total: WHOLE,
    currentPage: WHOLE,
    pageSize: WHOLE,
  },
  additionalProperties: false,
} as const;

/** A notice as its receiver sees it. */
export type Notice = Shape<typeof NOTICE>;
export type NoticeQuery = Sent<typeof QUERY>;
export type NoticePage = Shape<typeof QUERY>;
export type NoticeTab = NoticePage['tab'];

/** The message centre: everybody's own notices. */
export const NOTICE_CALLS = {
  'POST /notice/query': {
    title: '消息列表',
    permission: 'session',
    isReading: true,
    body: QUERY,
    data: PAGE,
  },
  'GET /notice/unread': { title: '未读消息数', permission: 'session', isPassive: true, data: TOTAL },
  'POST /notice/readAll': { title: '全部标为已读', permission: 'session', data: TOTAL },
  'POST /notice/:id/read': { title: '标为已读', permission: 'session', params: ONE, data: NOTHING },
  'POST /notice/:id/archive': { title: '归档消息', permission: 'session', params: ONE, data: NOTHING },
} as const satisfies CallGroup;
