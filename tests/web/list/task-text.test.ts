import { expect, test } from 'vitest';
import { shownKind } from '#web/pages/approval/inbox-kind.ts';
import { amountText } from '#web/pages/approval/task-text.ts';

test('what has no amount says nothing instead of zero', () => {
  expect(amountText({ amount: '0.00', currency: 'USD' })).toBe('');
  expect(amountText({ amount: null, currency: null })).toBe('');
  expect(amountText({ amount: '12150.00', currency: 'CNY' })).toBe('12,150.00');
});

test('the inbox shows one kind alone while something of it waits, and only of what waits', () => {
  const groups = [{ resource: 'payment' }, { resource: 'export_contract' }];
  expect(shownKind('mine', 'payment', groups)).toBe('payment');
  expect(shownKind('mine', 'payment', null)).toBe('payment');
  expect(shownKind('mine', 'payment', groups.slice(1))).toBeNull();
  expect(shownKind('done', 'payment', groups)).toBeNull();
  expect(shownKind('mine', null, groups)).toBeNull();
});
