import { expect, test } from 'vitest';
import { drawnMonths } from '#web/pages/list/overview-figures.ts';

const month = (name: string, count: number, amount: string) => ({ month: name, count, amount });

test('months without money are counted beside the drawn ones', () => {
  const rich = month('2026-07', 2, '19754.88');
  expect(drawnMonths([rich, month('2026-08', 3, '0'), month('2026-09', 1, '0.00')])).toEqual({
    drawn: [rich],
    left: 4,
  });
});

test('where no month has money all are drawn', () => {
  const months = [month('2026-08', 3, '0'), month('2026-09', 1, '0')];
  expect(drawnMonths(months)).toEqual({ drawn: months, left: 0 });
});
