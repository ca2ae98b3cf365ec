import type { CallGroup } from './call.ts';
import { FLAG, NAME, OF_RECORD, OF_RESOURCE, TEXT } from './common.ts';
import { FILE_RATE } from './limits.ts';
import type { Shape } from './shape.ts';

const OF_PRINT = {
  type: 'object',
  required: ['resource', 'id', 'printId'],
  properties: { ...OF_RECORD.properties, printId: NAME },
  additionalProperties: false,
} as const;

const OF_MANY = {
  type: 'object',
  required: ['resource', 'printId'],
  properties: { ...OF_RESOURCE.properties, printId: NAME },
  additionalProperties: false,
} as const;

const NUMBER = { type: 'number' } as const;

/** What is drawn on a page, in points from its top left corner. */
const MARK = {
  anyOf: [
    {
      type: 'object',
      required: ['kind', 'x', 'y', 'size', 'text', 'align', 'isBold', 'isSoft'],
      properties: {
        kind: { const: 'text' },
        x: NUMBER,
        y: NUMBER,
        size: NUMBER,
        text: TEXT,
        align: { enum: ['left', 'right', 'center'] },
        isBold: FLAG,
        isSoft: FLAG,
      },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['kind', 'x1', 'y1', 'x2', 'y2', 'weight'],
      properties: { kind: { const: 'line' }, x1: NUMBER, y1: NUMBER, x2: NUMBER, y2: NUMBER, weight: NUMBER },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['kind', 'x', 'y', 'width', 'height', 'picture'],
      properties: {
        kind: { const: 'picture' },
        x: NUMBER,
        y: NUMBER,
        width: NUMBER,
        height: NUMBER,
        picture: TEXT,
      },
      additionalProperties: false,
    },
  ],
} as const;

const DAY = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;

const PERIOD = {
  type: 'object',
  required: ['from', 'to'],
  properties: { from: TEXT, to: TEXT },
  additionalProperties: false,
} as const;

/** The days of a statement; without them from the first of the month before until today. */
const PERIOD_QUERY = {
  type: 'object',
  properties: { from: DAY, to: DAY },
  additionalProperties: false,
} as const;

const PICTURE = {
  type: 'object',
  required: ['name', 'png'],
  properties: { name: TEXT, png: TEXT },
  additionalProperties: false,
} as const;

/** A record's print as its pages are, through the eyes of whoever asks. */
const PRINT_DATA = {
  type: 'object',
  required: ['print', 'name', 'width', 'height', 'pages', 'pictures', 'missing', 'period'],
  properties: {
    print: {
      type: 'object',
      required: ['id', 'title'],
      properties: { id: TEXT, title: TEXT },
      additionalProperties: false,
    },
    /** Of its file. */
    name: TEXT,
    width: NUMBER,
    height: NUMBER,
    pages: { type: 'array', items: { type: 'array', items: MARK } },
    /** What the pages name, as PNG in base64. */
    pictures: { type: 'array', items: PICTURE },
    /** Null for what is of no period. */
    period: { anyOf: [PERIOD, { type: 'null' }] },
    /** Characters that the font does not have. */
    missing: { type: 'array', items: TEXT },
  },
  additionalProperties: false,
} as const;

/** The text of a template, and the row that holds it where the company wrote its own. */
const TEMPLATE = {
  type: 'object',
  required: ['template', 'text', 'own'],
  properties: {
    template: TEXT,
    text: TEXT,
    own: {
      anyOf: [
        {
          type: 'object',
          required: ['id', 'version'],
          properties: { id: TEXT, version: { type: 'integer' } },
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
  },
  additionalProperties: false,
} as const;

const TEMPLATE_FORM = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', maxLength: 60_000 } },
  additionalProperties: false,
} as const;

/** The pages as the text would make them, or what is wrong with it. */
const PREVIEW = {
  type: 'object',
  required: ['print', 'faults'],
  properties: {
    print: { anyOf: [PRINT_DATA, { type: 'null' }] },
    faults: { type: 'array', items: TEXT },
  },
  additionalProperties: false,
} as const;

const MANY = {
  type: 'object',
  required: ['ids'],
  properties: {
    ids: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string', maxLength: 100 } },
  },
  additionalProperties: false,
} as const;

/** A print of a resource, as those who write templates see it. */
const PRINT_ENTRY = {
  type: 'object',
  required: ['resource', 'resourceTitle', 'id', 'title', 'template', 'isOwn'],
  properties: {
    resource: TEXT,
    resourceTitle: TEXT,
    id: TEXT,
    title: TEXT,
    template: TEXT,
    /** The company wrote its own. */
    isOwn: FLAG,
  },
  additionalProperties: false,
} as const;

export type PrintEntry = Shape<typeof PRINT_ENTRY>;
export type PrintData = Shape<typeof PRINT_DATA>;
export type PrintMark = PrintData['pages'][number][number];

/** Documents of records, to look at and as files. */
export const PRINT_CALLS = {
  'GET /data/:resource/:id/print/:printId': {
    title: '打印预览',
    permission: 'resource',
    operation: 'print',
    params: OF_PRINT,
    query: PERIOD_QUERY,
    data: PRINT_DATA,
  },
  'GET /data/:resource/:id/print/:printId/pdf': {
    title: '打印为 PDF',
    permission: 'resource',
    operation: 'print',
    params: OF_PRINT,
    query: PERIOD_QUERY,
    limits: { rate: FILE_RATE },
    gives: 'file',
  },
  'GET /data/:resource/:id/print/:printId/template': {
    title: '打印模板',
    permission: 'resource',
    operation: 'print',
    params: OF_PRINT,
    data: TEMPLATE,
  },
  'POST /data/:resource/:id/print/:printId/preview': {
    title: '预览正在修改的模板',
    permission: 'resource',
    isReading: true,
    operation: 'print',
    params: OF_PRINT,
    body: TEMPLATE_FORM,
    data: PREVIEW,
  },
  'GET /prints': {
    title: '全部打印模板',
    permission: 'staff',
    data: { type: 'array', items: PRINT_ENTRY },
  },
  'GET /prints/:resource/:printId/template': {
    title: '打印模板，不需要单据',
    permission: 'staff',
    params: OF_MANY,
    data: TEMPLATE,
  },
  'POST /prints/:resource/:printId/preview': {
    title: '以样张预览正在修改的模板',
    permission: 'staff',
    isReading: true,
    params: OF_MANY,
    body: TEMPLATE_FORM,
    data: PREVIEW,
  },
  'POST /data/:resource/print/:printId/pdf': {
    title: '多份打印为一个 PDF，最多 100 份',
    permission: 'resource',
    operation: 'print',
    params: OF_MANY,
    limits: { rate: FILE_RATE },
    body: MANY,
    gives: 'file',
  },
} as const satisfies CallGroup;
