import jsep from 'jsep';
import { suggestion } from '../schema/suggest-name.ts';
import { BINARY_OPERATORS, type BinaryOperator, type Expression, ExpressionFault } from './expression.ts';
import { arityOf } from './formula-function.ts';
import { functionNamed, functionNames } from './function-registry.ts';

export { ExpressionFault } from './expression.ts';

const MAXIMUM_LENGTH = 2_000;
const MAXIMUM_DEPTH = 40;
/** Definitions hold some hundred formulas; filters of callers must not fill the memory. */
const MAXIMUM_KEPT = 5_000;
const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype', 'undefined'];
const parsed = new Map<string, Expression>();

/**
 * Parses a formula: decimals, text in quotes, fields and paths, + - * / comparisons && || ! ?: and the registered
 * functions. Results are kept, since definitions repeat.
 * @throws ExpressionFault with a Chinese message and the offset
 */
export function parseExpression(text: string): Expression {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (text.length > MAXIMUM_LENGTH)
    throw new ExpressionFault(`公式超过 ${MAXIMUM_LENGTH} 个字符`, MAXIMUM_LENGTH);
  const expression = translate(parseTree(text), text, 0);
  if (parsed.size >= MAXIMUM_KEPT) parsed.clear();
  parsed.set(text, expression);
  return expression;
}

/** The paths that a formula reads: `quantity`, `items.amount`, `parent.currency`, `buyer_id.country_id.name`. */
export function expressionReads(expression: Expression): readonly string[] {
  const paths = new Set<string>();
  collectReads(expression, paths);
  return [...paths];
}

/** The calls in a formula, from the outermost in. */
export function callsIn(expression: Expression): readonly (Expression & { readonly kind: 'call' })[] {
  const inner = partsOf(expression).flatMap(callsIn);
  return expression.kind === 'call' ? [expression, ...inner] : inner;
}

/** Whether a formula calls a function that gives shares of all lines. */
export function callsLinesFunction(expression: Expression): boolean {
  const definition = expression.kind === 'call' ? functionNamed(expression.name) : undefined;
  return (
    (definition !== undefined && 'evaluateLines' in definition) ||
    partsOf(expression).some(callsLinesFunction)
  );
}

