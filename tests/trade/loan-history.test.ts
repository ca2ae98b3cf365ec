import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '#engine/values/dates.ts';
import { addDecimals, compareDecimals, subtractDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { divideRepayment, type DrawnLoan, owedOn, payOff, type Repayment } from '#trade/loan-history.ts';

const START = '2025-01-01';
/** T-06: due on day 90. */
const LOAN: DrawnLoan = {
  principal: '227200.00',
  dailyRate: '0.00018',
  start: START,
  due: '2025-04-01',
  overdueMultiplier: '1.5',
  graceDays: 0,
  repayments: [],
};
const day = (number: number): string => addDays(START, number);

/** The loan after money was given on a day. */
function repaid(loan: DrawnLoan, given: string, on: string): DrawnLoan {
  const row: Repayment = { date: on, due: loan.due, ...divideRepayment(loan, given, on) };
  return { ...loan, repayments: [...loan.repayments, row] };
}

describe('a loan', () => {
  it('of T-06 is repaid in part, falls due and is paid off ten days late', () => {
    const after = repaid(LOAN, '100000.00', day(60));
    expect(after.repayments[0]).toMatchObject({
      interest: '2453.76',
      principal: '97546.24',
      penalty: '0.00',
    });
    expect(owedOn(after, day(90))).toEqual({ principal: '129653.76', interest: '700.13', penalty: '0.00' });
    expect(owedOn(after, day(100))).toEqual({
      principal: '129653.76',
      interest: '700.13',
      penalty: '350.07',
    });
    expect(payOff(after, day(100))).toBe('130703.96');
  });

  it.each([
    [30, 60, '1226.88'],
    [90, 60, '0.00'],
    [30, 30, '0.00'],
    [30, 31, '40.90'],
  ])('with %i days of grace owes on day %i %s', (graceDays, on, interest) => {
    expect(owedOn({ ...LOAN, graceDays }, day(on)).interest).toBe(interest);
  });

  it('loses nothing of a repayment below the interest, and takes no interest on interest', () => {
    const little = repaid(LOAN, '1000.00', day(60));
    expect(little.repayments[0]).toMatchObject({ interest: '1000.00', principal: '0.00' });
    expect(owedOn(little, day(90)).interest).toBe(
      subtractDecimals(owedOn(LOAN, day(90)).interest, '1000.00'),
    );
  });

  it('of which days become ordinary by an extension counts what was paid as penalty as interest', () => {
    const late = repaid(LOAN, '500.00', day(100));
    expect(late.repayments[0]).toMatchObject({ penalty: '500.00', interest: '0.00' });
    const extended = { ...late, due: day(150) };
    expect(owedOn(extended, day(100))).toMatchObject({ penalty: '0.00', interest: '3589.60' });
    // What principal was repaid late stays as it was reckoned.
    const settled = repaid(LOAN, '100000.00', day(100));
    expect(owedOn({ ...settled, due: day(150) }, day(100))).toMatchObject({
      interest: '0.00',
      penalty: '0.00',
    });
  });

  const cents = fc.integer({ min: 1, max: 9_000_000 }).map((amount) => (amount / 100).toFixed(2));
  const steps = fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 40 })), { maxLength: 6 });
  const story = (given: readonly (readonly [string, number])[]): readonly [DrawnLoan, number] => {
    let [loan, on]: [DrawnLoan, number] = [LOAN, 0];
    for (const [amount, days] of given) {
      on += days;
      if (compareDecimals(amount, payOff(loan, day(on))) <= 0) loan = repaid(loan, amount, day(on));
    }
    return [loan, on];
  };

  it('whatever is repaid adds up to the principal and never goes below zero', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const [loan, on] = story(given);
        const owed = owedOn(loan, day(on + 20));
        expect(compareDecimals(sumDecimals([owed.principal, ...loan.repayments.map(({ principal }) => principal)]), '227200')).toBe(0); // prettier-ignore
        for (const part of Object.values(owed)) expect(compareDecimals(part, '0')).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('costs no less as days pass', () => {
    fc.assert(
      fc.property(steps, fc.nat(100), fc.nat(100), (given, first, more) => {
        const [loan, on] = story(given);
        const [early, late] = [payOff(loan, day(on + first)), payOff(loan, day(on + first + more))];
        expect(compareDecimals(early, late)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('stands after an undone repayment as if it had never been', () => {
    fc.assert(
      fc.property(steps, cents, fc.integer({ min: 0, max: 120 }), (given, amount, later) => {
        const [loan, on] = story(given);
        fc.pre(compareDecimals(amount, payOff(loan, day(on))) <= 0);
        const once = repaid(loan, amount, day(on));
        const row = once.repayments.at(-1);
        if (row === undefined) throw new Error('nothing was repaid');
        const negative = (value: string): string => subtractDecimals('0', value);
        const mirror = { ...row, principal: negative(row.principal), interest: negative(row.interest), penalty: negative(row.penalty) }; // prettier-ignore
        const undone = { ...once, repayments: [...once.repayments, mirror] };
        expect(owedOn(undone, day(on + later))).toEqual(owedOn(loan, day(on + later)));
        expect(addDecimals(payOff(undone, day(on)), '0')).toBe(addDecimals(payOff(loan, day(on)), '0'));
      }),
    );
  });
});
