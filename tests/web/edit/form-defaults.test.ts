import { describe, expect, test } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { FormStore } from '#web/pages/form/form-store.ts';
import { SALES_CONTEXT } from './sales-context.ts';

const LOAN = expandResource(
  {
    resource: 'loan',
    title: '借款',
    kind: 'document',
    label: 'loan_no',
    fields: {
      loan_no: { type: 'text', title: '编号', readOnly: true },
      kind: { type: 'dictionary', title: '种类', options: { A: '甲', B: '乙' }, required: true },
      cap: { type: 'percent', title: '上限', formula: "lookup('caps', kind)" },
      ratio: { type: 'percent', title: '比例', required: true, default: { '=': 'cap' } },
      repay: { type: 'text', title: '还款', default: { '=': "if(kind == 'A', '退税款', '收汇')" } },
      payee: { type: 'text', title: '去向', default: 'pool' },
      rate: { type: 'decimal', title: '汇率', scale: 2, default: { '=': 'if(kind == null, null, 7)' } },
      rate_cny: { type: 'decimal', title: '折算', scale: 2, formula: 'rate * 2' },
    },
    rules: [{ when: { kind: { eq: 'B' } }, hide: ['rate'], clear: true }],
    lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
  },
  'hash',
);

function form(initial: ErpRecord = {}): FormStore {
  const options = { resource: LOAN, dictionaries: {}, context: SALES_CONTEXT, record: null, initial };
  return new FormStore({ ...options, defer: (work) => work() });
}

/** What the server makes of it. */
const ANSWER = { cap: '80', ratio: '80', repay: '退税款', rate: '7.00', rate_cny: '14.00' };

describe('a default that follows from other values', () => {
  test('is not sent, stands in the form as the server works it out, and follows it', () => {
    const store = form();
    expect(store.changes().body).toEqual({ payee: 'pool', business_type: 'agency' });
    store.set('kind', 'A');
    store.applyComputed(ANSWER);
    expect(['ratio', 'repay', 'rate', 'rate_cny'].map((name) => store.field(name).value)).toEqual(['80', '退税款', '7.00', '14.00']); // prettier-ignore
    expect(store.changes().body).toEqual({ kind: 'A', payee: 'pool', business_type: 'agency' });
    store.applyComputed({ ...ANSWER, cap: '30', ratio: '30', repay: '收汇' });
    expect(store.field('ratio').value).toBe('30');
    expect(store.field('repay').value).toBe('收汇');
  });

  test('makes nothing dirty', () => {
    const store = form();
    store.applyComputed(ANSWER);
    expect(store.isDirty()).toBe(false);
    store.set('ratio', '70');
    expect(store.isDirty()).toBe(true);
  });

  test.each([
    ['typed', '60'],
    ['emptied on purpose', null],
  ])('stays as it was %s', (_how, value) => {
    const store = form();
    store.set('kind', 'A');
    store.applyComputed(ANSWER);
    store.set('ratio', value);
    store.applyComputed(ANSWER);
    expect(store.field('ratio').value).toBe(value);
    expect(store.changes().body).toEqual({ kind: 'A', payee: 'pool', business_type: 'agency', ratio: value });
  });

  test('begins as a copy has it', () => {
    const store = form({ ratio: '55' });
    store.applyComputed(ANSWER);
    expect(store.field('ratio').value).toBe('55');
    expect(store.changes().body).toMatchObject({ ratio: '55' });
  });

  test('is not said to be missing before the server has had its word', () => {
    const store = form();
    const missing = () => store.check(true).map(({ path }) => path);
    expect(missing()).toEqual(['kind']);
    store.set('ratio', '60');
    store.set('ratio', null);
    expect(missing()).toEqual(['kind', 'ratio']);
  });

  test('starts again when a rule emptied it and asks for it again', () => {
    const store = form();
    store.set('kind', 'A');
    store.set('rate', '6.5');
    store.set('kind', 'B');
    expect(store.field('rate').value).toBeNull();
    store.set('kind', 'A');
    expect(store.changes().body).not.toHaveProperty('rate');
    store.applyComputed(ANSWER);
    expect(store.field('rate').value).toBe('7.00');
  });

  test('is a value like any other once the record is saved', () => {
    const store = form();
    store.set('kind', 'A');
    const saved = {
      ...ANSWER,
      id: 'x',
      version: 1,
      status: 'draft',
      kind: 'A',
      _editable: ['ratio', 'kind'],
    };
    store.saved(saved);
    store.applyComputed({ ...ANSWER, ratio: '30' });
    expect(store.field('ratio').value).toBe('80');
    store.set('ratio', null);
    expect(store.changes().body).toEqual({ ratio: null });
  });
});

