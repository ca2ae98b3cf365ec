import { multiplyDecimals, roundDecimal, subtractDecimals } from '#engine/values/decimal.ts';

/**
 * What a receipt in foreign currency brought in CNY above its value at book rate (flows 2.5), half up to cents; a loss is
 * negative.
 * @example 30,000.00 for 214,950.00 at book 7.100000 is 1,950.00 (T-09)
 */
export function exchangeGain(receivedCny: string, receivedForeign: string, bookRate: string): string {
  return roundDecimal(
    subtractDecimals(receivedCny, roundDecimal(multiplyDecimals(receivedForeign, bookRate), 2)),
    2,
  );
}
