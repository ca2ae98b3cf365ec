import { fieldAt, readPath, type Scope } from '../filter/scope.ts';
import { headPath } from '../schema/formula-order.ts';
import {
  addDecimals,
  divideDecimals,
  isPlainDecimal,
  multiplyDecimals,
  subtractDecimals,
} from '../values/decimal.ts';
import { decimalsOf } from '../values/currency-decimals.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { type ColumnFunction, type LinesFunction, paramAt, type Value } from './formula-function.ts';
import { functionNamed } from './function-registry.ts';
import { shownValue } from './shown-value.ts';
import { flatten, isOrdered, isSame, isSingle, isTrue, toValue } from './values.ts';

export type { Value } from './formula-function.ts';

/**
 * Evaluates a formula. Empty operands: + and - take them as 0 (both empty gives null), * and / give null, a division by
 * zero gives null. Percent fields are read as fractions (13 is 0.13). A column in the place of a value gives a column:
 * `items.kind == 'x'` is a yes or no for each line. Never throws for data.
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return toValue(expression.value);
    case 'path':
      return readValue(expression.path, scope);
    case 'unary': {
      const { operator } = expression;
      return forEach([evaluate(expression.operand, scope)], ([value = null]) => unary(operator, value));
    }
    case 'binary':
      return binary(expression.operator, expression.left, expression.right, scope);
    case 'choice':
      return choice(expression.test, expression.consequent, expression.otherwise, scope);
    case 'call':
      return call(expression, scope);
  }
}

function readValue(path: string, scope: Scope): Value {
  const value = toValue(readPath(scope, path));
  return isPercent(path, scope) ? asFraction(value) : value;
}

/** A browser has its own resource alone: of what lies beyond the server says what counts in percent. */
function isPercent(path: string, scope: Scope): boolean {
  const field = fieldAt(scope, path);
  if (field !== undefined) return field.type === 'percent';
  const { percentPaths = [] } = scope.resource;
  return percentPaths.length > 0 && percentPaths.includes(headPath(path, scope.lines));
}

function asFraction(value: Value): Value {
  if (Array.isArray(value)) return value.map(asFraction);
  return isPlainDecimal(value) ? divideDecimals(value, '100') : value;
}

/** Applies an operation to single values; to each line's where some of them are columns. Columns of unequal length give nothing. */
function forEach(args: readonly Value[], apply: (args: readonly Value[]) => Value): Value {
  const columns = args.filter((value) => !isSingle(value));
  const [column] = columns;
  if (!Array.isArray(column)) return apply(args);
  if (columns.some((other) => !Array.isArray(other) || other.length !== column.length)) return null;
  return column.map((_, line) =>
    forEach(
      args.map((value) => (Array.isArray(value) ? (value[line] ?? null) : value)),
      apply,
    ),
  );
}

function unary(operator: '-' | '!', value: Value): Value {
  if (operator === '!') return !isTrue(value);
  return isPlainDecimal(value) ? subtractDecimals('0', value) : null;
}

function binary(operator: BinaryOperator, left: Expression, right: Expression, scope: Scope): Value {
  const a = evaluate(left, scope);
  const isDecided = isSingle(a) && ((operator === '&&' && !isTrue(a)) || (operator === '||' && isTrue(a)));
  if (isDecided) return operator === '||';
  const b = evaluate(right, scope);
  if (isSingle(a) && isSingle(b)) return combine(operator, a, b);
  return forEach([a, b], ([x = null, y = null]) => combine(operator, x, y));
}