/** The expressions inside an expression. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'path':
      return [];
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'choice':
      return [expression.test, expression.consequent, expression.otherwise];
    case 'call':
      return expression.args;
  }
}

function parseTree(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const index = typeof error === 'object' && error !== null && 'index' in error ? Number(error.index) : 0;
    // jsep may look a character past the end.
    throw new ExpressionFault('语法不正确', Number.isFinite(index) ? Math.min(index, text.length) : 0);
  }
}

function translate(node: jsep.Expression, text: string, depth: number): Expression {
  if (depth > MAXIMUM_DEPTH) throw new ExpressionFault('嵌套过深', 0);
  const inner = (child: unknown): Expression => translate(asNode(child), text, depth + 1);
  const at = startOf(node);
  switch (node.type) {
    case 'Literal':
      return { kind: 'literal', ...literalOf(node, text), at };
    case 'Identifier':
      return { kind: 'path', path: identifier(String(node['name']), text), at };
    case 'MemberExpression':
      return { kind: 'path', path: memberPath(node, text), at };
    case 'UnaryExpression':
      return unary(String(node['operator']), inner(node['argument']), { text, at });
    case 'BinaryExpression': {
      const left = inner(node['left']);
      const operator = binaryOperator(String(node['operator']), text);
      return { kind: 'binary', operator, left, right: inner(node['right']), at: left.at };
    }
    case 'ConditionalExpression': {
      const test = inner(node['test']);
      const [consequent, otherwise] = [inner(node['consequent']), inner(node['alternate'])];
      return { kind: 'choice', test, consequent, otherwise, at: test.at };
    }
    case 'CallExpression':
      return call(node, text, depth);
    case 'Compound':
      throw text.trim() === ''
        ? new ExpressionFault('公式为空', 0)
        : fault('公式中有多余的内容', text, /(?<=\S)[\s;,]+/);
    case 'ThisExpression':
      throw fault('不能使用 this', text, 'this');
    default:
      throw new ExpressionFault('公式中有不支持的写法', 0);
  }
}

function identifier(name: string, text: string): string {
  if (FORBIDDEN_NAMES.includes(name)) throw fault(`不能使用 ${name}`, text, name);
  return name;
}

function literalOf(node: jsep.Expression, text: string): Literal {
  const value = node['value'];
  if (typeof value === 'boolean' || value === null) return { value, isNumber: false };
  if (typeof value === 'string') return { value, isNumber: false };
  const raw = String(node['raw']);
  if (!/^\d+(\.\d+)?$/.test(raw)) throw fault(`数字 ${raw} 应写成普通小数`, text, raw);
  return { value: raw, isNumber: true };
}

interface Literal {
  readonly value: string | boolean | null;
  readonly isNumber: boolean;
}

function memberPath(node: jsep.Expression, text: string): string {
  if (node['computed'] === true) throw fault('不能使用 [ ] 取值', text, '[');
  if (node['optional'] === true) throw fault('不能使用 ?. 取值', text, '?.');
  const object = asNode(node['object']);
  const name = String(asNode(node['property'])['name']);
  if (FORBIDDEN_NAMES.includes(name)) throw fault(`不能使用 ${name}`, text, name);
  if (object.type === 'Identifier') return `${String(object['name'])}.${name}`;
  if (object.type === 'MemberExpression') return `${memberPath(object, text)}.${name}`;
  if (object.type === 'ThisExpression') throw fault('不能使用 this', text, 'this');
  throw fault('“.”的前面应为字段', text, '.');
}

function unary(
  operator: string,
  operand: Expression,
  { text, at }: { readonly text: string; readonly at: number },
): Expression {
  if (operator === '+') return operand;
  if (operator === '-' || operator === '!') return { kind: 'unary', operator, operand, at };
  throw fault(`不支持运算符 ${operator}`, text, operator);
}

function binaryOperator(operator: string, text: string): BinaryOperator {
  const known = BINARY_OPERATORS.find((item) => item === operator);
  if (known === undefined) throw fault(`不支持运算符 ${operator}`, text, operator);
  return known;
}

function call(node: jsep.Expression, text: string, depth: number): Expression {
  const callee = asNode(node['callee']);
  if (callee.type !== 'Identifier') throw fault('不能调用方法', text, '(');
  const name = String(callee['name']);
  const definition = functionNamed(name);
  if (definition === undefined)
    throw new ExpressionFault(`未知函数 ${name}${suggestion(name, functionNames())}`, startOf(node));
  const given: unknown = node['arguments'];
  const args = (Array.isArray(given) ? given : []).map((argument: unknown) =>
    translate(asNode(argument), text, depth + 1),
  );
  const [least, most] = arityOf(definition);
  if (args.length < least || args.length > most)
    throw new ExpressionFault(
      `函数 ${name} 需要 ${least === most ? least : `${least} 到 ${most}`} 个参数`,
      startOf(node),
    );
  const [test, consequent, otherwise] = args;
  if (name === 'if' && test !== undefined && consequent !== undefined && otherwise !== undefined)
    return { kind: 'choice', test, consequent, otherwise, at: startOf(node) };
  return { kind: 'call', name, args, at: startOf(node) };
}

function collectReads(expression: Expression, paths: Set<string>): void {
  if (expression.kind === 'path') paths.add(expression.path);
  for (const part of partsOf(expression)) collectReads(part, paths);
}

function asNode(value: unknown): jsep.Expression {
  if (typeof value === 'object' && value !== null && 'type' in value) return value as jsep.Expression;
  throw new ExpressionFault('公式不完整', 0);
}

/** Where a node of the text begins. */
function startOf(node: jsep.Expression): number {
  return starts.get(node) ?? 0;
}

/** jsep does not say where its nodes stand: each token is noted when it begins and when it is done. */
const starts = new WeakMap<object, number>();
const open = new WeakMap<object, number[]>();

jsep.hooks.add('gobble-token', function noteStart(env) {
  const stack = open.get(this) ?? [];
  open.set(this, stack);
  stack.push(this.index);
  // A number would otherwise be taken without a word to whoever listens for its end.
  if (/[\d.]/.test(this.char)) {
    const number = this.gobbleNumericLiteral();
    if (number !== undefined) env.node = number;
  }
});
jsep.hooks.add('after-token', function noteNode(env) {
  const start = open.get(this)?.pop();
  if (start !== undefined && typeof env.node === 'object') starts.set(env.node, start);
});

/** A fault at the first place of a sign or a whole name outside quotes: jsep's nodes know no places. */
function fault(message: string, text: string, at: string | RegExp): ExpressionFault {
  const code = text.replace(/"[^"]*"|'[^']*'/g, (quoted) => ' '.repeat(quoted.length));
  const isName = typeof at === 'string' && /^\w+$/.test(at);
  const place = isName ? new RegExp(`(?<!\\w)${at}(?!\\w)`) : at;
  return new ExpressionFault(
    message,
    Math.max(0, typeof place === 'string' ? code.indexOf(place) : code.search(place)),
  );
}
