import { type Filter, FILTER_OPERATORS } from '../schema/definition.ts';
import { type FieldBehaviour, isEmptyValue, refuse } from './field-behaviour.ts';

const MAX_DEPTH = 8;
const MAX_LENGTH = 100_000;

/** A structured value of bounded depth and size; `"json": "filter"` holds a filter. */
export const JSON_FIELD: FieldBehaviour = {
  column: () => 'jsonb',
  jsonSchema: (field) => (field.json === 'filter' ? { type: 'object' } : {}),
  parse: (value, field) => {
    if (!isPlainJson(value, MAX_DEPTH))
      return refuse('depth', `内容不是有效的JSON，或层级超过${MAX_DEPTH}层`);
    if (JSON.stringify(value).length > MAX_LENGTH) return refuse('too_long', '内容过大');
    if (field.json === 'filter' && !isFilterShape(value)) return refuse('filter', '条件格式不正确');
    return { value };
  },
  format: (value) => JSON.stringify(value),
  isEmpty: isEmptyValue,
  operators: ['null'],
};

/** True for something that looks like a filter; its fields are checked where the resource it speaks of is known. */
export function isFilterShape(value: unknown): value is Filter {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([key, part]) =>
    key === 'and' || key === 'or'
      ? Array.isArray(part) && part.every(isFilterShape)
      : isObject(part) && Object.keys(part).length > 0 && Object.keys(part).every(isOperator),
  );
}

const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);
function isOperator(key: string): boolean {
  return OPERATORS.has(key);
}

function isPlainJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return !value.includes('\u0000');
  if (typeof value === 'number') return Number.isFinite(value);
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth - 1));
  return isObject(value) && Object.values(value).every((item) => isPlainJson(item, depth - 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
