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
}

/**
 * The share of a part in cents: in proportion, and for the part that uses up the whole what is left of the total (flows
 * 2.2, F4.3).
 * @example a charge of 25.00 on 49,975.00: 15.00 for 29,985.00, then 10.00 for the rest (T-16)
 */
export function shareOf({ total, part, whole, taken, given }: TakenPart): string {
  if (compareDecimals(addDecimals(taken, part), whole) === 0)
    return roundDecimal(subtractDecimals(total, given), 2);
  return roundDecimal(divideDecimals(multiplyDecimals(total, part), whole) ?? '0', 2);
}

/** A line that takes a part of a whole: of which whole (lines of one key share it), and what total is given out with it. */
export interface TakingLine {
  readonly total: string;
  readonly whole: string;
  readonly key: string;
  readonly part: string;
}

/**
 * The shares of lines that take parts of one or several wholes in their order, each as `shareOf`; `before` says what was
 * taken and given elsewhere, of a whole that all lines share.
 */
export function sharesOf(
  lines: readonly TakingLine[],
  before: { readonly taken: string; readonly given: string } = { taken: '0', given: '0' },
): readonly string[] {
  const states = new Map<string, { taken: string; given: string }>();
  return lines.map(({ total, whole, key, part }) => {
    const state = states.get(key) ?? { ...before };
    const share = shareOf({ total, part, whole, ...state });
    states.set(key, { taken: addDecimals(state.taken, part), given: addDecimals(state.given, share) });
    return share;
  });
}
