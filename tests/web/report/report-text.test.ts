import { expect, it } from 'vitest';
import type { ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { cellText } from '#web/pages/report/report-text.ts';

const COLUMN: ReportResultColumn = {
  key: 'got',
  title: '收汇额',
  isFigure: true,
  as: 'money',
  scale: 2,
  opens: true,
  byCurrency: true,
};

function rowOf(got: unknown): ReportResultRow {
  return {
    level: 0,
    isLine: false,
    keys: [],
    id: null,
    source: null,
    currency: null,
    count: 1,
    cells: { got },
    labels: {},
  };
}

it('amounts stand in the decimals of their currency', () => {
  expect(cellText(rowOf({ JPY: '7492636.00', USD: '-1548851.6' }), COLUMN)).toEqual({
    kind: 'amounts',
    amounts: [
      { currency: 'JPY', text: '7,492,636', isNegative: false },
      { currency: 'USD', text: '-1,548,851.60', isNegative: true },
    ],
  });
});

it('what is finer than money keeps its places', () => {
  expect(cellText(rowOf({ JPY: '0.0475' }), { ...COLUMN, as: 'number', scale: 4 })).toMatchObject({
    amounts: [{ text: '0.0475' }],
  });
});
