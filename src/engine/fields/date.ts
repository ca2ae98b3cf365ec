import { isDate } from '../values/dates.ts';
import {
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  ORDER_OPERATORS,
  refuse,
} from './field-behaviour.ts';

/** A calendar date `2026-03-31` without a time zone. */
export const DATE: FieldBehaviour = {
  column: () => 'date',
  jsonSchema: () => ({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  parse: (value, field) => {
    if (typeof value !== 'string' || !isDate(value))
      return refuse('type', '日期格式不正确，应为真实存在的日期');
    if (typeof field.min === 'string' && value < field.min) return refuse('min', `不能早于${field.min}`);
    if (typeof field.max === 'string' && value > field.max) return refuse('max', `不能晚于${field.max}`);
    return { value };
  },
  format: formatPlain,
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
