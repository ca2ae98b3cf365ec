import { decimalColumn, decimalSchema, groupThousands, parseDecimal, trimZeros } from './decimal-value.ts';
import { type FieldBehaviour, formatPlain, isEmptyValue, ORDER_OPERATORS } from './field-behaviour.ts';

/** A quantity, weight, price or rate of fixed precision, as text. */
export const DECIMAL: FieldBehaviour = {
  column: decimalColumn,
  jsonSchema: decimalSchema,
  parse: parseDecimal,
  format: (value) => groupThousands(trimZeros(formatPlain(value))),
  isEmpty: isEmptyValue,
  operators: ORDER_OPERATORS,
};
