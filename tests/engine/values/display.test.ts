import { describe, expect, it } from 'vitest';
import {
  formatDecimal,
  formatMoney,
  formatPercent,
  groupDigits,
  moneyIn,
  moneyText,
} from '#engine/values/display.ts';
import { defineValueCheck, knownValueChecks, runValueCheck } from '#engine/values/value-checks.ts';

describe('how values read', () => {
  it('money has separators and two decimals', () => {
    expect(formatMoney('1234.56')).toBe('1,234.56');
    expect(formatMoney('-1234567.8')).toBe('-1,234,567.80');
    expect(formatMoney('-100')).toBe('-100.00');
    expect(formatMoney('999999999999999.995')).toBe('1,000,000,000,000,000.00');
    expect(formatMoney('***')).toBe('***');
  });

  it('an amount says what it is in, with as many decimals as that has', () => {
    expect(moneyIn('JPY', '4418120.00')).toBe('4,418,120 JPY');
    expect(moneyIn('USD', '1234.5')).toBe('1,234.50 USD');
  });

  it('amounts that stand alone have a symbol, the dollar unless told', () => {
    expect(moneyText('1234.5')).toBe('$1,234.50');
    expect(moneyText('-0.005')).toBe('-$0.01');
    expect(moneyText('-0.001')).toBe('$0.00');
    expect(moneyText('1234.5678', { symbol: '¥', decimals: 0 })).toBe('¥1,235');
    expect(moneyText('')).toBe('');
  });

  it('quantities lose the zeros at their end, whole numbers keep theirs', () => {
    expect(formatDecimal('1200.5000')).toBe('1,200.5');
    expect(formatDecimal('1200.0000')).toBe('1,200');
    expect(formatDecimal('100')).toBe('100');
    expect(groupDigits('1234.5678')).toBe('1,234.5678');
  });

  it('percents have two decimals', () => {
    expect(formatPercent('13.0000')).toBe('13.00%');
    expect(formatPercent('0.125')).toBe('0.13%');
  });
});

describe('named checks', () => {
  it('say in Chinese what is wrong', () => {
    expect(runValueCheck('mobile', '13800000001')).toBeNull();
    expect(runValueCheck('mobile', '12800000001')).toBe('手机号格式不正确');
    expect(runValueCheck('email', 'a@b.co')).toBeNull();
    expect(runValueCheck('email', 'a@b')).toBe('邮箱格式不正确');
    expect(runValueCheck('digits', '12a')).toBe('只能填写数字');
  });

  it('can be added, and an unknown one passes', () => {
    defineValueCheck('even', (text) => (Number(text) % 2 === 0 ? null : '应为偶数'));
    expect(runValueCheck('even', '3')).toBe('应为偶数');
    expect(knownValueChecks()).toContain('even');
    expect(runValueCheck('nobody_knows', 'x')).toBeNull();
  });
});
