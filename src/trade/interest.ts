import { addDays, daysBetween } from '#engine/values/dates.ts';
import { divideDecimals, multiplyDecimals, roundDecimal } from '#engine/values/decimal.ts';

/** A loan in CNY as it stands on a day (flows 2.4). Dates are calendar dates, rates fractions a day. */
export interface Loan {
  readonly principal: string;
  /** 0.0002 for 0.02 % a day. */
  readonly dailyRate: string;
  /** The day of the draw; not counted. */
  readonly start: string;
  /** The last repayment, to which interest is paid; null before the first. */
  readonly repaidOn: string | null;
  readonly due: string;
  /** How many times the rate a day after the due date costs. */
  readonly overdueMultiplier: string;
  /** Days from the start without interest. */
  readonly graceDays: number;
}

/**
 * Interest to a day, at most to the due date: principal × rate × days, half up to cents. The day of the draw is not
 * counted, the day of the repayment is.
 * @example 64,350.00 at 0.02 % for 45 days is 579.15 (T-01)
 */
export function interestDue(loan: Loan, on: string): string {
  const until = on < loan.due ? on : loan.due;
  const from = later(loan.repaidOn ?? loan.start, addDays(loan.start, loan.graceDays));
  return costOf(loan.principal, loan.dailyRate, daysBetween(from, until));
}

/**
 * Penalty of the days after the due date, in place of interest for those days.
 * @example 129,653.76 at 0.018 % × 1.5 for 10 days is 350.07 (T-06)
 */
export function penaltyDue(loan: Loan, on: string): string {
  const from = later(loan.repaidOn ?? loan.start, loan.due);
  const rate = multiplyDecimals(loan.dailyRate, loan.overdueMultiplier);
  return costOf(loan.principal, rate, daysBetween(from, on));
}

function costOf(principal: string, dailyRate: string, days: number): string {
  if (days <= 0) return '0.00';
  return roundDecimal(multiplyDecimals(multiplyDecimals(principal, dailyRate), String(days)), 2);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/**
 * Interest of supply-chain finance, by the year of 360 days: principal × annual rate / 360 × days.
 * @example 500,000.00 at 4.35 % for 90 days is 5,437.50 (T-12)
 */
export function annualInterest(principal: string, annualRate: string, days: number): string {
  if (days <= 0) return '0.00';
  const year = multiplyDecimals(multiplyDecimals(principal, annualRate), String(days));
  return roundDecimal(divideDecimals(year, '360') ?? '0', 2);
}
