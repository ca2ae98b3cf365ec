import { describe, expect, it } from 'vitest';
import { writtenDay } from '#engine/values/written-day.ts';
import {
  elementNames,
  type KnownVersion,
  missingColumns,
  planVersions,
  readLibrary,
} from '#trade/hs-library.ts';

const unitOf = (text: string): string | null => (text === '千克' ? '035' : null);
const row = (code: string, from: string, refund: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ 商品代码: code, 商品名称: '阀门', 计量单位: '千克', 征税率: '13', 退税率: refund },
  ...{ 起始日期: from, 截止日期: '', ...more },
});
const known = (from: string, to: string | null, refundRate: string, code = '8481804090'): KnownVersion => ({
  ...{
    id: `${code} ${from}`,
    code,
    name: '阀门',
    unit: '035',
    vatRate: '13',
    refundRate,
    mark: null,
    from,
    to,
  },
});
const planned = (stored: readonly KnownVersion[], rows: readonly ReturnType<typeof row>[]) =>
  planVersions(stored, readLibrary(rows, unitOf).versions).map(({ before, after }) => [
    before?.from ?? null,
    after.from,
    after.to,
    after.refundRate,
  ]);

describe('a line of the refund-rate library', () => {
  it.each([
    [{ 商品代码: '848180409' }, '编码应为8位或10位数字'],
    [{ 起始日期: '20260230' }, '起始日期“20260230”不是日期'],
    [{ 起始日期: '' }, '起始日期“”不是日期'],
    [{ 截止日期: '2025-13-01' }, '截止日期“2025-13-01”不是日期'],
    [{ 截止日期: '20231231' }, '截止日期早于起始日期'],
    [{ 征税率: '17' }, '征税率应为0、6、9或13'],
    [{ 退税率: '十三' }, '退税率“十三”不是税率'],
    [{ 退税率: '16' }, '退税率高于征税率'],
    [{ 计量单位: '箱子' }, '没有计量单位“箱子”'],
    [{ 商品名称: ' ' }, '商品名称应有1至200字'],
  ])('with %j is left out: %s', (more, message) => {
    const { versions, faults } = readLibrary([row('8481804090', '20240101', '13', more)], unitOf);
    expect([versions, faults.map((fault) => [fault.line, fault.message])]).toEqual([[], [[2, message]]]);
  });

  it.each([
    ['13', '13'],
    ['13%', '13'],
    ['0.13', '13'],
    ['0', '0'],
    ['9.00', '9'],
    ['10', '10'],
  ])('says a rate as %s', (text, rate) => {
    const { versions } = readLibrary([row('84818040', '2024/1/1', text)], unitOf);
    expect(versions[0]?.refundRate).toBe(rate);
  });

  it('said twice in the same words counts once, in other words not at all', () => {
    const rows = [row('84818040', '20240101', '13'), row('84818040', '2024-01-01', '13.0'), row('73079100', '20240101', '13'), row('73079100', '20240101', '9')]; // prettier-ignore
    const { versions, faults } = readLibrary(rows, unitOf);
    expect([versions.map(({ code }) => code), faults.map(({ line }) => line)]).toEqual([
      ['84818040'],
      [4, 5],
    ]);
  });

  it('that reaches into the next one of its code is left out, an open one ends where the next begins', () => {
    const rows = [row('84818040', '20240101', '13'), row('84818040', '20241201', '9'), row('73079100', '20240101', '13', { 截止日期: '20250101' }), row('73079100', '20241201', '9')]; // prettier-ignore
    const { versions, faults } = readLibrary(rows, unitOf);
    expect(versions.map(({ code, to }) => [code, to])).toEqual([['84818040', '2024-11-30'], ['73079100', '2025-01-01'], ['84818040', null]]); // prettier-ignore
    expect(faults).toMatchObject([{ line: 5, message: '有效期与文库中该编码的另一行重叠' }]);
  });
});

describe('the versions of a code', () => {
  it('end the day before a new rate begins (T-05)', () => {
    expect(planned([known('2020-01-01', null, '13')], [row('8481804090', '20241201', '9')])).toEqual([
      ['2020-01-01', '2020-01-01', '2024-11-30', '13'],
      [null, '2024-12-01', null, '9'],
    ]);
  });

  it('are left alone where they say it already, and corrected where they do not', () => {
    const stored = [known('2020-01-01', '2024-11-30', '13'), known('2024-12-01', null, '10')];
    const rows = [row('8481804090', '20200101', '13', { 截止日期: '20241130' }), row('8481804090', '20241201', '9', { 截止日期: '99991231' })]; // prettier-ignore
    expect(planned(stored, rows)).toEqual([['2024-12-01', '2024-12-01', null, '9']]);
  });

  it('get one more for the days before the first of them', () => {
    expect(planned([known('2025-01-01', null, '9')], [row('8481804090', '20240101', '9')])).toEqual([
      [null, '2024-01-01', '2024-12-31', '9'],
    ]);
  });

  it('follow all lines of a code together, not each as if it were alone', () => {
    const rows = [row('8481804090', '20240101', '10', { 截止日期: '20241130' }), row('8481804090', '20241201', '9')]; // prettier-ignore
    expect(planned([known('2020-01-01', null, '13')], rows)).toEqual([
      ['2020-01-01', '2020-01-01', '2023-12-31', '13'],
      [null, '2024-01-01', '2024-11-30', '10'],
      [null, '2024-12-01', null, '9'],
    ]);
  });

  it('of a whole library of 13,000 lines are planned at once, and a second time there is nothing to do', () => {
    const rows = Array.from({ length: 13_000 }, (_, place) =>
      row(String(84_000_000 + place), '20240101', '13'),
    );
    const { versions } = readLibrary(rows, unitOf);
    const changes = planVersions([], versions);
    expect(changes).toHaveLength(13_000);
    const stored = changes.map(({ after }) => ({ ...after, id: after.code }));
    expect(planVersions(stored, versions)).toEqual([]);
  });
});

it('days are read as libraries write them', () => {
  const days = ['20241201', '2024-12-1', '2024/12/01', '2024年12月1日'];
  expect(days.map(writtenDay)).toEqual(days.map(() => '2024-12-01'));
  const others = ['2023-02-29', '1201', '', '2024-12', '202412', '2024/1101'];
  expect(others.map(writtenDay)).toEqual(others.map(() => null));
});

it('elements lose the numbers that customs give them', () => {
  expect(elementNames('1:品名;2:品牌类型；3、出口享惠情况')).toBe('品名;品牌类型;出口享惠情况');
});

it('a file without the columns of a library is none', () => {
  expect(missingColumns(['商品代码', '商品名称', '退税率', '起始日期'])).toEqual(['征税率']);
});
