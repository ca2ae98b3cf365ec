import { addDays, isDate } from '../values/dates.ts';

export type OrderOperator = 'lt' | 'lte' | 'gt' | 'gte';

/** The company's whole day as instants: from its start until before the start of the next. */
export function dayRange(day: string): { readonly from: string; readonly until: string } {
  return { from: startOf(day), until: startOf(addDays(day, 1)) };
}

/**
 * A comparison of an instant with a day as one of instants: a day means the whole day, so `lte` lasts until its end
 * and `gt` begins after it. Anything else stays as it is.
 */
export function boundOf(
  operator: OrderOperator,
  operand: unknown,
): { readonly operator: OrderOperator; readonly operand: unknown } {
  if (!isDate(operand)) return { operator, operand };
  const { from, until } = dayRange(operand);
  if (operator === 'lte') return { operator: 'lt', operand: until };
  if (operator === 'gt') return { operator: 'gte', operand: until };
  return { operator, operand: from };
}

/** An instant in the one notation whose letters order as the instants do, to the microsecond; other text as it is. */
export function instantKey(text: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,6}))?(Z|[+-]\d{2}:\d{2})$/.exec(text);
  if (match === null) return text;
  const [, minute = '', second = ':00', fraction = '', zone = ''] = match;
  const time = Date.parse(`${minute}${second}${zone}`);
  if (Number.isNaN(time)) return text;
  return `${new Date(time).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}

function startOf(day: string): string {
  return `${day}T00:00:00.000+08:00`;
}
