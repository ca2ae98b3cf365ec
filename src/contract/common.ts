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
