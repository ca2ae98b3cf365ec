import type { CallGroup } from './call.ts';
import { FILTER, FLAG, STARTED_JOB, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { FILE_RATE, QUERY_BODY } from './limits.ts';
import type { Shape } from './shape.ts';
import { DASHBOARD } from './dashboard.ts';
import { PARAM_VALUES, PARAM } from './report-params.ts';

const OF_REPORT = {
  type: 'object',
  required: ['reportId'],
  properties: { reportId: { type: 'string', maxLength: 20 } },
  additionalProperties: false,
} as const;

const COLUMN = {
  type: 'object',
  required: ['key', 'title', 'isFigure', 'as', 'scale', 'opens'],
  properties: {
    key: TEXT,
    title: TEXT,
    isFigure: FLAG,
    /** How it is shown: text, date, datetime, boolean, money, number, percent, integer. */
    as: TEXT,
    scale: WHOLE,
    /** Original currency: figures stand by currency. */
    byCurrency: FLAG,
    /** The resource that its values refer to. */
    to: TEXT,
    /** A click shows the records behind a figure. */
    opens: FLAG,
    /** The group level that it names, from 0. */
    group: WHOLE,
  },
  additionalProperties: false,
} as const;

const ROW = {
  type: 'object',
  required: ['level', 'isLine', 'keys', 'id', 'source', 'currency', 'count', 'cells', 'labels'],
  properties: {
    /** 0 is the total, then the group levels. */
    level: WHOLE,
    isLine: FLAG,
    keys: { type: 'array' },
    id: TEXT_OR_NULL,
    source: TEXT_OR_NULL,
    /** Of a line of a document, the document. */
    head: TEXT,
    currency: TEXT_OR_NULL,
    count: WHOLE,
    cells: { type: 'object', additionalProperties: true },
    /** Texts of references and options. */
    labels: { type: 'object', additionalProperties: TEXT },
    isRest: FLAG,
    /** How its figures are shown, where they are not what the column says of all others. */
    as: TEXT,
  },
  additionalProperties: false,
} as const;

const FIGURE_PROPERTIES = {
  kind: TEXT,
  x: TEXT,
  y: { type: 'array', items: TEXT },
  top: WHOLE,
  /** The columns go from what is as it should be to what is worst. */
  rising: FLAG,
} as const;

const CHART = {
  type: ['object', 'null'],
  required: ['kind', 'x', 'y'],
  properties: {
    ...FIGURE_PROPERTIES,
    /** A second figure of the same rows. */
    beside: {
      type: 'object',
      required: ['kind', 'x', 'y'],
      properties: FIGURE_PROPERTIES,
      additionalProperties: false,
    },
    /** The report whose chart stands below, and what it is asked with. */
    trend: {
      type: 'object',
      required: ['report', 'params'],
      properties: { report: WHOLE, params: PARAM_VALUES },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const REPORT = {
  type: 'object',
  required: ['report', 'title', 'params', 'exportRefusal'],
  properties: {
    report: WHOLE,
    title: TEXT,
    params: { type: 'array', items: PARAM },
    /** Why it may not be exported; null when it may. */
    exportRefusal: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

const RUN_BODY = {
  type: 'object',
  properties: {
    params: PARAM_VALUES,
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 5_000 },
  },
  additionalProperties: false,
} as const;

export const RESULT = {
  type: 'object',
  required: [
    'report',
    'title',
    'params',
    'columns',
    'rows',
    'total',
    'isCapped',
    'hidden',
    'chart',
    'groups',
    'at',
  ],
  properties: {
    report: WHOLE,
    title: TEXT,
    /** In words: what was chosen. */
    params: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'text'],
        properties: { title: TEXT, text: TEXT },
        additionalProperties: false,
      },
    },
    columns: { type: 'array', items: COLUMN },
    rows: { type: 'array', items: ROW },
    total: { anyOf: [ROW, { type: 'null' }] },
    /** More lines than a page takes: totals are of all of them. */
    isCapped: FLAG,
    /** Columns that are left out, since they read what the role may not see. */
    hidden: { type: 'array', items: TEXT },
    chart: CHART,
    /** How many group levels stand above the lines. */
    groups: WHOLE,
    /** When it was reckoned. */
    at: TEXT,
  },
  additionalProperties: false,
} as const;

const DRILL_BODY = {
  type: 'object',
  required: ['column'],
  properties: {
    params: PARAM_VALUES,
    column: { type: 'string', maxLength: 60 },
    keys: { type: 'array', maxItems: 10 },
    id: TEXT_OR_NULL,
    currency: TEXT_OR_NULL,
    currentPage: { type: 'integer', minimum: 1, maximum: 100_000 },
    pageSize: { type: 'integer', minimum: 1, maximum: 1_000 },
  },
  additionalProperties: false,
} as const;

const DRILL = {
  type: 'object',
  required: ['title', 'total', 'sum', 'records', 'resource', 'filters'],
  properties: {
    title: TEXT,
    total: WHOLE,
    /** Of all records together: the figure. */
    sum: TEXT_OR_NULL,
    records: {
      type: 'array',
      items: {
        type: 'object',
        required: ['resource', 'id', 'label', 'caption', 'value'],
        properties: {
          resource: TEXT,
          id: TEXT,
          label: TEXT,
          /** What tells it from others: whose it is, what it is called. */
          caption: { type: 'array', items: TEXT },
          value: TEXT_OR_NULL,
        },
        additionalProperties: false,
      },
    },
    /** The list that shows these records, with this filter; null where no one list can. */
    resource: TEXT_OR_NULL,
    filters: FILTER,
  },
  additionalProperties: false,
} as const;

export type Dashboard = Shape<typeof DASHBOARD>;
export type ReportAnswer = Shape<typeof REPORT>;
export type ReportParamAnswer = Shape<typeof PARAM>;
export type ReportResult = Shape<typeof RESULT>;
export type ReportResultColumn = Shape<typeof COLUMN>;
export type ReportResultRow = Shape<typeof ROW>;
export type ReportDrill = Shape<typeof DRILL>;
export type ReportDrillQuery = Shape<typeof DRILL_BODY>;

/** Reports: what they ask, what they give, and the records behind each figure. */
export const REPORT_CALLS = {
  'GET /dashboard/:name': {
    title: '看板的卡片与图表',
    permission: 'session',
    params: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 40 } },
      additionalProperties: false,
    },
    data: DASHBOARD,
  },
  'GET /reports/own': {
    title: '自定义报表',
    permission: 'session',
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['report', 'title'],
        properties: { report: WHOLE, title: TEXT },
        additionalProperties: false,
      },
    },
  },
  'GET /report/:reportId': { title: '报表定义', permission: 'session', params: OF_REPORT, data: REPORT },
  'POST /report/:reportId/run': {
    title: '运行报表',
    permission: 'session',
    isReading: true,
    params: OF_REPORT,
    limits: { body: QUERY_BODY },
    body: RUN_BODY,
    data: RESULT,
  },
  'POST /report/:reportId/drill': {
    title: '报表数字背后的记录',
    permission: 'session',
    isReading: true,
    params: OF_REPORT,
    limits: { body: QUERY_BODY },
    body: DRILL_BODY,
    data: DRILL,
  },
  'POST /report/:reportId/export': {
    title: '导出报表（5,000 行以内为 xlsx，以上为 jobId）',
    permission: 'session',
    params: OF_REPORT,
    limits: { body: QUERY_BODY, rate: FILE_RATE },
    body: { type: 'object', properties: { params: PARAM_VALUES }, additionalProperties: false },
    data: STARTED_JOB,
    gives: 'file',
  },
} as const satisfies CallGroup;
