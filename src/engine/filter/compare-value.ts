import type { Field } from '../schema/resource.ts';
import { isGroup, withGroups } from '../schema/state-groups.ts';
import { isDate } from '../values/dates.ts';
import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import { boundOf, dayRange, instantKey, type OrderOperator } from './instants.ts';
import { isIdentity } from './value-fault.ts';

/**
 * Compares one value with an operand as the SQL form does. The field says how: amounts by value, instants by time,
 * texts letter by letter. Without a field (an input) numbers compare as numbers. An unknown operator never matches.
 */
export function compareValue(
  value: unknown,
  operator: string,
  given: unknown,
  field: Field | undefined,
): boolean {
  const own = field?.type === 'boolean' && isEmpty(value) ? false : value;
  const operand = namedValues(given, field);
  switch (operator) {
    case 'null':
      return isEmpty(own) === (operand !== false);
    case 'eq':
      return isEmpty(operand) ? isEmpty(own) : isAmong(own, operand, field);
    case 'ne':
      return isEmpty(operand) ? !isEmpty(own) : !isAmong(own, operand, field);
    case 'in':
      return isAmong(own, operand, field);
    case 'nin':
      return !isAmong(own, operand, field);
    case 'has':
    case 'hasAny':
      return listOf(own).some((item) => isAmong(item, operand, field));
    case 'contains':
      return holdsText(own, operand, (text, part) => text.includes(part));
    case 'startswith':
      return holdsText(own, operand, (text, part) => text.startsWith(part));
    case 'between':
      return isBetween(own, operand, field);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isOrdered(own, operator, operand, field);
    default:
      return false;
  }
}

/** `@counts` of a status or dictionary as the list of its values. */
export function namedValues(operand: unknown, field: Field | undefined): unknown {
  if (field?.groups === undefined) return operand;
  if (Array.isArray(operand)) return withGroups(operand, field.groups);
  return isGroup(operand) ? withGroups([operand], field.groups) : operand;
}

/** What counts as nothing: null, the empty text, the empty list. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** A list as it is, one value as a list of it, nothing as the empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isEmpty(value) ? [] : [value];
}

function isAmong(value: unknown, operand: unknown, field: Field | undefined): boolean {
  return listOf(operand).some((item) => isSame(value, item, field));
}

/** Amounts and quantities are the same by value, everything else letter by letter (`01` and `1` are different codes). */
function isSame(value: unknown, operand: unknown, field: Field | undefined): boolean {
  if (isEmpty(value) || isEmpty(operand)) return false;
  const [a, b] = [asText(value), asText(operand)];
  if (field?.type === 'datetime' && isDate(b)) {
    const { from, until } = dayRange(b);
    return instantKey(a) >= instantKey(from) && instantKey(a) < instantKey(until);
  }
  return compareTexts(a, b, field) === 0;
}

function isOrdered(value: unknown, given: OrderOperator, limit: unknown, field: Field | undefined): boolean {
  if (isEmpty(value) || isEmpty(limit)) return false;
  const { operator, operand } =
    field?.type === 'datetime' ? boundOf(given, limit) : { operator: given, operand: limit };
  const order = compareTexts(asText(value), asText(operand), field);
  switch (operator) {
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
  }
}

function isBetween(value: unknown, operand: unknown, field: Field | undefined): boolean {
  const [from, to] = listOf(operand);
  const isFrom = isEmpty(from) || isOrdered(value, 'gte', from, field);
  return isFrom && (isEmpty(to) || isOrdered(value, 'lte', to, field)) && !isEmpty(value);
}

function compareTexts(a: string, b: string, field: Field | undefined): number {
  if (isNumeric(field) && isPlainDecimal(a) && isPlainDecimal(b)) return compareDecimals(a, b);
  if (field === undefined || field.type === 'datetime') return byCodePoint(instantKey(a), instantKey(b));
  const isId = field.type === 'reference' || field.type === 'attachment' || isIdentity(field);
  return isId ? byCodePoint(a.toLowerCase(), b.toLowerCase()) : byCodePoint(a, b);
}

/** An unknown field (an input, a value of the surroundings) compares as a number where both sides are numbers. */
function isNumeric(field: Field | undefined): boolean {
  return field === undefined || ['integer', 'decimal', 'money', 'percent'].includes(field.type);
}

/** The order of PostgreSQL's C collation: JavaScript's own differs beyond the basic plane. */
function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [[...a], [...b]];
  const place = left.findIndex((char, index) => char !== right[index]);
  if (place < 0) return -1;
  return (left[place]?.codePointAt(0) ?? -1) < (right[place]?.codePointAt(0) ?? -1) ? -1 : 1;
}

function holdsText(
  value: unknown,
  operand: unknown,
  holds: (text: string, part: string) => boolean,
): boolean {
  if (isEmpty(value) || operand === null || operand === undefined) return false;
  return holds(foldCase(asText(value)), foldCase(asText(operand)));
}

/** Letter by letter as the database does it: no final sigma, and one letter stays one. */
function foldCase(text: string): string {
  return text
    .replaceAll('İ', 'i')
    .replace(/[^\0-\x7f]/gu, (char) => char.toLowerCase())
    .toLowerCase();
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
