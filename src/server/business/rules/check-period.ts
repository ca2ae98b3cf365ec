import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { textOf } from './rule-values.ts';

/** The dates that put a document into an accounting month. */
const BUSINESS_DATES = ['invoice_date', 'sign_date', 'order_date'] as const;

/** Check 5 of resources.md section 4: no business date in a closed month. The parameter CLOSED_MONTH (`2026-09`) is the last closed one. */
export async function checkPeriod({ record, resource, caller }: RuleCall): Promise<readonly FieldProblem[]> {
  const closed = caller.context.params['CLOSED_MONTH'];
  if (closed === undefined || !/^\d{4}-\d{2}$/.test(closed)) return [];
  return BUSINESS_DATES.flatMap((field) => {
    const date = textOf(record, field);
    if (date === null || date.slice(0, 7) > closed) return [];
    return [
      {
        path: field,
        code: 'closed_period',
        message: `${resource.fields[field]?.title ?? '业务日期'}在已结账的月份（${closed}及以前）`,
      },
    ];
  });
}
