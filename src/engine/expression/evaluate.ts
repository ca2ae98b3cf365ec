import { readContext } from '../filter/read-context.ts';
import { fieldAt, readPath, type Scope } from '../filter/scope.ts';
import { addDays, addMonths, daysBetween, isDate, yearOf } from '../values/dates.ts';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
  sumDecimals,
} from '../values/decimal.ts';
import type { BinaryOperator, Expression, FunctionName } from './expression.ts';
import { spreadShare } from './spread.ts';

/** A decimal, date or text as text, a yes or no, nothing, or the values of a column. */
export type Value = string | boolean | null | readonly Value[];

/**
 * Evaluates a formula. Empty operands: + and - take them as 0 (both empty gives null), * and / give null, a division by
 * zero gives null. Percent fields are read as fractions (13 is 0.13). Never throws for data.
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return toValue(expression.value);
    case 'path':
      return readValue(expression.path, scope);
    case 'unary':
      return negate(expression.operator, evaluate(expression.operand, scope));
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, scope);
    case 'choice':
      return evaluate(
        isTrue(evaluate(expression.test, scope)) ? expression.consequent : expression.otherwise,
        scope,
      );
    case 'call':
      return call(expression.name, expression.args, scope);
  }
}

function readValue(path: string, scope: Scope): Value {
  if (path === 'today') return scope.context.today;
  if (path.startsWith('input.') || path.startsWith('user.')) return toValue(readContext(path, scope.context));
  const value = toValue(readPath(scope, path));
  return fieldAt(scope, path)?.type === 'percent' ? asFraction(value) : value;
}

function asFraction(value: Value): Value {
  if (Array.isArray(value)) return value.map(asFraction);
  return isPlainDecimal(value) ? divideDecimals(value, '100') : value;
}

function toValue(value: unknown): Value {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return Array.isArray(value) ? value.map(toValue) : null;
}

function negate(operator: '-' | '!', value: Value): Value {
  if (operator === '!') return !isTrue(value);
  return isPlainDecimal(value) ? subtractDecimals('0', value) : null;
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, scope: Scope): Value {
  const a = evaluate(left, scope);
  if (operator === '&&') return isTrue(a) && isTrue(evaluate(right, scope));
  if (operator === '||') return isTrue(a) || isTrue(evaluate(right, scope));
  const b = evaluate(right, scope);
  switch (operator) {
    case '==':
      return isSame(a, b);
    case '!=':
      return !isSame(a, b);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOrdered(operator, a, b);
    case '+':
    case '-':
      return plusMinus(operator, a, b);
    case '*':
      return isPlainDecimal(a) && isPlainDecimal(b) ? multiplyDecimals(a, b) : null;
    case '/':
      return isPlainDecimal(a) && isPlainDecimal(b) ? divideDecimals(a, b) : null;
  }
}

function plusMinus(operator: '+' | '-', a: Value, b: Value): Value {
  if (a === null && b === null) return null;
  const [left, right] = [a ?? '0', b ?? '0'];
  if (!isPlainDecimal(left) || !isPlainDecimal(right)) return null;
  return operator === '+' ? addDecimals(left, right) : subtractDecimals(left, right);
}

function isSame(a: Value, b: Value): boolean {
  if (isPlainDecimal(a) && isPlainDecimal(b)) return compareDecimals(a, b) === 0;
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTrue(a) === isTrue(b);
  return a === b;
}

function isOrdered(operator: '<' | '<=' | '>' | '>=', a: Value, b: Value): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const order = isPlainDecimal(a) && isPlainDecimal(b) ? compareDecimals(a, b) : a < b ? -1 : a > b ? 1 : 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return value !== null;
  if (value === '') return false;
  return !isPlainDecimal(value) || compareDecimals(value, '0') !== 0;
}

function call(name: FunctionName, args: readonly Expression[], scope: Scope): Value {
  const [first, second] = args;
  const value = (place: number): Value => {
    const argument = args[place];
    return argument === undefined ? null : evaluate(argument, scope);
  };
  switch (name) {
    case 'sum':
      return sumDecimals(flatten([value(0)]));
    case 'count':
      return String(flatten([countable(first, scope)]).length);
    case 'round':
      return rounded(value(0), value(1));
    case 'min':
    case 'max':
      return extreme(name, flatten(args.map((_, place) => value(place))));
    case 'if':
      return isTrue(value(0)) ? value(1) : value(2);
    case 'coalesce':
      return args.map((_, place) => value(place)).find((item) => item !== null) ?? null;
    case 'contains':
      return containsText(value(0), value(1));
    case 'rate':
      return rateOf(value(0), value(1), value(2), scope);
    case 'days':
      return daysOf(value(0), value(1));
    case 'addDays':
      return addedDays(value(0), value(1));
    case 'addMonths':
      return addedMonths(value(0), value(1));
    case 'year':
      return yearText(value(0));
    case 'today':
      return scope.context.today;
    case 'param':
      return toValue(readContext(`param.${String(value(0))}`, scope.context));
    case 'spread':
      return first === undefined || second === undefined ? null : spreadShare(first, second, scope, evaluate);
  }
}

/** `count(items)` counts the lines themselves, `count(items.x)` the lines that have an x. */
function countable(argument: Expression | undefined, scope: Scope): Value {
  if (argument?.kind === 'path' && !argument.path.includes('.')) {
    const value = readPath(scope, argument.path);
    return Array.isArray(value) ? value.map(() => '1') : [];
  }
  return argument === undefined ? [] : evaluate(argument, scope);
}

