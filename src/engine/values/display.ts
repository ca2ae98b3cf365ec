/** How values read: money 1,234.56, quantities without trailing zeros, percents 13.00%. */
import { decimalsOf } from './currency-decimals.ts';
import { isPlainDecimal, roundDecimal } from './decimal.ts';

/** Thousands separators; text that is no decimal comes back as it is. */
export function groupDigits(text: string): string {
  if (!isPlainDecimal(text)) return text;
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Money with the decimals of its currency (two where none is told) and separators. */
export function formatMoney(text: string, currency?: string): string {
  const decimals = currency === undefined ? 2 : decimalsOf(currency);
  return isPlainDecimal(text) ? groupDigits(roundDecimal(text, decimals)) : text;
}

/**
 * An amount that says what it is in.
 * @example moneyIn('JPY', '4418120.00') // '4,418,120 JPY'
 */
export function moneyIn(currency: string, text: string): string {
  return `${formatMoney(text, currency)} ${currency}`;
}

/** How an amount stands by itself, without its currency beside it. */
export interface MoneyStyle {
  readonly symbol?: string;
  readonly decimals?: number;
}

/** An amount with its symbol, `$` and two decimals unless told (spec section 9): `-$1,234.50`. */
export function moneyText(text: string, { symbol = '$', decimals = 2 }: MoneyStyle = {}): string {
  if (!isPlainDecimal(text)) return text;
  const rounded = roundDecimal(text, decimals);
  return rounded.startsWith('-')
    ? `-${symbol}${groupDigits(rounded.slice(1))}`
    : `${symbol}${groupDigits(rounded)}`;
}

/** A quantity or rate: separators, no zeros at the end of the fraction. */
export function formatDecimal(text: string): string {
  if (!isPlainDecimal(text)) return text;
  return groupDigits(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
}

/** A percent in stored units: `13.0000` reads 13.00%. */
export function formatPercent(text: string): string {
  return isPlainDecimal(text) ? `${roundDecimal(text, 2)}%` : text;
}
