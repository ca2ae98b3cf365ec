import { describe, expect, it } from 'vitest';
import { amountInWords } from '#trade/amount-in-words.ts';

describe('amount in words', () => {
  it.each([
    ['1205.50', 'USD', 'SAY US DOLLARS ONE THOUSAND TWO HUNDRED AND FIVE AND CENTS FIFTY ONLY'],
    ['100000.00', 'USD', 'SAY US DOLLARS ONE HUNDRED THOUSAND ONLY'],
    ['21', 'EUR', 'SAY EUROS TWENTY-ONE ONLY'],
    ['0.05', 'GBP', 'SAY POUNDS STERLING ZERO AND CENTS FIVE ONLY'],
    ['1000005', 'JPY', 'SAY JAPANESE YEN ONE MILLION AND FIVE ONLY'],
    ['-300', 'CHF', 'SAY CHF MINUS THREE HUNDRED ONLY'],
  ])('%s %s', (amount, currency, words) => expect(amountInWords(amount, currency)).toBe(words));

  it.each(['1e3', '1,000.00', 'NaN', '1.234', '1000000000000000'])('refuses %s', (amount) =>
    expect(amountInWords(amount, 'USD')).toBeNull(),
  );
});
