import { expect, it } from 'vitest';
import type { Resource } from '#engine/schema/resource.ts';
import { listPoints } from '#web/pages/list/list-points.ts';

const resource = { fields: { planned: { title: '计划' } } } as unknown as Resource;
const CHART = { kind: 'bar', by: 'week', amounts: ['planned'], per: 'direction' } as const;
const row = (week: string, direction: string, planned: string) => ({
  ...{ week, direction, planned },
  _labels: { direction: direction === 'in' ? '收入' : '支出' },
});

it('sums the rows of each value, each part for itself, the last value on the right', () => {
  const rows = [row('2026-02', 'out', '0.10'), row('2026-02', 'out', '0.20'), row('2026-01', 'in', '5')];
  expect(listPoints(resource, CHART, { rows, isCut: false })).toEqual({
    names: ['2026-01', '2026-02'],
    series: [
      { title: '收入计划', isShare: false, values: [5, null] },
      { title: '支出计划', isShare: false, values: [null, 0.3] },
    ],
  });
  // Where rows are left out, those of the earliest value may be among them.
  expect(listPoints(resource, CHART, { rows, isCut: true }).names).toEqual(['2026-02']);
});
