import { describe, expect, it } from 'vitest';
import { partsOf, withEmptyParts } from '#engine/report/complete-period.ts';
import { planReport } from '#engine/report/plan-report.ts';
import { finishReport } from '#engine/report/finish-report.ts';
import type { CalendarPart, ReportDefinition } from '#engine/report/report-definition.ts';
import type { RawRow } from '#engine/report/report-rows.ts';

describe('the parts of a stretch of days', () => {
  it.each<[CalendarPart, string, string, readonly string[]]>([
    ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['week', '2026-12-27', '2027-01-04', ['2026-12-21', '2026-12-28', '2027-01-04']],
    ['month', '2025-12-31', '2026-02-01', ['2025-12', '2026-01', '2026-02']],
    ['quarter', '2026-09-30', '2027-01-01', ['2026-Q3', '2026-Q4', '2027-Q1']],
    ['year', '2025-12-31', '2026-01-01', ['2025', '2026']],
    ['month', '2026-02-01', '2026-01-31', []],
    ['day', '1900-01-01', '2999-12-31', []],
  ])('%s from %s to %s', (calendar, from, to, parts) => {
    expect(partsOf(calendar, { from, to })).toEqual(parts);
  });
});

describe('a report that lists its whole period', () => {
  const report: ReportDefinition = {
    report: 1,
    title: '资金曲线',
    route: '/r/curve',
    roles: ['FN'],
    params: { from: { type: 'date', title: '自' }, to: { type: 'date', title: '至' } },
    rows: {
      from: 'receipt',
      let: { month: { of: 'value_date', calendar: 'month' } },
      by: ['month'],
      period: { date: 'value_date', from: 'from', to: 'to', complete: true },
    },
    columns: [
      { key: 'month', title: '月份', value: 'month' },
      { key: 'got', title: '收款', sum: 'amount' },
      { key: 'running', title: '余额', running: 'got' },
    ],
    sort: ['month'],
  };
  const raw = (month: string, got: string): RawRow => ({
    level: 1,
    keys: [month],
    shown: [month],
    id: null,
    source: null,
    currency: null,
    isByCurrency: false,
    figures: [got],
    count: 2,
  });
  const known = [raw('2026-03', '5.25'), raw('2026-01', '1.5')];
  const values = { from: '2025-12-15', to: '2026-04-01' };
  const linesOf = (changed: ReportDefinition) => {
    const { plan } = planReport(changed, values, () => false);
    const context = { today: '2026-04-01', now: '2026-04-01T00:00:00Z' } as never;
    const labelOf = (_: number, value: unknown): string => String(value);
    const { rows } = finishReport(plan, withEmptyParts(plan, known), { context, labelOf });
    return rows.map(({ cells, count }) => [cells['month'], cells['got'], cells['running'], count]);
  };

  it('has lines without rows where there are none, in the order of its lines', () => {
    expect(linesOf(report)).toEqual([
      ['2025-12', null, '0', 0],
      ['2026-01', '1.5', '1.5', 2],
      ['2026-02', null, '1.5', 0],
      ['2026-03', '5.25', '6.75', 2],
      ['2026-04', null, '6.75', 0],
    ]);
  });

  it('has those with rows alone unless it says so', () => {
    const rows = { ...report.rows, period: { date: 'value_date', from: 'from', to: 'to' } };
    expect(linesOf({ ...report, rows }).map(([month]) => month)).toEqual(['2026-01', '2026-03']);
  });

  it.each([
    ['100', '150', '0.5'],
    ['-100', '50', '1.5'],
    ['-100', '-200', '-1'],
    ['0', '50', null],
  ])('grows from %s to %s by %s', (before, now, growth) => {
    const grown: ReportDefinition = {
      ...report,
      rows: { ...report.rows, period: { date: 'value_date', from: 'from', to: 'to' } },
      columns: [...report.columns, { key: 'growth', title: '环比', of: 'got', compare: 'previous' }],
    };
    const { plan } = planReport(grown, { from: '2026-02-01', to: '2026-02-28' }, () => false);
    const context = { today: '2026-04-01', now: '2026-04-01T00:00:00Z' } as never;
    const labelOf = (_: number, value: unknown): string => String(value);
    // What is compared is read as a figure of its own.
    const months = [raw('2026-01', before), raw('2026-02', now)].map((row) => ({
      ...row,
      figures: [...row.figures, ...row.figures],
    }));
    const { rows } = finishReport(plan, months, { context, labelOf });
    expect(rows.map(({ cells }) => [cells['month'], cells['growth']])).toEqual([['2026-02', growth]]);
  });
});
