import { expect, it } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { isDrawn } from '#web/pages/form/drawn-section.ts';
import { FormStore } from '#web/pages/form/form-store.ts';
import { SALES_CONTEXT } from './sales-context.ts';

const LOAN = expandResource(
  {
    resource: 'loan',
    title: '融资',
    kind: 'document',
    label: 'loan_no',
    number: { field: 'loan_no', pattern: '{co}{yyyy}{seq:5}' },
    fields: {
      loan_no: { type: 'text', title: '融资编号' },
      kind: { type: 'text', title: '方式' },
      repaid: { type: 'money', title: '已还', currency: 'CNY' },
      paid_on: { type: 'date', title: '还款日期', system: true },
      parts: { type: 'lines', title: '还款', fields: { amount: { type: 'text', title: '金额' } } },
    },
    rules: [{ when: { kind: { null: true } }, hide: ['repaid', 'parts'] }],
    lifecycle: { initial: 'draft', states: { draft: { title: '草稿', edit: '*' } } },
  },
  'hash',
);
const SECTIONS = [
  { title: '融资信息', fields: ['kind'] },
  { title: '编号', fields: ['loan_no'] },
  { title: '还款', fields: ['repaid'] },
  { title: '结果', fields: ['paid_on'] },
  { title: '还款记录', lines: 'parts' },
  { title: '展期', lines: 'extensions' },
];
const SAVED: ErpRecord = {
  id: '0198c0de-0000-7000-8000-000000000000',
  version: 1,
  status: 'draft',
  parts: [],
};

it.each([
  ['a new loan', null, {}, ['融资信息']],
  ['a new one of a kind', null, { kind: 'packing' }, ['融资信息', '还款', '还款记录']],
  ['a saved one, of which it says why', SAVED, {}, ['融资信息', '还款']],
  ['one that was paid', { ...SAVED, paid_on: '2026-11-20' }, {}, ['融资信息', '还款', '结果']],
] as const)('of the sections of %s those are drawn, and lead somewhere, that have something', (...given) => {
  const [, record, initial, titles] = given;
  const store = new FormStore({
    ...{ resource: LOAN, dictionaries: {}, context: SALES_CONTEXT, record, initial },
  });
  expect(SECTIONS.filter((section) => isDrawn(section, store)).map(({ title }) => title)).toEqual(titles);
});
