import type { CallGroup } from './call.ts';
import { FACE_KINDS } from '#engine/schema/face-definition.ts';
import { FLAG, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import { STARTS } from './dashboard.ts';
import type { Shape } from './shape.ts';

const AMOUNT = {
  title: 'FaceAmount',
  type: 'object',
  required: ['title', 'amount', 'currency'],
  properties: { title: TEXT, amount: TEXT, currency: TEXT },
  additionalProperties: false,
} as const;

const NAMED_TEXT = {
  type: 'object',
  required: ['title', 'text'],
  properties: { title: TEXT, text: TEXT },
  additionalProperties: false,
} as const;

const STEP = {
  type: 'object',
  required: ['title', 'date'],
  properties: { title: TEXT, date: TEXT_OR_NULL },
  additionalProperties: false,
} as const;

const PRINT = {
  type: 'object',
  required: ['id', 'title', 'address'],
  properties: { id: TEXT, title: TEXT, address: TEXT },
  additionalProperties: false,
} as const;

/** A record as a card: name, state, texts, amounts, steps; `address` is where it opens. */
const CARD_PROPERTIES = {
  id: TEXT,
  address: TEXT_OR_NULL,
  name: TEXT,
  state: TEXT_OR_NULL,
  texts: { type: 'array', items: NAMED_TEXT },
  amounts: { type: 'array', items: AMOUNT },
  steps: { type: 'array', items: STEP },
  prints: { type: 'array', items: PRINT },
} as const;

const CARD_REQUIRED = ['id', 'address', 'name', 'state', 'texts', 'amounts', 'steps', 'prints'] as const;

const ENTRY = {
  title: 'FaceEntry',
  type: 'object',
  required: CARD_REQUIRED,
  properties: CARD_PROPERTIES,
  additionalProperties: false,
} as const;

const CARD = {
  title: 'FaceCard',
  type: 'object',
  required: [...CARD_REQUIRED, 'entries'],
  properties: { ...CARD_PROPERTIES, entries: { type: 'array', items: ENTRY } },
  additionalProperties: false,
} as const;

const RECORDS = {
  title: 'FaceRecordsShown',
  type: 'object',
  required: ['title', 'resource', 'ledger', 'address', 'total', 'isCapped', 'cards'],
  properties: {
    title: TEXT,
    resource: TEXT,
    /** The ledger of the entries below: each can be traced. */
    ledger: TEXT_OR_NULL,
    /** All of them: the list under the same condition. */
    address: TEXT_OR_NULL,
    total: WHOLE,
    isCapped: FLAG,
    cards: { type: 'array', items: CARD },
  },
  additionalProperties: false,
} as const;

const FACE = {
  title: 'Face',
  type: 'object',
  required: ['blocks'],
  properties: {
    blocks: {
      type: 'array',
      items: {
        title: 'FaceBlockShown',
        type: 'object',
        required: ['kind', 'title', 'empty', 'records', 'starts'],
        properties: {
          kind: { enum: FACE_KINDS },
          title: TEXT,
          empty: TEXT_OR_NULL,
          records: { type: 'array', items: RECORDS },
          starts: STARTS,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export type Face = Shape<typeof FACE>;
export type FaceBlockShown = Face['blocks'][number];
export type FaceRecordsShown = FaceBlockShown['records'][number];
export type FaceCard = FaceRecordsShown['cards'][number];
export type FaceEntry = FaceCard['entries'][number];

/** The home page of people who have a face of their own, whole in one answer: it is read on telephones. */
export const FACE_CALLS = {
  'GET /face/home': { title: '外部人员的首页', permission: 'session', data: FACE },
} as const satisfies CallGroup;
