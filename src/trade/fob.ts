import { shares } from '#engine/expression/spread.ts';
import { roundDecimal, subtractDecimals } from '#engine/values/decimal.ts';

/**
 * FOB of the lines of an invoice: each less its share, by amount, of the freight and insurance that the price includes; the
 * last line takes the remainder. Without amounts nothing is taken off.
 * @example 100.00 of freight off 300.00 and 600.00 leaves 266.67 and 533.33
 */
export function fobAmounts(
  freightAndInsurance: string,
  amounts: readonly string[],
  decimals = 2,
): readonly string[] {
  const parts = shares(freightAndInsurance, amounts, decimals);
  return amounts.map((amount, line) =>
    roundDecimal(subtractDecimals(amount, parts?.[line] ?? '0'), decimals),
  );
}
