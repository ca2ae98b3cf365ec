import type { Field } from '../schema/resource.ts';
import { isDate, isDatetime } from '../values/dates.ts';
import { isPlainDecimal } from '../values/decimal.ts';

const MAXIMUM_TEXT = 500;
/** PostgreSQL's numeric holds far more; no field does. */
const MAXIMUM_DIGITS = 38;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Why a value cannot be compared with a field, in Chinese; null when it can. Without a field (an input) any plain value passes. */
export function valueFault(value: unknown, field: Field | undefined): string | null {
  if (field === undefined) return looseFault(value);
  switch (field.type) {
    case 'integer':
      return isWhole(value) ? null : `${field.title}应为整数`;
    case 'decimal':
    case 'money':
    case 'percent':
      return isDecimalInRange(value) ? null : `${field.title}应为普通小数文本，例如 "12.50"`;
    case 'date':
      return isDate(value) ? null : `${field.title}应为日期，例如 2026-11-20`;
    case 'datetime':
      return isDatetime(value) || isDate(value)
        ? null
        : `${field.title}应为时间，例如 2026-11-20T14:05:00+08:00`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `${field.title}应为 true 或 false`;
    case 'reference':
    case 'attachment':
      return isUuid(value) ? null : `${field.title}应为记录编号（id）`;
    case 'lines':
    case 'json':
    case 'secret':
      return `${field.title}不能这样比较`;
    default:
      return isIdentity(field) && !isUuid(value)
        ? `${field.title}应为记录编号（id）`
        : textFault(value, field.title);
  }
}

/** Why a text cannot be searched for; null when it can. */
export function textFault(value: unknown, title: string): string | null {
  if (typeof value !== 'string') return `${title}应为文本`;
  if (value.length > MAXIMUM_TEXT) return `${title}的查询内容过长`;
  return hasForbiddenCharacter(value) ? `${title}含有不能使用的字符` : null;
}

/** The id of a record or line: text in the engine, uuid in the tables. */
export function isIdentity(field: Pick<Field, 'name' | 'standard'>): boolean {
  return field.standard && (field.name === 'id' || field.name === 'parent_id');
}

function looseFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value, '值');
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    ? null
    : '值的类型不正确';
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

/** NUL and lone surrogates cannot be stored as text. */
function hasForbiddenCharacter(text: string): boolean {
  return (
    text.includes('\u0000') ||
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
  );
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value);
}

function isDecimalInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return isPlainDecimal(value) && value.replace(/\D/g, '').length <= MAXIMUM_DIGITS;
}
