import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';

/** Parts that are taken of a whole one after another, each with its share of a total (a charge, an amount in CNY). */
export interface TakenPart {
  readonly total: string;
  readonly part: string;
  readonly whole: string;
  /** The parts taken before. */
  readonly taken: string;
  /** What they were given of the total. */
  readonly given: string;
  /** Of the currency of the total; 2 when not said. */
  readonly decimals?: number;
}

/**
 * The share of a part, in cents or the decimals of its currency: in proportion, never more than what is left, and for the
 * part that uses up the whole all that is left of the total (flows 2.2, F4.3).
 * @example a charge of 25.00 on 49,975.00: 15.00 for 29,985.00, then 10.00 for the rest (T-16)
 */
export function shareOf({ total, part, whole, taken, given, decimals = 2 }: TakenPart): string {
  const left = subtractDecimals(total, given);
  if (compareDecimals(addDecimals(taken, part), whole) === 0) return roundDecimal(left, decimals);
  const share = roundDecimal(divideDecimals(multiplyDecimals(total, part), whole) ?? '0', decimals);
  return roundDecimal(capped(share, left, total), decimals);
}

/** A share, or what is left where that is less; nothing when nothing is left. */
function capped(share: string, left: string, total: string): string {
  const isNegative = total.startsWith('-');
  const more = compareDecimals(share, left);
  if (isNegative ? more >= 0 : more <= 0) return share;
  const beyond = compareDecimals(left, '0');
  return (isNegative ? beyond > 0 : beyond < 0) ? '0' : left;
}

/** A line that takes a part of a whole: of which whole (lines of one key share it), and what total is given out with it. */
export interface TakingLine {
  readonly total: string;
  readonly whole: string;
  readonly key: string;
  readonly part: string;
  /** What other documents took of the whole, and were given of the total. */
  readonly taken: string;
  readonly given: string;
}

/** The shares of lines that take parts of one or several wholes in their order, each as `shareOf`. */
export function sharesOf(lines: readonly TakingLine[], decimals = 2): readonly string[] {
  const states = new Map<string, { taken: string; given: string }>();
  return lines.map(({ total, whole, key, part, taken, given }) => {
    const state = states.get(key) ?? { taken, given };
    const share = shareOf({ total, part, whole, ...state, decimals });
    states.set(key, { taken: addDecimals(state.taken, part), given: addDecimals(state.given, share) });
    return share;
  });
}
