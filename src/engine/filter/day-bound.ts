import type { Field } from '../schema/resource.ts';

/** A day compared with an instant means the company's whole day: until its end for lte and gt, from its start for gte and lt. */
export function dayBound(
  field: Pick<Field, 'type'> | undefined,
  operator: 'lt' | 'lte' | 'gt' | 'gte',
  operand: unknown,
): unknown {
  if (field?.type !== 'datetime' || typeof operand !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(operand))
    return operand;
  return operator === 'gte' || operator === 'lt'
    ? `${operand}T00:00:00.000+08:00`
    : `${operand}T23:59:59.999+08:00`;
}
