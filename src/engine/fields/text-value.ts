import { fitsPattern } from '../values/patterns.ts';
import { runValueCheck } from '../values/value-checks.ts';
import type { Field } from '../schema/resource.ts';
import { type JsonSchema, type ParsedValue, refuse } from './field-behaviour.ts';

const DEFAULT_LENGTH = { text: 200, textarea: 4000, richtext: 200_000, secret: 200 } as const;
type TextType = keyof typeof DEFAULT_LENGTH;

/** Greatest length of a text field in characters. Richtext counts its markup too: `max` there means words and is checked by `parseRichtext`. */
export function greatestLength(field: Field, type: TextType): number {
  return type !== 'richtext' && typeof field.max === 'number' ? field.max : DEFAULT_LENGTH[type];
}

/** Parses what all text types share: NUL and lone surrogates never pass (PostgreSQL and JSON refuse them), '' becomes null. */
export function parseText(value: unknown, field: Field, type: TextType): ParsedValue {
  if (typeof value !== 'string') return refuse('type', '应为文本');
  if (value === '') return { value: null };
  if (value.includes('\u0000') || !isWellFormed(value)) return refuse('text', '包含不允许的字符');
  const max = greatestLength(field, type);
  if (value.length > 2 * max || characterCount(value) > max) return refuse('too_long', `不能超过${max}个字`);
  if (typeof field.min === 'number' && characterCount(value) < field.min)
    return refuse('too_short', `不能少于${field.min}个字`);
  return checkPattern(value, field);
}

/** The schema of a text value. */
export function textSchema(field: Field, type: TextType): JsonSchema {
  return {
    type: 'string',
    maxLength: greatestLength(field, type),
    ...(typeof field.min === 'number' ? { minLength: field.min } : {}),
    ...(field.pattern === undefined ? {} : { pattern: field.pattern }),
    ...(field.options === undefined ? {} : { enum: Object.keys(field.options) }),
  };
}

/** Length in characters as people count them: a surrogate pair is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Shows the ends of a sensitive text only. */
export function maskText(text: string, mask: NonNullable<Field['mask']>): string {
  const [head, tail] = { id_no: [3, 4], mobile: [3, 4], account: [4, 4], name: [1, 0] }[mask];
  if (head === undefined || tail === undefined || text.length <= head + tail)
    return '*'.repeat(Math.max(text.length, 1));
  return (
    text.slice(0, head) +
    '*'.repeat(text.length - head - tail) +
    (tail === 0 ? '' : text.slice(text.length - tail))
  );
}

function checkPattern(value: string, field: Field): ParsedValue {
  if (field.options !== undefined && !Object.hasOwn(field.options, value))
    return refuse('option', '不在可选范围内');
  if (field.pattern !== undefined && !fitsPattern(field.pattern, value))
    return refuse('pattern', field.message ?? '格式不正确');
  const complaint = field.check === undefined ? null : runValueCheck(field.check, value);
  return complaint === null ? { value } : refuse('check', complaint);
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
