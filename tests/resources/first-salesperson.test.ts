import { expect, it } from 'vitest';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { shipped, shippedDefinitions } from './shipped-definitions.ts';

const person = (role: string, sales: string): Subject => ({
  ...{ id: 'p1', personid: 'aa', name: '张三', kind: 'staff', role_code: role, role_codes: [role] },
  ...{
    co_code: 'AA',
    dept_code: 'D1',
    dept_id: null,
    dept_codes: ['D1'],
    sales_ids: [sales],
    sales_id: sales,
  },
  ...{ partner_id: null, service_id: null, super_permission: false, scope_override: null, mandates: [] },
});

it.each([
  ['a salesperson', 'has himself', person('SP', 'p1'), 'p1'],
  ['customer service', 'has nobody yet', person('CS', 'p1'), undefined],
  ['customer service for a salesperson', 'has that one', person('CS', 'p2'), 'p2'],
])('a partner entered by %s %s as its salesperson', (_who, _has, subject, expected) => {
  const resource = shipped('partner');
  const { catalog } = shippedDefinitions();
  if (catalog === null) throw new Error('resources/ does not load');
  const context = { subject, today: '2026-11-20', now: '2026-11-20T06:00:00Z', params: {} };
  const { sales_id } = applyDefaults(resource, {}, { resource, catalog, record: {}, context });
  expect(sales_id ?? undefined).toBe(expected);
});
