import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  subtractDecimals,
  sumDecimals,
} from '#engine/values/decimal.ts';
import { agencyFees, type FeeLine, type FeeTerms } from '#trade/agency-fee.ts';
import { commissionOf } from '#trade/commission.ts';
import { type SettledFee, settledFee, settledProfit } from '#trade/settlement.ts';
import { exchangeGain } from '#trade/exchange-gain.ts';
import { fobAmounts } from '#trade/fob.ts';
import { annualInterest, interestDue, type Loan, penaltyDue } from '#trade/interest.ts';
import { shareOf, sharesOf } from '#trade/shares.ts';
import { dayOfNextYear, deemedTax, nonRefundable, refundOf } from '#trade/tax-refund.ts';

const cents = (most: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: most * 100 }).map((value) => (value / 100).toFixed(2));

type Line = Omit<FeeLine, 'terms'>;

function feeLine(given: Partial<Line>): Line {
  return {
    shipment: 's1',
    charged: '0',
    amountUsd: null,
    amountCny: null,
    fobCny: null,
    isLiable: true,
    ...given,
  };
}

/** Lines under the same terms. */
function feesOf(terms: FeeTerms, lines: readonly Line[]): readonly string[] {
  return agencyFees(lines.map((line) => ({ ...line, terms }))).map(String);
}

const perDollar: FeeTerms = { basis: 'per_usd', rate: '0.05', most: null, vat: null };

