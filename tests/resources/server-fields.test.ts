import { describe, expect, it } from 'vitest';
import { resourceAccess } from '#engine/access/resource-access.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import type { Field, Resource, Subject } from '#engine/schema/resource.ts';
import { shipped, shippedDefinitions } from './shipped-definitions.ts';

const { catalog } = shippedDefinitions();
const ROLES = Object.keys(catalog?.roles ?? {});
const KEYS = Object.keys(catalog?.resources ?? {});

/** What no caller writes on any resource: identity, company, stamps. */
const STAMPS = [
  ...['id', 'co_code', 'version', 'version_no', 'created_by', 'created_at', 'updated_by', 'updated_at'],
  ...['submitted_by', 'submitted_at', 'approved_by', 'approved_at', 'reject_reason'],
];

/** Everything of a resource that the server decides: stamps, the state, the number, what is computed or the system's. */
function decidedByServer(resource: Resource): readonly string[] {
  return [
    ...STAMPS,
    ...(resource.lifecycle === undefined ? [] : ['status']),
    ...(resource.number === undefined ? [] : [resource.number.field]),
    ...Object.values(resource.fields).flatMap((field) => [
      ...(isDecided(field) ? [field.name] : []),
      ...Object.values(field.fields ?? {})
        .filter(isDecided)
        .map((column) => `${field.name}.${column.name}`),
    ]),
  ];
}

function isDecided(field: Field): boolean {
  return field.formula !== undefined || field.rollup !== undefined || field.system === true;
}

/** What each role may write of a new record and of one in each state. */
function openToRoles(resource: Resource): readonly ReadonlySet<string>[] {
  const records = [
    {},
    ...Object.keys(resource.lifecycle?.states ?? { none: null }).map((status) => ({ id: 'x', status })),
  ];
  return ROLES.flatMap((role) => {
    const access = resourceAccess(resource, personIn(role), { catalog: catalogOf() });
    return records.map((record) => editableFields(resource, record, access));
  });
}

function catalogOf() {
  if (catalog === null || catalog === undefined) throw new TypeError('the shipped definitions have faults');
  return catalog;
}

function personIn(role: string): Subject {
  const isPartner = role === 'PT';
  return {
    id: '00000000-0000-7000-8000-000000000001',
    personid: 'x.aa',
    name: '某人',
    kind: isPartner ? 'partner' : 'staff',
    role_code: role,
    co_code: 'AA',
    dept_code: 'AA',
    role_codes: [role],
    dept_codes: ['AA'],
    sales_ids: [],
    sales_id: null,
    partner_id: isPartner ? '00000000-0000-7000-8000-000000000002' : null,
    super_permission: role === 'AD',
    scope_override: null,
  };
}

describe('no role in any state may write what the server decides', () => {
  it.each(KEYS)('of %s', (key) => {
    const decided = decidedByServer(shipped(key));
    const open = openToRoles(shipped(key));
    expect(decided.filter((path) => open.some((paths) => paths.has(path)))).toEqual([]);
  });

  it('while other fields are open to those who work with them', () => {
    const writable = KEYS.filter((key) => openToRoles(shipped(key)).some((paths) => paths.size > 0));
    expect(writable).toEqual(expect.arrayContaining(['partner', 'supplier', 'export_contract', 'shipment']));
    expect(decidedByServer(shipped('export_contract'))).toEqual(
      expect.arrayContaining([
        'contract_no',
        'status',
        'total_amount',
        'items.amount',
        'items.shipped_quantity',
      ]),
    );
  });
});
