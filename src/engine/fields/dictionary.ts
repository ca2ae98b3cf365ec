import {
  EQUALITY_OPERATORS,
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  refuse,
} from './field-behaviour.ts';

const MAX_LENGTH = 60;

/** A value of a dictionary, or of the field's own `options`. Whether the dictionary has the value is checked with the record. */
export const DICTIONARY: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => ({
    type: 'string',
    maxLength: MAX_LENGTH,
    ...(field.options === undefined ? {} : { enum: Object.keys(field.options) }),
  }),
  parse: (value, field) => {
    if (typeof value !== 'string') return refuse('type', '应为选项的值（文本）');
    if (value === '') return { value: null };
    if (value.length > MAX_LENGTH || value.includes('\u0000')) return refuse('option', '不在可选范围内');
    if (field.options !== undefined && !Object.hasOwn(field.options, value))
      return refuse('option', '不在可选范围内');
    return { value };
  },
  format: (value, field) => field.options?.[formatPlain(value)] ?? formatPlain(value),
  isEmpty: isEmptyValue,
  operators: EQUALITY_OPERATORS,
};
