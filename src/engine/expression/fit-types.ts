import { suggestion } from '../schema/suggest-name.ts';
import { isDate } from '../values/dates.ts';
import type { Expression } from './expression.ts';
import type { ParamKind } from './formula-function.ts';
import {
  BOOLEAN,
  DATE,
  INTEGER,
  isNumeric,
  isTextual,
  NOTHING,
  NUMBER,
  typeTitle,
  type ValueType,
} from './value-type.ts';

/** What the kinds of parameters are called. */
export const KIND_TITLES = {
  any: '任意值',
  number: '数字',
  text: '文本',
  datetime: '时间',
  date: '日期',
  boolean: '是否',
  reference: '引用',
} as const satisfies Record<ParamKind, string>;

/** A text is the set of just itself, so that what a branch or a mapping gives can be checked against a field's values. */
export function literalType({ value, isNumber }: Expression & { readonly kind: 'literal' }): ValueType {
  if (value === null || value === '') return NOTHING;
  if (typeof value === 'boolean') return BOOLEAN;
  if (!isNumber) return isDate(value) ? DATE : { kind: 'dictionary', title: '', values: [value] };
  return value.includes('.') ? NUMBER : INTEGER;
}

/** The type of one line's value. */
export function elementOf(type: ValueType): ValueType {
  return type.kind === 'list' ? type.of : type;
}

/** A type that also goes over the lines that another goes over. */
export function overSame(type: ValueType, of: ValueType): ValueType {
  return type.kind === 'list' ? { kind: 'list', of, over: type.over } : of;
}

/** Whether a value may be given for a parameter of a kind. */
export function fitsKind(type: ValueType, kind: ParamKind): boolean {
  if (type.kind === 'unknown' || type.kind === 'null') return true;
  switch (kind) {
    case 'any':
      return true;
    case 'number':
      return isNumeric(type);
    case 'text':
      return isTextual(type);
    case 'boolean':
      return type.kind === 'boolean';
    case 'datetime':
      return type.kind === 'datetime';
    case 'date':
      return type.kind === 'date' || type.kind === 'text';
    case 'reference':
      return type.kind === 'reference' || type.kind === 'text';
  }
}

/** What is wrong with calculating with a value. */
export function arithmeticFault(operator: string, type: ValueType): string {
  const hint =
    isTextual(type) && operator === '+'
      ? '，连接文本请用 text(…)'
      : type.kind === 'date'
        ? '，请用 addDays、addMonths 或 days'
        : '';
  return `${typeTitle(type)}不能用 ${operator} 计算${hint}`;
}

/** Money by a number stays money of its currency only where the number is a plain share of it: a rate changes the currency. */
export function productOf(operator: '*' | '/', x: ValueType, y: ValueType): ValueType {
  if (operator === '*' && x.kind === 'integer' && y.kind === 'integer') return INTEGER;
  const kinds = [x.kind, y.kind];
  if (operator === '/' && kinds[1] === 'money') return NUMBER;
  if (!kinds.includes('money')) return NUMBER;
  const [money, other] = x.kind === 'money' ? [x, y] : [y, x];
  return other.kind === 'percent' || other.kind === 'integer' ? money : { kind: 'money' };
}

/** A literal that is none of the values of the field beside it, or no date beside a date. */
export function literalFault(literal: Expression, other: ValueType): string | null {
  if (literal.kind !== 'literal' || literal.isNumber || typeof literal.value !== 'string') return null;
  const { value } = literal;
  if (value === '') return null;
  if (other.kind === 'dictionary') return valueOfSetFault(value, other);
  if (other.kind === 'reference') return `引用不能与文本 '${value}' 比较，请取引用记录的字段`;
  const isDay: boolean = isDate(value);
  if (other.kind === 'date' && !isDay) return `'${value}' 不是日期，应如 '2026-11-20'`;
  return null;
}

function valueOfSetFault(value: string, type: ValueType & { readonly kind: 'dictionary' }): string | null {
  if (type.values === null || type.values.includes(value)) return null;
  return `'${value}' 不是“${type.title}”的选项${suggestion(value, type.values)}`;
}
