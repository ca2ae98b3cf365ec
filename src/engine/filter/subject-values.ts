import { BOOLEAN, TEXT, type ValueType } from '../expression/value-type.ts';
import type { Subject } from '../schema/resource.ts';

const SOME_ID = '00000000-0000-7000-8000-000000000000';

/** What each `user.x` looks like: a value of its kind, a list where the subject has a list. */
const SUBJECT_EXAMPLES = {
  id: SOME_ID,
  personid: 'sp.aa',
  name: '张三',
  kind: 'staff',
  role_code: 'ROLE',
  role_codes: ['ROLE'],
  co_code: 'AA',
  dept_code: 'AA01',
  dept_id: SOME_ID,
  dept_codes: ['AA01'],
  sales_ids: [SOME_ID],
  sales_id: SOME_ID,
  partner_id: SOME_ID,
  service_id: SOME_ID,
  super_permission: false,
  scope_override: 'company',
  mandates: ['MANDATE'],
} as const satisfies Record<keyof Subject, unknown>;

const ID: ValueType = { kind: 'reference', to: null };

/** The type of each `user.x`. */
export const SUBJECT_TYPES = {
  id: ID,
  personid: TEXT,
  name: TEXT,
  kind: TEXT,
  role_code: TEXT,
  role_codes: { kind: 'list', of: TEXT, over: 'user.role_codes' },
  co_code: TEXT,
  dept_code: TEXT,
  dept_id: ID,
  dept_codes: { kind: 'list', of: TEXT, over: 'user.dept_codes' },
  sales_ids: { kind: 'list', of: ID, over: 'user.sales_ids' },
  sales_id: ID,
  partner_id: ID,
  service_id: ID,
  super_permission: BOOLEAN,
  scope_override: TEXT,
  mandates: { kind: 'list', of: TEXT, over: 'user.mandates' },
} as const satisfies Record<keyof Subject, ValueType>;

/** The names that may follow `user.`. */
export const SUBJECT_KEYS: ReadonlySet<string> = new Set(Object.keys(SUBJECT_EXAMPLES));

/**
 * A value of the kind that a source has, to check whether it fits a field before anybody runs the filter; undefined
 * when only the record, the inputs or the parameters know.
 */
export function exampleOf(source: string): unknown {
  if (source === 'today') return '2026-11-20';
  if (source === 'now') return '2026-11-20T06:05:00.000Z';
  const name = source.startsWith('user.') ? source.slice('user.'.length) : '';
  return Object.entries(SUBJECT_EXAMPLES).find(([key]) => key === name)?.[1];
}
