import type { CallGroup } from './call.ts';
import { OF_RECORD, RECORD, RESOURCE_KEY, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

const OF_ENTRY = {
  type: 'object',
  required: ['ledger', 'entryId'],
  properties: { ledger: RESOURCE_KEY, entryId: { type: 'string', maxLength: 100 } },
} as const;

const ENTRY_BOOK = {
  type: 'object',
  required: ['ledger', 'title', 'fields', 'records', 'total'],
  properties: {
    ledger: TEXT,
    title: TEXT,
    /** The fields of its records that hold what. */
    fields: {
      type: 'object',
      required: ['account', 'amount', 'after', 'type', 'date'],
      properties: {
        account: TEXT,
        amount: TEXT,
        after: TEXT,
        type: TEXT,
        date: TEXT,
        label: TEXT,
        summary: TEXT,
      },
      additionalProperties: false,
    },
    /** Of a document in the order of posting, of an account the newest first. */
    records: { type: 'array', items: RECORD },
    total: WHOLE,
  },
  additionalProperties: false,
} as const;

/** Of a document the account, of an account the document; without id and label where that may not be read. */
const HOLD = {
  type: 'object',
  required: ['resource', 'title', 'id', 'label', 'amount', 'currency', 'since'],
  properties: {
    resource: TEXT,
    title: TEXT,
    id: TEXT_OR_NULL,
    label: TEXT_OR_NULL,
    amount: TEXT,
    /** That of the account; null where nobody knows. */
    currency: TEXT_OR_NULL,
    since: TEXT,
  },
  additionalProperties: false,
} as const;

const VOUCHER = {
  type: 'object',
  required: ['resource', 'id', 'label', 'date', 'event', 'lines'],
  properties: {
    resource: TEXT,
    id: TEXT,
    label: TEXT,
    date: {},
    event: {},
    lines: { type: 'array', items: RECORD },
  },
  additionalProperties: false,
} as const;

const ENTRIES = {
  type: 'object',
  required: ['entries', 'holds', 'vouchers'],
  properties: {
    entries: { type: 'array', items: ENTRY_BOOK },
    holds: { type: 'array', items: HOLD },
    vouchers: { type: 'array', items: VOUCHER },
  },
  additionalProperties: false,
} as const;

/** A document line that posted an entry; null where the document may not be read. */
const SOURCE = {
  anyOf: [
    { type: 'null' },
    {
      type: 'object',
      required: ['resource', 'title', 'id', 'label', 'line', 'address'],
      properties: {
        resource: TEXT,
        title: TEXT,
        id: TEXT,
        label: TEXT,
        line: TEXT_OR_NULL,
        address: TEXT_OR_NULL,
      },
      additionalProperties: false,
    },
  ],
} as const;

const TRACE = {
  type: 'object',
  required: ['entry', 'source', 'direction', 'parts', 'rest', 'unseen'],
  properties: {
    entry: RECORD,
    source: SOURCE,
    /** Where money out came from, where money in went. */
    direction: { enum: ['from', 'to'] },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['entry', 'source', 'amount'],
        properties: { entry: RECORD, source: SOURCE, amount: TEXT },
        additionalProperties: false,
      },
    },
    /** What no entry covers: an account overdrawn, or money that is still there. */
    rest: TEXT,
    unseen: {
      type: 'object',
      required: ['count', 'amount'],
      properties: { count: WHOLE, amount: TEXT },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

export type EntryBook = Shape<typeof ENTRY_BOOK>;
export type LedgerEntries = Shape<typeof ENTRIES>;
export type TraceSource = Shape<typeof SOURCE>;

/** What documents posted, hold and vouched, who holds an account, and where money came from and went. */
export const LEDGER_CALLS = {
  'GET /data/:resource/:id/entries': {
    title: '分录、冻结与凭证',
    permission: 'resource',
    operation: 'read',
    params: OF_RECORD,
    data: ENTRIES,
  },
  'GET /ledger/:ledger/:entryId/trace': {
    title: '追溯资金来源与去向',
    permission: 'resource',
    params: OF_ENTRY,
    data: TRACE,
  },
} as const satisfies CallGroup;
