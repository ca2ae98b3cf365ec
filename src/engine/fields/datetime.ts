import { isDatetime } from '../values/dates.ts';
import {
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  ORDER_OPERATORS,
  refuse,
} from './field-behaviour.ts';

const SHANGHAI_OFFSET_MS = 8 * 3600 * 1000;

/** An instant in ISO form with its offset; shown in the company's time (Asia/Shanghai, which has no daylight saving). */
export const DATETIME: FieldBehaviour = {
  column: () => 'timestamptz',
  jsonSchema: () => ({ type: 'string', format: 'date-time' }),
  parse: (value) =>
    typeof value === 'string' && isDatetime(value) ? { value } : refuse('type', '时间格式不正确'),
  format: (value) => {
    const instant = Date.parse(formatPlain(value));
    if (Number.isNaN(instant)) return formatPlain(value);
    return new Date(instant + SHANGHAI_OFFSET_MS).toISOString().slice(0, 16).replace('T', ' ');
  },
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
