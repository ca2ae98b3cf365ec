import {
  addDecimals,
  compareDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '#engine/values/decimal.ts';
import { interestDue, type Loan, penaltyDue } from './interest.ts';

/** A row of what was repaid. One that undoes another has its day and the same amounts below zero. */
export interface Repayment {
  readonly date: string;
  readonly principal: string;
  readonly interest: string;
  readonly penalty: string;
  /** The day on which the loan fell due when the row was written: an extension that came later changes nothing of it. */
  readonly due: string;
}

/** A loan in CNY from its draw on: `principal` is what was drawn. */
export type DrawnLoan = Omit<Loan, 'repaidOn'> & { readonly repayments: readonly Repayment[] };

/** Amounts in CNY to the cent. */
export interface Owed {
  readonly principal: string;
  readonly interest: string;
  readonly penalty: string;
}

/**
 * What is owed on a day (flows 2.4). Interest and penalty run from one repayment of principal to the next; a row that
 * repaid none moves no date, what it paid is taken off what has run up, so that nothing is lost and no interest bears
 * interest. What was paid as penalty of days that an extension made ordinary counts as interest of them.
 * @example T-06: 227,200.00 of which 97,546.24 was repaid on day 60 owes 700.13 and 350.07 on day 100
 */
export function owedOn(loan: DrawnLoan, on: string): Owed {
  const stretches = stretchesOf(loan, on);
  const interest = sumDecimals(stretches.map((stretch) => interestDue(stretch, stretch.until)));
  const penalty = sumDecimals(stretches.map((stretch) => penaltyDue(stretch, stretch.until)));
  const openPenalty = subtractDecimals(penalty, sumDecimals(loan.repayments.map((row) => row.penalty)));
  const openInterest = subtractDecimals(interest, sumDecimals(loan.repayments.map((row) => row.interest)));
  const spare = compareDecimals(openPenalty, '0') < 0 ? openPenalty : '0';
  return {
    principal: cents(
      subtractDecimals(loan.principal, sumDecimals(loan.repayments.map((row) => row.principal))),
    ),
    interest: floored(addDecimals(openInterest, spare)),
    penalty: floored(openPenalty),
  };
}

/** What ends the loan on a day: penalty, interest and principal. */
export function payOff(loan: DrawnLoan, on: string): string {
  const { principal, interest, penalty } = owedOn(loan, on);
  return cents(sumDecimals([principal, interest, penalty]));
}

/**
 * How money that is given divides: penalty first, then interest, the rest is principal, also beyond what is left of it.
 * @example 100,000.00 on day 60 of T-06: interest 2,453.76, principal 97,546.24
 */
export function divideRepayment(loan: DrawnLoan, given: string, on: string): Owed {
  const owed = owedOn(loan, on);
  const penalty = smaller(given, owed.penalty);
  const interest = smaller(subtractDecimals(given, penalty), owed.interest);
  return {
    penalty,
    interest,
    principal: cents(subtractDecimals(subtractDecimals(given, penalty), interest)),
  };
}

/** A time in which the principal stood still. */
type Stretch = Loan & { readonly until: string };

function stretchesOf({ repayments, ...loan }: DrawnLoan, on: string): readonly Stretch[] {
  const days = [...new Set(repayments.map(({ date }) => date))].toSorted();
  const stretches: Stretch[] = [];
  let [principal, repaidOn]: [string, string | null] = [loan.principal, null];
  for (const date of days) {
    const rows = repayments.filter((row) => row.date === date);
    const repaid = sumDecimals(rows.map((row) => row.principal));
    if (compareDecimals(repaid, '0') === 0) continue;
    const due = rows.findLast((row) => compareDecimals(row.principal, '0') > 0)?.due ?? loan.due;
    stretches.push({ ...loan, due, principal, repaidOn, until: date });
    principal = subtractDecimals(principal, repaid);
    repaidOn = date;
  }
  stretches.push({ ...loan, principal, repaidOn, until: repaidOn !== null && repaidOn > on ? repaidOn : on });
  return stretches;
}

function smaller(a: string, b: string): string {
  return cents(compareDecimals(a, b) < 0 ? a : b);
}

function floored(amount: string): string {
  return compareDecimals(amount, '0') < 0 ? '0.00' : cents(amount);
}

function cents(amount: string): string {
  return roundDecimal(amount, 2);
}
