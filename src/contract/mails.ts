import type { CallGroup } from './call.ts';
import { FLAG, NAME, NOTHING, OF_RECORD, TEXT, TEXT_OR_NULL, UUID } from './common.ts';
import { FILE_RATE } from './limits.ts';
import type { Shape } from './shape.ts';

const WAY = { enum: ['smtp', 'outbox'] } as const;

const ADDRESS = {
  type: 'string',
  maxLength: 200,
  pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+\\.[^\\s@<>,;"]+$',
} as const;

const FORM = {
  type: 'object',
  required: ['to', 'cc', 'subject', 'body', 'printIds', 'fileIds'],
  properties: {
    to: { type: 'array', items: ADDRESS, minItems: 1, maxItems: 20, uniqueItems: true },
    cc: { type: 'array', items: ADDRESS, maxItems: 20, uniqueItems: true },
    /** One line. */
    subject: { type: 'string', minLength: 1, maxLength: 300, pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$' },
    body: { type: 'string', maxLength: 20_000 },
    /** Prints of the record, as PDF. */
    printIds: { type: 'array', items: NAME, maxItems: 10, uniqueItems: true },
    /** Files of the record. */
    fileIds: { type: 'array', items: UUID, maxItems: 20, uniqueItems: true },
    /** Of a print that is of a period. */
    period: {
      type: 'object',
      properties: { from: TEXT, to: TEXT },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const MAIL = {
  type: 'object',
  required: [
    'id', 'status', 'way', 'to', 'cc', 'subject', 'body', 'attachments', 'by', 'error', 'createdAt', 'sentAt', 'isOutdated',
  ],
  properties: {
    id: TEXT,
    status: { enum: ['waiting', 'sent', 'failed'] },
    /** How it left; null while it has not. */
    way: { anyOf: [WAY, { type: 'null' }] },
    to: { type: 'array', items: TEXT },
    cc: { type: 'array', items: TEXT },
    subject: TEXT,
    body: TEXT,
    /** Names of the files. */
    attachments: { type: 'array', items: TEXT },
    by: TEXT,
    error: TEXT_OR_NULL,
    createdAt: TEXT,
    sentAt: TEXT_OR_NULL,
    /** What it brought would read otherwise now. */
    isOutdated: FLAG,
  },
  additionalProperties: false,
} as const; // prettier-ignore

const CHOICE = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: TEXT, title: TEXT },
  additionalProperties: false,
} as const;

const FILE = {
  type: 'object',
  required: ['id', 'name', 'size', 'isProposed'],
  properties: { id: TEXT, name: TEXT, size: { type: 'integer' }, isProposed: FLAG },
  additionalProperties: false,
} as const;

const DRAFT = {
  type: 'object',
  required: ['to', 'subject', 'body', 'refusal', 'way', 'prints', 'files'],
  properties: {
    to: TEXT,
    subject: TEXT,
    body: TEXT,
    /** Why it may not be sent now. */
    refusal: TEXT_OR_NULL,
    way: WAY,
    prints: { type: 'array', items: CHOICE },
    files: { type: 'array', items: FILE },
  },
  additionalProperties: false,
} as const;

const OF_PRINT = {
  type: 'object',
  required: ['resource', 'id', 'printId'],
  properties: { ...OF_RECORD.properties, printId: NAME },
  additionalProperties: false,
} as const;

const OF_MAIL = {
  type: 'object',
  required: ['resource', 'id', 'mailId'],
  properties: { ...OF_RECORD.properties, mailId: NAME },
  additionalProperties: false,
} as const;

export type MailForm = Shape<typeof FORM>;
export type MailView = Shape<typeof MAIL>;
export type MailDraft = Shape<typeof DRAFT>;

/** Mails that bring documents of a record, for staff who may print it. */
export const MAIL_CALLS = {
  'GET /data/:resource/:id/mails': {
    title: '已发邮件',
    permission: 'resource',
    operation: 'print',
    params: OF_RECORD,
    data: { type: 'array', items: MAIL },
  },
  'GET /data/:resource/:id/print/:printId/mail': {
    title: '邮件草稿',
    permission: 'resource',
    operation: 'print',
    params: OF_PRINT,
    data: DRAFT,
  },
  'POST /data/:resource/:id/mails': {
    title: '发邮件',
    permission: 'resource',
    operation: 'print',
    params: OF_RECORD,
    limits: { rate: FILE_RATE },
    body: FORM,
    data: MAIL,
  },
  'POST /data/:resource/:id/mails/:mailId/resend': {
    title: '重发邮件',
    permission: 'resource',
    operation: 'print',
    params: OF_MAIL,
    limits: { rate: FILE_RATE },
    data: NOTHING,
  },
} as const satisfies CallGroup;
