import type { Subject } from '#engine/schema/resource.ts';

/** Any account of a partner as the subject of access; without a partner, for what no customer may see of any record. */
export function partnerSubject(company: string, partnerId: string | null): Subject {
  return {
    id: '00000000-0000-0000-0000-000000000000',
    personid: '',
    name: '',
    kind: 'partner',
    role_code: 'PT',
    role_codes: ['PT'],
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
