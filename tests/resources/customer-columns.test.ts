import { expect, it } from 'vitest';
import { canSee, resourceAccess } from '#engine/access/resource-access.ts';
import type { Resource, Subject } from '#engine/schema/resource.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const { catalog } = shippedDefinitions();

const CUSTOMER: Subject = {
  ...{
    id: '00000000-0000-7000-8000-000000000001',
    personid: 'x',
    name: '某人',
    co_code: 'AA',
    dept_code: 'AA',
  },
  ...{
    kind: 'partner',
    role_code: 'PT',
    role_codes: ['PT'],
    dept_codes: ['AA'],
    sales_ids: [],
    sales_id: null,
  },
  ...{ partner_id: '00000000-0000-7000-8000-000000000002', super_permission: false, scope_override: null },
};

function accessOf(resource: Resource) {
  if (catalog === null || catalog === undefined) throw new TypeError('the shipped definitions have faults');
  return resourceAccess(resource, CUSTOMER, { catalog });
}

/** Columns of a list that lead to what a customer may not know of, by the resource that they lead to. */
function closedColumns(resource: Resource): readonly string[] {
  const access = accessOf(resource);
  if (!access.operations.has('list')) return [];
  return resource.list.columns.flatMap((column) => {
    const name = typeof column === 'string' ? column : column.field;
    const { type, to } = resource.fields[name] ?? {};
    if (type !== 'reference' || typeof to !== 'string' || !canSee(access, name)) return [];
    const target = catalog?.resources[to.split('.')[0] ?? ''];
    if (target === undefined) return [];
    const { operations } = accessOf(target);
    const isKnown = operations.has('list') || operations.has('read') || operations.has('name');
    return isKnown ? [] : [target.resource];
  });
}

it('no column of a customer’s lists says nothing but that it is not for customers', () => {
  const closed = new Set(Object.values(catalog?.resources ?? {}).flatMap(closedColumns));
  // Projects are of the company's own business: beside a customer's records there is none.
  expect([...closed]).toEqual(['project']);
});

it('the signed paper of a purchase, with all its prices, is closed to customers as the prices are', () => {
  const { purchase_contract: purchase } = catalog?.resources ?? {};
  if (purchase === undefined) throw new TypeError('no purchase contract');
  const access = accessOf(purchase);
  const paths = ['items.unit_price', 'total_amount', 'signed_file', 'attachments', 'purchase_no'];
  expect(paths.filter((path) => canSee(access, path))).toEqual(['purchase_no']);
});
