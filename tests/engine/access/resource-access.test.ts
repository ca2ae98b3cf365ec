import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectRecord } from '#engine/access/project-record.ts';
import { canWrite, resourceAccess, type ResourceAccess } from '#engine/access/resource-access.ts';
import { type AccessOverride, withImplied } from '#engine/access/role-grants.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import type { Catalog, ErpRecord, Subject } from '#engine/schema/resource.ts';
import { context, exampleCatalog, resourceOf, subject } from '../schema/example-files.ts';

const catalog = exampleCatalog();
const partnerUser = subject({
  kind: 'partner',
  role_code: 'PT',
  role_codes: ['PT'],
  partner_id: 'p1',
  sales_ids: [],
});

function accessTo(name: string, who: Subject, overrides: readonly AccessOverride[] = []): ResourceAccess {
  return resourceAccess(resourceOf(catalog, name), who, { catalog, overrides });
}

describe('resourceAccess', () => {
  it('opens nothing without a grant', () => {
    const access = accessTo('shipment', subject({ role_code: 'CS' }));
    expect([...access.operations]).toEqual([]);
    expect(access.rows).toBeNull();
  });

  it('opens the own records and those of the service targets by default', () => {
    expect(accessTo('shipment', subject()).rows).toEqual({
      or: [{ sales_id: { in: { $: 'user.sales_ids' } } }, { created_by: { eq: { $: 'user.id' } } }],
    });
  });

  it('narrows to the chosen service target', () => {
    const chosen = subject({
      sales_ids: ['00000000-0000-7000-8000-000000000002'],
      sales_id: '00000000-0000-7000-8000-000000000002',
    });
    expect(accessTo('shipment', chosen).rows).toEqual({ sales_id: { in: { $: 'user.sales_ids' } } });
  });

  it('gives super permission every row of every company, and no right more', () => {
    const access = accessTo('shipment', subject({ super_permission: true }));
    expect(access).toMatchObject({ rows: {}, companies: 'all' });
    expect(access.operations.has('delete')).toBe(true);
    expect(accessTo('shipment', subject({ role_code: 'CS', super_permission: true })).operations.size).toBe(
      0,
    );
  });

  it.each(['all', 'company'])('keeps a person without it in the own company, whatever says %s', (scope) => {
    const override = {
      resource: 'shipment',
      role: 'SP',
      actions: ['list', 'read'],
      row_scope: scope,
      hidden_fields: [],
      readonly_fields: [],
    };
    const open = { rows: {}, companies: 'own' };
    expect(accessTo('shipment', subject(), [override])).toMatchObject(open);
    expect(accessTo('shipment', subject({ scope_override: scope }))).toMatchObject(open);
    const group = {
      ...catalog,
      roles: { SP: { code: 'SP', name: '', row_scope: scope, can_represent: false, hidden_paths: [] } },
    };
    expect(resourceAccess(resourceOf(catalog, 'shipment'), subject(), { catalog: group })).toMatchObject(
      open,
    );
  });

  it('lets nobody without it write what all companies share', () => {
    const country = { ...resourceOf(catalog, 'country'), access: [{ role: 'AD', do: ['*'] }] };
    const of = (who: Partial<Subject>) =>
      resourceAccess(country, subject({ role_code: 'AD', ...who }), { catalog }).operations;
    expect(of({})).toEqual(new Set(['list', 'read', 'export', 'print']));
    expect(of({ super_permission: true }).has('create')).toBe(true);
  });

  it("lets the personal scope replace the role's", () => {
    expect(accessTo('shipment', subject({ scope_override: 'dept' })).rows).toEqual({
      dept_code: { eq: { $: 'user.dept_code' } },
    });
  });

  it('keeps partners to their own records whatever the resource says', () => {
    // Drafts of the house are its own; those of the person are not.
    expect(accessTo('shipment', partnerUser).rows).toEqual({
      and: [
        { partner_id: { eq: { $: 'user.partner_id' } } },
        {
          or: [{ status: { nin: expect.arrayContaining(['draft']) } }, { created_by: { null: true } }],
        },
      ],
    });
    expect(accessTo('partner', partnerUser).rows).toEqual({ id: { eq: { $: 'user.partner_id' } } });
    expect(accessTo('goods', partnerUser).rows).toEqual({ status: { eq: 'active' } });
    expect(accessTo('country', partnerUser).rows).toBeNull();
  });

  it('gives 启用 and 停用 with the right to update a master, whatever other actions it has', () => {
    const goods = resourceOf(catalog, 'goods');
    const { lifecycle } = goods;
    if (lifecycle === undefined) throw new Error('goods have no lifecycle');
    const actions = {
      ...lifecycle.actions,
      recount: { key: 'recount', title: '盘点', from: ['active'], to: '$same', complete: false },
    };
    const counted = { ...goods, lifecycle: { ...lifecycle, actions } };
    for (const resource of [goods, counted])
      expect(withImplied(resource, ['update'])).toEqual(['update', 'enable', 'disable']);
    expect(withImplied({ ...counted, kind: 'document' }, ['update'])).toEqual(['update']);
  });

  it('gives what * grants to all staff, not to partners', () => {
    expect(accessTo('country', subject({ role_code: 'DM' })).operations).toEqual(new Set(['list', 'read']));
    expect(accessTo('country', partnerUser).operations.size).toBe(0);
  });

  it('never shows all fields of all rows because one grant has the fields and another the rows', () => {
    const access = accessTo('person', subject());
    expect(access.hidden.has('id_no')).toBe(true);
    expect(access.hidden.has('name')).toBe(false);
    expect(accessTo('person', subject({ role_code: 'AD' })).hidden.size).toBe(0);
  });

  it('lets a permission row replace the grants of the file', () => {
    const override = {
      resource: 'shipment',
      role: 'SP',
      actions: ['list', 'read'],
      row_scope: 'company',
      hidden_fields: ['total_amount'],
      readonly_fields: [],
    };
    const access = accessTo('shipment', subject(), [override]);
    expect(access.operations).toEqual(new Set(['list', 'read']));
    expect(access.rows).toEqual({});
    expect(access.hidden.has('total_amount')).toBe(true);
    expect(access.hidden.has('margin')).toBe(true);
  });

  it('lets a permission row only narrow what the file grants to customers', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const mine = { partner_id: { eq: { $: 'user.partner_id' } } };
    const file = [
      { role: 'PT', do: ['list', 'read', 'print'], rows: { status: { eq: 'a' } }, lines: { items: mine }, hide: ['total_cost'], write: ['remark'] },
      { role: 'PT', do: ['list', 'submit'], rows: { status: { eq: 'b' } }, lines: { items: mine } },
    ]; // prettier-ignore
    const row = {
      ...{ resource: 'shipment', role: 'PT', row_scope: 'all', readonly_fields: ['sign_date'] },
      ...{ actions: ['list', 'read', 'submit', 'delete'], hidden_fields: ['total_amount'] },
    };
    const limited = { ...shipment, access: file };
    const under = (access: typeof file, who: Subject) =>
      resourceAccess({ ...shipment, access }, who, { catalog, overrides: [row] });
    const [before, after] = [resourceAccess(limited, partnerUser, { catalog }), under(file, partnerUser)];
    expect(after.operations).toEqual(new Set(['list', 'read', 'submit', 'withdraw']));
    expect([after.rows, after.rowsByOperation['read'], after.lines, after.write]).toEqual([
      before.rows,
      before.rowsByOperation['read'],
      before.lines,
      before.write,
    ]);
    expect(['total_cost', 'total_amount'].map((name) => after.hidden.has(name))).toEqual([true, true]);
    expect(JSON.stringify(after.lines)).toContain('user.partner_id');
    expect(under([], partnerUser).operations).toEqual(new Set());
    expect(under([], subject({ role_code: 'PT' })).operations.has('delete')).toBe(true);
  });

  it('hides what is computed from, or filled from, a hidden field', () => {
    const access = accessTo('shipment', partnerUser);
    const stamps = ['approved_by', 'created_by', 'reject_reason', 'submitted_by', 'updated_by'];
    expect([...access.hidden].filter((name) => !stamps.includes(name)).sort()).toEqual([
      'items.cost',
      'items.cost_price',
      'margin',
      'total_cost',
    ]);
    expect(access.hidden.has('created_by')).toBe(true);
  });

  it('shows a result that is told, not what it is made of', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const told = { ...shipment, access: shipment.access.map((grant) => ({ ...grant, tell: ['margin'] })) };
    const access = resourceAccess(told, partnerUser, { catalog });
    expect(access.hidden.has('margin')).toBe(false);
    expect([...access.hidden]).toEqual(
      expect.arrayContaining(['items.cost', 'items.cost_price', 'total_cost']),
    );
    // A row of the permission matrix changes what may be done, and hides what it names.
    const row = {
      resource: 'shipment',
      role: 'PT',
      actions: ['list', 'read'],
      row_scope: 'partner',
      readonly_fields: [],
    };
    const hidesMargin = (hidden_fields: readonly string[]) =>
      resourceAccess(told, partnerUser, { catalog, overrides: [{ ...row, hidden_fields }] }).hidden.has(
        'margin',
      );
    expect([hidesMargin(['total_cost']), hidesMargin(['margin'])]).toEqual([false, true]);
  });

  it('lets a whitelist decide what may be written', () => {
    const access = accessTo('partner', partnerUser);
    expect(canWrite(access, 'contacts.mobile')).toBe(true);
    expect(canWrite(access, 'name')).toBe(false);
    expect(canWrite(access, 'risk_level')).toBe(false);
  });
});

