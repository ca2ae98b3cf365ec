import type { PlanLimit } from '#contract/plan.ts';
import { compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';
import { groupDigits } from '#engine/values/display.ts';
import { shownNumber } from '#engine/values/shown-number.ts';

/**
 * A figure as it reads: separators, a whole one without fraction, another with two decimals at least; an amount with the
 * decimals of its currency, and its code behind.
 * @param currency null for what is no amount, empty for an amount of which nobody knows
 */
export function figureText(value: string | null, currency: string | null = null): string {
  if (value === null) return '';
  if (currency !== null) return `${amountText(value, currency || null)} ${currency}`.trim();
  const plain = value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  return plain.includes('.') ? amountText(plain) : groupDigits(plain);
}

/** An amount with the decimals of its currency at least, two where none is told: `1,234.50`. */
export function amountText(value: string | null, currency?: string | null): string {
  return shownNumber(value, { type: 'money' }, currency ?? undefined);
}

const OPERATORS: Readonly<Record<string, string>> = {
  lte: '不超过',
  lt: '小于',
  gte: '不低于',
  gt: '大于',
  eq: '等于',
};

/** `已出运数量 1,200 ／ 不超过 1,000`. */
export function boundText({
  operator,
  bound,
  currency,
}: Pick<PlanLimit, 'operator' | 'bound' | 'currency'>): string {
  return bound === null ? '' : `${OPERATORS[operator] ?? ''} ${figureText(bound, currency)}`.trim();
}

/** A figure that goes beyond its bound and is refused by nobody: what must be posted is (interest, a repayment that fell due). */
export function isForced({
  level,
  operator,
  figure,
  bound,
}: Pick<PlanLimit, 'level' | 'operator' | 'figure' | 'bound'>): boolean {
  if (level !== 'ok' || !isPlainDecimal(figure) || !isPlainDecimal(bound)) return false;
  const side = compareDecimals(figure, bound);
  if (operator === 'gte' || operator === 'gt') return side < 0;
  return (operator === 'lte' || operator === 'lt') && side > 0;
}

/**
 * How much of its bound a figure has used, from 0 to 1 and beyond; null where a bar would say nothing (a bound of zero, a
 * lower bound). For the width of a bar only.
 */
export function usedShare({
  operator,
  figure,
  bound,
}: Pick<PlanLimit, 'operator' | 'figure' | 'bound'>): number | null {
  if ((operator !== 'lte' && operator !== 'lt') || figure === null || bound === null) return null;
  const [used, whole] = [Number(figure), Number(bound)];
  return whole > 0 && Number.isFinite(used) ? Math.max(0, used / whole) : null;
}
