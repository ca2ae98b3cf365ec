import type { Filter } from '../schema/definition.ts';
import type { Field } from '../schema/resource.ts';
import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import { dayBound } from './day-bound.ts';
import { filterParts } from './filter-paths.ts';
import { resolveOperand } from './resolve-operand.ts';
import { fieldAt, fieldsOf, readPath, type Scope } from './scope.ts';

/**
 * Whether a record matches, with the semantics of the SQL form: what is empty matches only `null`, `ne` and `nin`; a
 * path into lines matches when any line does; text compares without case in contains and startswith.
 */
export function matchesFilter(filter: Filter | undefined | null, scope: Scope): boolean {
  if (filter === undefined || filter === null) return true;
  return filterParts(filter).every((part) => {
    if (part.kind === 'condition')
      return matchesCondition(part.path, part.operator, resolveOperand(part.value, scope), scope);
    return part.kind === 'or'
      ? part.filters.some((inner) => matchesFilter(inner, scope))
      : part.filters.every((inner) => matchesFilter(inner, scope));
  });
}

function matchesCondition(path: string, operator: string, operand: unknown, scope: Scope): boolean {
  const field = fieldAt(scope, path);
  const value = readPath(scope, path);
  if (isLinePath(path, scope) && Array.isArray(value))
    return value.some((item: unknown) => compareValue(item, operator, operand, field));
  return compareValue(value, operator, operand, field);
}

function isLinePath(path: string, scope: Scope): boolean {
  const own = path.startsWith('record.') ? path.slice('record.'.length) : path;
  const dot = own.indexOf('.');
  return dot > 0 && fieldsOf(scope)[own.slice(0, dot)]?.type === 'lines';
}

function compareValue(value: unknown, operator: string, operand: unknown, field: Field | undefined): boolean {
  const own = field?.type === 'boolean' && isEmpty(value) ? false : value;
  const isSame = sameness(field);
  const isOrdered = ordering(field);
  switch (operator) {
    case 'null':
      return isEmpty(own) === (operand !== false);
    case 'eq':
      return isEmpty(operand) ? isEmpty(own) : isSame(own, operand);
    case 'ne':
      return isEmpty(operand) ? !isEmpty(own) : !isSame(own, operand);
    case 'in':
      return listOf(operand).some((item) => isSame(own, item));
    case 'nin':
      return !listOf(operand).some((item) => isSame(own, item));
    case 'has':
      return listOf(own).some((item) => isSame(item, operand));
    case 'hasAny':
      return listOf(operand).some((wanted) => listOf(own).some((item) => isSame(item, wanted)));
    case 'contains':
      return foldedText(own).includes(foldedText(operand)) && !isEmpty(own);
    case 'startswith':
      return foldedText(own).startsWith(foldedText(operand)) && !isEmpty(own);
    case 'between':
      return isBetween(own, dayRange(field, operand), isOrdered);
    case 'lt':
      return isOrdered(own, dayBound(field, 'lt', operand), (order) => order < 0);
    case 'lte':
      return isOrdered(own, dayBound(field, 'lte', operand), (order) => order <= 0);
    case 'gt':
      return isOrdered(own, dayBound(field, 'gt', operand), (order) => order > 0);
    case 'gte':
      return isOrdered(own, dayBound(field, 'gte', operand), (order) => order >= 0);
    default:
      return false;
  }
}

type Ordering = (value: unknown, operand: unknown, passes: (order: number) => boolean) => boolean;

/** Amounts and quantities compare by value, everything else letter by letter (`01` and `1` are different codes). */
function sameness(field: Field | undefined): (value: unknown, operand: unknown) => boolean {
  return (value, operand) => {
    if (isEmpty(value) || isEmpty(operand)) return false;
    const [a, b] = [asText(value), asText(operand)];
    if (field?.type === 'datetime') return instantOr(a) === instantOr(b);
    return (
      a === b || (isNumeric(field) && isPlainDecimal(a) && isPlainDecimal(b) && compareDecimals(a, b) === 0)
    );
  };
}

function ordering(field: Field | undefined): Ordering {
  return (value, operand, passes) => {
    if (isEmpty(value) || isEmpty(operand)) return false;
    const [a, b] = [asText(value), asText(operand)];
    if (isNumeric(field) && isPlainDecimal(a) && isPlainDecimal(b)) return passes(compareDecimals(a, b));
    const [x, y] = [instantOr(a), instantOr(b)];
    return passes(x < y ? -1 : x > y ? 1 : 0);
  };
}

/** An unknown field (an input, a value of the surroundings) compares as a number where both sides are numbers. */
function isNumeric(field: Field | undefined): boolean {
  return field === undefined || ['integer', 'decimal', 'money', 'percent', 'lines'].includes(field.type);
}

function dayRange(field: Field | undefined, operand: unknown): readonly unknown[] {
  const [from, to] = listOf(operand);
  return [dayBound(field, 'gte', from), dayBound(field, 'lte', to)];
}

/** Instants of different notation compare by time, everything else as text. */
function instantOr(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

function isBetween(value: unknown, operand: unknown, isOrdered: Ordering): boolean {
  const [from, to] = listOf(operand);
  const isFrom = isEmpty(from) || isOrdered(value, from, (order) => order >= 0);
  return isFrom && (isEmpty(to) || isOrdered(value, to, (order) => order <= 0)) && !isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isEmpty(value) ? [] : [value];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

function foldedText(value: unknown): string {
  return isEmpty(value) ? '' : asText(value).toLowerCase();
}
