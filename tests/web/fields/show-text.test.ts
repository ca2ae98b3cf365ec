import { isValidElement } from 'react';
import { expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { amountClass } from '#web/fields/amount-class.ts';
import { TextCell } from '#web/fields/show-text.tsx';

const amount = expandField('amount', { type: 'money', title: '金额', currency: 'currency' });

it.each([
  ['1,200.00', undefined],
  ['-1,200.00', 'field-negative'],
  ['0.00', 'field-zero'],
  ['0', 'field-zero'],
])('an amount of %s is told apart at a glance', (text, name) => {
  expect(amountClass(text)).toBe(name);
});

it('the currency stands small behind its amount, what is owed is red also without one', () => {
  const shown = TextCell({ field: amount, value: '4736376.00', currency: 'JPY' });
  expect(isValidElement(shown)).toBe(true);
  expect(JSON.stringify(shown)).toMatch(/4,736,376.*"small".*field-currency.*JPY/);
  const owed = TextCell({ field: amount, value: '-12.5', currency: undefined });
  expect(JSON.stringify(owed)).toContain('field-negative');
  expect(TextCell({ field: amount, value: null, currency: 'JPY' })).toBe('');
});
