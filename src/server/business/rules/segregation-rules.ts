import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';
import { hasApprovedRecord } from '#server/workflow/approvals/has-approved.ts';

/** Who confirms that money has left is none of those who approved that it should (domain, segregation of duties). */
async function checkNotApprover({
  tx,
  record,
  resource,
  caller,
}: RuleCall): Promise<readonly FieldProblem[]> {
  const approved = { resource: resource.resource, record: String(record['id']), person: caller.subject.id };
  return (await hasApprovedRecord(tx, approved))
    ? [{ path: '', code: 'own', message: '审核过该单据的人员不能确认付款' }]
    : [];
}

export const SEGREGATION_RULES: RuleSet = {
  checks: {
    check_not_approver: {
      run: checkNotApprover,
      reads: ['approval_task.acted_by', 'approval_task.acted_for'],
      why: 'a task names its record by resource and id, which no reference leads back to',
    },
  },
};
