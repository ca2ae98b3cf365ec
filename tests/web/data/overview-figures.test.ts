import { describe, expect, it } from 'vitest';
import { calendarMonths, completenessOf, dueMonths } from '../../../src/web/pages/list/overview-figures.ts';

const OVERVIEW = {
  dates: ['deadline', 'final'],
  amount: 'left',
  month: 'sailed',
  steps: { 发票: 'invoiced', 收汇: 'isPaid', 申报: 'declared' },
};
const RECORDS = [
  { id: 'a', deadline: '2027-04-30', final: '2028-02-29', left: '0.10', sailed: '2026-02-10', invoiced: '100.0000', isPaid: true, declared: '2026-03-01' }, // prettier-ignore
  { id: 'b', deadline: '2026-04-30', final: '2028-02-29', left: '0.20', sailed: '2026-02-28', invoiced: '0.0000', isPaid: false, declared: null }, // prettier-ignore
  { id: 'c', deadline: null, final: null, left: null, sailed: null, invoiced: 0, isPaid: null, declared: '' }, // prettier-ignore
];

describe('what stands above a list', () => {
  it('adds up money by its month, to the cent', () => {
    expect(dueMonths(OVERVIEW, RECORDS)).toEqual([{ month: '2026-02', count: 2, amount: '0.3' }]);
  });

  it('tells of each record what is there and the next of its days, the most urgent first', () => {
    const told = completenessOf(OVERVIEW, RECORDS, '2026-11-22');
    expect(
      told.map(({ record, steps, due }) => [record['id'], steps.map(({ isDone }) => isDone), due]),
    ).toEqual([
      ['a', [true, true, true], '2027-04-30'],
      ['b', [false, false, false], '2028-02-29'],
      ['c', [false, false, false], null],
    ]);
  });

  it('counts what is past as overdue until it is done, and waits for no day of what is done', () => {
    const told = completenessOf({ ...OVERVIEW, done: 'declared' }, RECORDS, '2026-11-22');
    expect(told.map(({ record, due, daysLeft }) => [record['id'], due, daysLeft])).toEqual([
      ['b', '2026-04-30', -206],
      ['a', null, null],
      ['c', null, null],
    ]);
    const months = calendarMonths({ ...OVERVIEW, done: 'declared' }, RECORDS, {
      today: '2026-11-22',
      most: 3,
    });
    expect(months.map(({ month }) => month)).toEqual(['2026-04', '2028-02']);
  });

  it('draws the months of the deadlines as weeks from Monday, leap days too, and the last month that is past', () => {
    const months = calendarMonths(OVERVIEW, RECORDS, { today: '2026-11-22', most: 3 });
    expect(months.map(({ month }) => month)).toEqual(['2026-04', '2027-04', '2028-02']);
    const [past, , leap] = months;
    expect(past?.weeks[0]?.map((day) => day?.date ?? null).slice(0, 3)).toEqual([null, null, '2026-04-01']);
    expect(leap?.weeks.every((week) => week.length === 7)).toBe(true);
    expect(leap?.weeks.flat().find((day) => day?.date === '2028-02-29')?.marks).toEqual([
      { name: 'final', count: 2 },
    ]);
  });
});
