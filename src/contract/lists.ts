import type { CallGroup } from './call.ts';
import {
  FILTER,
  FLAG,
  OF_RECORD,
  OF_RESOURCE,
  RECORD,
  STARTED_JOB,
  TEXT,
  TEXT_OR_NULL,
  WHOLE,
} from './common.ts';
import { FILE_RATE, QUERY_BODY } from './limits.ts';
import type { Shape } from './shape.ts';

const SORTERS = { type: ['array', 'null'], items: { type: 'string', maxLength: 200 }, maxItems: 5 } as const;
const COLUMNS = {
  type: ['array', 'null'],
  items: { type: 'string', maxLength: 200 },
  maxItems: 200,
} as const;
const KEYWORD = { type: ['string', 'null'], maxLength: 100 } as const;

/** What a list is asked for. */
export const LIST_QUERY_PROPERTIES = {
  currentPage: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  pageSize: { type: 'integer', minimum: 1, maximum: 1000 },
  filters: FILTER,
  /** `-sign_date` is descending. */
  sorters: SORTERS,
  keyword: KEYWORD,
  group: TEXT_OR_NULL,
  /** Head fields to answer with; without it all but rich texts. */
  columns: COLUMNS,
  /** `exact`: count and total everything instead of stopping at the cap. */
  count: TEXT,
} as const;

const QUERY = { type: 'object', properties: LIST_QUERY_PROPERTIES, additionalProperties: false } as const;

const EXPORT = {
  type: 'object',
  properties: { filters: FILTER, keyword: KEYWORD, sorters: SORTERS, columns: COLUMNS },
  additionalProperties: false,
} as const;

export const LIST_PAGE = {
  type: 'object',
  required: ['records', 'total', 'totalIsCapped', 'totals', 'currentPage', 'pageSize'],
  properties: {
    records: { type: 'array', items: RECORD },
    total: WHOLE,
    totalIsCapped: FLAG,
    /** Sums by column and currency (`''` for what has none), of the records that count: never of dead ones. */
    totals: { type: 'object', additionalProperties: { type: 'object', additionalProperties: TEXT } },
    currentPage: WHOLE,
    pageSize: WHOLE,
    groups: {
      type: 'array',
      items: {
        type: 'object',
        required: ['value', 'label', 'count'],
        properties: { value: {}, label: TEXT, count: WHOLE },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

/** Values that hold as the files say them, and the row that overrides them. */
const SHIPPED_DEFAULT = {
  type: 'object',
  required: ['values', 'labels', 'id'],
  properties: { values: RECORD, labels: RECORD, id: TEXT_OR_NULL },
  additionalProperties: false,
} as const;

const JSON_TEXT = { type: 'string', maxLength: 8_000 } as const;

/** `filters` and `sorters` are JSON, as the list that the record was opened from had them. */
const NEIGHBOUR_QUERY = {
  type: 'object',
  properties: { filters: JSON_TEXT, sorters: JSON_TEXT, keyword: { type: 'string', maxLength: 100 } },
  additionalProperties: true,
} as const;

const NEIGHBOURS = {
  type: 'object',
  required: ['previous', 'next'],
  properties: { previous: TEXT_OR_NULL, next: TEXT_OR_NULL },
  additionalProperties: false,
} as const;

/** A record found by number or name, with the page that shows it. */
const SEARCH_HIT = {
  type: 'object',
  required: ['resource', 'title', 'id', 'label', 'caption', 'route'],
  properties: {
    resource: TEXT,
    title: TEXT,
    id: TEXT,
    label: TEXT,
    /** What tells records of one name apart. */
    caption: { type: 'array', items: TEXT },
    route: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

export type ListQuery = Shape<typeof QUERY>;
export type ListPage = Shape<typeof LIST_PAGE>;
export type ListGroup = NonNullable<ListPage['groups']>[number];
export type ExportQuery = Shape<typeof EXPORT>;
export type ShippedDefault = Shape<typeof SHIPPED_DEFAULT>;
export type NeighbourQuery = Shape<typeof NEIGHBOUR_QUERY>;
export type Neighbours = Shape<typeof NEIGHBOURS>;
export type SearchHit = Shape<typeof SEARCH_HIT>;

/** Lists, what stands beside a record in them, and the search over everything. */
export const LIST_CALLS = {
  'POST /data/:resource/query': {
    title: '查询',
    permission: 'resource',
    isReading: true,
    operation: 'list',
    params: OF_RESOURCE,
    limits: { body: QUERY_BODY },
    body: QUERY,
    data: LIST_PAGE,
  },
  'POST /data/:resource/export': {
    title: '导出（5,000 行以内为 xlsx，以上为 jobId）',
    permission: 'resource',
    operation: 'export',
    params: OF_RESOURCE,
    limits: { body: QUERY_BODY, rate: FILE_RATE },
    body: EXPORT,
    data: STARTED_JOB,
    gives: 'file',
  },
  'GET /data/:resource/defaults': {
    title: '系统自带的值',
    permission: 'resource',
    operation: 'list',
    params: OF_RESOURCE,
    data: { type: 'array', items: SHIPPED_DEFAULT },
  },
  'GET /data/:resource/:id/neighbours': {
    title: '上一条与下一条',
    permission: 'resource',
    operation: 'list',
    params: OF_RECORD,
    query: NEIGHBOUR_QUERY,
    data: NEIGHBOURS,
  },
  'GET /search': {
    title: '全局搜索',
    permission: 'session',
    query: { type: 'object', properties: { q: TEXT }, additionalProperties: true },
    data: { type: 'array', items: SEARCH_HIT },
  },
} as const satisfies CallGroup;
