import { roleWithDuty } from '#engine/access/role-duties.ts';
import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import type { Subject } from '#engine/schema/resource.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** The system as caller: imports and the clock act for nobody. */
export function systemCaller(services: Services, coCode: string): Caller {
  const role = roleWithDuty(services.definitions.catalog().roles, 'administration') ?? '';
  const subject: Subject = {
    id: SYSTEM_ID,
    personid: 'system',
    name: '系统',
    kind: 'staff',
    role_code: role,
    role_codes: [role],
    co_code: coCode,
    dept_code: coCode,
    dept_codes: [coCode],
    sales_ids: [],
    sales_id: null,
    partner_id: null,
    super_permission: true,
    scope_override: null,
  };
  const context = services.definitions.contextFor(subject, services.clock());
  return { subject, sessionId: '', requestId: 'system', address: '', context };
}