function rounded(value: Value, scale: Value): Value {
  if (!isPlainDecimal(value)) return null;
  return roundDecimal(
    value,
    isPlainDecimal(scale) ? Math.min(10, Math.max(0, Math.trunc(Number(scale)))) : 0,
  );
}

function extreme(name: 'min' | 'max', values: readonly Value[]): Value {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.reduce<string | null>((best, value) => {
    if (best === null) return value;
    return isOrdered(name === 'min' ? '<' : '>', value, best) ? value : best;
  }, null);
}

/** Whether a text has another inside it (letter case counts), or a list has a value. */
function containsText(whole: Value, part: Value): boolean {
  if (typeof part !== 'string' || part === '' || whole === null || typeof whole === 'boolean') return false;
  return whole.includes(part);
}

/** CNY per unit of a currency: `rate(currency, 'book', date)`; without a date, today's. CNY itself is 1. */
function rateOf(currency: Value, kind: Value, date: Value, scope: Scope): Value {
  if (typeof currency !== 'string' || typeof kind !== 'string') return null;
  if (kind === 'usd_cross' ? currency === 'USD' : currency === 'CNY') return '1';
  return scope.context.rate?.(currency, kind, isDate(date) ? date : scope.context.today) ?? null;
}

function daysOf(from: Value, to: Value): Value {
  return isDate(from) && isDate(to) ? String(daysBetween(from, to)) : null;
}

function addedDays(date: Value, count: Value): Value {
  if (!isDate(date) || !isPlainDecimal(count)) return null;
  const days = Number(roundDecimal(count, 0));
  return Math.abs(days) <= 36_500 ? addDays(date, days) : null;
}

function addedMonths(date: Value, count: Value): Value {
  if (!isDate(date) || !isPlainDecimal(count)) return null;
  const months = Number(roundDecimal(count, 0));
  return Math.abs(months) <= 1_200 ? addMonths(date, months) : null;
}

function yearText(date: Value): Value {
  return isDate(date) ? String(yearOf(date)) : null;
}

type Single = Exclude<Value, readonly Value[]>;

function flatten(values: readonly Value[]): readonly Exclude<Single, null>[] {
  return values.flatMap((value) => {
    if (isSingle(value)) return value === null ? [] : [value];
    return flatten(value);
  });
}

function isSingle(value: Value): value is Single {
  return !Array.isArray(value);
}
