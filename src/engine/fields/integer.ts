import {
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  ORDER_OPERATORS,
  refuse,
} from './field-behaviour.ts';

/** A whole number, a JSON number within the range that JSON keeps exactly. */
export const INTEGER: FieldBehaviour = {
  column: () => 'bigint',
  jsonSchema: (field) => ({
    type: 'integer',
    minimum: field.min === undefined ? Number.MIN_SAFE_INTEGER : Number(field.min),
    maximum: field.max === undefined ? Number.MAX_SAFE_INTEGER : Number(field.max),
  }),
  parse: (value, field) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return refuse('type', '应为整数');
    if (field.min !== undefined && value < Number(field.min)) return refuse('min', `不能小于${field.min}`);
    if (field.max !== undefined && value > Number(field.max)) return refuse('max', `不能大于${field.max}`);
    return { value: value === 0 ? 0 : value };
  },
  format: formatPlain,
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
