import { expect, test } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';

const PART = {
  resource: 'part',
  title: '零件',
  kind: 'master',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20 },
    made_on: { type: 'date', title: '日期' },
  },
};
const SALE = {
  resource: 'sale',
  title: '销售',
  kind: 'master',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20 },
    part_id: { type: 'reference', title: '零件', to: 'part' },
    first_id: { type: 'reference', title: '首单', to: 'sale' },
    weight: { type: 'decimal', title: '重量' },
  },
};

/** The faults of a report whose parameter, sum and rows are these. */
function faultsOf({
  other,
  ...changes
}: {
  readonly other?: object;
  readonly param?: object;
  readonly sum?: object;
  readonly rows?: object;
  readonly chart?: object;
}): readonly string[] {
  const report = {
    report: 1,
    title: '零件销售',
    route: '/r/parts',
    roles: ['FN'],
    params: { as_of: { type: 'date', title: '截止', ...changes.param } },
    rows: {
      from: 'part',
      with: { sold: { of: 'sale', by: 'part_id', sum: 'weight', ...changes.sum } },
      by: ['name'],
      ...changes.rows,
    },
    columns: [
      { key: 'part', title: '零件', value: 'name' },
      { key: 'sold', title: '销量', sum: 'sold' },
    ],
    ...(changes.chart === undefined ? {} : { chart: changes.chart }),
  };
  return lintDefinitions([
    { path: 'resources/part.json', text: JSON.stringify(PART) },
    { path: 'resources/sale.json', text: JSON.stringify(SALE) },
    { path: 'reports/1.json', text: JSON.stringify(report) },
    ...(other === undefined
      ? []
      : [{ path: 'reports/2.json', text: JSON.stringify({ ...report, ...other }) }]),
  ]).map((fault) => formatFault(fault).replace(/:\d+:\d+/, ''));
}

test.each<[string, Parameters<typeof faultsOf>[0], string]>([
  ['a default of another kind', { param: { default: 'abc' } }, '默认值不合参数：截止应为日期'],
  [
    'a default that is no option',
    { param: { type: 'text', options: { a: '甲' }, default: 'b' } },
    '默认值不合参数："b" 不是选项',
  ],
  [
    'a whole period of groups that are no days',
    { rows: { period: { date: 'made_on', from: 'as_of', to: 'as_of', complete: true } } },
    '列出整个期间的报表只按“made_on”的日、周、月、季或年分一级组',
  ],
  ['a sum tied by a reference to others', { sum: { by: 'first_id' } }, '"first_id" 不引用零件'],
  ['a sum tied by what is never equal', { sum: { by: { weight: 'made_on' } } }, '数字不能与日期比较'],
  [
    'a whole sum of what many rows have in common',
    { sum: { by: { weight: 'weight' }, whole: true } },
    '全部汇总时 "by" 应为保存本行编号的字段',
  ],
  [
    'a formula that the database cannot be asked',
    { rows: { let: { said: 'text(name)' } } },
    '函数 text 不能用于报表',
  ],
  ['a sum of texts', { sum: { sum: 'name' } }, '应为数字'],
])('%s is a load error', (_name, changes, message) => {
  expect(faultsOf(changes).join('\n')).toContain(message);
});

test('a report that is right has none', () => {
  expect(faultsOf({ param: { default: { $: 'today' } } })).toEqual([]);
});

test('a figure beside the chart names columns of the report', () => {
  const bar = { kind: 'bar', x: 'part', y: ['sold'] };
  expect(faultsOf({ chart: { ...bar, beside: { kind: 'pie', x: 'part', y: ['sold'] } } })).toEqual([]);
  const [fault = ''] = faultsOf({ chart: { ...bar, beside: { kind: 'pie', x: 'part', y: ['solt'] } } });
  expect(fault).toContain('solt');
});

test('a chart that is taken from another report is there, for whoever opens this one', () => {
  const bar = { kind: 'bar', x: 'part', y: ['sold'] };
  const other = { report: 2, title: '走势', route: '/r/trend', chart: { ...bar, kind: 'line' } };
  const withTrend = (report: number, own: object, on = 'as_of') =>
    faultsOf({ chart: { ...bar, trend: { report, on } }, other: { ...other, ...own } });
  expect(withTrend(2, {})).toEqual([]);
  expect(withTrend(3, {}).join()).toContain('没有编号为 3 的其他有图的报表');
  expect(withTrend(1, {}).join()).toContain('没有编号为 1 的其他有图的报表');
  expect(withTrend(2, { roles: ['GM'] }).join()).toContain('角色 FN 不能看报表 2');
  expect(withTrend(2, {}, 'day').join()).toContain('"day" 不是日期参数');
});
