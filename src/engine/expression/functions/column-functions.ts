import { addDecimals, divideDecimals, isPlainDecimal, sumDecimals } from '../../values/decimal.ts';
import type { FormulaFunction, Result, Value } from '../formula-function.ts';
import { shares } from '../spread.ts';
import { INTEGER, NUMBER, UNKNOWN, type ValueType } from '../value-type.ts';
import { isOrdered } from '../values.ts';
import { scaleOf } from './number-functions.ts';
import { commonOf } from './value-functions.ts';

/** A sum of money of lines is money of their currency. */
const asElement: Result = ([type = UNKNOWN]) => (type.kind === 'list' ? type.of : type);
const asCommon: Result = (types) =>
  commonOf(types.map((type): ValueType => (type.kind === 'list' ? type.of : type)));

/** Over the lines of a record, all or those to which a condition applies; what is empty is left out. */
export const COLUMN_FUNCTIONS = {
  /** 0 over nothing. */
  sum: {
    title: '合计',
    params: ['[number]', 'boolean?'],
    result: asElement,
    aggregate: (values) => sumDecimals(values),
  },
  /** `count(items)` counts lines, `count(items.x)` those that have an x. */
  count: {
    title: '个数',
    params: ['[any]', 'boolean?'],
    result: INTEGER,
    aggregate: (values) => String(values.length),
  },
  avg: { title: '平均', params: ['[number]', 'boolean?'], result: asElement, aggregate: average },
  min: {
    title: '最小',
    params: ['(any)', '(any)...'],
    result: asCommon,
    aggregate: (values) => extreme('<', values),
  },
  max: {
    title: '最大',
    params: ['(any)', '(any)...'],
    result: asCommon,
    aggregate: (values) => extreme('>', values),
  },
  /** The first value that is not empty. */
  first: {
    title: '第一个',
    params: ['[any]', 'boolean?'],
    result: asElement,
    aggregate: (values) => values[0] ?? null,
  },
  last: {
    title: '最后一个',
    params: ['[any]', 'boolean?'],
    result: asElement,
    aggregate: (values) => values.at(-1) ?? null,
  },
  /** `spread(parent.freight, amount)`: a total shared among the lines by a weight, to cents unless told; the last line takes the remainder. Where no weight tells lines apart all get the same, so that nothing of it is lost. */
  spread: {
    title: '按比例分摊',
    params: ['number', 'each number', 'number?'],
    result: ([total = NUMBER]) => total,
    evaluateLines: ([total = null, weights = null, scale = '2'], count) =>
      spread(total, weights, { count, scale }),
  },
} as const satisfies Record<string, FormulaFunction>;

function average(values: readonly Value[]): Value {
  const numbers = values.filter(isPlainDecimal);
  const sum = numbers.reduce(addDecimals, '0');
  return divideDecimals(sum, String(numbers.length));
}

function extreme(operator: '<' | '>', values: readonly Value[]): Value {
  return values.reduce<Value>((best, value) => {
    if (typeof value !== 'string') return best;
    return best === null || isOrdered(operator, value, best) ? value : best;
  }, null);
}

function spread(
  total: Value,
  weights: Value,
  { count, scale }: { readonly count: number; readonly scale: Value },
): readonly Value[] {
  const nothing = Array.from({ length: count }, () => null);
  if (!isPlainDecimal(total) || !Array.isArray(weights)) return nothing;
  const decimals = weights.map((weight: Value) => (isPlainDecimal(weight) ? weight : '0'));
  const evenly = decimals.map(() => '1');
  return shares(total, decimals, scaleOf(scale)) ?? shares(total, evenly, scaleOf(scale)) ?? nothing;
}
