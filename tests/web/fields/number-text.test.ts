import { describe, expect, test } from 'vitest';
import { shownNumber } from '#engine/values/shown-number.ts';
import type { Field } from '#engine/schema/resource.ts';
import { reviewedFields } from '#web/features/review/reviewed-fields.ts';
import { editedNumber, typedDecimal, typedInteger } from '#web/fields/number-text.ts';

describe('typed numbers', () => {
  test('separators, full-width digits and signs become plain decimal text', () => {
    expect(typedDecimal('1,234.50')).toBe('1234.50');
    expect(typedDecimal('１，２３４．５')).toBe('1234.5');
    expect(typedDecimal('¥ 12')).toBe('12');
    expect(typedDecimal('(12.00)')).toBe('-12.00');
    expect(typedDecimal('.5')).toBe('0.5');
    expect(typedDecimal('007')).toBe('7');
    expect(typedDecimal('13%')).toBe('13');
  });

  test('empty is null, and what is no number stays for the check to refuse', () => {
    expect(typedDecimal('  ')).toBeNull();
    expect(typedDecimal('abc')).toBe('abc');
    expect(typedDecimal('1.2.3')).toBe('1.2.3');
    expect(typedDecimal('-')).toBe('-');
  });

  test('a comma is left out between groups of three digits only', () => {
    expect(typedDecimal('1,234,567.8')).toBe('1234567.8');
    expect(typedDecimal('(¥1,200)')).toBe('-1200');
    for (const text of ['12,50', '1,5', '1.234,56', '0,500', '1,2345', ',500'])
      expect(typedDecimal(text)).toBe(text);
  });

  test('a whole number is a JSON number, anything else stays text', () => {
    expect(typedInteger('1,200')).toBe(1200);
    expect(typedInteger('1.5')).toBe('1.5');
    expect(typedInteger('99999999999999999999')).toBe('99999999999999999999');
  });

  test('a number reads with separators, percent with two decimals, money with those of its currency', () => {
    expect(shownNumber('1234567.5', { type: 'money' })).toBe('1,234,567.50');
    expect(shownNumber('4736376.00', { type: 'money' }, 'JPY')).toBe('4,736,376');
    expect(shownNumber('12.5', { type: 'money' }, 'JPY')).toBe('12.5');
    expect(shownNumber('12.5', { type: 'money' }, 'USD')).toBe('12.50');
    expect(shownNumber('13.0000', { type: 'percent' })).toBe('13.00');
    expect(shownNumber('13.1250', { type: 'percent' })).toBe('13.125');
    expect(shownNumber('1200.0000', { type: 'decimal' })).toBe('1,200');
    expect(shownNumber(2026, { type: 'integer' })).toBe('2026');
    expect(editedNumber('1200.0000')).toBe('1200');
  });
});

describe('what an approver fills in behind a link', () => {
  const field = (name: string, type: Field['type']): Field => ({
    ...{ name, title: name, type, required: false, standard: false, computed: false },
  });

  test('is sent as it was typed, and its numbers as they are read anywhere', () => {
    const fields = [
      field('conditions', 'textarea'),
      field('amount', 'money'),
      field('wrong', 'money'),
      field('rate', 'percent'),
      field('days', 'integer'),
      field('until', 'date'),
    ];
    const texts = {
      conditions: ' 保证金30%, 每月5日前对账, 超限停单\n',
      ...{ amount: '1,200,000.50', wrong: '500000,50', rate: '１２．５', days: '1,200', until: '' },
    };
    expect(reviewedFields(fields, texts)).toEqual({
      conditions: '保证金30%, 每月5日前对账, 超限停单',
      ...{ amount: '1200000.50', wrong: '500000,50', rate: '12.5', days: 1200, until: null },
    });
  });
});
