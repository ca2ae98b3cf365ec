import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall, RuleSet } from '#server/records/rules/rule-registry.ts';

/** Who confirms that money has left is none of those who approved that it should (domain, segregation of duties). */
async function checkNotApprover({
  tx,
  record,
  resource,
  caller,
}: RuleCall): Promise<readonly FieldProblem[]> {
  const [task] = await tx.query(
    `select 1 from approval_task where resource = any(erp_resource_names($1)) and record_id = $2
       and status = 'approved' and (acted_by = $3::uuid or acted_for = $3::uuid) and not is_deleted limit 1`,
    [resource.resource, record['id'], caller.subject.id],
  );
  return task === undefined ? [] : [{ path: '', code: 'own', message: '审核过该单据的人员不能确认付款' }];
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
