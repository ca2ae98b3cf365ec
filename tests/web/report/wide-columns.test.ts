import { expect, it } from 'vitest';
import type { ReportResult } from '#contract/reports.ts';
import { wideColumns } from '#web/pages/report/wide-columns.ts';

/** A table of one line with these figures, in so many columns. */
function table(figures: readonly (string | null)[]): ReportResult {
  const columns = figures.map((_figure, index) => ({
    ...{ key: `c${index}`, title: `列${index}`, isFigure: true, as: 'money', scale: 2, opens: false },
  }));
  const cells = Object.fromEntries(figures.map((figure, index) => [`c${index}`, figure]));
  const row = { level: 0, isLine: true, keys: [], id: null, source: null, currency: null, count: 1 };
  return {
    ...{ report: 21, title: '', params: [], hidden: [], at: '', isCapped: false, total: null, groups: 0 },
    ...{ columns, rows: [{ ...row, cells, labels: {} }], chart: null },
  };
}

it('columns of a wide table that say nothing in any line take no room', () => {
  const figures = [...Array.from({ length: 11 }, () => '1.00'), null, '0.00'];
  expect(wideColumns(table(figures))).toEqual({ isWide: true, empty: new Set(['c11', 'c12']) });
});

it('a table that stands on the screen as it is keeps its columns', () => {
  expect(wideColumns(table(['1.00', null]))).toEqual({ isWide: false, empty: new Set() });
});
