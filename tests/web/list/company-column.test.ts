import { expect, it } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { withCompany } from '#web/pages/list/company-column.ts';

const fields = { co_code: { name: 'co_code', type: 'text', title: '公司' } as Field };
const number = { field: 'no', pattern: '{co}{seq:5}' };

it('who sees the rows of all companies is told whose each is', () => {
  expect(withCompany({ fields }, ['param', 'value'])).toEqual(['param', 'co_code', 'value']);
});

it('not where a column or the number says so, or rows are of no company', () => {
  expect(withCompany({ fields }, ['param', 'co_code'])).toEqual(['param', 'co_code']);
  expect(withCompany({ fields, number }, ['no'])).toEqual(['no']);
  expect(withCompany({ fields: {} }, ['param'])).toEqual(['param']);
});
