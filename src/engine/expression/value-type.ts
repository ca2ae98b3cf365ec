import { suggestion } from '../schema/suggest-name.ts';

/** What a formula gives, known before it runs. */
export type ValueType =
  | { readonly kind: PlainKind }
  /** `currency`: a code, or a key that says which currency field it goes by; absent when it is not known. */
  | { readonly kind: 'money'; readonly currency?: string }
  /** A closed set of values; `values` null when they are known at run time only. A text written in the formula is the set of itself, without a title. */
  | { readonly kind: 'dictionary'; readonly title: string; readonly values: readonly string[] | null }
  /** The id of a record of `to` (`buyer`, `contract.items`); null when only the record knows. */
  | { readonly kind: 'reference'; readonly to: string | null }
  /** A value a line; `over` is the path of the lines, so that columns of the same lines go together. */
  | { readonly kind: 'list'; readonly of: ValueType; readonly over: string };

const PLAIN_TITLES = {
  text: '文本',
  number: '数字',
  integer: '整数',
  percent: '百分比',
  date: '日期',
  datetime: '时间',
  boolean: '是否',
  line: '明细行',
  null: '空',
  unknown: '未知',
} as const;
export type PlainKind = keyof typeof PLAIN_TITLES;

export const TEXT: ValueType = { kind: 'text' };
export const NUMBER: ValueType = { kind: 'number' };
export const INTEGER: ValueType = { kind: 'integer' };
export const DATE: ValueType = { kind: 'date' };
export const DATETIME: ValueType = { kind: 'datetime' };
export const BOOLEAN: ValueType = { kind: 'boolean' };
export const NOTHING: ValueType = { kind: 'null' };
/** Fits everything: what a formula reads where only the record or the caller knows the kind. */
export const UNKNOWN: ValueType = { kind: 'unknown' };

/** A type in a message: 日期, 一列金额. */
export function typeTitle(type: ValueType): string {
  switch (type.kind) {
    case 'money':
      return '金额';
    case 'dictionary':
      return type.title === '' ? '文本' : '选项';
    case 'reference':
      return '引用';
    case 'list':
      return `一列${typeTitle(type.of)}`;
    default:
      return PLAIN_TITLES[type.kind];
  }
}

/** A number of any kind. What is unknown or empty counts as one. */
export function isNumeric({ kind }: ValueType): boolean {
  return isOpen(kind) || NUMERIC.has(kind);
}

/** A yes or no; what is unknown or empty counts as one. */
export function isYesNo({ kind }: ValueType): boolean {
  return isOpen(kind) || kind === 'boolean';
}

/** A text of any kind: free, or of a closed set. */
export function isTextual({ kind }: ValueType): boolean {
  return isOpen(kind) || kind === 'text' || kind === 'dictionary';
}

/**
 * The type that holds both, as of the two branches of `if`; null when there is none. Money of two currencies is a
 * number.
 */
export function commonType(a: ValueType, b: ValueType): ValueType | null {
  if (a.kind === 'null' || b.kind === 'unknown') return b;
  if (b.kind === 'null' || a.kind === 'unknown') return a;
  if (a.kind === 'list' || b.kind === 'list') return commonList(a, b);
  if (a.kind === 'reference' && b.kind === 'reference')
    return a.to === b.to ? a : { kind: 'reference', to: null };
  if (a.kind === 'dictionary' && b.kind === 'dictionary') return commonValues(a, b);
  if (a.kind === 'money' && b.kind === 'money') return a.currency === b.currency ? a : { kind: 'money' };
  if (a.kind === b.kind) return a;
  if (isNumeric(a) && isNumeric(b)) return [a, b].find(({ kind }) => kind === 'money') ?? NUMBER;
  if (isTextual(a) && isTextual(b)) return TEXT;
  return isReferenceLike(a) && isReferenceLike(b) ? TEXT : null;
}

/** Why two values cannot be compared; null when they can. Ids compare with texts that hold ids. */
export function comparisonFault(a: ValueType, b: ValueType): string | null {
  if (a.kind === 'reference' && b.kind === 'reference' && a.to !== null && b.to !== null && a.to !== b.to)
    return `不同资源的引用（${a.to} 与 ${b.to}）不能比较`;
  if (a.kind === 'dictionary' && b.kind === 'dictionary' && !haveCommonValue(a.values, b.values))
    return `“${a.title}”与“${b.title}”没有相同的选项，不能比较`;
  return commonType(a, b) === null ? `${typeTitle(a)}不能与${typeTitle(b)}比较` : null;
}

