/** Nothing comes back but the message. */
export const NOTHING = { type: 'null' } as const;

export const TEXT = { type: 'string' } as const;
export const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
export const WHOLE = { type: 'integer' } as const;
export const FLAG = { type: 'boolean' } as const;

/** An id as it stands in addresses and bodies. */
export const UUID = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;

/** The key of a resource. */
export const RESOURCE_KEY = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' } as const;

/** A password in its transport envelope; what is missing is told by the form's own check, beside its field. */
export const PASSWORD_ENVELOPE = { type: 'string', maxLength: 1_024 } as const;

/** How many there are. */
export const TOTAL = {
  type: 'object',
  required: ['total'],
  properties: { total: WHOLE },
  additionalProperties: false,
} as const;

/** A part of a path that the operation itself looks up. */
export const NAME = { type: 'string', maxLength: 200 } as const;

export const OF_RESOURCE = {
  type: 'object',
  required: ['resource'],
  properties: { resource: NAME },
  additionalProperties: false,
} as const;

export const OF_RECORD = {
  type: 'object',
  required: ['resource', 'id'],
  properties: { resource: NAME, id: NAME },
  additionalProperties: false,
} as const;

/** The same where the key is looked up by nobody else. */
export const OF_KNOWN_RESOURCE = {
  type: 'object',
  required: ['resource'],
  properties: { resource: RESOURCE_KEY },
  additionalProperties: false,
} as const;

export const OF_KNOWN_RECORD = {
  type: 'object',
  required: ['resource', 'id'],
  properties: { resource: RESOURCE_KEY, id: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

export const OF_JOB = {
  type: 'object',
  required: ['id'],
  properties: { id: NAME },
  additionalProperties: false,
} as const;

/** A record with the fields of its definition; the description of the API writes them out for each resource. */
export const RECORD = { title: 'Record', type: 'object', additionalProperties: true } as const;

/** `{ field: { op: value } }`, joined by `and` and `or`. */
export const FILTER = { title: 'Filter', type: ['object', 'null'], additionalProperties: true } as const;

export const OPINION = { type: ['string', 'null'], maxLength: 500 } as const;

export const VERSION = { type: 'integer', minimum: 1 } as const;

/** A record by its name. */
const NAMED_RECORD = {
  type: 'object',
  required: ['resource', 'id', 'label'],
  properties: { resource: TEXT, id: TEXT, label: TEXT },
  additionalProperties: false,
} as const;

/** Of a limit: the record whose figure would break its bound. Of a blocker: how many stand against it, and the first. */
const PROBLEM_DETAIL = {
  anyOf: [
    {
      type: 'object',
      required: ['resource', 'id', 'label', 'figure', 'bound'],
      properties: {
        ...NAMED_RECORD.properties,
        figure: TEXT_OR_NULL,
        bound: TEXT_OR_NULL,
        currency: TEXT_OR_NULL,
      },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['count', 'records'],
      properties: { count: WHOLE, records: { type: 'array', items: NAMED_RECORD } },
      additionalProperties: false,
    },
  ],
} as const;

/** What is wrong with one place of a record. */
export const PROBLEM = {
  title: 'Problem',
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: TEXT,
    code: TEXT,
    message: TEXT,
    level: { enum: ['error', 'warning'] },
    detail: PROBLEM_DETAIL,
  },
  additionalProperties: false,
} as const;

/** A document that an action or a decision made. */
export const CREATED = NAMED_RECORD;

/** What became of one row of a batch. */
export const BATCH_RESULT = {
  type: 'object',
  required: ['id', 'ok', 'msg'],
  properties: { id: TEXT, ok: FLAG, msg: TEXT },
  additionalProperties: false,
} as const;

/** A changed value, before and after; those of lines are named `items.<id>.quantity`. */
export const CHANGE = {
  type: 'object',
  required: ['field', 'title'],
  properties: { field: TEXT, title: TEXT, old: {}, new: {} },
  additionalProperties: true,
} as const;

/** The job that does what takes long. */
export const STARTED_JOB = {
  type: 'object',
  required: ['jobId'],
  properties: { jobId: TEXT },
  additionalProperties: false,
} as const;
