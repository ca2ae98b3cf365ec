import { roleWithDuty } from '#engine/access/role-duties.ts';
import { shippedGrant } from '#engine/access/shipped-grant.ts';
import type { ErpRecord, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { findNamed } from '#server/business/find-named.ts';
import { operationTitle } from '#server/records/read/operation-titles.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { requireNewPassword } from '#server/auth/password-due.ts';
import { hashPassword, randomPassword } from '#server/kernel/passwords.ts';
import { smsAfterCommit } from '#server/workflow/notices/sms-outbox.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { countOthers } from '#server/records/follow/find-others.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { textOf } from './rule-values.ts';

/** The successor of who leaves hears how many open records come along; `then` of the action moves them. */
export async function tellSuccessor(call: RuleCall): Promise<void> {
  const successor = textOf(call.input, 'successor_id');
  if (successor === null) return;
  const about = openSystemCall(call.services, call.caller, 'person');
  const source = recordScope(about, call.record);
  const open = { status: { nin: '@final' } };
  const owned = { of: '*', by: 'sales_id', where: open };
  const managed = {
    of: 'project',
    by: 'manager_id',
    where: { ...open, sales_id: { ne: String(call.record['id']) } },
  };
  const counts = [owned, managed].map((others) => countOthers(call.tx, about, { others, source }));
  const count = (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
  if (count > 0)
    await emitEvent(call.tx, about, {
      event: 'RECORDS_HANDED_OVER',
      record: { ...call.record },
      to: [successor],
      opinion: `${count} 份未完结的单据由您接任`,
    });
}

/** A new random password by SMS; the old one and all sessions end. */
export async function resetPassword(call: RuleCall): Promise<void> {
  const password = randomPassword();
  await updateRecordFields(call, 'person', {
    id: String(call.record['id']),
    fields: { password: await hashPassword(password) },
    isSameWrite: true,
  });
  await requireNewPassword(call.tx, String(call.record['id']));
  smsAfterCommit(call, {
    to: String(call.record['mobile']),
    text: `您的登录密码已重置为 ${password}，登录后请立即修改。`,
  });
}

/** Names in a permission rule exist, and a rule for customers gives no right that the file does not. */
export async function checkPermissionNames(call: RuleCall): Promise<readonly FieldProblem[]> {
  const { services, record } = call;
  const key = textOf(record, 'resource') ?? '';
  const resource = services.definitions.catalog().resources[key];
  if (resource === undefined) return [{ path: 'resource', code: 'unknown', message: `未知资源“${key}”` }];
  const operations = new Set([
    'list',
    'read',
    'create',
    'update',
    'delete',
    'export',
    'import',
    'print',
    'name',
    'submit',
    'approve',
    'void',
    'withdraw',
    ...Object.keys(resource.lifecycle?.actions ?? {}),
  ]);
  const fields = new Set(Object.keys(resource.fields));
  return [
    ...unknownIn(record, 'actions', operations, '动作'),
    ...(await widerForPartners(call, resource, operations)),
    ...unknownIn(record, 'hidden_fields', fields, '字段'),
    ...unknownIn(record, 'readonly_fields', fields, '字段'),
  ];
}

/** What customers may not do by the file: a rule takes rights from them and gives none. */
async function widerForPartners(
  call: RuleCall,
  resource: Resource,
  known: ReadonlySet<string>,
): Promise<readonly FieldProblem[]> {
  const code = roleWithDuty(call.services.definitions.catalog().roles, 'partner');
  const where = { id: { eq: textOf(call.record, 'role_id') ?? '' } };
  const [role] = await findNamed(call, 'role', { where, fields: ['code', 'name'], limit: 1 });
  const { record } = call;
  if (code === null || role?.['code'] !== code || !Array.isArray(record['actions'])) return [];
  const shipped = new Set(shippedGrant(resource, code, false).actions);
  const wider = record['actions'].map(String).filter((name) => known.has(name) && !shipped.has(name));
  if (wider.length === 0) return [];
  const titles = wider.map((name) => operationTitle(resource, name)).join('、');
  const message = `“${String(role['name'])}”是外部角色，只能在自带权限之内减少，不能增加：${titles}`;
  return [{ path: 'actions', code: 'wider', message }];
}

function unknownIn(
  record: ErpRecord,
  name: string,
  known: ReadonlySet<string>,
  kind: string,
): readonly FieldProblem[] {
  const values = record[name];
  if (!Array.isArray(values)) return [];
  const unknown = values.filter((value) => !known.has(String(value).split('.')[0] ?? ''));
  return unknown.length === 0
    ? []
    : [{ path: name, code: 'unknown', message: `未知${kind}：${unknown.join('、')}` }];
}
