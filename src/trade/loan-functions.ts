import type { FormulaFunction, Value } from '#engine/expression/formula-function.ts';
import type { ValueType } from '#engine/expression/value-type.ts';
import { daysBetween, isDate } from '#engine/values/dates.ts';
import { isPlainDecimal } from '#engine/values/decimal.ts';
import { annualInterest } from './interest.ts';
import { divideRepayment, type DrawnLoan, owedOn, payOff, type Repayment } from './loan-history.ts';

const CNY: ValueType = { kind: 'money', currency: 'CNY' };
/** Drawn, daily rate, start, due, the day asked for, overdue multiplier, days of grace; then the columns of the repayments. */
const LOAN = ['number', 'number', 'date', 'date', 'date', 'number', 'number', '[date]', '[number]', '[number]', '[number]', '[date]'] as const; // prettier-ignore
const OVERDUE_MULTIPLIER = '1.5';
const MOST_GRACE_DAYS = 36_500;

/**
 * The arithmetic of loans in formulas: `interest_due(amount_cny, daily_rate, start_date, due_date, today, overdue_multiplier,
 * grace_days, repayments.repay_date, repayments.principal, repayments.interest, repayments.penalty, repayments.due_date)`,
 * alike `penalty_due` and `pay_off`; `repaid_interest(given, ...)` and `repaid_penalty(given, ...)` are the parts of money
 * that is given. Nothing comes of a loan that is not drawn.
 */
export const LOAN_FUNCTIONS = {
  interest_due: loanFunction('应付利息', (loan, on) => owedOn(loan, on).interest),
  penalty_due: loanFunction('应付罚息', (loan, on) => owedOn(loan, on).penalty),
  pay_off: loanFunction('结清金额', payOff),
  repaid_interest: repaymentFunction('还款中的利息', 'interest'),
  repaid_penalty: repaymentFunction('还款中的罚息', 'penalty'),
  /** `annual_interest(principal, annual_rate, from, to)`. */
  annual_interest: {
    title: '按年利率计息',
    params: ['number', 'number', 'date', 'date'],
    result: CNY,
    evaluate: ([principal, rate, from, to]) =>
      isPlainDecimal(principal) && isPlainDecimal(rate) && isDate(from) && isDate(to)
        ? annualInterest(principal, rate, daysBetween(from, to))
        : null,
  },
} as const satisfies Record<string, FormulaFunction>;

function loanFunction(title: string, apply: (loan: DrawnLoan, on: string) => string): FormulaFunction {
  return {
    title,
    params: LOAN,
    result: CNY,
    evaluate: (args) => {
      const read = readLoan(args);
      return read === null ? null : apply(read.loan, read.on);
    },
  };
}

function repaymentFunction(title: string, part: 'interest' | 'penalty'): FormulaFunction {
  return {
    title,
    params: ['number', ...LOAN],
    result: CNY,
    evaluate: ([given, ...args]) => {
      const read = readLoan(args);
      return read === null || !isPlainDecimal(given)
        ? null
        : divideRepayment(read.loan, given, read.on)[part];
    },
  };
}

function readLoan(args: readonly Value[]): { readonly loan: DrawnLoan; readonly on: string } | null {
  const [principal, dailyRate, start, due, on, multiplier, grace, ...columns] = args;
  if (!isPlainDecimal(principal) || !isPlainDecimal(dailyRate)) return null;
  if (!isDate(start) || !isDate(due) || !isDate(on)) return null;
  return {
    on,
    loan: {
      principal,
      dailyRate,
      start,
      due,
      overdueMultiplier: isPlainDecimal(multiplier) ? multiplier : OVERDUE_MULTIPLIER,
      graceDays: isPlainDecimal(grace) ? Math.min(MOST_GRACE_DAYS, Math.trunc(Number(grace))) : 0,
      repayments: readRepayments(columns, due),
    },
  };
}

function readRepayments(columns: readonly Value[], due: string): readonly Repayment[] {
  const [dates = [], principals = [], interests = [], penalties = [], dues = []] = columns.map((column) =>
    Array.isArray(column) ? column : [],
  );
  return dates.flatMap((date: Value, line): readonly Repayment[] => {
    const dueThen = dues[line];
    if (!isDate(date)) return [];
    return [
      {
        date,
        principal: decimalAt(principals, line),
        interest: decimalAt(interests, line),
        penalty: decimalAt(penalties, line),
        due: isDate(dueThen) ? dueThen : due,
      },
    ];
  });
}

function decimalAt(column: readonly Value[], line: number): string {
  const value = column[line];
  return isPlainDecimal(value) ? value : '0';
}
