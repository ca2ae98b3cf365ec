import { formatMoney } from '../values/display.ts';
import { checkRange, decimalColumn } from './decimal-value.ts';
import {
  type FieldBehaviour,
  formatPlain,
  isEmptyValue,
  ORDER_OPERATORS,
  refuse,
} from './field-behaviour.ts';

const MONEY_PATTERN = '^-?\\d{1,15}(\\.\\d{1,2})?$';
const MONEY = new RegExp(MONEY_PATTERN);

/** An amount in the currency that `currency` names; text of at most two decimals. */
export const MONEY_FIELD: FieldBehaviour = {
  column: decimalColumn,
  jsonSchema: () => ({ type: 'string', pattern: MONEY_PATTERN }),
  parse: (value, field) => {
    if (typeof value === 'number') return refuse('type', `金额应以文本传递，如 "${value}"，不能是JSON数字`);
    if (typeof value !== 'string') return refuse('type', '金额格式不正确');
    if (MONEY.test(value)) return checkRange(value, field);
    return /^-?\d{1,15}\.\d{3,}$/.test(value)
      ? refuse('scale', '金额最多两位小数')
      : refuse('type', '金额格式不正确');
  },
  format: (value) => formatMoney(formatPlain(value)),
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};

/** True for an amount that the yen cannot have: its smallest unit is 1. */
export function hasFraction(amount: string): boolean {
  return /\.\d*[1-9]/.test(amount);
}
