import { type FieldBehaviour, isEmptyValue, refuse } from './field-behaviour.ts';

/** Yes or no; empty counts as no. */
export const BOOLEAN: FieldBehaviour = {
  column: () => 'boolean',
  jsonSchema: () => ({ type: 'boolean' }),
  parse: (value) => (typeof value === 'boolean' ? { value } : refuse('type', '应为 true 或 false')),
  format: (value) => (value === true ? '是' : '否'),
  isEmpty: isEmptyValue,
  operators: ['eq', 'ne', 'null'],
};
