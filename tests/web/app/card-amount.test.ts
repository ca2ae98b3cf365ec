import { expect, it } from 'vitest';
import type { ReportResultRow } from '#contract/reports.ts';
import { amountOf } from '#web/features/home/report-cards.tsx';

const ROW: ReportResultRow = {
  level: 0,
  isLine: false,
  keys: [],
  id: null,
  source: null,
  currency: null,
  count: 3,
  cells: { usd: '172716.88', amount: { EUR: '33066.18', JPY: '4736376' } },
  labels: {},
};

it('the amounts of a card stand before what they are in, with the decimals of their currency', () => {
  expect(amountOf(ROW, { column: 'amount' })).toBe('33,066.18 EUR，4,736,376 JPY');
  expect(amountOf(ROW, { column: 'amount', currency: 'JPY' })).toBe('4,736,376');
  expect(amountOf(ROW, { column: 'usd', currency: 'USD' })).toBe('172,716.88');
  expect(amountOf(null, { column: 'usd' })).toBe('0.00');
});
