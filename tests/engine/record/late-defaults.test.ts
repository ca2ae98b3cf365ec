import { describe, expect, it } from 'vitest';
import type { Scope } from '#engine/filter/scope.ts';
import { applyDefaults, applyLateDefaults } from '#engine/record/apply-defaults.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { lateDefaults } from '#engine/schema/default-order.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';

const LOAN = expandResource(
  {
    resource: 'loan',
    title: '借款',
    kind: 'master',
    label: 'kind',
    fields: {
      kind: { type: 'text', title: '种类', max: 10 },
      // Written before what it reads, and before the default that it reads.
      amount: { type: 'decimal', title: '金额', scale: 2, default: { '=': 'most' } },
      ratio: { type: 'percent', title: '比例', scale: 2, default: { '=': 'cap' } },
      note: { type: 'text', title: '说明', max: 40, default: { '=': 'text(kind, ratio)' } },
      word: { type: 'text', title: '字', max: 10, default: { '=': 'kind' } },
      cap: { type: 'percent', title: '上限', scale: 2, formula: "if(kind == 'A', 0.8, 0.5)" },
      most: { type: 'decimal', title: '最多', scale: 2, formula: 'sum(items.worth) * ratio' },
      items: {
        type: 'lines',
        title: '明细',
        fields: {
          quantity: { type: 'decimal', title: '数量', scale: 2 },
          price: { type: 'decimal', title: '价', scale: 2 },
          worth: { type: 'decimal', title: '值', scale: 2, formula: 'quantity * price' },
          lent: { type: 'decimal', title: '可借', scale: 2, default: { '=': 'worth / 2' } },
        },
      },
    },
  },
  'hash',
);

/** Everything of a new record, as the server goes about it. */
function completed(sent: ErpRecord): ErpRecord {
  const scopeOf = (record: ErpRecord): Scope => ({
    resource: LOAN,
    catalog: { resources: { loan: LOAN }, dictionaries: {}, roles: {}, menu: [] },
    context: { subject: SUBJECT, today: '2026-11-20', now: '2026-11-20T06:00:00Z', params: {} },
    record,
  });
  const compute = (record: ErpRecord): ErpRecord => computeRecord(LOAN, record, scopeOf(record));
  let record = compute(applyDefaults(LOAN, sent, scopeOf(sent)));
  for (const round of lateDefaults(LOAN))
    record = compute(applyLateDefaults(LOAN, record, { scope: scopeOf(record), round }));
  return record;
}

const SUBJECT: Scope['context']['subject'] = {
  ...{ id: 'p1', personid: 'sp.aa', name: '张三', kind: 'staff', role_code: 'SP', role_codes: ['SP'] },
  ...{
    co_code: 'AA',
    dept_code: 'D1',
    dept_codes: ['D1'],
    sales_ids: ['p1'],
    sales_id: 'p1',
    partner_id: null,
  },
  ...{ super_permission: false, scope_override: null },
};

const ITEMS = [{ quantity: '10', price: '3' }, { quantity: '5', price: '2', lent: null }]; // prettier-ignore

describe('defaults that read what is computed', () => {
  it('come in rounds after the formulas that they read, each after the default that it reads', () => {
    expect(lateDefaults(LOAN)).toEqual([['ratio', 'note', 'items.lent'], ['amount']]);
  });

  it.each([
    ['all of them', {}, { ratio: '80.00', amount: '32.00', note: 'A80.00%', word: 'A' }],
    ['what follows from a value that was given', { ratio: '50' }, { ratio: '50', amount: '20.00', note: 'A50.00%' }],
    ['none that was given', { amount: '7', note: '' }, { ratio: '80.00', amount: '7', note: '' }],
    ['none that was emptied', { ratio: null, amount: null }, { ratio: null, amount: null }],
    ['nothing over a value that was emptied', { ratio: null }, { ratio: null, amount: null }],
  ])('are filled: %s', (_case, given, expected) => {
    expect(completed({ kind: 'A', items: ITEMS, ...given })).toMatchObject(expected);
  }); // prettier-ignore

  it('are filled in new lines, not in those that stand in the database', () => {
    const { items } = completed({ kind: 'A', items: [...ITEMS, { id: 'x', quantity: '4', price: '1' }] });
    expect(items).toMatchObject([{ lent: '15.00' }, { lent: null }, {}]);
    expect((items as readonly ErpRecord[])[2]?.['lent']).toBeUndefined();
  });
});
