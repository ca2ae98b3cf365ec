import { describe, expect, it } from 'vitest';
import { resourceAccess } from '#engine/access/resource-access.ts';
import type { Scope } from '#engine/filter/scope.ts';
import { actionRefusal, actionStates, actionTarget } from '#engine/lifecycle/action-states.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import type { ErpRecord, Subject } from '#engine/schema/resource.ts';
import { context, exampleCatalog, resourceOf, subject } from '../schema/example-files.ts';

const catalog = exampleCatalog();
const mine = { id: 'x', co_code: 'AA', sales_id: subject().id };

function states(record: ErpRecord): ReturnType<typeof actionStates> {
  const shipment = resourceOf(catalog, 'shipment');
  const scope: Scope = { resource: shipment, catalog, record, context: context() };
  return actionStates(shipment, record, scope, resourceAccess(shipment, subject(), { catalog }));
}

function editable(name: string, record: ErpRecord, who: Subject = subject()): string[] {
  const resource = resourceOf(catalog, name);
  return [...editableFields(resource, record, resourceAccess(resource, who, { catalog }))].sort();
}

describe('actionStates', () => {
  it('says what is allowed and why the rest is not', () => {
    expect(states({ ...mine, status: 'draft', total_amount: '0.00' })).toEqual([
      { key: 'approve_now', title: '审核', allowed: false, reason: '金额须大于0' },
      { key: 'amend', title: '变更', allowed: true, reason: null, reasonRequired: true },
    ]);
    expect(states({ ...mine, status: 'approved', total_amount: '5.00' })[0]?.reason).toBe(
      '「已审核」时不能审核，「草稿」时才可以',
    );
  });

  it('asks for inputs with what they start with for the record, and for none that the program fills', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const record = { ...mine, status: 'draft', total_amount: '12.50' };
    const inputs = {
      amount: { type: 'money', title: '金额', currency: 'CNY', default: { $: 'record.total_amount' } },
      on: { type: 'date', title: '日期', required: true, default: { $: 'today' } },
      none: { type: 'text', title: '备注', default: { $: 'record.remark' } },
      source: { type: 'text', title: '来源', readOnly: true },
    } as const;
    const pay = { key: 'pay', title: '付款', from: ['draft'], to: '$same', inputs };
    const lifecycle = { initial: 'draft', states: {}, groups: {}, actions: { pay } };
    const access = { ...resourceAccess(shipment, subject(), { catalog }), operations: new Set(['pay']) };
    const scope: Scope = { resource: shipment, catalog, record, context: context() };
    const [state] = actionStates(
      { ...shipment, lifecycle } as unknown as typeof shipment,
      record,
      scope,
      access,
    );
    const started = Object.entries(state?.inputs ?? {}).map(([name, input]) => [name, input.default]);
    expect(started).toEqual([
      ['amount', '12.50'],
      ['on', context().today],
      ['none', undefined],
    ]);
  });

  it('asks with the figures of the record, and not at all with what the person may not see', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const record = { ...mine, status: 'draft', total_amount: '1250.00' };
    const pay = {
      key: 'pay',
      title: '付款',
      from: ['draft'],
      to: '$same',
      confirm: '付 {total_amount}，确定？',
    };
    const lifecycle = { initial: 'draft', states: {}, groups: {}, actions: { pay } };
    const resource = { ...shipment, lifecycle } as unknown as typeof shipment;
    const access = { ...resourceAccess(shipment, subject(), { catalog }), operations: new Set(['pay']) };
    const scope: Scope = { resource: shipment, catalog, record, context: context() };
    const asked = (hidden: readonly string[]) =>
      actionStates(resource, record, scope, { ...access, hidden: new Set([...access.hidden, ...hidden]) })[0];
    expect(asked([])?.confirm).toMatch(/^付 1,250.00.*，确定？$/);
    expect(asked(['total_amount'])).not.toHaveProperty('confirm');
  });

  it('leaves out inputs that are not asked of the record', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const inputs = {
      rate: { type: 'decimal', title: '汇率' },
      on: { type: 'date', title: '日期' },
    } as const;
    const asks = { rate: { total_amount: { gt: '10' } } };
    const pay = { key: 'pay', title: '付款', from: ['draft'], to: '$same', inputs, asks };
    const lifecycle = { initial: 'draft', states: {}, groups: {}, actions: { pay } };
    const resource = { ...shipment, lifecycle } as unknown as typeof shipment;
    const access = { ...resourceAccess(shipment, subject(), { catalog }), operations: new Set(['pay']) };
    const asked = (amount: string) => {
      const record = { ...mine, status: 'draft', total_amount: amount };
      const scope: Scope = { resource, catalog, record, context: context() };
      return Object.keys(actionStates(resource, record, scope, access)[0]?.inputs ?? {});
    };
    expect(asked('10.00')).toEqual(['on']);
    expect(asked('10.01')).toEqual(['rate', 'on']);
  });

  it('closes rows of others', () => {
    const [action] = states({
      ...mine,
      sales_id: 'other',
      created_by: 'other',
      status: 'draft',
      total_amount: '5.00',
    });
    expect(action?.reason).toBe('无权操作该记录');
  });

  it('refuses system and unknown actions', () => {
    const shipment = resourceOf(catalog, 'shipment');
    const record = { ...mine, status: 'amending' };
    const run = {
      record,
      scope: { resource: shipment, catalog, record, context: context() },
      access: resourceAccess(shipment, subject(), { catalog }),
    };
    expect(actionRefusal(shipment, 'amend_done', run)).toBe('权限不足,请联系管理员!');
    expect(actionRefusal(shipment, 'constructor', run)).toBe('没有这个操作');
  });

  it('finds the state an action leads to', () => {
    expect(actionTarget({ to: '$previous' }, { status: 'amending', previous_status: 'approved' })).toBe(
      'approved',
    );
    expect(actionTarget({ to: '$same' }, { status: 'approved' })).toBe('approved');
    expect(actionTarget({ to: 'pending' }, { status: 'draft' })).toBe('pending');
  });
});

describe('editableFields', () => {
  it('opens what the state opens, by role', () => {
    expect(editable('partner', { id: 'x', status: 'pending' }, subject({ role_code: 'RK' }))).toEqual([
      'risk_level',
    ]);
    expect(editable('partner', { id: 'x', status: 'pending' }, subject({ role_code: 'CS' }))).toEqual([
      'contacts',
      'contacts.mobile',
      'contacts.name',
      'name',
    ]);
    expect(editable('partner', { id: 'x', status: 'pending' })).toEqual([]);
    expect(editable('partner', { id: 'x', status: 'active' })).toEqual([
      'contacts',
      'contacts.mobile',
      'contacts.name',
      'remark',
    ]);
  });

  it('never opens computed, read-only or, after creation, fixed fields', () => {
    expect(editable('export_contract', {})).toContain('business_type');
    const existing = editable('export_contract', { id: 'x', status: 'draft' });
    expect(existing).not.toContain('business_type');
    expect(existing).not.toContain('contract_no');
    expect(existing).not.toContain('items.amount');
    expect(existing).toContain('items.quantity');
  });
});
