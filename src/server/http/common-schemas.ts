/** An id as it stands in addresses and bodies. */
export const UUID = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
} as const;

/** The key of a resource. */
export const RESOURCE_KEY = { type: 'string', pattern: '^[a-z][a-z0-9_]{0,62}$' } as const;

/** A password in its transport envelope. */
export const PASSWORD_ENVELOPE = { type: 'string', minLength: 1, maxLength: 1_024 } as const;
