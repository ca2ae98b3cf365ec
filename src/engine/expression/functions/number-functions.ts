import {
  absoluteDecimal,
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  roundDecimalDown,
  roundDecimalUp,
} from '../../values/decimal.ts';
import type { FormulaFunction, Result, Value } from '../formula-function.ts';
import { INTEGER, NUMBER } from '../value-type.ts';

/** Rounding keeps what is rounded: money stays money. */
const asFirst: Result = ([type = NUMBER]) => (type.kind === 'percent' ? NUMBER : type);

/** Rounding and signs. A number of decimals is taken from 0 to 10; half is rounded away from zero. */
export const NUMBER_FUNCTIONS = {
  round: {
    title: '四舍五入',
    params: ['number', 'number?'],
    result: asFirst,
    evaluate: (args) => rounded(args, roundDecimal),
  },
  floor: {
    title: '向下取整',
    params: ['number', 'number?'],
    result: asFirst,
    evaluate: (args) => rounded(args, roundDecimalDown),
  },
  ceil: {
    title: '向上取整',
    params: ['number', 'number?'],
    result: asFirst,
    evaluate: (args) => rounded(args, roundDecimalUp),
  },
  abs: {
    title: '绝对值',
    params: ['number'],
    result: asFirst,
    evaluate: ([value = null]) => (isPlainDecimal(value) ? absoluteDecimal(value) : null),
  },
  /** `step(12.3, 5)` is 15: up to the next multiple of a step, such as a started 30 days or a smallest lot. Null for a step of 0 or less. */
  step: {
    title: '按档进位',
    params: ['number', 'number'],
    result: asFirst,
    evaluate: ([value = null, to = null]) => stepped(value, to),
  },
  /** `decimals(currency)` is 2, 0 for yen: `floor(limit, decimals(currency))` rounds a limit down. */
  decimals: {
    title: '币种小数位',
    params: ['text'],
    result: INTEGER,
    evaluate: ([currency = null], { decimalsOf }) =>
      typeof currency === 'string' ? String(decimalsOf(currency)) : null,
  },
} as const satisfies Record<string, FormulaFunction>;

function rounded(
  [value = null, scale = null]: readonly Value[],
  round: (text: string, scale: number) => string,
): Value {
  return isPlainDecimal(value) ? round(value, scaleOf(scale)) : null;
}

/** The number of decimals that a value asks for. */
export function scaleOf(scale: Value): number {
  return isPlainDecimal(scale) ? Math.min(10, Math.max(0, Math.trunc(Number(scale)))) : 0;
}

function stepped(value: Value, to: Value): Value {
  if (!isPlainDecimal(value) || !isPlainDecimal(to) || compareDecimals(to, '0') <= 0) return null;
  const steps = divideDecimals(value, to);
  return steps === null ? null : multiplyDecimals(roundDecimalUp(steps, 0), to);
}
