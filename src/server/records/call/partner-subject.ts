import { roleWithDuty } from '#engine/access/role-duties.ts';
import type { Catalog, Subject } from '#engine/schema/resource.ts';

/** Any account of a partner as the subject of access; without a partner, for what no customer may see of any record. */
export function partnerSubject(
  { roles }: Pick<Catalog, 'roles'>,
  company: string,
  partnerId: string | null,
): Subject {
  const role = roleWithDuty(roles, 'partner') ?? '';
  return {
    id: '00000000-0000-0000-0000-000000000000',
    personid: '',
    name: '',
    kind: 'partner',
    role_code: role,
    role_codes: [role],
    co_code: company,
    dept_code: company,
    dept_codes: [],
    sales_ids: [],
    sales_id: null,
    partner_id: partnerId,
    super_permission: false,
    scope_override: null,
  };
}
