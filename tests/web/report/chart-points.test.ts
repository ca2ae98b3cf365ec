import { expect, test } from 'vitest';
import type { ReportResult } from '#contract/reports.ts';
import { chartPoints } from '#web/pages/report/chart-points.ts';

const CONTINENTS: Readonly<Record<string, string>> = {
  美国: '美洲',
  巴西: '美洲',
  德国: '欧洲',
  法国: '欧洲',
};

/** Countries within continents, as the report of countries gives them: ids say nothing. */
function countries(figures: Readonly<Record<string, string>>): ReportResult {
  const column = (key: string, group?: number) => ({
    ...{ key, title: key, isFigure: group === undefined, as: group === undefined ? 'money' : 'text' },
    ...{ scale: 2, opens: false, ...(group === undefined ? {} : { group }) },
  });
  const rows = Object.entries(figures).map(([name, usd], index) => ({
    ...{
      level: 2,
      isLine: true,
      keys: [CONTINENTS[name], `id${index}`],
      id: null,
      source: null,
      currency: null,
    },
    ...{
      count: 1,
      cells: { continent: CONTINENTS[name], country: `id${index}`, usd },
      labels: { country: name },
    },
  }));
  return {
    ...{ report: 52, title: '', params: [], hidden: [], at: '', isCapped: false, total: null, groups: 1 },
    ...{ columns: [column('continent', 0), column('country', 1), column('usd')], rows, chart: null },
  };
}

const CHART = { kind: 'pie', x: 'country', y: ['usd'], top: 2 };

test('a pie shows the largest first, and the rest as one part', () => {
  const result = countries({ 美国: '50.00', 巴西: '1.00', 德国: '7.00', 法国: '90.00' });
  const { names, series } = chartPoints(result, CHART);
  expect(names).toEqual(['法国', '美国', '其余']);
  expect(series[0]?.values).toEqual([90, 50, 8]);
});

test('bars of inner groups are the largest too, without the rest', () => {
  const result = countries({ 美国: '5.00', 巴西: '1.00', 德国: '7.00' });
  expect(chartPoints(result, { ...CHART, kind: 'bar' }).names).toEqual(['德国', '美国']);
});

test('a pie that names no number of parts has ten at most', () => {
  const result = countries(
    Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`第${place}国`, `${place + 1}.00`])),
  );
  const { names, series } = chartPoints(result, { kind: 'pie', x: 'country', y: ['usd'] });
  expect(names).toHaveLength(10);
  expect(names.at(-1)).toBe('其余');
  expect(series[0]?.values.reduce<number>((sum, value) => sum + (value ?? 0), 0)).toBe(465);
});

test('a pie that has room for all has no rest', () => {
  const result = countries({ 美国: '5.00', 德国: '7.00' });
  expect(chartPoints(result, CHART).names).toEqual(['德国', '美国']);
});

test('a point without money stands at nothing, without a rate at none', () => {
  const result = countries({ 美国: '5.00', 德国: '7.00' });
  const [first] = result.rows;
  const rows = result.rows.map((row) => (row === first ? { ...row, cells: {} } : row));
  const values = (as: string) => {
    const columns = result.columns.map((column) => (column.isFigure ? { ...column, as } : column));
    const { names, series } = chartPoints({ ...result, columns, rows }, { ...CHART, kind: 'bar' });
    return Object.fromEntries(names.map((name, index) => [name, series[0]?.values[index]]));
  };
  expect(values('money')).toEqual({ 美国: 0, 德国: 7 });
  expect(values('percent')).toEqual({ 美国: null, 德国: 7 });
});

test('currencies are not added: bars stand beside each other, our own first, other kinds show it alone', () => {
  const result = countries({ 美国: '', 德国: '' });
  const amounts = [
    { CNY: '1000.00', JPY: '90000' },
    { CNY: '2000.00', USD: '5.00' },
  ];
  const rows = result.rows.map((row, index) => ({ ...row, cells: { ...row.cells, usd: amounts[index] } }));
  const columns = result.columns.map((one) => (one.isFigure ? { ...one, byCurrency: true } : one));
  const drawn = (kind: string) => {
    const { names, series } = chartPoints({ ...result, columns, rows }, { ...CHART, kind });
    return [names, series.map(({ title, values }) => [title, ...values])];
  };
  const cny = ['usd CNY', 2000, 1000];
  expect(drawn('bar')).toEqual([
    ['德国', '美国'],
    [cny, ['usd JPY', 0, 90_000], ['usd USD', 5, 0]],
  ]);
  expect(drawn('pie')).toEqual([['德国', '美国'], [cny]]);
});

test.each([
  ['line', 60, '2022-01', '2026-12'],
  ['scatter', 480, '1993-09', '2026-12'],
  ['bar', 60, '2022-01', '2024-12'],
])('a %s of %i months begins and ends with these', (kind, count, first, last) => {
  const months = Array.from({ length: count }, (_, back) => {
    const month = 2026 * 12 + 11 - back;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
  const result = countries(Object.fromEntries(months.map((month) => [month, '1.00'])));
  const rows = result.rows.map((row, index) => ({
    ...row,
    cells: { ...row.cells, country: months[index] },
  }));
  const { names } = chartPoints({ ...result, rows }, { kind, x: 'country', y: ['usd'] });
  expect([names[0], names.at(-1)]).toEqual([first, last]);
});
