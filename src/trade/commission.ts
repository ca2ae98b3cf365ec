import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';

/** A band of a commission scheme: from an amount (CNY, included) up to the next one's, at a rate (fraction). */
export interface Tier {
  readonly from: string;
  readonly rate: string;
}

/**
 * Commission on a base by bands (flows F12): progressive, each part at its band's rate; else all at the rate of the band
 * that the base falls in. Nothing on a base of zero or less. Rounded once, to cents.
 * @example 112,064.35 at 10 % to 50,000, 15 % to 200,000 is 14,309.65 (T-10)
 */
export function commissionOf(base: string, tiers: readonly Tier[], isProgressive: boolean): string {
  const bands = [...tiers].sort((a, b) => compareDecimals(a.from, b.from));
  const reached = bands.filter(({ from }) => compareDecimals(base, from) > 0);
  const last = reached.at(-1);
  if (last === undefined || compareDecimals(base, '0') <= 0) return '0.00';
  if (!isProgressive) return roundDecimal(multiplyDecimals(base, bandOf(base, bands, last).rate), 2);
  const parts = reached.map(({ from, rate }, place) => {
    const upTo = reached[place + 1]?.from ?? base;
    return multiplyDecimals(subtractDecimals(upTo, from), rate);
  });
  return roundDecimal(parts.reduce(addDecimals, '0'), 2);
}

/** The band that begins at the base itself, else the last below it. */
function bandOf(base: string, bands: readonly Tier[], last: Tier): Tier {
  return bands.find(({ from }) => compareDecimals(base, from) === 0) ?? last;
}