test('a percentage of another record counts in percent where only its value is known', () => {
  const fields = {
    rate_id: { type: 'reference', title: '费率', to: 'partner_rate' },
    daily: { type: 'percent', title: '日利率', scale: 6 },
  } as const;
  const rules = [{ assert: { daily: { gte: { '=': 'rate_id.least' } } }, message: '过低' }] as const;
  const resource = expandResource(
    { resource: 'loan', title: '借款', kind: 'master', label: 'daily', fields, rules },
    'hash',
  );
  const wrong = (daily: string): number => {
    const record = { id: 'x', version: 1, daily, rate_id: 'r', _paths: { 'rate_id.least': '0.025' } };
    const shown = { ...resource, percentPaths: ['rate_id.least'] };
    const form = new FormStore({ resource: shown, dictionaries: {}, context: SALES_CONTEXT, record });
    return form.check(true).filter(({ message }) => message === '过低').length;
  };
  expect([wrong('0.025'), wrong('0.024')]).toEqual([0, 1]);
});

const OFFER = expandResource(
  {
    resource: 'offer',
    title: '报价',
    kind: 'document',
    label: 'offer_no',
    fields: {
      offer_no: { type: 'text', title: '编号', readOnly: true },
      items: {
        type: 'lines',
        title: '明细',
        fields: {
          goods: { type: 'text', title: '商品', required: true },
          relation: { type: 'reference', title: '关联', to: 'relation', find: { where: { goods: { eq: { '=': 'source.goods' } } } } },
          tariff: { type: 'reference', title: '费率', to: 'tariff', find: { where: { goods: { eq: { '=': 'source.goods' } } } } },
          price: { type: 'decimal', title: '价', scale: 2, formula: 'tariff.price' },
        },
      },
    },
    rules: [{ each: 'items', assert: { relation: { null: false } }, message: '没有关联关系', at: 'goods' }],
    lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
  },
  'hash',
); // prettier-ignore

describe('a record that the server finds', () => {
  test('for a line is taken with its answer, so that a fault of before is gone; not where formulas here read on from it', () => {
    const record = { id: '1', version: 1, business_type: 'agency', items: [{ id: 'a', goods: '杯', relation: null, tariff: null, price: null }] };
    const store = new FormStore({ resource: OFFER, dictionaries: {}, context: SALES_CONTEXT, record, initial: {}, defer: (work) => work() });
    const lines = store.lines('items');
    lines?.setCells([{ key: lines.order()[0] ?? '', column: 'goods', value: '壶' }]);
    expect(store.check(true)).toMatchObject([{ path: 'items.0.goods', message: '没有关联关系' }]);
    store.applyComputed({ version: 1, items: [{ id: 'a', goods: '壶', relation: 'r1', tariff: 't1', price: '9.00' }] });
    expect(store.check(true)).toEqual([]);
    expect(lines?.line(lines.order()[0] ?? '')).toMatchObject({ relation: 'r1', price: '9.00' });
  });

  const BOUND = expandResource(
    {
      resource: 'bond',
      title: '缴款',
      kind: 'document',
      label: 'bond_no',
      fields: {
        bond_no: { type: 'text', title: '编号', readOnly: true },
        payer: { type: 'text', title: '付款人' },
        pool: { type: 'reference', title: '资金池', to: 'pool', find: { where: { payer: { eq: { '=': 'source.payer' } } } } },
        other: { type: 'text', title: '另付' },
        owner: { type: 'reference', title: '归属', to: 'person', formula: 'coalesce(other, payer)' },
        items: { type: 'lines', title: '明细', fields: { note: { type: 'text', title: '说明' }, to: { type: 'reference', title: '对象', to: 'person', formula: 'note' } } },
      },
      lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
    },
    'hash',
  );
  const bond = (): FormStore =>
    new FormStore({ resource: BOUND, dictionaries: {}, context: SALES_CONTEXT, record: null, initial: { items: [{}] }, defer: (work) => work() });

  test('for the head, or one that a formula comes to, is awaited and then has its name; what may not be seen says so', () => {
    const store = bond();
    store.set('payer', 'p1');
    const lines = store.lines('items');
    const [key = ''] = lines?.order() ?? [];
    lines?.setCells([{ key, column: 'note', value: 'n1' }]);
    expect([store.field('owner').value, store.field('owner').label, lines?.cell(key, 'to').label]).toEqual(['p1', '…', '…']);
    const found = { payer: 'p1', pool: 'z1', owner: 'p1', items: [{ note: 'n1', to: 'n1', _labels: { to: '李四' } }] };
    store.applyComputed({ ...found, _labels: { pool: '甲公司池', owner: '张三' } });
    const shown = ['pool', 'owner'].map((name) => [store.field(name).value, store.field(name).label]);
    expect(shown).toEqual([['z1', '甲公司池'], ['p1', '张三']]);
    expect(lines?.cell(key, 'to')).toMatchObject({ value: 'n1', label: '李四' });
    store.set('other', 'p2');
    expect(store.field('owner').label).toBe('…');
    store.applyComputed({ ...found, other: 'p2', owner: 'p2', _labels: { pool: '甲公司池' } });
    expect(store.field('owner').label).toBe('（不可见）');
    store.set('other', null);
    store.set('payer', null);
    expect(store.field('owner')).toMatchObject({ value: null, label: null });
  });

  test('is not sent and makes nothing dirty', () => {
    const store = bond();
    store.applyComputed({ pool: 'z1', _labels: { pool: '甲公司池' } });
    expect([store.isDirty(), Object.hasOwn(store.changes().body, 'pool')]).toEqual([false, false]);
  });
}); // prettier-ignore
