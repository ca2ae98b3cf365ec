import {
  addDays,
  addMonths,
  companyToday,
  daysBetween,
  isDate,
  isDatetime,
  monthOf,
  yearOf,
} from '../../values/dates.ts';
import { divideDecimals, isPlainDecimal, roundDecimal } from '../../values/decimal.ts';
import { addWorkdays } from '../../values/workdays.ts';
import type { FormulaFunction, Value } from '../formula-function.ts';
import { DATE, DATETIME, INTEGER, NUMBER } from '../value-type.ts';

/** Calendar dates of the company's clock. */
export const DATE_FUNCTIONS = {
  /** The moment of the write. */
  now: { title: '现在', params: [], result: DATETIME, evaluate: (_, { context }) => context.now },
  today: { title: '今天', params: [], result: DATE, evaluate: (_, { context }) => context.today },
  days: {
    title: '相隔天数',
    params: ['date', 'date'],
    result: INTEGER,
    evaluate: ([from, to]) => (isDate(from) && isDate(to) ? String(daysBetween(from, to)) : null),
  },
  /** Between two moments, to a tenth. */
  hours: {
    title: '相隔小时',
    params: ['datetime', 'datetime'],
    result: NUMBER,
    evaluate: ([from, to]) => hoursBetween(from, to),
  },
  /** The day of a moment by the company's clock. */
  dayOf: {
    title: '日期',
    params: ['datetime'],
    result: DATE,
    evaluate: ([moment]) => (isDatetime(moment) ? companyToday(new Date(moment)) : null),
  },
  addDays: {
    title: '若干天后',
    params: ['date', 'number'],
    result: DATE,
    evaluate: ([date, count = null]) => shifted(date, count, { most: 36_500, shift: addDays }),
  },
  /** The same day of a later month, or its last day when it has no such day. */
  addMonths: {
    title: '若干月后',
    params: ['date', 'number'],
    result: DATE,
    evaluate: ([date, count = null]) => shifted(date, count, { most: 1_200, shift: addMonths }),
  },
  /**
   * The nth working day after a date (before it for a negative number). Working days by the table of holidays, else Monday
   * to Friday; of another country where its code is given.
   */
  addWorkdays: {
    title: '若干工作日后',
    params: ['date', 'number', 'text?'],
    result: DATE,
    evaluate: ([date, count = null, country = null], { context }) => {
      const place = typeof country === 'string' && country !== '' ? country : null;
      const shift = (day: string, days: number): string => addWorkdays(day, days, context.workdays, place);
      return shifted(date, count, { most: 2_500, shift });
    },
  },
  year: {
    title: '年',
    params: ['date'],
    result: INTEGER,
    evaluate: ([date]) => (isDate(date) ? String(yearOf(date)) : null),
  },
  month: {
    title: '月',
    params: ['date'],
    result: INTEGER,
    evaluate: ([date]) => (isDate(date) ? String(monthOf(date)) : null),
  },
  quarter: {
    title: '季度',
    params: ['date'],
    result: INTEGER,
    evaluate: ([date]) => (isDate(date) ? String(Math.ceil(monthOf(date) / 3)) : null),
  },
} as const satisfies Record<string, FormulaFunction>;

function hoursBetween(from: unknown, to: unknown): string | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const milliseconds = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(milliseconds)) return null;
  const hours = divideDecimals(String(milliseconds), '3600000');
  return hours === null ? null : roundDecimal(hours, 1);
}

interface Shift {
  readonly most: number;
  readonly shift: (date: string, count: number) => string;
}

/** A result that is no date of the calendar any more is nothing. */
function shifted(date: unknown, count: Value, { most, shift }: Shift): Value {
  if (!isDate(date) || !isPlainDecimal(count)) return null;
  const whole = Number(roundDecimal(count, 0));
  if (Math.abs(whole) > most) return null;
  const moved = shift(date, whole);
  return isDate(moved) ? moved : null;
}
