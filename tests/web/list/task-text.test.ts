import { expect, test } from 'vitest';
import { amountText } from '#web/pages/approval/task-text.ts';

test('what has no amount says nothing instead of zero', () => {
  expect(amountText({ amount: '0.00', currency: 'USD' })).toBe('');
  expect(amountText({ amount: null, currency: null })).toBe('');
  expect(amountText({ amount: '12150.00', currency: 'CNY' })).toBe('12,150.00');
});
