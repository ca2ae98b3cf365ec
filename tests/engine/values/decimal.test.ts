import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '#engine/values/decimal.ts';

const SCALE = 6;
const units = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });

/** Whole millionths as decimal text. */
function asText(value: bigint, scale = SCALE): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Half-up (away from zero) division of whole numbers. */
function divideHalfUp(value: bigint, divisor: bigint): bigint {
  const isNegative = value < 0n !== divisor < 0n;
  const [a, b] = [value < 0n ? -value : value, divisor < 0n ? -divisor : divisor];
  const rounded = (2n * a + b) / (2n * b);
  return isNegative ? -rounded : rounded;
}

describe('decimals against whole-number arithmetic', () => {
  it('adds, subtracts and multiplies exactly', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(compareDecimals(addDecimals(asText(a), asText(b)), asText(a + b))).toBe(0);
        expect(compareDecimals(subtractDecimals(asText(a), asText(b)), asText(a - b))).toBe(0);
        expect(compareDecimals(multiplyDecimals(asText(a), asText(b)), asText(a * b, 2 * SCALE))).toBe(0);
      }),
    );
  });

  it('rounds half-up, away from zero', () => {
    fc.assert(
      fc.property(units, (a) => {
        const cents = divideHalfUp(a, 10n ** 4n);
        expect(roundDecimal(asText(a), 2)).toBe(asText(cents, 2));
      }),
    );
  });

  it('divides to the cent as whole numbers do', () => {
    fc.assert(
      fc.property(
        units,
        units.filter((b) => b !== 0n),
        (a, b) => {
          const quotient = divideDecimals(asText(a), asText(b));
          expect(quotient).not.toBeNull();
          expect(roundDecimal(quotient ?? '', 2)).toBe(asText(divideHalfUp(a * 100n, b), 2));
        },
      ),
    );
  });

  it('orders by value', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(compareDecimals(asText(a), asText(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe('decimal text', () => {
  it('takes every result as an operand again', () => {
    fc.assert(
      fc.property(
        units,
        units.filter((b) => b !== 0n),
        (a, b) => {
          for (const result of [divideDecimals(asText(a), asText(b)), multiplyDecimals(asText(a), asText(b))])
            expect(isPlainDecimal(result)).toBe(true);
        },
      ),
    );
  });

  it('is digits and a point, nothing else', () => {
    for (const text of ['0', '-0.50', '0012', '123456789012345678901234567890.12'])
      expect(isPlainDecimal(text)).toBe(true);
    for (const text of ['', '+1', '1.', '.5', '1e3', 'NaN', 'Infinity', '0x1f', '1,000', ' 1', '1\n', '１'])
      expect(isPlainDecimal(text)).toBe(false);
    expect(isPlainDecimal(12)).toBe(false);
  });

  it('never prints an exponent or a negative zero', () => {
    expect(multiplyDecimals('0.0000000001', '0.0000000001')).toBe('0.00000000000000000001');
    expect(multiplyDecimals('100000000000000000000', '100000000000000000000')).toBe(`1${'0'.repeat(40)}`);
    expect(multiplyDecimals('-1', '0')).toBe('0');
    expect(roundDecimal('-0.001', 2)).toBe('0.00');
  });

  it.each([
    ['007.50', 2, '7.50'],
    ['-0.00', 2, '0.00'],
    ['-0.50', 2, '-0.50'],
    ['-12', 0, '-12'],
    ['00', 0, '0'],
    ['0.00', 2, '0.00'],
    ['1.5e2', 3, '150.000'],
  ])('writes %s to %i decimals as %s, whether or not it has them already', (text, scale, written) => {
    expect(roundDecimal(text, scale)).toBe(written);
  });

  it('divides by zero to nothing', () => {
    expect(divideDecimals('1', '0.00')).toBeNull();
  });

  it('sums what is a decimal and skips the rest', () => {
    expect(sumDecimals(['0.10', '0.20', null, undefined, '', 'x', true])).toBe('0.3');
    expect(sumDecimals([])).toBe('0');
  });

  it('knows the absolute value', () => {
    expect(absoluteDecimal('-1.50')).toBe('1.5');
  });
});
