import { describe, expect, it } from 'vitest';
import { addWorkingHours } from '#engine/values/workdays.ts';

describe('addWorkingHours', () => {
  it.each([
    ['within a week', '2026-11-18T07:00:00.000Z', 24, '2026-11-19T07:00:00.000Z'],
    ['a part of a day', '2026-11-18T07:00:00.000Z', 8, '2026-11-18T15:00:00.000Z'],
    ['over a weekend', '2026-11-20T07:00:00.000Z', 24, '2026-11-23T07:00:00.000Z'],
    ['from a weekend: Monday is the first day', '2026-11-21T07:00:00.000Z', 24, '2026-11-23T16:00:00.000Z'],
    [
      'late in the evening, when UTC is a day behind',
      '2026-11-19T17:30:00.000Z',
      48,
      '2026-11-23T17:30:00.000Z',
    ],
  ])('%s', (_, from, hours, to) => {
    expect(addWorkingHours(from, hours)).toBe(to);
  });

  it('leaves holidays out and counts working days moved to a weekend', () => {
    const workdays = { '2026-10-01': 'rest', '2026-10-02': 'rest', '2026-10-04': 'work' } as const;
    expect(addWorkingHours('2026-09-30T02:00:00.000Z', 24, workdays)).toBe('2026-10-04T02:00:00.000Z');
  });
});
