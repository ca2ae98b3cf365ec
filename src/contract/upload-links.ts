import type { CallGroup } from './call.ts';
import { FLAG, NOTHING, OF_KNOWN_RECORD, TEXT, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

const CAPABILITY = { type: 'string', maxLength: 100 } as const;

const APPLY = { type: 'object', properties: { applyId: CAPABILITY }, additionalProperties: false } as const;

/** Beside the link an id that the sender makes: by it an upload is repeated and cancelled. */
const UPLOAD = {
  type: 'object',
  properties: { applyId: CAPABILITY, upload: CAPABILITY },
  additionalProperties: false,
} as const;

const REMOVAL = {
  type: 'object',
  properties: { id: CAPABILITY, upload: CAPABILITY },
  additionalProperties: false,
} as const;

const OF_LINK = {
  type: 'object',
  required: ['resource', 'id', 'link'],
  properties: { ...OF_KNOWN_RECORD.properties, link: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

/** An image that came by a link. */
const IMAGE = {
  type: 'object',
  required: ['id', 'name', 'size', 'type'],
  properties: { id: TEXT, name: TEXT, size: WHOLE, type: TEXT },
  additionalProperties: false,
} as const;

/** What the page of a link shows of the record that it fills. */
const PLACE = {
  type: 'object',
  required: ['title', 'company', 'expiresAt', 'max', 'images'],
  properties: {
    title: TEXT,
    company: TEXT,
    expiresAt: TEXT,
    max: WHOLE,
    images: { type: 'array', items: IMAGE },
  },
  additionalProperties: false,
} as const;

const LINK = {
  type: 'object',
  required: ['id', 'createdBy', 'createdAt', 'expiresAt', 'isOpen', 'files'],
  properties: {
    id: TEXT,
    createdBy: TEXT,
    createdAt: TEXT,
    expiresAt: TEXT,
    isOpen: FLAG,
    /** Images of the link that are attached now. */
    files: WHOLE,
  },
  additionalProperties: false,
} as const;

/** The address is told once. */
const NEW_LINK = {
  type: 'object',
  required: ['id', 'url', 'expiresAt'],
  properties: { id: TEXT, url: TEXT, expiresAt: TEXT },
  additionalProperties: false,
} as const;

export type LinkedImage = Shape<typeof IMAGE>;
export type UploadPlace = Shape<typeof PLACE>;
export type UploadLink = Shape<typeof LINK>;
export type NewUploadLink = Shape<typeof NEW_LINK>;

const LINKS = { permission: 'resource', operation: 'update' } as const;

/** Images by a link without a session (spec sections 2.7 and 7), and the links themselves. */
export const UPLOAD_LINK_CALLS = {
  'GET /invoice/uploadLink': { title: '影像上传链接的单据', permission: 'public', query: APPLY, data: PLACE },
  'POST /invoice/uploadInvoiceFile': {
    title: '凭链接上传影像',
    permission: 'visitor',
    query: UPLOAD,
    takes: 'files',
    data: { type: 'array', items: IMAGE },
  },
  'POST /invoice/removeInvoiceFile': {
    title: '凭链接移除影像',
    permission: 'visitor',
    query: APPLY,
    body: REMOVAL,
    data: NOTHING,
  },
  'GET /data/:resource/:id/upload-links': {
    ...LINKS,
    title: '影像上传链接',
    params: OF_KNOWN_RECORD,
    data: { type: 'array', items: LINK },
  },
  'POST /data/:resource/:id/upload-links': {
    ...LINKS,
    title: '生成影像上传链接',
    params: OF_KNOWN_RECORD,
    data: NEW_LINK,
  },
  'DELETE /data/:resource/:id/upload-links/:link': {
    ...LINKS,
    title: '停用影像上传链接',
    params: OF_LINK,
    data: NOTHING,
  },
} as const satisfies CallGroup;
