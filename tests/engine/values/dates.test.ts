import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  companyTime,
  companyToday,
  daysBetween,
  isDate,
  isDatetime,
  isoWeek,
  yearOf,
} from '#engine/values/dates.ts';

const days = fc.date({ min: new Date('1901-01-01'), max: new Date('2900-01-01'), noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)); // prettier-ignore

const monthsOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

describe('dates', () => {
  it('are real days of the calendar', () => {
    for (const text of ['2026-11-20', '2024-02-29', '1900-01-01']) expect(isDate(text)).toBe(true);
    for (const text of [
      '2026-02-29',
      '2026-13-01',
      '2026-1-1',
      '0026-01-01',
      '2026-11-20T00:00:00Z',
      '',
      null,
      20261120,
    ])
      expect(isDate(text)).toBe(false);
  });

  it('come back after adding and taking away the same days', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -30_000, max: 30_000 }), (day, count) => {
        expect(daysBetween(day, addDays(day, count))).toBe(count);
        expect(addDays(addDays(day, count), -count)).toBe(day);
      }),
    );
  });

  it('have the same day in another month, or its last', () => {
    expect(addMonths('2026-11-21', 12)).toBe('2027-11-21');
    expect(addMonths('2027-03-01', 12)).toBe('2028-03-01');
    expect(addMonths('2028-02-29', 12)).toBe('2029-02-28');
    expect(addMonths('2028-02-29', 48)).toBe('2032-02-29');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
    fc.assert(
      fc.property(days, fc.integer({ min: -600, max: 600 }), (day, count) => {
        const moved = addMonths(day, count);
        fc.pre(moved > '1900');
        expect(isDate(moved)).toBe(true);
        expect(monthsOf(moved) - monthsOf(day)).toBe(count);
        const isLast = addDays(moved, 1).endsWith('-01');
        expect(moved.slice(8) === day.slice(8) || (isLast && moved.slice(8) < day.slice(8))).toBe(true);
      }),
    );
  });

  it('turn at midnight in Shanghai', () => {
    expect(companyToday(new Date('2026-11-20T15:59:59.999Z'))).toBe('2026-11-20');
    expect(companyToday(new Date('2026-11-20T16:00:00.000Z'))).toBe('2026-11-21');
    expect(companyTime('2026-11-20T06:05:00.000Z')).toBe('2026-11-20 14:05');
    expect(companyTime('unknown')).toBe('unknown');
  });

  it('belong to the ISO week and year of their Thursday', () => {
    expect(isoWeek('2026-01-01')).toEqual({ year: 2026, week: 1 });
    expect(isoWeek('2027-01-01')).toEqual({ year: 2026, week: 53 });
    expect(isoWeek('2024-12-30')).toEqual({ year: 2025, week: 1 });
    expect(yearOf('2027-01-01')).toBe(2027);
  });
});

describe('instants', () => {
  it('have a zone that exists', () => {
    for (const text of ['2026-11-20T06:05:00Z', '2026-11-20T06:05Z', '2026-11-20T14:05:00.123456+08:00'])
      expect(isDatetime(text)).toBe(true);
    for (const text of [
      '2026-11-20',
      '2026-11-20T06:05:00',
      '2026-11-20 06:05:00Z',
      '2026-02-30T00:00:00Z',
      '2026-11-20T25:00:00Z',
      '2026-11-20T00:00:00+23:00',
    ])
      expect(isDatetime(text)).toBe(false);
  });
});