describe('projectRecord', () => {
  const shipment = resourceOf(catalog, 'shipment');
  const record = fc.record({
    id: fc.uuid(),
    total_amount: fc.constant('10.00'),
    total_cost: fc.constant('SECRET'),
    margin: fc.constant('SECRET'),
    _labels: fc.record({ currency: fc.constant('美元'), total_cost: fc.constant('SECRET') }),
    items: fc.array(
      fc.record({
        id: fc.uuid(),
        quantity: fc.constantFrom('0', '1.0000'),
        cost_price: fc.constant('SECRET'),
        cost: fc.constant('SECRET'),
        _labels: fc.record({ cost: fc.constant('SECRET') }),
      }),
      { maxLength: 5 },
    ),
  });
  const surroundings = { catalog, context: context({ subject: partnerUser }) };

  it('never lets a hidden field, or anything computed from it, out', () => {
    fc.assert(
      fc.property(record, (given) => {
        const shown = projectRecord(shipment, given, accessTo('shipment', partnerUser), surroundings);
        expect(JSON.stringify(shown)).not.toContain('SECRET');
      }),
    );
  });

  it('hides every subset of fields with all that follows from it', () => {
    const names = Object.keys(shipment.fields['items']?.fields ?? {}).map((name) => `items.${name}`);
    fc.assert(
      fc.property(fc.subarray(names), record, (hidden_fields, given) => {
        const override = {
          resource: 'shipment',
          role: 'SP',
          actions: ['read'],
          row_scope: null,
          hidden_fields,
          readonly_fields: [],
        };
        const access = accessTo('shipment', subject(), [override]);
        const shown = projectRecord(shipment, given, access);
        for (const path of access.hidden) expect(valuesAt(shown, path)).toEqual([]);
        const isTainted = !hidden_fields.includes('items.quantity') || access.hidden.has('total_amount');
        expect(isTainted).toBe(true);
      }),
    );
  });

  it('changes nothing when it runs again', () => {
    fc.assert(
      fc.property(record, (given) => {
        const access = accessTo('shipment', partnerUser);
        const once = projectRecord(shipment, given, access, surroundings);
        expect(projectRecord(shipment, once, access, surroundings)).toEqual(once);
      }),
    );
  });

  it('leaves out lines that do not match, all of them when it cannot tell', () => {
    const given = {
      id: 'x',
      items: [
        { id: 'a', quantity: '1' },
        { id: 'b', quantity: '0' },
      ],
    };
    const access = accessTo('shipment', partnerUser);
    expect(projectRecord(shipment, given, access, surroundings)['items']).toEqual([
      { id: 'a', quantity: '1' },
    ]);
    expect(projectRecord(shipment, given, access)['items']).toEqual([]);
  });

  it('never shows secrets', () => {
    const shown = projectRecord(
      resourceOf(catalog, 'person'),
      { name: '张三', password: 'hash' },
      accessTo('person', subject({ role_code: 'AD' })),
    );
    expect(shown).toEqual({ name: '张三' });
  });
});