describe('agencyFees', () => {
  it('is by the terms of each line, and open without any', () => {
    const line = feeLine({ amountCny: '1044.50' });
    const onTop: FeeTerms = { basis: 'pct_cny', rate: '1', most: '500', vat: '0.06' };
    // The fee is rounded before the tax comes on top: 10.45 by 1.06.
    expect(
      agencyFees([
        { ...line, terms: onTop },
        { ...line, terms: null },
      ]),
    ).toEqual(['11.08', null]);
    const capped = { ...onTop, vat: null };
    const more = { ...line, amountCny: '30000.00' };
    expect(
      agencyFees([
        { ...more, terms: capped },
        { ...more, terms: capped },
        { ...more, shipment: 's2', terms: { ...capped, rate: '0.5' } },
      ]),
    ).toEqual(['300.00', '200.00', '150.00']);
  });

  it('is by the dollar for spot and held lines alike (T-01, T-04, T-15)', () => {
    expect(feesOf(perDollar, [feeLine({ shipment: null, amountUsd: '30000.00' })])).toEqual(['1500.00']);
    const split2 = [feeLine({ amountUsd: '50000.00' }), feeLine({ amountUsd: '20000.00' })];
    expect(feesOf(perDollar, split2)).toEqual(['2500.00', '1000.00']);
    expect(feesOf(perDollar, [feeLine({ amountUsd: '10832.00' })])).toEqual(['541.60']);
    expect(feesOf({ ...perDollar, rate: '0.03' }, [feeLine({ amountUsd: '80000.00' })])).toEqual(['2400.00']);
  });

  it('stops at the cap of the shipment, counting what was charged before and by the lines above', () => {
    const terms = { ...perDollar, most: '3000.00' };
    const lines = [
      feeLine({ charged: '1500.00', amountUsd: '20000.00' }),
      feeLine({ charged: '1500.00', amountUsd: '20000.00' }),
      feeLine({ shipment: 's2', amountUsd: '20000.00' }),
      feeLine({ shipment: null, amountUsd: '90000.00' }),
    ];
    expect(feesOf(terms, lines)).toEqual(['1000.00', '500.00', '1000.00', '4500.00']);
    expect(feesOf(terms, [feeLine({ charged: '3200.00', amountUsd: '100.00' })])).toEqual(['0.00']);
  });

  it('takes the fee of a shipment on its first line, once', () => {
    const lines = [
      feeLine({ isLiable: false }),
      feeLine({}),
      feeLine({}),
      feeLine({ shipment: 's2', charged: '800.00' }),
    ];
    expect(feesOf({ ...perDollar, basis: 'per_shipment', rate: '800' }, lines)).toEqual([
      '0.00',
      '800.00',
      '0.00',
      '0.00',
    ]);
    const fob = [feeLine({ fobCny: '568000.00' }), feeLine({ fobCny: '568000.00' })];
    expect(feesOf({ ...perDollar, basis: 'pct_fob', rate: '0.5' }, fob)).toEqual(['2840.00', '0.00']);
  });

  it('is a percent of the CNY amount, which a held line does not have yet; VAT may come on top', () => {
    const terms: FeeTerms = { basis: 'pct_cny', rate: '0.8', most: null, vat: '0.06' };
    const lines = [feeLine({ amountCny: '355600.00' }), feeLine({ amountCny: null })];
    expect(feesOf(terms, lines)).toEqual(['3015.49', '0.00']);
  });

  it('is never negative, and never takes a shipment beyond its cap', () => {
    const line = fc.record({
      shipment: fc.constantFrom('a', 'b'),
      amountUsd: cents(100_000),
      amountCny: cents(100_000),
      fobCny: cents(100_000),
      isLiable: fc.boolean(),
    });
    const terms = fc.record({
      basis: fc.constantFrom('per_usd', 'pct_cny', 'per_shipment', 'pct_fob'),
      rate: cents(100),
      most: cents(5_000),
      vat: fc.constantFrom(null, '0.06'),
    });
    fc.assert(
      fc.property(terms, fc.array(line, { maxLength: 8 }), cents(6_000), (given, lines, charged) => {
        const fees = feesOf(
          given,
          lines.map((one) => ({ ...one, charged })),
        );
        for (const shipment of ['a', 'b']) {
          const own = fees.filter((_, place) => lines[place]?.shipment === shipment);
          const room = subtractDecimals(given.most, charged);
          const most = compareDecimals(room, '0') < 0 ? '0' : room;
          expect(compareDecimals(sumDecimals(own), most)).toBeLessThanOrEqual(0);
        }
        for (const fee of fees) expect(compareDecimals(fee, '0')).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

function loan(given: Partial<Loan> = {}): Loan {
  return {
    principal: '227200.00',
    dailyRate: '0.00018',
    start: '2025-01-01',
    repaidOn: null,
    due: '2025-04-01',
    overdueMultiplier: '1.5',
    graceDays: 0,
    ...given,
  };
}

describe('interest', () => {
  it('counts the day of the repayment, not that of the draw (T-01, T-06)', () => {
    expect(interestDue(loan({ principal: '64350.00', dailyRate: '0.0002' }), '2025-02-15')).toBe('579.15');
    expect(interestDue(loan(), '2025-03-02')).toBe('2453.76');
    expect(interestDue(loan({ principal: '129653.76', repaidOn: '2025-03-02' }), '2025-04-01')).toBe(
      '700.13',
    );
  });

  it('turns into penalty after the due date (T-06)', () => {
    const late = loan({ principal: '129653.76', repaidOn: '2025-03-02' });
    expect(interestDue(late, '2025-04-11')).toBe('700.13');
    expect(penaltyDue(late, '2025-04-11')).toBe('350.07');
    expect(penaltyDue(late, '2025-04-01')).toBe('0.00');
    expect(penaltyDue({ ...late, repaidOn: '2025-04-06' }, '2025-04-11')).toBe('175.03');
  });

  it('is free in the days of grace, and on the day of the draw', () => {
    expect(interestDue(loan({ graceDays: 30 }), '2025-03-02')).toBe('1226.88');
    expect(interestDue(loan({ graceDays: 90 }), '2025-03-02')).toBe('0.00');
    expect(interestDue(loan(), '2025-01-01')).toBe('0.00');
  });

  it('by the year has 360 days (T-12)', () => {
    expect(annualInterest('500000.00', '0.0435', 90)).toBe('5437.50');
    expect(annualInterest('500000.00', '0.0435', 0)).toBe('0.00');
  });
});

describe('tax refund', () => {
  it('is at the lower of refund and VAT rate, the rest goes to cost (T-01, T-05)', () => {
    expect(refundOf({ net: '550000.00', refundRate: '0.13', vatRate: '0.13' })).toBe('71500.00');
    expect(refundOf({ net: '80000.00', refundRate: '0.09', vatRate: '0.13' })).toBe('7200.00');
    expect(nonRefundable({ net: '80000.00', refundRate: '0.09', vatRate: '0.13' })).toBe('3200.00');
    expect(refundOf({ net: '80000.00', refundRate: '0.13', vatRate: '0.01' })).toBe('800.00');
    expect(nonRefundable({ net: '80000.00', refundRate: '0.13', vatRate: '0.01' })).toBe('0.00');
  });

  it('becomes output tax when the export counts as sold at home (T-18)', () => {
    expect(deemedTax('620000.00', '0.13')).toBe('71327.43');
    expect(dayOfNextYear('2026-02-10', '04-30')).toBe('2027-04-30');
    expect(dayOfNextYear('2026-02-10', '02-30')).toBeNull();
  });
});

describe('shares', () => {
  it('takes the remainder with the part that uses up the whole (T-16)', () => {
    const first = shareOf({ total: '25.00', part: '29985.00', whole: '49975.00', taken: '0', given: '0' });
    expect(first).toBe('15.00');
    expect(
      shareOf({ total: '25.00', part: '19990.00', whole: '49975.00', taken: '29985.00', given: first }),
    ).toBe('10.00');
    expect(shareOf({ total: '1.00', part: '5', whole: '0', taken: '0', given: '0' })).toBe('0.00');
  });

  it('gives the whole total away, whatever the parts', () => {
    fc.assert(
      fc.property(cents(100_000), fc.array(cents(1_000), { minLength: 1, maxLength: 8 }), (total, parts) => {
        const whole = sumDecimals(parts);
        fc.pre(compareDecimals(whole, '0') > 0 && compareDecimals(parts.at(-1) ?? '0', '0') > 0);
        let [taken, given] = ['0', '0'];
        for (const part of parts) {
          given = addDecimals(given, shareOf({ total, part, whole, taken, given }));
          taken = addDecimals(taken, part);
        }
        expect(compareDecimals(given, total)).toBe(0);
      }),
    );
  });

  it('never gives more than there is, and whole yen of yen', () => {
    const lines = (total: string, count: number, part: string) =>
      Array.from({ length: count }, () => ({
        ...{ total, part, whole: multiplyDecimals(part, String(count)), key: '', taken: '0', given: '0' },
      }));
    expect(sharesOf(lines('0.05', 10, '1.00')).slice(0, 6)).toEqual([
      '0.01',
      '0.01',
      '0.01',
      '0.01',
      '0.01',
      '0.00',
    ]);
    expect(sharesOf(lines('-0.05', 10, '1.00')).at(-1)).toBe('0.00');
    expect(sharesOf(lines('100', 3, '1000'), 0)).toEqual(['33', '33', '34']);
  });

  it('of several wholes begin where other documents left each', () => {
    const line = { total: '1.00', part: '50', whole: '100', taken: '50', given: '0.51' };
    expect(
      sharesOf([
        { ...line, key: 'a' },
        { ...line, key: 'b', taken: '0', given: '0' },
        { ...line, key: 'b', taken: '0', given: '0', total: '1.01' },
      ]),
    ).toEqual(['0.49', '0.50', '0.51']);
  });

  it('takes freight and insurance off the lines of an invoice, the last line the remainder', () => {
    expect(fobAmounts('100.00', ['300.00', '600.00'])).toEqual(['266.67', '533.33']);
    expect(fobAmounts('100', ['1000', '2001'], 0)).toEqual(['967', '1934']);
    expect(fobAmounts('5.00', ['0.00', '0.00'])).toEqual(['0.00', '0.00']);
    fc.assert(
      fc.property(cents(1_000), fc.array(cents(10_000), { minLength: 1, maxLength: 8 }), (costs, amounts) => {
        fc.pre(compareDecimals(sumDecimals(amounts), '0') > 0);
        const fob = fobAmounts(costs, amounts);
        expect(compareDecimals(addDecimals(sumDecimals(fob), costs), sumDecimals(amounts))).toBe(0);
      }),
    );
  });
});

describe('exchangeGain', () => {
  it('is what came in above book rate (T-09)', () => {
    expect(exchangeGain('214950.00', '30000.00', '7.100000')).toBe('1950.00');
    expect(exchangeGain('141640.00', '20000.00', '7.100000')).toBe('-360.00');
  });
});

describe('settledFee and settledProfit', () => {
  const fee: SettledFee = {
    basis: 'per_usd',
    rate: '0.05',
    vat: null,
    least: '3000.00',
    most: null,
    charged: '1000.00',
    fobCny: null,
  };

  it.each<[string, Partial<SettledFee>, string]>([
    ['T-04 raised to the least', {}, '3000.00'],
    ['T-01 as it was charged', { charged: '5000.00' }, '5000.00'],
    ['not over the most', { charged: '5000.00', most: '4500.00' }, '4500.00'],
    ['without a least', { least: null, charged: '541.60' }, '541.60'],
    ['a fee of the whole shipment', { basis: 'per_shipment', rate: '800', least: null }, '800.00'],
    ['with VAT on top', { basis: 'per_shipment', rate: '800', least: null, vat: '0.06' }, '848.00'],
    ['of the FOB', { basis: 'pct_fob', rate: '0.5', least: null, fobCny: '710000.00' }, '3550.00'],
  ])('%s', (_, changes, due) => {
    expect(settledFee({ ...fee, ...changes })).toBe(due);
  });

  const none = { interest: '0', rebateFee: '0', spread: '0', cost: '0', vat: '0.06' };
  it.each([
    ['T-01', { ...none, isOwnRisk: false, fee: '5000.00', interest: '579.15' }, '5263.35'],
    [
      'T-15',
      { ...none, isOwnRisk: false, fee: '2400.00', rebateFee: '1476.80', spread: '1200.00' },
      '4857.36',
    ],
    ['a margin', { ...none, isOwnRisk: true, fee: '137426.85', interest: '579.15' }, '137973.22'],
    ['a loss', { ...none, isOwnRisk: true, fee: '-100.00', cost: '50.00' }, '-150.00'],
  ])('%s', (_, shipment, profit) => {
    expect(settledProfit(shipment)).toBe(profit);
  });
});

describe('commissionOf', () => {
  const tiers = [
    { from: '0', rate: '0.10' },
    { from: '50000', rate: '0.15' },
    { from: '200000', rate: '0.20' },
  ];

  it('goes by bands (T-10)', () => {
    expect(commissionOf('112064.35', tiers, true)).toBe('14309.65');
    expect(commissionOf('260000.00', tiers, true)).toBe('39500.00');
    expect(commissionOf('28000.00', tiers, true)).toBe('2800.00');
    expect(commissionOf('-8000.00', tiers, true)).toBe('0.00');
  });

  it('is all at the rate of its band where the scheme is not progressive', () => {
    expect(commissionOf('49999.99', tiers, false)).toBe('5000.00');
    expect(commissionOf('50000.00', tiers, false)).toBe('7500.00');
    expect(commissionOf('260000.00', tiers, false)).toBe('52000.00');
  });

  it('grows with the base, never by more than the highest rate', () => {
    fc.assert(
      fc.property(cents(500_000), cents(500_000), (a, b) => {
        const [low, high] = compareDecimals(a, b) < 0 ? [a, b] : [b, a];
        const more = subtractDecimals(commissionOf(high, tiers, true), commissionOf(low, tiers, true));
        expect(compareDecimals(more, '0')).toBeGreaterThanOrEqual(0);
        const most = addDecimals(multiplyDecimals(subtractDecimals(high, low), '0.20'), '0.01');
        expect(compareDecimals(more, most)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
