import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import type { Field } from '../schema/resource.ts';
import { type JsonSchema, type ParsedValue, refuse } from './field-behaviour.ts';

/** Digits of a decimal field: all of them, and those behind the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** Precision and scale of a decimal, money or percent field; money is always 18,2. */
export function digitsOf(field: Pick<Field, 'type' | 'precision' | 'scale'>): Digits {
  if (field.type === 'money') return { precision: 18, scale: 2 };
  const isPercent = field.type === 'percent';
  return { precision: field.precision ?? (isPercent ? 9 : 18), scale: field.scale ?? 4 };
}

/** The column: NaN and infinity are kept out by the CHECK that storage adds. */
export function decimalColumn(field: Field): string {
  const { precision, scale } = digitsOf(field);
  return `numeric(${precision},${scale})`;
}

/** The schema of a decimal: text, so that no JSON parser turns it into a binary float. */
export function decimalSchema(field: Field): JsonSchema {
  const { precision, scale } = digitsOf(field);
  const fraction = scale === 0 ? '' : `(\\.\\d{1,${scale}})?`;
  return { type: 'string', pattern: `^-?\\d{1,${precision - scale}}${fraction}$` };
}

/** Parses decimal text: `"12.50"` passes, the JSON number 12.5 does not (it may already have lost digits). */
export function parseDecimal(value: unknown, field: Field): ParsedValue {
  if (typeof value === 'number') return refuse('type', `应以文本传递，如 "${value}"，不能是JSON数字`);
  if (typeof value !== 'string' || !isPlainDecimal(value)) return refuse('type', '数字格式不正确');
  const { precision, scale } = digitsOf(field);
  const [whole = '', fraction = ''] = value.replace('-', '').split('.');
  if (fraction.length > scale) return refuse('scale', scale === 0 ? '必须为整数' : `最多${scale}位小数`);
  if (whole.replace(/^0+(?=\d)/, '').length > precision - scale)
    return refuse('precision', `整数部分最多${precision - scale}位`);
  return checkRange(value, field);
}

/** Checks `min` and `max` of a decimal. */
export function checkRange(value: string, field: Field): ParsedValue {
  if (field.min !== undefined && compareDecimals(value, String(field.min)) < 0)
    return refuse('min', `不能小于${field.min}`);
  if (field.max !== undefined && compareDecimals(value, String(field.max)) > 0)
    return refuse('max', `不能大于${field.max}`);
  return { value };
}
