import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, isDate } from '#engine/values/dates.ts';
import { addDecimals, compareDecimals } from '#engine/values/decimal.ts';
import { dayOfNextYear, deemedTax, nonRefundable, refundBase, refundOf } from '#trade/tax-refund.ts';

const cents = (most: number) => fc.integer({ min: 1, max: most }).map((n) => (n / 100).toFixed(2));
const days = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('the refund of a line', () => {
  it.each([
    ['80000.00', '0.09', '7200.00', '3200.00'],
    ['80000.00', '0.13', '10400.00', '0.00'],
    ['550000.00', '0.13', '71500.00', '0.00'],
    ['500000.00', '0.09', '45000.00', '20000.00'],
    ['0.05', '0.13', '0.01', '0.00'],
  ])('of %s at %s of 13 %% is %s, %s goes to cost', (net, refundRate, refund, cost) => {
    const line = { net, refundRate, vatRate: '0.13' };
    expect([refundOf(line), nonRefundable(line)]).toEqual([refund, cost]);
  });

  it('is never more than the tax, whatever the rates', () => {
    fc.assert(
      fc.property(cents(1e9), fc.integer({ min: 0, max: 20 }), (net, rate) => {
        const line = { net, refundRate: (rate / 100).toFixed(2), vatRate: '0.13' };
        const tax = refundOf({ ...line, refundRate: '0.13' });
        expect(compareDecimals(refundOf(line), tax)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the base of parts', () => {
  it.each([
    ['100.00', '1', '3', '33.33'],
    ['100.00', '2', '3', '66.66'],
    ['100.00', '3', '3', '100.00'],
    ['100.00', '3.0000', '3', '100.00'],
  ])('of %s for %s of %s is %s', (net, part, whole, base) => {
    expect(refundBase(net, part, whole)).toBe(base);
  });

  it('never comes to more than the whole', () => {
    fc.assert(
      fc.property(
        cents(1e9),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 1e6 }),
        (net, a, b) => {
          const whole = String(a + b);
          const both = addDecimals(refundBase(net, String(a), whole), refundBase(net, String(b), whole));
          expect(compareDecimals(both, net)).toBeLessThanOrEqual(0);
        },
      ),
    );
  });
});

describe('deadlines', () => {
  it.each([
    ['2026-02-10', '04-30', '2027-04-30'],
    ['2026-12-31', '04-30', '2027-04-30'],
    ['2027-02-28', '02-29', '2028-02-29'],
    ['2026-02-10', '02-29', '2027-02-28'],
    ['2026-02-10', '02-30', null],
    ['2026-02-10', '13-01', null],
  ])('of %s by %s is %s', (date, monthDay, day) => {
    expect(dayOfNextYear(date, monthDay)).toBe(day);
  });

  it.each([
    ['2026-02-10', '2029-02-10'],
    ['2024-02-29', '2027-02-28'],
    ['2025-02-28', '2028-02-28'],
    ['2024-08-31', '2027-08-31'],
  ])('of 36 months after %s is %s', (date, day) => {
    expect(addMonths(date, 36)).toBe(day);
  });

  it('are days of the calendar in the year after', () => {
    fc.assert(
      fc.property(days, days, (date, other) => {
        const day = dayOfNextYear(date, other.slice(5));
        expect([isDate(day), day?.slice(0, 4)]).toEqual([true, String(Number(date.slice(0, 4)) + 1)]);
      }),
    );
  });
});

it('a sale deemed domestic is taxed on what FOB holds of it (T-18)', () => {
  expect(deemedTax('620000.00', '0.13')).toBe('71327.43');
});
