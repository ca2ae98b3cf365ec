import type { CallGroup } from './call.ts';
import { RESOURCE_KEY, TEXT, WHOLE } from './common.ts';
import { PASTE_RATE, UPLOAD_RATE } from './limits.ts';
import type { Shape } from './shape.ts';

const PLACE = {
  type: 'object',
  properties: {
    resource: RESOURCE_KEY,
    id: { type: 'string', maxLength: 100 },
    field: { type: 'string', maxLength: 130 },
    /** Only pictures are taken. */
    image: { enum: ['1'] },
  },
  additionalProperties: false,
} as const;

const ONE = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

const SHOWN = { type: 'object', properties: { thumb: { enum: ['1'] } }, additionalProperties: true } as const;

const CAPTURE = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', maxLength: 2_000 },
    resource: RESOURCE_KEY,
    field: { type: 'string', maxLength: 130 },
  },
  additionalProperties: false,
} as const;

const STORED = { id: TEXT, name: TEXT, size: WHOLE, type: TEXT, url: TEXT } as const;

const STORED_FILE = {
  type: 'object',
  required: ['id', 'name', 'size', 'type', 'url'],
  properties: STORED,
  additionalProperties: false,
} as const;

/** A file with who brought it and when (ISO 8601); both empty where nobody is known. */
const FILE = {
  type: 'object',
  required: ['id', 'name', 'size', 'type', 'url', 'uploadedBy', 'uploadedAt'],
  properties: { ...STORED, uploadedBy: TEXT, uploadedAt: TEXT },
  additionalProperties: false,
} as const;

export type StoredFileView = Shape<typeof STORED_FILE>;
export type FileView = Shape<typeof FILE>;

/** Upload, download and capture of files. */
export const FILE_CALLS = {
  'POST /files': {
    title: '上传文件',
    limits: { rate: UPLOAD_RATE },
    permission: 'session',
    query: PLACE,
    takes: 'files',
    // Several files give a list.
    data: { anyOf: [FILE, { type: 'array', items: FILE }] },
  },
  'GET /files/:id': { title: '下载文件', permission: 'session', params: ONE, query: SHOWN, gives: 'file' },
  'GET /files/:id/info': {
    title: '文件的名称、大小与上传人',
    permission: 'session',
    params: ONE,
    data: FILE,
  },
  'POST /files/capture': {
    title: '抓取远程图片',
    limits: { rate: PASTE_RATE },
    permission: 'session',
    body: CAPTURE,
    data: STORED_FILE,
  },
} as const satisfies CallGroup;
