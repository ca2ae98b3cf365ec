import { type FieldBehaviour, isEmptyValue, refuse } from './field-behaviour.ts';

/** A child table. Its rows are parsed with the record (`parseRecord`), which knows their ids and patches. */
export const LINES: FieldBehaviour = {
  column: () => '',
  jsonSchema: () => ({ type: 'array' }),
  parse: (value) => (Array.isArray(value) ? { value } : refuse('type', '明细应为列表')),
  format: (value) => (Array.isArray(value) ? `${value.length}行` : ''),
  isEmpty: isEmptyValue,
  operators: ['null'],
};
