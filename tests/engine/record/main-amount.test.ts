import { expect, it } from 'vitest';
import { mainAmount, totalledAmount } from '#engine/record/main-amount.ts';
import { expandField } from '#engine/schema/expand-resource.ts';

const advance = expandField('advance_paid', { type: 'money', title: '已付预付款', formula: 'paid' });
const total = expandField('total_amount', { type: 'money', title: '合同金额', formula: 'sum(items.amount)' });
const whole = {
  fields: { advance_paid: advance, total_amount: total },
  list: { columns: ['advance_paid', { field: 'total_amount', total: true }], filters: [], sort: [] },
} satisfies Parameters<typeof mainAmount>[0];
/** As for a reader from whom the amount is kept. */
const kept = {
  ...whole,
  fields: { advance_paid: advance },
  list: { ...whole.list, columns: ['advance_paid'] },
};

it('a document is known by the amount that its list totals, and no other goes without saying which it is', () => {
  expect([mainAmount(whole)?.name, totalledAmount(whole)?.name]).toEqual(['total_amount', 'total_amount']);
  expect([mainAmount(kept)?.name, totalledAmount(kept)?.name]).toEqual(['advance_paid', undefined]);
});
