import { addDecimals, compareDecimals, divideDecimals, multiplyDecimals } from '#engine/values/decimal.ts';

/**
 * The most that may be shipped of a contract line: quantity × (1 + more or less), T-02 of flows.md.
 * @param quantity contracted quantity, decimal text
 * @param moreLess 溢短装 in percent, `5` for 5 %
 */
export function shippableQuantity(quantity: string, moreLess: string): string {
  const fraction = divideDecimals(moreLess, '100') ?? '0';
  return multiplyDecimals(quantity, addDecimals('1', fraction));
}

/** Whether a quantity may be shipped beside what has been; a total equal to the limit passes. */
export function isWithinTolerance(line: {
  readonly quantity: string;
  readonly moreLess: string;
  readonly shipped: string;
  readonly shipping: string;
}): boolean {
  const total = addDecimals(line.shipped, line.shipping);
  return compareDecimals(total, shippableQuantity(line.quantity, line.moreLess)) <= 0;
}
