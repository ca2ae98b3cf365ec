import { expect, it } from 'vitest';
import { endOf, keepPages } from '#web/app/page-end.ts';

it('a page ends when its tab is closed or refreshed, and not before', () => {
  const [report, list] = [
    { id: '/tjbb/yszl', refreshKey: 0 },
    { id: '/customer/buyer', refreshKey: 2 },
  ];
  const ends = [endOf(report), endOf(list)];
  expect(endOf({ ...report })).toBe(ends[0]);
  keepPages([report, list]);
  expect(ends.map(({ aborted }) => aborted)).toEqual([false, false]);
  keepPages([{ ...report, refreshKey: 1 }, list]);
  expect(ends.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(endOf(report).aborted).toBe(false);
  keepPages([]);
  expect(ends.map(({ aborted }) => aborted)).toEqual([true, true]);
});