/** Why a value cannot be written to a field of a type, null when it can. Numbers are rounded to the field; a column fits a field of many values. */
export function assignmentFault(value: ValueType, target: ValueType): string | null {
  if (isOpen(value.kind) || target.kind === 'unknown') return null;
  if (target.kind === 'list') return assignmentFault(value.kind === 'list' ? value.of : value, target.of);
  if (value.kind === 'list') return `${typeTitle(value)}不能写入单个值，请用 first、last、sum 等取一个值`;
  if (target.kind === 'dictionary') return valuesFault(value, target);
  if (target.kind === 'text') return textFault(value);
  if (areOfTwoCurrencies(value, target)) return '金额的币种与字段的币种不同，请先用 rate 折算';
  if (isNumeric(target) && isNumeric(value)) return null;
  if (target.kind === 'reference' && value.kind === 'text') return null;
  if (target.kind === 'reference' && value.kind === 'reference')
    return target.to === null || value.to === null || value.to === target.to
      ? null
      : `引用的是 ${value.to}，字段应引用 ${target.to}`;
  return value.kind === target.kind ? null : `应为${typeTitle(target)}，不是${typeTitle(value)}`;
}

/** True when both are money and certainly of two currencies: two codes, or two currency fields of one record. */
export function areOfTwoCurrencies(a: ValueType, b: ValueType): boolean {
  if (a.kind !== 'money' || b.kind !== 'money' || a.currency === b.currency) return false;
  if (a.currency === undefined || b.currency === undefined) return false;
  return recordOfKey(a.currency) === recordOfKey(b.currency);
}

/** The key of a currency that a field holds: fields of one record tell two currencies apart, of two records they may agree. */
export function currencyKey(record: string, field: string): string {
  return `${record}#${field}`;
}

/** Why a value is none of a closed set; null when it may be one. */
export function valuesFault(
  value: ValueType,
  target: ValueType & { readonly kind: 'dictionary' },
): string | null {
  if (value.kind === 'text') return null;
  if (value.kind !== 'dictionary') return `应为“${target.title}”的选项，不是${typeTitle(value)}`;
  const strange =
    target.values === null ? undefined : value.values?.find((one) => target.values?.includes(one) === false);
  if (strange === undefined || value.title !== '')
    return haveCommonValue(value.values, target.values)
      ? null
      : `“${value.title}”与“${target.title}”没有相同的选项`;
  return `'${strange}' 不是“${target.title}”的选项${suggestion(strange, target.values ?? [])}`;
}

function textFault(value: ValueType): string | null {
  if (isTextual(value) || value.kind === 'reference') return null;
  return `应为文本，不是${typeTitle(value)}，请用 text(…)`;
}

const NUMERIC: ReadonlySet<string> = new Set(['number', 'integer', 'money', 'percent']);

function isOpen(kind: ValueType['kind']): boolean {
  return kind === 'unknown' || kind === 'null';
}

function isReferenceLike({ kind }: ValueType): boolean {
  return kind === 'reference' || kind === 'text';
}

function commonList(a: ValueType, b: ValueType): ValueType | null {
  if (a.kind !== 'list' || b.kind !== 'list' || a.over !== b.over) return null;
  const of = commonType(a.of, b.of);
  return of === null ? null : { kind: 'list', of, over: a.over };
}

function commonValues(
  a: ValueType & { readonly kind: 'dictionary' },
  b: ValueType & { readonly kind: 'dictionary' },
): ValueType {
  if (a.values === b.values) return a;
  const values = a.values === null || b.values === null ? null : [...new Set([...a.values, ...b.values])];
  return { kind: 'dictionary', title: a.title === '' ? b.title : a.title, values };
}

function haveCommonValue(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a === null || b === null || a.some((value) => b.includes(value));
}

/** Null of a code such as CNY. */
function recordOfKey(currency: string): string | null {
  const mark = currency.indexOf('#');
  return mark < 0 ? null : currency.slice(0, mark);
}
