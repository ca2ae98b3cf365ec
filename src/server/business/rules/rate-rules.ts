import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';

/** A rate that a voucher or split used never changes. */
export async function checkRateLocked({ record, previous }: RuleCall): Promise<readonly FieldProblem[]> {
  if (previous?.['locked'] !== true) return [];
  const isSame = ['currency', 'kind', 'date', 'rate'].every(
    (name) => String(previous[name]) === String(record[name]),
  );
  return isSame ? [] : [{ path: 'rate', code: 'locked', message: '汇率已被使用，不能修改' }];
}
