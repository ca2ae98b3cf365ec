import { addMonths, isDate } from '#engine/values/dates.ts';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';

/** A line of an export for the refund: the base in CNY without VAT, rates as fractions. */
export interface RefundLine {
  readonly net: string;
  readonly refundRate: string;
  readonly vatRate: string;
}

/**
 * The refund of a line: base × the lower of refund and VAT rate (flows F9.3).
 * @example 550,000.00 at 13 % is 71,500.00 (T-01)
 */
export function refundOf({ net, refundRate, vatRate }: RefundLine): string {
  const rate = compareDecimals(refundRate, vatRate) < 0 ? refundRate : vatRate;
  return roundDecimal(multiplyDecimals(net, rate), 2);
}

/**
 * 不予退税额: input VAT that is not refunded and goes to cost.
 * @example 80,000.00 at 9 % of 13 % is 3,200.00 (T-05)
 */
export function nonRefundable({ net, refundRate, vatRate }: RefundLine): string {
  const rest = subtractDecimals(vatRate, refundRate);
  return compareDecimals(rest, '0') <= 0 ? '0.00' : roundDecimal(multiplyDecimals(net, rest), 2);
}

/**
 * Output VAT of an export that counts as sold at home (视同内销): FOB / (1 + VAT) × VAT.
 * @example 620,000.00 at 13 % is 71,327.43 (T-18)
 */
export function deemedTax(fobCny: string, vatRate: string): string {
  const net = divideDecimals(fobCny, addDecimals('1', vatRate));
  return net === null ? '0.00' : roundDecimal(multiplyDecimals(net, vatRate), 2);
}

/**
 * The base of a part of what an invoice was matched with: the whole gives all of it, a part its share without fractions of
 * a cent, so that parts never come to more than the whole (INV-09). Nothing of nothing.
 * @example 100.00 for 1 of 3 is 33.33, for 3 of 3 100.00
 */
export function refundBase(net: string, part: string, whole: string): string {
  if (compareDecimals(part, whole) === 0) return roundDecimal(net, 2);
  const share = divideDecimals(multiplyDecimals(net, part), whole) ?? '0';
  const rounded = roundDecimal(share, 2);
  return compareDecimals(rounded, share) > 0 ? subtractDecimals(rounded, '0.01') : rounded;
}

/**
 * The day of the next year by which something of a date has to be done (REFUND_DEADLINE 04-30, CERT_DEADLINE 04-15), the
 * last of its month when that year has no such day; null when the month and day are none.
 * @example 2026-02-10 and 04-30 give 2027-04-30 (T-18); 02-29 of 2027 is 2027-02-28
 */
export function dayOfNextYear(date: string, monthDay: string): string | null {
  const year = Number(date.slice(0, 4)) + 1;
  // 2000 has every day that a month and day can name.
  if (!isDate(`2000-${monthDay}`)) return null;
  return addMonths(`2000-${monthDay}`, (year - 2000) * 12);
}
