import { companyTime, isDatetime } from '../values/dates.ts';
import {
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  ORDER_OPERATORS,
  refuse,
} from './field-behaviour.ts';

/** An instant in ISO form with its offset; shown in the company's time. */
export const DATETIME: FieldBehaviour = {
  column: () => 'timestamptz',
  jsonSchema: () => ({ type: 'string', format: 'date-time' }),
  parse: (value) =>
    typeof value === 'string' && isDatetime(value) ? { value } : refuse('type', '时间格式不正确'),
  format: (value) => companyTime(formatPlain(value)),
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
