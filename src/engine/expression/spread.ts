import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '../values/decimal.ts';

/**
 * The shares of a total by weights, in cents unless told: each line gets its share rounded but never more than what is left, the last
 * takes the remainder. Null when the weights sum to 0.
 * @example shares('100.00', ['3333.33', '3333.33', '3333.34']) // 33.33, 33.33, 33.34
 */
export function shares(total: string, weights: readonly string[], scale = 2): readonly string[] | null {
  const sum = sumDecimals(weights);
  if (compareDecimals(sum, '0') === 0) return null;
  let left = roundDecimal(total, scale);
  return weights.map((weight, place) => {
    const exact = divideDecimals(multiplyDecimals(total, weight), sum) ?? '0';
    const share = place === weights.length - 1 ? left : capped(roundDecimal(exact, scale), left);
    left = roundDecimal(subtractDecimals(left, share), scale);
    return share;
  });
}

function capped(share: string, left: string): string {
  const isOver = left.startsWith('-') ? compareDecimals(share, left) < 0 : compareDecimals(share, left) > 0;
  return isOver ? left : share;
}
