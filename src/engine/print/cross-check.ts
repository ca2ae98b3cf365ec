import { compareDecimals, sumDecimals } from '../values/decimal.ts';
import { formatDecimal } from '../values/display.ts';
import type { SetCheck } from './document-set.ts';

/** What was found at a place: values by group (`''` where there are no groups). */
export interface PlaceValues {
  /** Which paper and field. */
  readonly place: string;
  readonly values: ReadonlyMap<string, readonly FoundValue[]>;
  readonly isOptional: boolean;
}

export interface FoundValue {
  /** What is compared. */
  readonly value: string;
  /** What is shown of it. */
  readonly shown: string;
}

/** Two places that do not agree. */
export interface SetDifference {
  readonly check: string;
  /** Of which group, `''` where there are none. */
  readonly group: string;
  readonly placeA: string;
  readonly valueA: string;
  readonly placeB: string;
  readonly valueB: string;
}

/**
 * Compares the first place with each of the others. A group that one of them does not have is a difference, too.
 * @example crossCheck(amounts, [invoice, declaration]) // [{ placeA: '外销发票·金额', valueA: '100.00', placeB: '报关单·总价', valueB: '99.00', … }]
 */
export function crossCheck(check: SetCheck, places: readonly PlaceValues[]): readonly SetDifference[] {
  const [first, ...others] = places;
  if (first === undefined) return [];
  return others.flatMap((other) => {
    const groups = new Set([...first.values.keys(), ...other.values.keys()]);
    return [...groups].flatMap((group) => {
      const a = first.values.get(group) ?? [];
      const b = other.values.get(group) ?? [];
      if (agree(check, { a, b, isOptional: first.isOptional || other.isOptional })) return [];
      return [
        {
          check: check.title,
          group,
          placeA: first.place,
          valueA: shown(check, a),
          placeB: other.place,
          valueB: shown(check, b),
        },
      ];
    });
  });
}

function agree(
  { as, rule }: SetCheck,
  {
    a,
    b,
    isOptional,
  }: { readonly a: readonly FoundValue[]; readonly b: readonly FoundValue[]; readonly isOptional: boolean },
): boolean {
  if (a.length === 0 || b.length === 0) return isOptional || (a.length === 0 && b.length === 0);
  if (as === 'number') {
    const order = compareDecimals(sumOf(a), sumOf(b));
    return rule === 'atMost' ? order <= 0 : order === 0;
  }
  const [ones, others] = [textsOf(a), textsOf(b)];
  if (as === 'date' && rule === 'atMost')
    return ones.every((one) => others.every((other) => one.slice(0, 10) <= other.slice(0, 10)));
  if (rule === 'within') return isWithin(ones, others) || isWithin(others, ones);
  return ones.length === others.length && ones.every((one) => others.includes(one));
}

/** Every one of them is part of, or holds, one of the others. */
function isWithin(ones: readonly string[], others: readonly string[]): boolean {
  return ones.every((one) => others.some((other) => other.includes(one) || one.includes(other)));
}

function sumOf(values: readonly FoundValue[]): string {
  return sumDecimals(values.map(({ value }) => value));
}

/** Case, blanks and punctuation are spelling, not content. */
function textsOf(values: readonly FoundValue[]): readonly string[] {
  const texts = values.map(({ value }) => value.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''));
  return [...new Set(texts.filter((text) => text !== ''))];
}

function shown({ as }: SetCheck, values: readonly FoundValue[]): string {
  if (values.length === 0) return '（空）';
  if (as === 'number') return formatDecimal(sumOf(values));
  return [...new Set(values.map((value) => value.shown))].join('；').slice(0, 500);
}
