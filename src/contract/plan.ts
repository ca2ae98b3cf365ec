import { CHANGE, FLAG, PROBLEM, RECORD, TEXT, TEXT_OR_NULL, WHOLE } from './common.ts';
import type { Shape } from './shape.ts';

/** A record by its name. Without id and label where whoever asks may not read it. */
const ABOUT = { resource: TEXT, title: TEXT, id: TEXT_OR_NULL, label: TEXT_OR_NULL } as const;

const ACCOUNT = {
  type: 'object',
  required: ['resource', 'title', 'id', 'label'],
  properties: ABOUT,
  additionalProperties: false,
} as const;

const MOVED = {
  type: 'object',
  required: ['resource', 'title', 'id', 'label', 'action', 'from', 'to', 'isOwn'],
  properties: {
    ...ABOUT,
    /** Titles, as people know them. */
    action: TEXT,
    from: TEXT,
    to: TEXT,
    /** The record that the action itself is of. */
    isOwn: FLAG,
  },
  additionalProperties: false,
} as const;

const MADE = {
  type: 'object',
  required: ['resource', 'title', 'label', 'state', 'amount', 'currency', 'lines', 'form'],
  properties: {
    resource: TEXT,
    title: TEXT,
    /** Null while it has none: its number is drawn when it is really made. */
    label: TEXT_OR_NULL,
    state: TEXT,
    amount: TEXT_OR_NULL,
    currency: TEXT_OR_NULL,
    /** So many lines it will have; null where it has none, or they may not be seen. */
    lines: { type: ['integer', 'null'] },
    /** What its form would be filled with; null for who may make none. */
    form: { anyOf: [{ type: 'null' }, RECORD] },
  },
  additionalProperties: false,
} as const;

const CHANGED = {
  type: 'object',
  required: ['resource', 'title', 'id', 'label', 'changes'],
  properties: { ...ABOUT, changes: { type: 'array', items: CHANGE } },
  additionalProperties: false,
} as const;

/** A limit with its figures. Without record and figures where the limited record may not be read. */
export const LIMIT = {
  type: 'object',
  required: [
    'resource',
    'title',
    'id',
    'label',
    'line',
    'field',
    'message',
    'operator',
    'figure',
    'bound',
    'currency',
    'was',
    'level',
  ],
  properties: {
    ...ABOUT,
    /** The line it is about, from 1. */
    line: { type: ['integer', 'null'] },
    /** Title of the figure. */
    field: TEXT,
    message: TEXT,
    operator: TEXT,
    figure: TEXT_OR_NULL,
    bound: TEXT_OR_NULL,
    /** Of an amount, empty where it is not known; null for other figures. */
    currency: TEXT_OR_NULL,
    was: TEXT_OR_NULL,
    /** What it says to this write. */
    level: { enum: ['ok', 'warning', 'error'] },
  },
  additionalProperties: false,
} as const;

const ENTRY = {
  type: 'object',
  required: ['ledger', 'account', 'type', 'date', 'amount', 'currency', 'after', 'count', 'isMirror'],
  properties: {
    /** Title of the ledger. */
    ledger: TEXT,
    account: ACCOUNT,
    type: TEXT,
    date: TEXT_OR_NULL,
    amount: TEXT_OR_NULL,
    currency: TEXT_OR_NULL,
    /** Balance of the account after the last of them. */
    after: TEXT_OR_NULL,
    /** So many entries of this account and type together. */
    count: WHOLE,
    /** Takes back an earlier entry. */
    isMirror: FLAG,
  },
  additionalProperties: false,
} as const;

const HOLD = {
  type: 'object',
  required: ['account', 'amount', 'available', 'currency'],
  properties: {
    account: ACCOUNT,
    /** What this document holds of it then; zero when it lets go. */
    amount: TEXT,
    /** What is left of the account then; null where that may not be seen. */
    available: TEXT_OR_NULL,
    currency: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

const VOUCHER = {
  type: 'object',
  required: ['title', 'event', 'date', 'lines'],
  properties: {
    title: TEXT,
    event: TEXT,
    date: TEXT_OR_NULL,
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'name', 'debit', 'credit', 'currency'],
        properties: {
          code: TEXT,
          name: TEXT,
          debit: TEXT_OR_NULL,
          credit: TEXT_OR_NULL,
          /** Of debit and credit. */
          currency: TEXT_OR_NULL,
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

/** How many there are besides those that are listed: more of them, or such as may not be read. */
const UNSEEN = {
  type: 'object',
  required: ['moved', 'made', 'changed', 'entries', 'holds', 'vouchers', 'limits'],
  properties: {
    moved: WHOLE,
    made: WHOLE,
    changed: WHOLE,
    entries: WHOLE,
    holds: WHOLE,
    vouchers: WHOLE,
    limits: WHOLE,
  },
  additionalProperties: false,
} as const;

/** 将会发生什么: what a write would do, found by doing it and undoing it again. */
export const PLAN = {
  title: 'Plan',
  type: 'object',
  required: [
    'isRefused',
    'problems',
    'limits',
    'moved',
    'made',
    'changed',
    'entries',
    'holds',
    'vouchers',
    'unseen',
    'next',
  ],
  properties: {
    /** Nothing would happen: the problems say why. */
    isRefused: FLAG,
    /** What refuses it, and what it is warned of. */
    problems: { type: 'array', items: PROBLEM },
    limits: { type: 'array', items: LIMIT },
    moved: { type: 'array', items: MOVED },
    made: { type: 'array', items: MADE },
    changed: { type: 'array', items: CHANGED },
    entries: { type: 'array', items: ENTRY },
    holds: { type: 'array', items: HOLD },
    vouchers: { type: 'array', items: VOUCHER },
    unseen: UNSEEN,
    /** Of a decision that is not the last: the level that decides next. */
    next: {
      anyOf: [
        { type: 'null' },
        {
          type: 'object',
          required: ['title', 'persons'],
          properties: { title: TEXT, persons: { type: 'array', items: TEXT } },
          additionalProperties: false,
        },
      ],
    },
  },
  additionalProperties: false,
} as const;

export type Plan = Shape<typeof PLAN>;
export type PlanLimit = Shape<typeof LIMIT>;
