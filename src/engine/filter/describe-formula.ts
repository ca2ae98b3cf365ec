import type { BinaryOperator, Expression } from '../expression/expression.ts';
import { functionNamed } from '../expression/function-registry.ts';
import { formatDecimal } from '../values/display.ts';
import type { Field } from '../schema/resource.ts';
import type { FilterPlace } from './check-filter.ts';
import { labelOf, pathTitle } from './path-title.ts';
import { fieldAt } from './scope.ts';

/**
 * A formula in Chinese with titles and labels, for 为什么.
 * @example 合同总额 × (1 + 溢短装), 商品明细的金额的合计（商品明细的类型为「样品」）
 */
export function describeFormula(expression: Expression, place: FilterPlace): string {
  switch (expression.kind) {
    case 'literal':
      return literalText(expression);
    case 'path':
      return pathTitle(expression.path, place);
    case 'unary':
      return expression.operator === '!'
        ? `不满足（${describeFormula(expression.operand, place)}）`
        : `-${inBrackets(expression.operand, 'unary', place)}`;
    case 'binary':
      return binaryText(expression, place);
    case 'choice': {
      const [test, then, otherwise] = [expression.test, expression.consequent, expression.otherwise].map(
        (part) => describeFormula(part, place),
      );
      return `（${test}时取${then}，否则取${otherwise}）`;
    }
    case 'call':
      return callText(expression, place);
  }
}

const SIGNS = {
  '+': '+',
  '-': '-',
  '*': '×',
  '/': '÷',
  '==': '为',
  '!=': '不为',
  '<': '小于',
  '<=': '不大于',
  '>': '大于',
  '>=': '不小于',
  '&&': '且',
  '||': '或',
} as const satisfies Record<BinaryOperator, string>;

function binaryText(expression: Expression & { readonly kind: 'binary' }, place: FilterPlace): string {
  const { operator, left, right } = expression;
  const a = inBrackets(left, operator, place);
  if (isComparison(operator)) return comparisonText(expression, place);
  if (operator === '&&' || operator === '||')
    return `${a}${SIGNS[operator]}${inBrackets(right, operator, place)}`;
  return `${a} ${SIGNS[operator]} ${inBrackets(right, `${operator}right`, place)}`;
}

function comparisonText(
  { operator, left, right }: Expression & { readonly kind: 'binary' },
  place: FilterPlace,
): string {
  const own = describeFormula(left, place);
  if (right.kind === 'literal' && (right.value === null || right.value === ''))
    return `${own}${operator === '==' ? '为空' : '不为空'}`;
  const field = left.kind === 'path' ? fieldAt(place, left.path) : undefined;
  return `${own}${SIGNS[operator]}${valueText(right, field, place)}`;
}

/** A value beside a field reads as the field's label. */
function valueText(expression: Expression, field: Field | undefined, place: FilterPlace): string {
  if (expression.kind !== 'literal' || typeof expression.value !== 'string' || expression.isNumber)
    return describeFormula(expression, place);
  const { value } = expression;
  return `「${labelOf(value, field, place) ?? value}」`;
}

function literalText({ value, isNumber }: Expression & { readonly kind: 'literal' }): string {
  if (value === null || value === '') return '空';
  if (typeof value === 'boolean') return value ? '是' : '否';
  return isNumber ? formatDecimal(value) : `「${value}」`;
}

/** Brackets only where the sum or product would read otherwise. */
function inBrackets(expression: Expression, around: string, place: FilterPlace): string {
  const text = describeFormula(expression, place);
  if (expression.kind !== 'binary') return text;
  const { operator } = expression;
  if (around === '&&') return operator === '||' ? `(${text})` : text;
  const isLoose = operator === '+' || operator === '-' || isComparison(operator) || operator === '||';
  const bindsMore = ['*', '/', '*right', '/right', '-right', 'unary'].includes(around);
  return (isLoose && bindsMore) || around === '/right' ? `(${text})` : text;
}

function isComparison(operator: BinaryOperator): boolean {
  return ['==', '!=', '<', '<=', '>', '>='].includes(operator);
}

function callText({ name, args }: Expression & { readonly kind: 'call' }, place: FilterPlace): string {
  const texts = args.map((argument) => describeFormula(argument, place));
  const [first = '', second] = texts;
  switch (name) {
    case 'today':
      return '今天';
    case 'param':
      return `${parameterText(args[0], place)}${second === undefined ? '' : `（按${second}）`}`;
    case 'coalesce':
      return texts.length === 1 ? first : `${first}（为空时取${texts.slice(1).join('、')}）`;
    case 'contains':
      return `${first}包含${second ?? ''}`;
    case 'days':
      return `${first}到${second ?? ''}的天数`;
    case 'addDays':
    case 'addMonths':
    case 'addWorkdays':
      return movedText(first, { by: args[1], unit: UNITS[name] }, place);
  }
  const definition = functionNamed(name);
  if (definition === undefined) return `${name}（${texts.join('、')}）`;
  if (!('aggregate' in definition) || texts.length > 2) return `${definition.title}（${texts.join('、')}）`;
  return second === undefined
    ? `${first}的${definition.title}`
    : aggregateText(definition.title, texts, args);
}

const UNITS = { addDays: '天', addMonths: '个月', addWorkdays: '个工作日' } as const;

/** A day so many days on: 今天加5天, 今天减去系统参数「…」的天数; what is taken from nothing goes back. */
function movedText(
  day: string,
  { by, unit }: { readonly by: Expression | undefined; readonly unit: string },
  place: FilterPlace,
): string {
  if (by === undefined) return day;
  const back = takenAway(by);
  const amount = back ?? by;
  const text = inBrackets(amount, '/right', place);
  const isPlain = amount.kind === 'literal' && amount.isNumber;
  return isPlain
    ? `${day}${back === null ? '加' : '减'}${text}${unit}`
    : `${day}${back === null ? '加上' : '减去'}${text}的${unit.replace('个', '')}数`;
}

/** The x of `-x` and `0 - x`; null of anything else. */
function takenAway(expression: Expression): Expression | null {
  if (expression.kind === 'unary') return expression.operator === '-' ? expression.operand : null;
  if (expression.kind !== 'binary' || expression.operator !== '-') return null;
  const { left, right } = expression;
  return left.kind === 'literal' && left.value === '0' ? right : null;
}

/** A parameter is known to people by what the page of parameters calls it. */
function parameterText(named: Expression | undefined, place: FilterPlace): string {
  return named?.kind === 'literal' ? pathTitle(`param.${named.value ?? ''}`, place) : '系统参数';
}

/** `sum(items.amount, items.kind == 'x')` reads with its condition, `min(a, b)` with both values. */
function aggregateText(title: string, texts: readonly string[], args: readonly Expression[]): string {
  const [first = '', second = ''] = texts;
  const condition = args[1];
  const isCondition =
    condition?.kind === 'unary' ? condition.operator === '!' : condition?.kind === 'binary' && !['+', '-', '*', '/'].includes(condition.operator); // prettier-ignore
  return isCondition ? `${first}的${title}（${second}）` : `${first}与${second}的${title}`;
}
