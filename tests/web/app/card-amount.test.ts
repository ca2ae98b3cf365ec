import { expect, it } from 'vitest';
import type { ReportResult, ReportResultRow } from '#contract/reports.ts';
import { warningRows } from '#web/features/home/warning-rows.ts';
import { amountOf, inRow, isKeptFrom } from '#web/features/home/report-cards.tsx';

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

const COLUMN: ReportResult['columns'][number] = {
  key: '',
  title: '',
  isFigure: false,
  as: 'text',
  scale: 0,
  opens: false,
};

it('a card whose column is kept from its reader has no figure, which is not the same as none at all', () => {
  const column = { ...COLUMN, key: 'supplier' };
  expect(isKeptFrom({ columns: [column], hidden: ['未核销'] }, ['left'])).toBe(true);
  expect(isKeptFrom({ columns: [column, { ...COLUMN, key: 'left' }], hidden: ['已核销'] }, ['left'])).toBe(
    false,
  );
  expect(isKeptFrom({ columns: [column], hidden: [] }, ['left'])).toBe(false);
});

it('cards stand in rows of one length where there are such, and never alone in the last', () => {
  expect([1, 2, 3, 4, 5, 6, 8, 9, 10].map(inRow)).toEqual([1, 2, 3, 4, 5, 3, 4, 3, 5]);
  for (let count = 2; count <= 40; count += 1) expect([count, count % inRow(count)]).not.toEqual([count, 1]);
});

it('a warning opens its record, and of a line the document that it stands in', () => {
  const line = { ...ROW, isLine: true, cells: { left: '5' } };
  const result: ReportResult = {
    ...{
      report: 39,
      title: '',
      params: [],
      columns: [],
      total: null,
      isCapped: false,
      hidden: [],
      chart: null,
    },
    ...{ groups: 0, at: '' },
    rows: [
      { ...line, id: 'a', source: 'credit_line' },
      { ...line, id: 'b', source: 'insurance_policy.limits', head: 'policy' },
      { ...line, id: 'c', source: 'insurance_policy.limits' },
    ],
  };
  const card = { title: '', report: 39, route: '', column: '', params: {}, days: 'left' };
  const none = { has: () => false, reload: () => {} };
  expect(warningRows(result, card, none).map(({ id, record }) => [id, record])).toEqual([
    ['a', { resource: 'credit_line', id: 'a' }],
    ['b', { resource: 'insurance_policy', id: 'policy' }],
    ['c', null],
  ]);
});
