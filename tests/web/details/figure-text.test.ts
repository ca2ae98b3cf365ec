import { expect, test } from 'vitest';
import { boundText, figureText, isForced } from '#web/pages/plan/figure-text.ts';

test('an amount reads with the decimals and the code of its currency, other figures as they are', () => {
  expect(figureText('1234567.5000', 'USD')).toBe('1,234,567.50 USD');
  expect(figureText('4736376.00', 'JPY')).toBe('4,736,376 JPY');
  expect(figureText('1000', 'CNY')).toBe('1,000.00 CNY');
  expect(figureText('1000', '')).toBe('1,000.00');
  expect(figureText('1200.0000')).toBe('1,200');
  expect(figureText(null, 'USD')).toBe('');
});

test('a bound reads as its figure does', () => {
  expect(boundText({ operator: 'lte', bound: '500000', currency: 'USD' })).toBe('不超过 500,000.00 USD');
  expect(boundText({ operator: 'gte', bound: '0', currency: null })).toBe('不低于 0');
});

test('a figure beyond its bound that nobody refuses is one that must be posted', () => {
  const limit = { level: 'ok', operator: 'gte', figure: '-1000.00', bound: '0' } as const;
  expect(isForced(limit)).toBe(true);
  expect(isForced({ ...limit, figure: '0.00' })).toBe(false);
  expect(isForced({ ...limit, level: 'error' })).toBe(false);
  expect(isForced({ ...limit, operator: 'lte', figure: '5', bound: '4' })).toBe(true);
  expect(isForced({ ...limit, figure: null })).toBe(false);
});