describe('clientResource', () => {
  const shown = clientResource(resourceOf(catalog, 'shipment'), accessTo('shipment', partnerUser));

  it('says nothing of hidden fields', () => {
    const text = JSON.stringify(shown);
    expect(text).not.toContain('cost_price');
    expect(text).not.toContain('margin');
  });

  it('keeps the own rights only', () => {
    expect(shown.access).toEqual([{ role: 'PT', do: ['list', 'read'] }]);
    expect(shown.lifecycle?.actions).toEqual({});
  });

  it('does not name a customer in every row of lists that are all his own', () => {
    const columnsFor = (who: Subject) =>
      clientResource(resourceOf(catalog, 'shipment'), accessTo('shipment', who)).list.columns.map((column) =>
        typeof column === 'string' ? column : column.field,
      );
    expect(columnsFor(subject())).toContain('partner_id');
    expect(columnsFor(partnerUser)).not.toContain('partner_id');
    expect(columnsFor(partnerUser).length).toBeGreaterThan(0);
  });

  it('drops rules that read hidden fields', () => {
    const changed: Catalog = exampleCatalog({
      partner: (text) =>
        text.replace(
          '"lifecycle"',
          '"rules": [{ "when": { "risk_level": { "eq": "A" } }, "require": ["remark"] }], "lifecycle"',
        ),
    });
    const partner = resourceOf(changed, 'partner');
    const rules = (who: Subject): number =>
      clientResource(partner, resourceAccess(partner, who, { catalog: changed })).rules.length;
    expect(rules(partnerUser)).toBe(0);
    expect(rules(subject())).toBe(1);
  });
});

function valuesAt(record: ErpRecord, path: string): unknown[] {
  const [name = '', column] = path.split('.');
  const value = record[name];
  if (column === undefined) return value === undefined ? [] : [value];
  return Array.isArray(value)
    ? value.map((line: ErpRecord) => line[column]).filter((cell) => cell !== undefined)
    : [];
}
