/** By the type of a report's parameter: the type of its value in the database. */
export const PARAM_SQL = {
  date: 'date',
  integer: 'numeric',
  decimal: 'numeric',
  text: 'text',
  boolean: 'boolean',
  reference: 'uuid',
  dictionary: 'text',
} as const;

/** By the type of a report's parameter: the type of a field that takes the same values. */
export const PARAM_FIELDS = {
  date: 'date',
  integer: 'decimal',
  decimal: 'decimal',
  text: 'text',
  boolean: 'boolean',
  reference: 'reference',
  dictionary: 'text',
} as const;
