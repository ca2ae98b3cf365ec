import { type FieldBehaviour, formatPlain, isEmptyValue } from './field-behaviour.ts';
import { parseText, textSchema } from './text-value.ts';

/** Several lines of text. */
export const TEXTAREA: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => textSchema(field, 'textarea'),
  parse: (value, field) => parseText(value, field, 'textarea'),
  format: formatPlain,
  isEmpty: isEmptyValue,
  operators: ['eq', 'ne', 'contains', 'startswith', 'null'],
};
