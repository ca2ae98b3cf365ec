// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { parseChart } from '#engine/fields/chart-settings.ts';
import { readCell } from '#web/fields/charts/cell-number.ts';
import { readChartData } from '#web/fields/charts/chart-data.ts';
import { numberWith, plainText } from '#web/fields/charts/chart-options.ts';

it.each([
  ['1,234,567.89', 1_234_567.89], ['-12', -12], ['−12', -12], ['－１２', -12], ['(1,000)', -1000], ['（5）', -5],
  ['+3', 3], ['.5', 0.5], ['7.', 7], ['１２３', 123], ['¥ 1,000.50', 1000.5], ['-$20', -20], ['USD 30', 30],
  ['CNY1', 1], ['1e3', 1000], ['3万元', 3], ['0', 0], [' 8 ', 8],
])('%s is the number %d', (text, number) =>
  expect(readCell(text, '万元')).toEqual({ kind: 'number', number, isPercent: false })); // prettier-ignore

it.each(['12,34', '1,2345', '12 / 3', '约5', '待定', '2024-01-05', '1.2.3', '--5', '5-', 'USD', '1e999', '<b>1</b>', '0x10', 'Infinity', '十'])(
  '%s is text',
  (text) => expect(readCell(text)).toEqual({ kind: 'text' }),
); // prettier-ignore

it.each(['', ' ', '-', '—', '－', '/', '\u200B'])('"%s" stands for nothing', (text) =>
  expect(readCell(text)).toEqual({ kind: 'empty' }),
);

it('columns are series unless the table says rows', () => {
  const html = '<tr><th>月</th><th>出口</th><th>进口</th></tr><tr><td>一月</td><td>3</td><td>1,000</td></tr>';
  expect(dataOf(html, '')).toEqual({
    points: ['一月'],
    series: [
      { name: '出口', values: [3] },
      { name: '进口', values: [1000] },
    ],
    unit: '',
    hints: [],
  });
  expect(dataOf(html, 'dataFormat:1;suffix:万元')).toMatchObject({
    points: ['出口', '进口'],
    series: [{ name: '一月', values: [3, 1000] }],
    unit: '万元',
  });
});

it('two header rows with merged names are read together, merged numbers count once', () => {
  const data = dataOf(
    '<tr><th rowspan="2">国别</th><th colspan="2">2024年</th></tr><tr><th>上半年</th><th>下半年</th></tr>' +
      '<tr><td>美国</td><td colspan="2">7</td></tr><tr><td>德国</td><td>1</td><td>2</td></tr>',
    '',
  );
  expect(data.points).toEqual(['美国', '德国']);
  expect(data.series).toEqual([
    { name: '2024年 上半年', values: [7, 1] },
    { name: '2024年 下半年', values: [null, 2] },
  ]);
});

it('percent signs become the unit when all have one, fractions when some have', () => {
  const all = dataOf('<tr><td></td><td>率</td></tr><tr><td>甲</td><td>12.5%</td></tr>', '');
  expect([all.series[0]?.values, all.unit]).toEqual([[12.5], '%']);
  const some = dataOf(
    '<tr><td></td><td>率</td></tr><tr><td>甲</td><td>12.5%</td></tr><tr><td>乙</td><td>2</td></tr>',
    '',
  );
  expect([some.series[0]?.values, some.unit]).toEqual([[0.125, 2], '']);
});

it('what is not a number is named and not drawn, blanks and dashes are gaps', () => {
  const data = dataOf(
    '<tr><td></td><td>额</td></tr><tr><td>甲</td><td>待定</td></tr><tr><td>乙</td><td>—</td></tr><tr><td>丙</td><td>2</td></tr>',
    '',
  );
  expect(data.series[0]?.values).toEqual([null, null, 2]);
  expect(data.hints).toEqual(['1个单元格不是数字，图中没有画出：“待定”']);
});

it('a pie takes the first series and leaves out what has no share', () => {
  const data = dataOf(
    '<tr><td></td><td>额</td><td>量</td></tr><tr><td>甲</td><td>3</td><td>9</td></tr><tr><td>乙</td><td>-1</td><td>9</td></tr>',
    'chartType:5',
  );
  expect(data.series).toEqual([{ name: '额', values: [3, null] }]);
  expect(data.hints).toEqual(['饼图只画一组数据：“额”', '饼图不画零和负数（1个）']);
});

it('names that are missing or stand twice are told apart', () => {
  const data = dataOf(
    '<tr><td></td><td>额</td><td>额</td><td></td></tr><tr><td></td><td>1</td><td>2</td><td>3</td></tr>',
    '',
  );
  expect(data.series.map(({ name }) => name)).toEqual(['额', '额（2）', '系列3']);
  expect(data.points).toEqual(['第1项']);
});

it.each([
  '', '<tr></tr>', '<tr><td>x</td></tr>', '<tr><td colspan="0" rowspan="0">1</td></tr>', '<tr><th>甲</th></tr><tr><th>1</th></tr>',
  '<tr><td colspan="99999" rowspan="99999">1</td></tr><tr><td>2</td></tr>', '<tr><td>a</td><td>b</td></tr><tr><td>1</td></tr>',
])('a table without numbers says so: %s', (rows) => {
  const data = dataOf(rows, '');
  expect(data.series).toEqual([]);
  expect(data.hints[0]).toBe('表格里没有可以画成图的数字');
}); // prettier-ignore

it('an expression of the chart library stays text, and numbers are written with their unit', () => {
  expect(plainText('{a.b}')).toBe('{a.b}\u200B');
  expect(plainText('额{1}')).toBe('额{1}');
  expect(numberWith('万元')(1234.5)).toBe('1,234.5万元');
});

function dataOf(rows: string, chart: string) {
  const table = document.createElement('table');
  table.innerHTML = rows;
  return readChartData(table, parseChart(chart));
}
