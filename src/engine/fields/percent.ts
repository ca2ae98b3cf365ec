import { formatPercent } from '../values/display.ts';
import { decimalColumn, decimalSchema, parseDecimal } from './decimal-value.ts';
import { type FieldBehaviour, formatPlain, isEmptyValue, ORDER_OPERATORS } from './field-behaviour.ts';

/** A percentage as people write it: 13.0000 is 13 %. Formulas read it as 0.13. */
export const PERCENT: FieldBehaviour = {
  column: decimalColumn,
  jsonSchema: decimalSchema,
  parse: parseDecimal,
  format: (value) => formatPercent(formatPlain(value)),
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
