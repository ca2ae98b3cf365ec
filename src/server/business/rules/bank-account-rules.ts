import type { FieldProblem } from '#engine/schema/resource.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { linesIn } from './rule-values.ts';

/** In every child table with a default: at most one on a save, exactly one once the record is under review or beyond. */
export async function checkOneDefault({
  record,
  resource,
  action,
}: RuleCall): Promise<readonly FieldProblem[]> {
  const isComplete =
    action === 'submit' ||
    (record['status'] !== resource.lifecycle?.initial && record['status'] !== 'rejected');
  return Object.values(resource.fields).flatMap((field): readonly FieldProblem[] => {
    if (field.type !== 'lines' || field.fields?.['is_default'] === undefined) return [];
    const lines = linesIn(record, field.name);
    const defaults = lines.filter((line) => line['is_default'] === true).length;
    const isWrong = defaults > 1 || (isComplete && lines.length > 0 && defaults === 0);
    return isWrong
      ? [{ path: field.name, code: 'one_default', message: `${field.title}须有且只有一个默认` }]
      : [];
  });
}

/** Whoever changed the account last does not verify it; and there is something to verify. */
export async function checkBankEditor({
  tx,
  record: verified,
  previous,
  resource,
  caller,
}: RuleCall): Promise<readonly FieldProblem[]> {
  const record = previous ?? verified;
  const isOpen =
    resource.fields['banks'] === undefined
      ? record['account_verified'] !== true && record['account_no'] !== null
      : linesIn(record, 'banks').some((bank) => bank['verified'] !== true);
  if (!isOpen) return [{ path: '', code: 'nothing', message: '没有待验证的账户' }];
  const [row] = await tx.query<{ person_id: string | null }>(
    `select person_id from sys_audit where resource = any(erp_resource_names($1)) and record_id = $2::uuid
       and exists (select 1 from jsonb_array_elements(changes) c where c->>'field' like 'banks%' or c->>'field' like 'account_%')
     order by at desc limit 1`,
    [resource.resource, record['id']],
  );
  return row?.person_id === caller.subject.id
    ? [{ path: '', code: 'own', message: '不能验证本人修改的账户' }]
    : [];
}
