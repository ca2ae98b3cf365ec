/** Pieces that several parts of the meta-schema share. */
export const NAMES = { type: 'array', items: { type: 'string' } } as const;
export const FILTER = { $ref: '#/$defs/filter' } as const;
export const VALUES = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description: '字段: 公式（文字写作 "\'文字\'"），或数字、true、false、null',
} as const;
export const STATES = { type: ['string', 'array'], items: { type: 'string' } } as const;
export const BY_VALUE = { type: ['string', 'object'], additionalProperties: { type: 'string' } } as const;
export const LEVEL = { enum: ['error', 'warning'], description: '警告不阻止' } as const;
export const EACH = { type: 'string', description: '对该明细的每一行' } as const;
export const COLUMN = { type: 'string' } as const;
