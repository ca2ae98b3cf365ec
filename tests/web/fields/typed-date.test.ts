import { expect, it } from 'vitest';
import { typedDate } from '#web/fields/typed-date.ts';

const FORMATS = ['YYYY-MM-DD', 'YYYYMMDD', 'YYYY/M/D', 'YYYY年M月D日'];

it.each([
  ['2026-12-01', '2026-12-01'],
  ['２０２６-１２-０１', '2026-12-01'],
  [' 20261201 ', '2026-12-01'],
  ['2026/3/1', '2026-03-01'],
  ['2026年3月1日', '2026-03-01'],
  ['', ''],
  ['2026-02-31', null],
  ['2026-13-01', null],
  ['下周五', null],
])('%s is read as %s', (typed, date) => {
  expect(typedDate(typed, FORMATS)).toBe(date);
});
