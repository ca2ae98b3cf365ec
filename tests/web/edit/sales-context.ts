import type { EvaluationContext } from '#engine/schema/resource.ts';

/** Who fills in a form of the tests, and when. */
export const SALES_CONTEXT: EvaluationContext = {
  subject: {
    id: 'p1',
    personid: 'sp.aa',
    name: '张三',
    kind: 'staff',
    role_code: 'SP',
    role_codes: ['SP'],
    co_code: 'AA',
    dept_code: 'D1',
    dept_codes: ['D1'],
    sales_ids: ['p1'],
    sales_id: 'p1',
    partner_id: null,
    super_permission: false,
    scope_override: null,
  },
  today: '2026-11-20',
  now: '2026-11-20T06:00:00Z',
  params: {},
};
