import { formatDecimal } from '../values/display.ts';
import { decimalColumn, decimalSchema, parseDecimal } from './decimal-value.ts';
import { type FieldBehaviour, formatPlain, isEmptyValue, ORDER_OPERATORS } from './field-behaviour.ts';

/** A quantity, weight, price or rate of fixed precision, as text. */
export const DECIMAL: FieldBehaviour = {
  column: decimalColumn,
  jsonSchema: decimalSchema,
  parse: parseDecimal,
  format: (value) => formatDecimal(formatPlain(value)),
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