function combine(operator: BinaryOperator, a: Value, b: Value): Value {
  switch (operator) {
    case '&&':
      return isTrue(a) && isTrue(b);
    case '||':
      return isTrue(a) || isTrue(b);
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

function choice(test: Expression, consequent: Expression, otherwise: Expression, scope: Scope): Value {
  const known = evaluate(test, scope);
  if (isSingle(known)) return evaluate(isTrue(known) ? consequent : otherwise, scope);
  return forEach(
    [known, evaluate(consequent, scope), evaluate(otherwise, scope)],
    ([is = null, a = null, b = null]) => (isTrue(is) ? a : b),
  );
}

function call(expression: Expression & { readonly kind: 'call' }, scope: Scope): Value {
  const { name, args } = expression;
  const definition = functionNamed(name);
  if (definition === undefined) return null;
  if ('aggregate' in definition) return aggregate(definition, args, scope);
  if ('evaluateLines' in definition) return ofLine(expression, definition, scope);
  const { context, catalog } = scope;
  const surroundings = {
    context,
    tables: catalog.tables,
    decimalsOf: (currency: string) => decimalsOf(currency, context.decimals),
  };
  const values = args.map((argument) =>
    definition.showsArguments === true ? shownValue(argument, scope, evaluate) : evaluate(argument, scope),
  );
  // Only the arguments that stand for one value each are taken line by line.
  const wide = values.map((value, place) => (paramAt(definition, place).takes === 'value' ? null : value));
  const single = values.map((value, place) => (paramAt(definition, place).takes === 'value' ? value : null));
  return forEach(single, (line) =>
    definition.evaluate(
      line.map((value, place) => wide[place] ?? value),
      surroundings,
    ),
  );
}

/** A column without its empty values, and only of the lines to which the condition applies. */
function aggregate(definition: ColumnFunction, args: readonly Expression[], scope: Scope): Value {
  const last = args.at(-1);
  const condition = args.length > 1 && last !== undefined && isCondition(last, scope) ? last : undefined;
  const columns = condition === undefined ? args : args.slice(0, -1);
  const values = columns.map((column) => columnOf(column, scope));
  if (condition === undefined) return definition.aggregate(flatten(values));
  const test = evaluate(condition, scope);
  return definition.aggregate(flatten(values.map((value) => where(value, test))));
}

function where(value: Value, test: Value): Value {
  if (Array.isArray(test)) return Array.isArray(value) ? value.map((item: Value, line) => where(item, test[line] ?? null)) : null; // prettier-ignore
  return isTrue(test) ? value : null;
}

/** The lines themselves are a column of yes: `count(items)` counts them, whatever they hold. */
function columnOf(column: Expression, scope: Scope): Value {
  if (column.kind !== 'path') return evaluate(column, scope);
  const value = readPath(scope, column.path);
  const isLines = Array.isArray(value) && fieldAt(scope, column.path)?.type === 'lines';
  return isLines ? value.map(() => true) : evaluate(column, scope);
}

/** Whether the last argument of an aggregate narrows it: a comparison, or a yes or no of the lines. */
function isCondition(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case 'literal':
      return typeof expression.value === 'boolean';
    case 'path':
      return fieldAt(scope, expression.path)?.type === 'boolean';
    case 'unary':
      return expression.operator === '!';
    case 'binary':
      return !['+', '-', '*', '/'].includes(expression.operator);
    case 'choice':
      return isCondition(expression.consequent, scope);
    case 'call': {
      const result = functionNamed(expression.name)?.result;
      return typeof result === 'object' && result.kind === 'boolean';
    }
  }
}

/** The place of the scope's line in what the function gives for all lines; null outside lines. */
function ofLine(
  expression: Expression & { readonly kind: 'call' },
  definition: LinesFunction,
  scope: Scope,
): Value {
  const { lines, parent } = scope;
  if (lines === undefined || parent === undefined) return null;
  const rows = rowsOf(parent, lines);
  const place = scope.place ?? rows.findIndex((line) => isSameLine(line, scope.record));
  if (place < 0) return null;
  const known = scope.memo?.get(expression);
  const results =
    known ??
    definition.evaluateLines(lineArguments(expression.args, definition, { scope, rows }), rows.length);
  scope.memo?.set(expression, results);
  return results[place] ?? null;
}

/** What a function over lines takes of each line is evaluated there, unless the formula gives a whole column. */
function lineArguments(
  args: readonly Expression[],
  definition: LinesFunction,
  { scope, rows }: { readonly scope: Scope; readonly rows: readonly Scope['record'][] },
): readonly Value[] {
  return args.map((argument, place) => {
    const own = evaluate(argument, scope);
    if (paramAt(definition, place).takes !== 'each' || !isSingle(own)) return own;
    return rows.map((record, line) =>
      evaluate(argument, { ...scope, record, above: undefined, place: line }),
    );
  });
}

function isSameLine(line: Scope['record'], own: Scope['record']): boolean {
  return line === own || (line['id'] !== undefined && line['id'] === own['id']);
}

function rowsOf(parent: Scope['record'], lines: string): readonly Scope['record'][] {
  const list = parent[lines];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Scope['record'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
